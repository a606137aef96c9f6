#pragma once
#include "output/text.h"

/* The text of case_echo as one that reads as the same case, in fewer lines. */
void echo_short(const char *block, Text *out);
