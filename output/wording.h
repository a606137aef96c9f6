/* Numbers as people read them. */
#pragma once
#include <stdint.h>

/* 7201 as "7,201" into out[32]; returns out. */
const char *count_text(int64_t n, char out[32]);
/* Bytes as "12.3 MB" (powers of ten). */
const char *bytes_text(double bytes, char out[32]);
/* A double with the fewest digits that read back to the same bits. */
const char *double_text(double value, char out[32]);
/* Seconds as "0.12 ms", "3.4 s", "2 min 05 s". */
const char *seconds_text(double seconds, char out[32]);
