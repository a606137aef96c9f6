/* Row kernels of a multigrid cycle between the products: transfers, the dense inverse at the bottom. Right-hand sides
 * are in double on every level, all else is stored as REAL, float in the kernels named _f; sums are in double. */
#pragma once
#include "algebra/krylov_scalars.h"
#include "core/hd.h"

/* Blocks under way at once in a sum of a transfer: their columns and values are asked for before any of them is waited
 * for. */
enum { MG_AHEAD = 4 };

/* Blocks [rows][size] of a transfer; source: block k is value's block source[k], transposed there. */
typedef struct MgBlocks {
  const void *value;
  const int32_t *column;
  const int64_t *source; /* NULL: it is block k, as it is */
  int32_t rows;
} MgBlocks;

/* Row r of block k times `size` numbers of v from `from` on. */
HD double mg_dot(const MgBlocks *b, int64_t k, int64_t r, const void *v, int64_t from, const int size, int is_float) {
  const int64_t block = (b->source ? b->source[k] : k) * b->rows * size, step = b->source ? b->rows : 1;
  const int64_t at = block + (b->source ? r : r * size);
  double s = 0;
  for (int c = 0; c < size; ++c) s += hd_load(b->value, at + c * step, is_float) * hd_load(v, from + c, is_float);
  return s;
}

/* Sum over blocks k in [begin, end) of row r of block k times node column[k] of v; `size` scalars in a node. */
HD double mg_row(const MgBlocks *b, const void *v, int64_t begin, int64_t end, int64_t r, const int size,
                 int is_float) {
  double s = 0;
  int64_t k = begin;
  for (; k + MG_AHEAD <= end; k += MG_AHEAD) {
    int64_t from[MG_AHEAD];
    double t[MG_AHEAD];
    for (int u = 0; u < MG_AHEAD; ++u) from[u] = (int64_t)b->column[k + u] * size;
    for (int u = 0; u < MG_AHEAD; ++u) t[u] = mg_dot(b, k + u, r, v, from[u], size, is_float);
    for (int u = 0; u < MG_AHEAD; ++u) s += t[u];
  }
  for (; k < end; ++k) s += mg_dot(b, k, r, v, (int64_t)b->column[k] * size, size, is_float);
  return s;
}

/* The same with the size as a constant where it is one of those of graphs, the plane and space. */
HD double mg_sum(const MgBlocks *b, const void *v, int64_t begin, int64_t end, int64_t r, int32_t size, int is_float) {
  switch (size) {
  case 1: return mg_row(b, v, begin, end, r, 1, is_float);
  case 2: return mg_row(b, v, begin, end, r, 2, is_float);
  case 3: return mg_row(b, v, begin, end, r, 3, is_float);
  case 6: return mg_row(b, v, begin, end, r, 6, is_float);
  default: return mg_row(b, v, begin, end, r, size, is_float);
  }
}

/* Rows of P^T in pieces of MG_SEGMENT blocks. */
enum { MG_SEGMENT = 16 };
typedef struct MgSplitArgs {
  const int64_t *start; /* of P^T, [n + 1] */
  int32_t *count;       /* pieces of a row */
  const int64_t *row_segment;
  int64_t *segment; /* where each begins, and where the last one ends */
  int64_t n;
} MgSplitArgs;
HD void mg_split_count_body(const MgSplitArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->count[i] = (int32_t)((a->start[i + 1] - a->start[i] + MG_SEGMENT - 1) / MG_SEGMENT);
}
/* A row is one of P^T, or their end. */
HD void mg_split_body(const MgSplitArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int64_t begin = a->start[i], end = i < a->n ? a->start[i + 1] : begin + 1;
  for (int64_t k = begin; k < end; k += MG_SEGMENT) a->segment[a->row_segment[i] + (k - begin) / MG_SEGMENT] = k;
}

/* x = factor from + P e. A row is scalar row r of fine node i, whose blocks lie side by side: value[start_i ..][r][0 ..
 * coarse). */
