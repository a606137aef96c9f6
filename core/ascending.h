/* Whole numbers in ascending order: for qsort and bsearch, and where one of them is. */
#pragma once
#include <stdint.h>

static inline int ascending_int32(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static inline int ascending_int64(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The first place of a number among n ascending ones; -1: it is not among them. */
static inline int64_t ascending_find(int64_t n, const int32_t *number, int32_t wanted) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (number[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < n && number[low] == wanted ? low : -1;
}
