/* Row kernels of sbell_exec.c. */
#pragma once
#include "core/hd.h"

enum { SBELL_EXEC_LANES = 32 };
typedef struct SbellExecArgs {
  const int64_t *from_start; /* of the graph */
  const int32_t *from_column;
  int32_t *size;        /* [slice]: slots */
  const int64_t *start; /* [slice + 1] */
  int32_t *column;
  int64_t n_lane; /* block rows */
  int32_t parts;
} SbellExecArgs;

/* A row is a slice. */
HD void sbell_exec_size_body(const SbellExecArgs *a, int64_t s, double sum[]) {
  int64_t width = 0;
  (void)sum;
  for (int64_t l = s * SBELL_EXEC_LANES; l < (s + 1) * SBELL_EXEC_LANES && l < a->n_lane; ++l) {
    const int64_t i = l / a->parts, length = (a->from_start[i + 1] - a->from_start[i]) * a->parts;
    if (length > width) width = length;
  }
  a->size[s] = (int32_t)(width * SBELL_EXEC_LANES);
}

/* A row is a lane of a slice, those behind the last block row too. */
HD void sbell_exec_column_body(const SbellExecArgs *a, int64_t l, double sum[]) {
  const int64_t s = l / SBELL_EXEC_LANES, end = a->start[s + 1], i = l / a->parts;
  int64_t at = a->start[s] + l % SBELL_EXEC_LANES;
  (void)sum;
  for (int64_t k = a->from_start[i < a->n_lane / a->parts ? i : 0]; l < a->n_lane && k < a->from_start[i + 1]; ++k)
    for (int32_t c = 0; c < a->parts; ++c, at += SBELL_EXEC_LANES) a->column[at] = a->from_column[k] * a->parts + c;
  for (; at < end; at += SBELL_EXEC_LANES) a->column[at] = l < a->n_lane ? (int32_t)l : 0;
}