typedef struct MgProlongArgs {
  const int64_t *start;
  const int32_t *column;
  const void *value; /* [blocks][fine][coarse] */
  const void *e, *from;
  void *x;
  double factor;
  const int32_t *stop;
  int32_t fine, coarse;
} MgProlongArgs;
HD void mg_prolong(const MgProlongArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t i = row / a->fine, r = row - i * a->fine;
  const MgBlocks blocks = {a->value, a->column, NULL, a->fine};
  const double s = mg_sum(&blocks, a->e, a->start[i], a->start[i + 1], r, a->coarse, is_float);
  hd_store(a->x, row, a->factor * hd_load(a->from, row, is_float) + s, is_float);
}

/* b = P^T r from the transposed blocks, which are stored. Rows of P^T are long and few: they are cut into segments, one
 * launch sums those, the next one adds them up. x is b once more, as REAL: what smoothing from zero starts with. */
typedef struct MgRestrictArgs {
  const int64_t *segment;     /* [n_segment + 1], into the blocks of P^T */
  const int64_t *row_segment; /* [n_coarse + 1] */
  const int32_t *column;      /* fine node of each block of P^T */
  const void *value;          /* [blocks][coarse][fine], or those of P: */
  const int64_t *source;      /* block of P of each block of P^T; NULL: the values are those of P^T */
  const void *r;
  double *partial; /* [n_segment][coarse] */
  double *b;
  void *x;
  const int32_t *stop;
  int32_t fine, coarse;
} MgRestrictArgs;
HD void mg_segment(const MgRestrictArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t g = row / a->coarse, c = row - g * a->coarse;
  const MgBlocks blocks = {a->value, a->column, a->source, a->coarse};
  a->partial[row] = mg_sum(&blocks, a->r, a->segment[g], a->segment[g + 1], c, a->fine, is_float);
}
HD void mg_restrict(const MgRestrictArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t i = row / a->coarse, c = row - i * a->coarse;
  double s = 0;
  for (int64_t g = a->row_segment[i]; g < a->row_segment[i + 1]; ++g) s += a->partial[g * a->coarse + c];
  a->b[row] = s;
  hd_store(a->x, row, s, is_float);
}

/* The same in two steps: a parcel is the sum of pieces, each of which is that of its segments; b that of the parcels of
 * a row. A row of mg_parcel is a scalar of a parcel. */
typedef struct MgParcelArgs {
  const int64_t *first;         /* pieces of a parcel */
  const int64_t *piece_segment; /* segments of a piece */
  const double *partial;
  double *parcel; /* [parcels][coarse] */
  const int64_t *start;
  const int32_t *place; /* parcels of a row */
  double *b;
  void *x;
  const int32_t *stop;
  int32_t coarse;
} MgParcelArgs;
HD void mg_parcel_body(const MgParcelArgs *a, int64_t row, double sum[]) {
  (void)sum;
  if (*a->stop) return;
  const int64_t k = row / a->coarse, c = row - k * a->coarse;
  double all = 0;
  for (int64_t q = a->first[k]; q < a->first[k + 1]; ++q) {
    double s = 0;
    for (int64_t g = a->piece_segment[q]; g < a->piece_segment[q + 1]; ++g) s += a->partial[g * a->coarse + c];
    all += s;
  }
  a->parcel[row] = all;
}
HD void mg_unpack(const MgParcelArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t i = row / a->coarse, c = row - i * a->coarse;
  double s = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) s += a->parcel[(int64_t)a->place[k] * a->coarse + c];
  a->b[row] = s;
  hd_store(a->x, row, s, is_float);
}

