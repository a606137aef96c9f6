/* Row kernels of a multigrid cycle on K = 2, 4 or 8 interleaved vectors: those of multigrid_rows.h once more, entry i of
 * column q at i K + q, with the same sums in the same order for each column. A row is one of the kernels for one vector, and
 * does all K columns, so that what is read of a transfer is read once. What adds up sums of such kernels is that of one
 * vector, with K times the scalars in a node. */
#pragma once
#include "algebra/many.h"
#include "solver/multigrid/multigrid_rows.h"

/* s [K] += for each block k in [begin, end) the sum of row r of it times node column[k] of v. */
HD void mg_many_row(const MgBlocks *b, const void *v, int64_t begin, int64_t end, int64_t r, const int size,
                    const int K, int is_float, double *s) {
  const int64_t step = b->source ? b->rows : 1;
  for (int64_t k = begin; k < end; ++k) {
    const int64_t block = (b->source ? b->source[k] : k) * b->rows * size, at = block + (b->source ? r : r * size);
    const int64_t from = (int64_t)b->column[k] * size * K;
    double t[MANY_MOST] = {0};
    for (int c = 0; c < size; ++c) {
      const double value = hd_load(b->value, at + c * step, is_float);
      for (int q = 0; q < K; ++q) t[q] += value * hd_load(v, from + c * K + q, is_float);
    }
    for (int q = 0; q < K; ++q) s[q] += t[q];
  }
}

HD void mg_many_size(const MgBlocks *b, const void *v, int64_t begin, int64_t end, int64_t r, int32_t size, const int K,
                     int is_float, double *s) {
  switch (size) {
  case 1: mg_many_row(b, v, begin, end, r, 1, K, is_float, s); break;
  case 2: mg_many_row(b, v, begin, end, r, 2, K, is_float, s); break;
  case 3: mg_many_row(b, v, begin, end, r, 3, K, is_float, s); break;
  case 6: mg_many_row(b, v, begin, end, r, 6, K, is_float, s); break;
  default: mg_many_row(b, v, begin, end, r, size, K, is_float, s); break;
  }
}
HD void mg_many_sum(const MgBlocks *b, const void *v, int64_t begin, int64_t end, int64_t r, int32_t size,
                    int32_t shift, int is_float, double *s) {
  for (int q = 0; q < MANY_MOST; ++q) s[q] = 0;
  if (shift == 3) mg_many_size(b, v, begin, end, r, size, 8, is_float, s);
  else if (shift == 2) mg_many_size(b, v, begin, end, r, size, 4, is_float, s);
  else mg_many_size(b, v, begin, end, r, size, 2, is_float, s);
}

/* All vectors interleaved, K = 2^shift. */
typedef struct MgManyProlongArgs {
  MgProlongArgs one;
  int32_t shift;
} MgManyProlongArgs;
HD void mg_many_prolong(const MgManyProlongArgs *many, int64_t row, int is_float) {
  const MgProlongArgs *a = &many->one;
  if (*a->stop) return;
  const int64_t i = row / a->fine, r = row - i * a->fine, at = row << many->shift;
  const MgBlocks blocks = {a->value, a->column, NULL, a->fine};
  double s[MANY_MOST];
  mg_many_sum(&blocks, a->e, a->start[i], a->start[i + 1], r, a->coarse, many->shift, is_float, s);
  for (int32_t q = 0; q < 1 << many->shift; ++q)
    hd_store(a->x, at + q, a->factor * hd_load(a->from, at + q, is_float) + s[q], is_float);
}

typedef struct MgManyRestrictArgs {
  MgRestrictArgs one;
  int32_t shift;
} MgManyRestrictArgs;
HD void mg_many_segment(const MgManyRestrictArgs *many, int64_t row, int is_float) {
  const MgRestrictArgs *a = &many->one;
  if (*a->stop) return;
  const int64_t g = row / a->coarse, c = row - g * a->coarse;
  const MgBlocks blocks = {a->value, a->column, a->source, a->coarse};
  double s[MANY_MOST];
  mg_many_sum(&blocks, a->r, a->segment[g], a->segment[g + 1], c, a->fine, many->shift, is_float, s);
  for (int32_t q = 0; q < 1 << many->shift; ++q) a->partial[(row << many->shift) + q] = s[q];
}
typedef struct MgManyDenseArgs {
  MgDenseArgs one;
  int32_t shift;
} MgManyDenseArgs;
HD void mg_many_dense(const MgManyDenseArgs *many, int64_t row, int is_float) {
  const MgDenseArgs *a = &many->one;
  if (*a->stop) return;
  const int64_t n = a->n, part = row / n, i = row - part * n;
  const int32_t K = 1 << many->shift;
  double s[MANY_MOST] = {0};
  for (int64_t j = part * n / a->parts; j < (part + 1) * n / a->parts; ++j) {
    const double value = hd_load(a->value, j * n + i, is_float);
    for (int32_t q = 0; q < K; ++q) s[q] += value * a->b[(j << many->shift) + q];
  }
  for (int32_t q = 0; q < K; ++q) a->partial[(row << many->shift) + q] = s[q];
}
#define MG_MANY(NAME, ARGS, P, IS_FLOAT)                                                                               \
  HD void NAME##_##P##_body(const ARGS *a, int64_t i, double sum[]) {                                                  \
    (void)sum;                                                                                                         \
    NAME(a, i, IS_FLOAT);                                                                                              \
  }
#define MG_MANY_KERNELS(P, IS_FLOAT)                                                                                   \
  MG_MANY(mg_many_prolong, MgManyProlongArgs, P, IS_FLOAT)                                                             \
  MG_MANY(mg_many_segment, MgManyRestrictArgs, P, IS_FLOAT)                                                            \
  MG_MANY(mg_many_dense, MgManyDenseArgs, P, IS_FLOAT)
MG_MANY_KERNELS(d, 0)
MG_MANY_KERNELS(f, 1)
#undef MG_MANY_KERNELS
#undef MG_MANY
