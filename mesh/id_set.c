/* By marks, not by sorting. */
#include "mesh/id_set.h"
#include "core/memory.h"
#include "core/parts.h"

/* The marked ones of each part of mark[range] go behind those of the parts before it. */
static Status collect_marked(const uint8_t *mark, int64_t range, int32_t low, int32_t *id, int32_t *n) {
  const int parts = parts_of(range);
  int32_t *before = NULL;
  ALLOC(before, parts + 1, "ids in order");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t count = 0;
    for (int64_t k = part_begin(range, p, parts); k < part_begin(range, p + 1, parts); ++k) count += mark[k];
    before[p + 1] = count;
  }
  for (int p = 0; p < parts; ++p) before[p + 1] += before[p];
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t *to = id + before[p];
    for (int64_t k = part_begin(range, p, parts); k < part_begin(range, p + 1, parts); ++k)
      if (mark[k]) *to++ = low + (int32_t)k;
  }
  *n = before[parts];
  FREE(before);
  return OK;
}

Status id_set_make(int32_t *id, int32_t *n) {
  const int parts = parts_of(*n);
  int32_t low = INT32_MAX, high = INT32_MIN;
  int64_t falls = 0;
#pragma omp parallel for schedule(static) num_threads(parts) reduction(+ : falls) reduction(min : low) reduction(max : high)
  for (int32_t i = 0; i < *n; ++i) {
    falls += i > 0 && id[i] <= id[i - 1];
    low = id[i] < low ? id[i] : low;
    high = id[i] > high ? id[i] : high;
  }
  if (falls == 0) return OK;
  uint8_t *mark = NULL;
  const int64_t range = (int64_t)high - low + 1;
  ALLOC(mark, range, "ids in order");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int32_t i = 0; i < *n; ++i) __atomic_store_n(&mark[id[i] - low], 1, __ATOMIC_RELAXED);
  const Status status = collect_marked(mark, range, low, id, n);
  FREE(mark);
  return status;
}
