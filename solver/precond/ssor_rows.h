/* Row kernels of symmetric successive over-relaxation in colours; ssor.c has the method and the layout. */
#pragma once
#include "algebra/krylov_scalars.h"

#include <math.h>

enum { SSOR_SLICE = 32 }; /* block rows side by side in storage; the last slice of a colour may have fewer */

typedef enum SsorKind {
  SSOR_START, /* forward from x = 0 */
  SSOR_TURN,  /* backward after that */
  SSOR_NEXT   /* any half sweep later: sums over the other triangle come from the half sweep before (carry) */
} SsorKind;

/* A launch over the rows of one colour, or over all rows on the way back. x and carry are in the order of places. */
typedef struct SsorArgs {
  const void *value;      /* of all slices: ((start_s + k height) B + c height) B + lane B + r, as REAL */
  const int32_t *column;  /* places: start_s + k height + lane */
  const int64_t *start;   /* in blocks, of the triangle's slices, from the colour's first on */
  const void *factor;     /* G^-1 by places, lower triangle by rows, as REAL; NULL for scalars */
  const int32_t *row;     /* block row at a place */
  const double *residual; /* S r */
  void *x, *carry, *result;
  Krylov *krylov;
  const int32_t *stop;
  double omega;
  int64_t first, count; /* the colour's places */
  SsorKind kind;
  int32_t twice; /* the last colour: backward at once, nothing changed in between */
  int32_t keep;  /* carry <- the sum */
} SsorArgs;

HD int ssor_height(const SsorArgs *a, int64_t slice) {
  const int64_t left = a->count - slice * SSOR_SLICE;
  return left < SSOR_SLICE ? (int)left : SSOR_SLICE;
}

#define REAL double
#define NAMED(name) name##_d
#include "solver/precond/ssor_row.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "solver/precond/ssor_row.tmpl.h"
#undef REAL
#undef NAMED

/* Kernels for each block size and precision. On the CPU ssor.c takes ssor_slice for the sweeps, under the same
 * names. */
#define SSOR_KERNELS(B, P)                                                                                             \
  HD void ssor_sweep_##B##P##_body(const SsorArgs *a, int64_t i, double sum[]) {                                       \
    (void)sum;                                                                                                         \
    ssor_sweep_##P(a, i, B);                                                                                           \
  }                                                                                                                    \
  HD void ssor_back_##B##P##_body(const SsorArgs *a, int64_t i, double sum[]) { ssor_back_##P(a, i, sum, B); }         \
  HD void ssor_back_##B##P##_finish(const SsorArgs *a, const double sum[]) {                                           \
    if (!*a->stop) krylov_step(a->krylov, KRYLOV_BETA, sum);                                                           \
  }
SSOR_KERNELS(1, d)
SSOR_KERNELS(2, d)
SSOR_KERNELS(3, d)
SSOR_KERNELS(1, f)
SSOR_KERNELS(2, f)
SSOR_KERNELS(3, f)
#undef SSOR_KERNELS

/* New values: a block row of A per row. Entries are found by the slots of A's format (SlotMap, algebra/pattern.h). */
typedef struct SsorFillArgs {
  const double *from;      /* values of A */
  const int64_t *diagonal; /* slots of the diagonal block at a place, [n] or [n block^2] */
  const int64_t *source;   /* same of each stored block; -1: padding */
  const int64_t *row_step; /* [1] when same_step, else [n] by places; not read when per_scalar */
  int64_t column_step;
  const double *scale; /* S */
  const int32_t *row, *column;
  const int64_t *start; /* [2 n_slice + 1]: slices of the lower triangle, then of the upper one */
  const int32_t *home;  /* [n] slice of a place */
  const int32_t *top;   /* [n_slice + 1] first place of a slice */
  void *value, *factor;
  int64_t n_slice;
  int32_t block, per_scalar, same_step, to_float;
} SsorFillArgs;

