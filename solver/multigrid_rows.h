/* Row kernels of a multigrid cycle between the products: transfers, the dense inverse at the bottom. Right-hand sides are in
 * double on every level, all else is stored as REAL, float in the kernels named _f; sums are in double. */
#pragma once
#include "solver/krylov.h"

HD double mg_load(const void *from, int64_t at, int is_float) {
  return is_float ? (double)((const float *)from)[at] : ((const double *)from)[at];
}
HD void mg_store(void *to, int64_t at, double v, int is_float) {
  if (is_float)
    ((float *)to)[at] = (float)v;
  else
    ((double *)to)[at] = v;
}

/* x = factor b: the first step of a polynomial from x = 0. */
typedef struct MgFirstArgs {
  const double *b;
  void *x;
  double factor;
  const int32_t *stop;
} MgFirstArgs;
HD void mg_first(const MgFirstArgs *a, int64_t i, int is_float) {
  if (!*a->stop) mg_store(a->x, i, a->factor * a->b[i], is_float);
}

/* x += P e. A row is scalar row r of fine node i, whose blocks lie side by side: value[start_i ..][r][0 .. coarse). */
typedef struct MgProlongArgs {
  const int64_t *start;
  const int32_t *column;
  const void *value; /* [blocks][fine][coarse] */
  const void *e;
  void *x;
  const int32_t *stop;
  int32_t fine, coarse;
} MgProlongArgs;
HD void mg_prolong(const MgProlongArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t i = row / a->fine, r = row - i * a->fine;
  double s = mg_load(a->x, row, is_float);
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t at = (k * a->fine + r) * a->coarse, from = (int64_t)a->column[k] * a->coarse;
    for (int32_t c = 0; c < a->coarse; ++c) s += mg_load(a->value, at + c, is_float) * mg_load(a->e, from + c, is_float);
  }
  mg_store(a->x, row, s, is_float);
}

/* b = P^T r from the transposed blocks, which are stored. Rows of P^T are long and few: they are cut into segments, one
 * launch sums those, the next one adds them up and begins the smoothing from zero, x = factor b. */
typedef struct MgRestrictArgs {
  const int64_t *segment;     /* [n_segment + 1], into the blocks of P^T */
  const int64_t *row_segment; /* [n_coarse + 1] */
  const int32_t *column;      /* fine node of each block of P^T */
  const void *value;          /* [blocks][coarse][fine], or those of P: */
  const int64_t *source;      /* block of P of each block of P^T; NULL: the values are those of P^T */
  const void *r;
  double *partial;            /* [n_segment][coarse] */
  double *b;
  void *x;
  double factor;
  const int32_t *stop;
  int32_t fine, coarse;
} MgRestrictArgs;
HD void mg_segment(const MgRestrictArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t g = row / a->coarse, c = row - g * a->coarse;
  double s = 0;
  for (int64_t k = a->segment[g]; k < a->segment[g + 1]; ++k) {
    const int64_t from = (int64_t)a->column[k] * a->fine, step = a->source ? a->coarse : 1;
    const int64_t at = a->source ? a->source[k] * a->coarse * a->fine + c : (k * a->coarse + c) * a->fine;
    for (int32_t r = 0; r < a->fine; ++r) s += mg_load(a->value, at + r * step, is_float) * mg_load(a->r, from + r, is_float);
  }
  a->partial[row] = s;
}
HD void mg_restrict(const MgRestrictArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t i = row / a->coarse, c = row - i * a->coarse;
  double s = 0;
  for (int64_t g = a->row_segment[i]; g < a->row_segment[i + 1]; ++g) s += a->partial[g * a->coarse + c];
  a->b[row] = s;
  mg_store(a->x, row, a->factor * s, is_float);
}

/* x = B b with the symmetric inverse B, rows cut into parts that neighbouring threads read side by side. Sum b.x */
typedef struct MgDenseArgs {
  const void *value; /* [n][n] */
  const double *b;
  double *partial;   /* [parts][n] */
  void *x;
  Krylov *krylov;    /* NULL: nothing becomes of the sum */
  const int32_t *stop;
  int32_t n, parts;
} MgDenseArgs;
HD void mg_dense(const MgDenseArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t n = a->n, part = row / n, i = row - part * n;
  double s = 0;
  for (int64_t j = part * n / a->parts; j < (part + 1) * n / a->parts; ++j)
    s += mg_load(a->value, j * n + i, is_float) * a->b[j];
  a->partial[row] = s;
}
HD void mg_dense_end(const MgDenseArgs *a, int64_t i, double sum[], int is_float) {
  if (*a->stop) return;
  double s = 0;
  for (int64_t part = 0; part < a->parts; ++part) s += a->partial[part * a->n + i];
  mg_store(a->x, i, s, is_float);
  sum[0] += a->b[i] * mg_load(a->x, i, is_float);
}

/* value of P, [blocks][fine][coarse], as REAL, and of P^T. Rows are blocks of P^T. */
typedef struct MgFillArgs {
  const double *from;    /* NULL: `value` is there */
  const int64_t *source; /* block of P of each block of P^T */
  void *value, *transposed;
  int32_t fine, coarse;
} MgFillArgs;
HD void mg_fill(const MgFillArgs *a, int64_t k, int is_float) {
  const int64_t p = a->source[k] * a->fine * a->coarse, t = k * a->fine * a->coarse;
  for (int32_t r = 0; r < a->fine; ++r)
    for (int32_t c = 0; c < a->coarse; ++c) {
      const double v = a->from ? a->from[p + r * a->coarse + c] : mg_load(a->value, p + r * a->coarse + c, is_float);
      if (a->from) mg_store(a->value, p + r * a->coarse + c, v, is_float);
      mg_store(a->transposed, t + c * a->fine + r, v, is_float);
    }
}

#define MG_KERNEL(NAME, ARGS, P, IS_FLOAT)                                                                             \
  HD void NAME##_##P##_body(const ARGS *a, int64_t i, double sum[]) {                                                  \
    (void)sum;                                                                                                         \
    NAME(a, i, IS_FLOAT);                                                                                              \
  }
#define MG_KERNELS(P, IS_FLOAT)                                                                                        \
  MG_KERNEL(mg_first, MgFirstArgs, P, IS_FLOAT)                                                                        \
  MG_KERNEL(mg_prolong, MgProlongArgs, P, IS_FLOAT)                                                                    \
  MG_KERNEL(mg_segment, MgRestrictArgs, P, IS_FLOAT)                                                                   \
  MG_KERNEL(mg_restrict, MgRestrictArgs, P, IS_FLOAT)                                                                  \
  MG_KERNEL(mg_dense, MgDenseArgs, P, IS_FLOAT)                                                                        \
  MG_KERNEL(mg_fill, MgFillArgs, P, IS_FLOAT)                                                                          \
  HD void mg_dense_end_##P##_body(const MgDenseArgs *a, int64_t i, double sum[]) { mg_dense_end(a, i, sum, IS_FLOAT); } \
  HD void mg_dense_end_##P##_finish(const MgDenseArgs *a, const double sum[]) {                                        \
    if (a->krylov && !*a->stop) krylov_step(a->krylov, KRYLOV_BETA, sum);                                              \
  }
MG_KERNELS(d, 0)
MG_KERNELS(f, 1)
#undef MG_KERNELS
#undef MG_KERNEL
