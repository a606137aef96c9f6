/* Strict numbers: the whole text must be one, with a point for decimals. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* False: *why says what is wrong ("is not a number", ...), in a sentence that follows the value. */
bool number_parse(const char *text, double *out, const char **why);
bool integer_parse(const char *text, int64_t *out, const char **why);