/* S A S of one block whose slots are slot[at ...]. */
HD void ssor_block(const SsorFillArgs *a, const int64_t *slot, int64_t at, int64_t place, int32_t other,
                   double out[9]) {
  const int B = a->block;
  const double *si = a->scale + (int64_t)a->row[place] * B, *sj = a->scale + (int64_t)a->row[other] * B;
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < B; ++c) {
      const int64_t where = a->per_scalar ? slot[at * B * B + r * B + c]
                                          : slot[at] + r * a->row_step[a->same_step ? 0 : place] + c * a->column_step;
      out[r * B + c] = si[r] * a->from[where] * sj[c];
    }
}

/* G^-1 of the diagonal block G G^T; 1 where that is not positive definite: then A is not either, and CG will say so. */
HD void ssor_factor_body(const SsorFillArgs *a, int64_t place, double sum[]) {
  (void)sum;
  const int B = a->block;
  double d[9], g[9] = {0}, inverse[9] = {0};
  int good = 1;
  ssor_block(a, a->diagonal, place, place, (int32_t)place, d);
  for (int c = 0; c < B; ++c)
    for (int r = c; r < B; ++r) {
      double t = d[r * B + c];
      for (int k = 0; k < c; ++k) t -= g[r * B + k] * g[c * B + k];
      if (r == c) good = good && t > 1e-14 && t - t == 0;
      g[r * B + c] = r == c ? sqrt(good ? t : 1) : t / g[c * B + c];
    }
  for (int c = 0; c < B; ++c)
    for (int r = c; r < B; ++r) {
      double t = r == c ? 1 : 0;
      for (int k = c; k < r; ++k) t -= g[r * B + k] * inverse[k * B + c];
      inverse[r * B + c] = t / g[r * B + r];
    }
  int64_t at = place * (B * (B + 1) / 2);
  for (int r = 0; r < B; ++r)
    for (int c = 0; c <= r; ++c) hd_store(a->factor, at++, good ? inverse[r * B + c] : r == c ? 1 : 0, a->to_float);
}

/* out = G_i^-1 m G_j^-T */
HD void ssor_congruence(const SsorFillArgs *a, int64_t i, int64_t j, const double m[9], double out[9]) {
  const int B = a->block, T = B * (B + 1) / 2;
  double half[9];
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < B; ++c) {
      half[r * B + c] = 0;
      for (int k = 0; k <= r; ++k)
        half[r * B + c] += hd_load(a->factor, i * T + r * (r + 1) / 2 + k, a->to_float) * m[k * B + c];
    }
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < B; ++c) {
      out[r * B + c] = 0;
      for (int k = 0; k <= c; ++k)
        out[r * B + c] += half[r * B + k] * hd_load(a->factor, j * T + c * (c + 1) / 2 + k, a->to_float);
    }
}

HD void ssor_fill_body(const SsorFillArgs *a, int64_t place, double sum[]) {
  (void)sum;
  const int B = a->block;
  const int32_t slice = a->home[place];
  const int64_t lane = place - a->top[slice], height = a->top[slice + 1] - a->top[slice];
  for (int part = 0; part < 2; ++part) {
    const int64_t begin = a->start[part * a->n_slice + slice], end = a->start[part * a->n_slice + slice + 1];
    for (int64_t e = begin + lane; e < end; e += height) {
      double m[9], out[9];
      const int padding = a->source[a->per_scalar ? e * B * B : e] < 0;
      if (!padding) ssor_block(a, a->source, e, place, a->column[e], m);
      if (padding) {
        for (int k = 0; k < B * B; ++k) out[k] = 0;
      } else if (B == 1) {
        out[0] = m[0];
      } else {
        ssor_congruence(a, place, a->column[e], m, out);
      }
      const int64_t at = (e - lane) * B * B + lane * B;
      for (int r = 0; r < B; ++r)
        for (int c = 0; c < B; ++c) hd_store(a->value, at + c * height * B + r, out[r * B + c], a->to_float);
    }
  }
}