/* x = B b with the symmetric inverse B, rows cut into parts that neighbouring threads read side by side. Sum b.x */
typedef struct MgDenseArgs {
  const void *value; /* [n][n] */
  const double *b;
  double *partial; /* [parts][n] */
  void *x;
  Krylov *krylov; /* of mg_dense_end; mg_dense_add has no sum */
  const int32_t *stop;
  int32_t n, parts;
} MgDenseArgs;
HD void mg_dense(const MgDenseArgs *a, int64_t row, int is_float) {
  if (*a->stop) return;
  const int64_t n = a->n, part = row / n, i = row - part * n;
  double s = 0;
  for (int64_t j = part * n / a->parts; j < (part + 1) * n / a->parts; ++j)
    s += hd_load(a->value, j * n + i, is_float) * a->b[j];
  a->partial[row] = s;
}
HD double mg_dense_row(const MgDenseArgs *a, int64_t i, int is_float) {
  double s = 0;
  for (int64_t part = 0; part < a->parts; ++part) s += a->partial[part * a->n + i];
  hd_store(a->x, i, s, is_float);
  return a->b[i] * hd_load(a->x, i, is_float);
}
HD void mg_dense_add(const MgDenseArgs *a, int64_t i, int is_float) {
  if (!*a->stop) mg_dense_row(a, i, is_float);
}
HD void mg_dense_end(const MgDenseArgs *a, int64_t i, double sum[], int is_float) {
  if (!*a->stop) sum[0] += mg_dense_row(a, i, is_float);
}

/* Two steps of flexible conjugate gradients on a level (Notay and Vassilevski 2008, algorithm 3.1), c1 = B b, c2 = B
 * b':
 *   one      keep = c1; rho = c1.A c1, alpha = c1.b, step = alpha / rho
 *   between  b' = b - step A c1
 *   two      gamma = c2.A c1, beta = c2.A c2, alpha' = c2.b'; the best combination of both
 *   end      x = first c1 + second c2 */
typedef struct MgKrylov {
  double rho, step, first, second;
} MgKrylov;
typedef struct MgKrylovArgs {
  const void *c;       /* c1, then c2 */
  const void *product; /* A c2 */
  void *keep, *image;  /* c1, A c1 */
  double *b;
  void *x;
  MgKrylov *scalars;
  const int32_t *stop;
} MgKrylovArgs;
HD void mg_krylov_one(const MgKrylovArgs *a, int64_t i, double sum[], int is_float) {
  if (*a->stop) return;
  const double c = hd_load(a->c, i, is_float);
  hd_store(a->keep, i, c, is_float);
  sum[0] += c * hd_load(a->image, i, is_float);
  sum[1] += c * a->b[i];
}
/* A level whose matrix is not positive for c1, or b = 0: c1 as it is. */
HD void mg_krylov_one_end(const MgKrylovArgs *a, const double sum[]) {
  if (*a->stop) return;
  a->scalars->rho = sum[0];
  a->scalars->step = sum[0] > 0 && sum[1] - sum[1] == 0 ? sum[1] / sum[0] : 1;
}
HD void mg_krylov_between(const MgKrylovArgs *a, int64_t i, int is_float) {
  if (*a->stop) return;
  const double b = a->b[i] - a->scalars->step * hd_load(a->image, i, is_float);
  a->b[i] = b;
  hd_store(a->x, i, b, is_float);
}
HD void mg_krylov_two(const MgKrylovArgs *a, int64_t i, double sum[], int is_float) {
  if (*a->stop) return;
  const double c = hd_load(a->c, i, is_float);
  sum[0] += c * hd_load(a->image, i, is_float);
  sum[1] += c * hd_load(a->product, i, is_float);
  sum[2] += c * a->b[i];
}
/* c2 that lies along c1 but for rounding adds nothing. */
HD void mg_krylov_two_end(const MgKrylovArgs *a, const double sum[]) {
  if (*a->stop) return;
  MgKrylov *s = a->scalars;
  const double along = s->rho > 0 ? sum[0] / s->rho : 0, rest = sum[1] - along * sum[0];
  s->second = s->rho > 0 && rest > 1e-6 * sum[1] && sum[2] - sum[2] == 0 ? sum[2] / rest : 0;
  s->first = s->step - along * s->second;
}
HD void mg_krylov_end(const MgKrylovArgs *a, int64_t i, int is_float) {
  if (*a->stop) return;
  const MgKrylov *s = a->scalars;
  hd_store(a->x, i, s->first * hd_load(a->keep, i, is_float) + s->second * hd_load(a->c, i, is_float), is_float);
}

