/* An array in parts, one for each thread that is worth waking. Whole numbers, extremes and first instances come out the
 * same for any number of parts; sums of floating-point numbers are added in chunks of fixed size instead, in order. */
#pragma once
#include <stdint.h>

/* How many parts n items are worth: as many as threads, or 1 of fewer than PART_WORTH items. Never a part of the threads:
 * libgomp ends those that a loop leaves out and makes them again for the next, 0.3 ms of 11 of 16 threads. */
enum { PART_WORTH = 1 << 12 };
int parts_of(int64_t n);

/* Where part p of `parts` begins; the end of the last one is n. */
static inline int64_t part_begin(int64_t n, int p, int parts) {
  return n / parts * p + (n % parts < p ? n % parts : p);
}
