/* An array in parts, one for each thread that is worth waking. Whole numbers, extremes and first instances come out the
 * same for any number of parts; sums of floating-point numbers are added in chunks of fixed size instead, in order. */
#pragma once
#include <stdint.h>

/* How many parts n items are worth, at least 1: as many as threads, each of PART_WORTH items or more. */
enum { PART_WORTH = 1 << 11 };
int parts_of(int64_t n);

/* Where part p of `parts` begins; the end of the last one is n. */
static inline int64_t part_begin(int64_t n, int p, int parts) {
  return n / parts * p + (n % parts < p ? n % parts : p);
}
