/* Vector kernels of preconditioned conjugate gradients on K interleaved vectors: pcg_rows.h, block_rows.h and
 * polynomial_rows.h once more, for entry at = i K + c of column c. A diagonal preconditioner is B = 1 here. */
#pragma once
#include "algebra/block_rows.h"
#include "algebra/many.h"

/* ---- with sums: many.def ---- */
/* x += alpha p, r -= alpha q, S r; sum r.r, then stop? */
HD double many_update_entry(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  const Krylov *k = &a->many->column[c];
  const double alpha = k->alpha;
  a->x[at] += alpha * a->p[at];
  const double r = a->r[at] - alpha * a->q[at];
  a->r[at] = r;
  *sum += r * r;
  const double scaled = a->scale[i] * r * k->to_unit;
  a->scaled[at] = scaled;
  return scaled;
}
HD int many_stands(const ManyVectors *a, int32_t c) { return a->many->stop || a->many->column[c].stop; }
HD void many_update_d_item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  if (!many_stands(a, c)) many_update_entry(a, at, i, c, sum);
}
HD void many_update_f_item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  if (!many_stands(a, c)) a->low[at] = (float)many_update_entry(a, at, i, c, sum);
}
HD void many_update_d_column(const ManyVectors *a, int32_t c, double sum) {
  if (!many_stands(a, c)) krylov_residual(&a->many->column[c], sum);
}
HD void many_update_f_column(const ManyVectors *a, int32_t c, double sum) { many_update_d_column(a, c, sum); }

/* B = 1: sum r.z = |S r|^2 */
HD void many_one_item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  (void)i, (void)c;
  *sum += a->scaled[at] * a->scaled[at];
}
HD void many_one_column(const ManyVectors *a, int32_t c, double sum) { many_column(a->many, c, KRYLOV_BETA, sum); }

/* |b|^2 */
HD void many_norm_item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  (void)i, (void)c;
  *sum += a->b[at] * a->b[at];
}
HD void many_norm_column(const ManyVectors *a, int32_t c, double sum) { many_column(a->many, c, KRYLOV_STORE, sum); }

/* b.z, the sums of a product behind it (product_sum_rows.h) */
HD void many_behind_item(const ManyVectors *a, int64_t at, int64_t i, int32_t c, double *sum) {
  (void)i, (void)c;
  *sum += a->b[at] * (a->low ? extra_read_f((const float *)a->z, a->extra, at) : ((const double *)a->z)[at]);
}
HD void many_behind_column(const ManyVectors *a, int32_t c, double sum) { many_column(a->many, c, a->step, sum); }

/* ---- without: rows.def, a row per entry, or per block and column ---- */
HD int32_t many_column_of(const ManyVectors *a, int64_t at) { return (int32_t)at & ((1 << a->shift) - 1); }

/* p = S z + beta p */
HD void many_direction_d_body(const ManyVectors *a, int64_t at, double sum[]) {
  (void)sum;
  if (many_stands(a, many_column_of(a, at))) return;
  const double beta = a->many->column[many_column_of(a, at)].beta;
  a->p[at] = a->scale[at >> a->shift] * ((const double *)a->z)[at] + beta * a->p[at];
}
HD void many_direction_f_body(const ManyVectors *a, int64_t at, double sum[]) {
  (void)sum;
  if (many_stands(a, many_column_of(a, at))) return;
  const double beta = a->many->column[many_column_of(a, at)].beta;
  a->p[at] = a->scale[at >> a->shift] * extra_read_f((const float *)a->z, a->extra, at) + beta * a->p[at];
}

/* S r <- G S r */
HD void many_forward_body(const ManyVectors *a, int64_t item, double sum[]) {
  (void)sum;
  if (many_stands(a, many_column_of(a, item))) return;
  const int32_t B = a->block;
  const int64_t i = item >> a->shift, c = item - (i << a->shift);
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) v[r] = a->scaled[((i * B + r) << a->shift) + c];
  block_forward(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) {
    const int64_t at = ((i * B + r) << a->shift) + c;
    a->scaled[at] = v[r];
    if (a->low) a->low[at] = (float)v[r];
  }
}

/* z <- G^T z */
HD void many_back_body(const ManyVectors *a, int64_t item, double sum[]) {
  (void)sum;
  if (many_stands(a, many_column_of(a, item))) return;
  const int32_t B = a->block;
  const int64_t i = item >> a->shift, c = item - (i << a->shift);
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) {
    const int64_t at = ((i * B + r) << a->shift) + c;
    v[r] = a->low ? extra_read_f((const float *)a->z, a->extra, at) : ((const double *)a->z)[at];
  }
  block_back(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) {
    const int64_t at = ((i * B + r) << a->shift) + c;
    if (a->low) extra_write_f((float *)a->z, a->extra, at, v[r]);
    else ((double *)a->z)[at] = v[r];
  }
}

/* k columns of n, `step` apart, each times a power of two, into interleaved ones [n][K], zeros behind them; and back
 * those of `mask`. */
typedef struct ManyPack {
  const double *from;
  double *to;
  int64_t n, step;
  int32_t shift, k;
  uint32_t mask;                              /* bit c: column c is requested */
  double factor[MANY_MOST], again[MANY_MOST]; /* powers of two, one after the other, as in vec_scale */
} ManyPack;
HD void many_pack_body(const ManyPack *a, int64_t i, double sum[]) {
  (void)sum;
  for (int32_t c = 0; c < 1 << a->shift; ++c)
    a->to[(i << a->shift) + c] = c < a->k ? a->from[c * a->step + i] * a->factor[c] * a->again[c] : 0;
}
HD void many_unpack_body(const ManyPack *a, int64_t i, double sum[]) {
  (void)sum;
  for (int32_t c = 0; c < a->k; ++c)
    if (a->mask >> c & 1) a->to[c * a->step + i] = a->from[(i << a->shift) + c] * a->factor[c] * a->again[c];
}
