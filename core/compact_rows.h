/* Row kernels that list flagged rows (exec_compact): a row of theirs is COMPACT_CHUNK flags. */
#pragma once
#include "core/hd.h"

enum { COMPACT_CHUNK = 128 };

typedef struct CompactArgs {
  const uint8_t *flag; /* [n] */
  int64_t n;
  int32_t *count;       /* [chunk]: how many are not 0 */
  const int64_t *start; /* [chunk]: how many are before */
  int64_t *index;
} CompactArgs;

HD int64_t compact_end(const CompactArgs *a, int64_t chunk) {
  return a->n - chunk * COMPACT_CHUNK < COMPACT_CHUNK ? a->n : (chunk + 1) * COMPACT_CHUNK;
}
HD void compact_count_body(const CompactArgs *a, int64_t chunk, double sum[]) {
  int32_t n = 0;
  (void)sum;
  for (int64_t i = chunk * COMPACT_CHUNK; i < compact_end(a, chunk); ++i) n += a->flag[i] != 0;
  a->count[chunk] = n;
}
HD void compact_place_body(const CompactArgs *a, int64_t chunk, double sum[]) {
  int64_t at = a->start[chunk];
  (void)sum;
  for (int64_t i = chunk * COMPACT_CHUNK; i < compact_end(a, chunk); ++i)
    if (a->flag[i]) a->index[at++] = i;
}
