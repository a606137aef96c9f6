/* Just enough JSON for the reports: is it well-formed, and what number or word lies under a key. */
#pragma once
#include <stdbool.h>

/* True when the whole text is one JSON value. */
bool json_valid(const char *text);
/* Position of the value of the first "key": in the text, NULL when there is none. */
const char *json_find(const char *text, const char *key);