/* How many numbers are infinite or none: row sums of a matrix in low precision, which end there. */
typedef struct MgRangeArgs {
  const float *v;
  double *count;
} MgRangeArgs;
HD void mg_range_body(const MgRangeArgs *a, int64_t i, double sum[]) { sum[0] += !(a->v[i] - a->v[i] == 0); }
HD void mg_range_finish(const MgRangeArgs *a, const double sum[]) { *a->count = sum[0]; }

/* value of P, [blocks][fine][coarse], as REAL, and of P^T. Rows are blocks of both. */
typedef struct MgFillArgs {
  const double *from;    /* NULL: `value` is there */
  const int64_t *source; /* block of P of each block of P^T */
  void *value, *transposed;
  int64_t n_p, n_transposed; /* blocks; P's are written where `from` has them */
  int32_t fine, coarse;
} MgFillArgs;
HD void mg_fill(const MgFillArgs *a, int64_t k, int is_float) {
  const int64_t each = (int64_t)a->fine * a->coarse, t = k * each;
  for (int64_t e = t; k < a->n_p && e < t + each; ++e) hd_store(a->value, e, a->from[e], is_float);
  if (k >= a->n_transposed) return;
  const int64_t p = a->source[k] * each;
  for (int32_t r = 0; r < a->fine; ++r)
    for (int32_t c = 0; c < a->coarse; ++c) {
      const int64_t e = p + r * a->coarse + c;
      hd_store(a->transposed, t + c * a->fine + r, a->from ? a->from[e] : hd_load(a->value, e, is_float), is_float);
    }
}

#define MG_KERNEL(NAME, ARGS, P, IS_FLOAT)                                                                             \
  HD void NAME##_##P##_body(const ARGS *a, int64_t i, double sum[]) {                                                  \
    (void)sum;                                                                                                         \
    NAME(a, i, IS_FLOAT);                                                                                              \
  }
#define MG_KERNEL_SUM(NAME, P, IS_FLOAT)                                                                               \
  HD void NAME##_##P##_body(const MgKrylovArgs *a, int64_t i, double sum[]) { NAME(a, i, sum, IS_FLOAT); }             \
  HD void NAME##_##P##_finish(const MgKrylovArgs *a, const double sum[]) { NAME##_end(a, sum); }
#define MG_KERNELS(P, IS_FLOAT)                                                                                        \
  MG_KERNEL(mg_prolong, MgProlongArgs, P, IS_FLOAT)                                                                    \
  MG_KERNEL(mg_segment, MgRestrictArgs, P, IS_FLOAT)                                                                   \
  MG_KERNEL(mg_restrict, MgRestrictArgs, P, IS_FLOAT)                                                                  \
  MG_KERNEL(mg_unpack, MgParcelArgs, P, IS_FLOAT)                                                                      \
  MG_KERNEL(mg_dense, MgDenseArgs, P, IS_FLOAT)                                                                        \
  MG_KERNEL(mg_dense_add, MgDenseArgs, P, IS_FLOAT)                                                                    \
  MG_KERNEL(mg_fill, MgFillArgs, P, IS_FLOAT)                                                                          \
  MG_KERNEL(mg_krylov_between, MgKrylovArgs, P, IS_FLOAT)                                                              \
  MG_KERNEL(mg_krylov_end, MgKrylovArgs, P, IS_FLOAT)                                                                  \
  MG_KERNEL_SUM(mg_krylov_one, P, IS_FLOAT)                                                                            \
  MG_KERNEL_SUM(mg_krylov_two, P, IS_FLOAT)                                                                            \
  HD void mg_dense_end_##P##_body(const MgDenseArgs *a, int64_t i, double sum[]) {                                     \
    mg_dense_end(a, i, sum, IS_FLOAT);                                                                                 \
  }                                                                                                                    \
  HD void mg_dense_end_##P##_finish(const MgDenseArgs *a, const double sum[]) {                                        \
    if (!*a->stop) krylov_step(a->krylov, KRYLOV_BETA, sum);                                                           \
  }
MG_KERNELS(d, 0)
MG_KERNELS(f, 1)
#undef MG_KERNELS
#undef MG_KERNEL
#undef MG_KERNEL_SUM
