/* Symmetric scaling by the diagonal blocks: A'' = G S A S G^T, where S is the point scaling and G the inverse of the
 * Cholesky factor of a diagonal block of S A S (lower triangular, [B][B] row-major), so that diagonal blocks become the
 * identity (METHODS; docs/theory/precision.md). Rows are block rows. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/extra_bits.h"
#include "algebra/scaling_rows.h"

#include <math.h>

/* t <- gp t gq^T for lower triangular gp and gq. */
HD void block_both_sides(const double *gp, const double *gq, double *t, const int32_t B) {
  for (int32_t r = B - 1; r >= 0; --r)
    for (int32_t c = 0; c < B; ++c) {
      double s = 0;
      for (int32_t k = 0; k <= r; ++k) s += gp[r * B + k] * t[k * B + c];
      t[r * B + c] = s;
    }
  for (int32_t r = 0; r < B; ++r)
    for (int32_t c = B - 1; c >= 0; --c) {
      double s = 0;
      for (int32_t k = 0; k <= c; ++k) s += t[r * B + k] * gq[c * B + k];
      t[r * B + c] = s;
    }
}

/* v <- G v, or v <- G^T v */
HD void block_forward(const double *g, double *v, const int32_t B) {
  for (int32_t r = B - 1; r >= 0; --r) {
    double s = 0;
    for (int32_t k = 0; k <= r; ++k) s += g[r * B + k] * v[k];
    v[r] = s;
  }
}
HD void block_back(const double *g, double *v, const int32_t B) {
  for (int32_t r = 0; r < B; ++r) {
    double s = 0;
    for (int32_t k = r; k < B; ++k) s += g[k * B + r] * v[k];
    v[r] = s;
  }
}

typedef struct BlockArgs {
  double *g;       /* [rows][B][B]; factor: in the diagonal blocks of A, out G */
  const double *s; /* S */
  double *v;       /* S r; forward: becomes G S r */
  float *low;      /* the same in float; NULL: not wanted */
  void *z;         /* back: z <- G^T z, float where `low`, else double */
  int8_t *extra;   /* more bits of z in float; NULL: none */
  int32_t block;
  Krylov *k;
} BlockArgs;

/* Sum 0: blocks that are not positive definite. Such a G is the identity, but for the pivot that is not positive. */
HD void block_factor_body(const BlockArgs *a, int64_t i, double sum[]) {
  const int32_t B = a->block;
  double *g = a->g + i * B * B, L[9] = {0}, bad = 0;
  int32_t place = -1;
  for (int32_t r = 0; r < B && place < 0; ++r)
    for (int32_t c = 0; c <= r; ++c) {
      double d = a->s[i * B + r] * g[c * B + r] * a->s[i * B + c];
      for (int32_t k = 0; k < c; ++k) d -= L[r * B + k] * L[c * B + k];
      if (c < r) {
        L[r * B + c] = d / L[c * B + c];
      } else if (d > 0 && d - d == 0) {
        L[r * B + r] = sqrt(d);
      } else {
        place = r;
        bad = d;
      }
    }
  for (int32_t c = 0; c < B; ++c)
    for (int32_t r = 0; r < B; ++r) {
      double s = r == c;
      if (place < 0)
        for (int32_t k = c; k < r; ++k) s -= L[r * B + k] * g[k * B + c];
      g[r * B + c] = r < c ? 0 : place < 0 ? s / L[r * B + r] : s;
    }
  if (place >= 0) g[place * B + place] = bad;
  sum[0] += place >= 0 ? 1 : 0;
}
HD void block_factor_finish(const BlockArgs *a, const double sum[]) {
  a->k->sum[0] = sum[0];
  a->k->sum[1] = 0;
}

HD void block_forward_body(const BlockArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->k->stop) return;
  const int32_t B = a->block;
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) v[r] = a->v[i * B + r];
  block_forward(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) {
    a->v[i * B + r] = v[r];
    if (a->low) a->low[i * B + r] = (float)v[r];
  }
}

HD void block_back_body(const BlockArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->k->stop) return;
  const int32_t B = a->block;
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) {
    const int64_t k = i * B + r;
    v[r] = a->low ? extra_read_f((const float *)a->z, a->extra, k) : ((const double *)a->z)[k];
  }
  block_back(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) {
    if (a->low) extra_write_f((float *)a->z, a->extra, i * B + r, v[r]);
    else ((double *)a->z)[i * B + r] = v[r];
  }
}

/* Block Jacobi: z = G^T G (S r), sum |G S r|^2. G NULL: the identity. */
HD void block_jacobi_body(const BlockArgs *a, int64_t i, double sum[]) {
  if (a->k->stop) return;
  const int32_t B = a->block;
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) v[r] = a->v[i * B + r];
  if (a->g) block_forward(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) sum[0] += v[r] * v[r];
  if (a->g) block_back(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) ((double *)a->z)[i * B + r] = v[r];
}
HD void block_jacobi_finish(const BlockArgs *a, const double sum[]) {
  if (!a->k->stop) krylov_step(a->k, KRYLOV_BETA, sum);
}

/* How far a stored copy of A'' is from it: v random, then |(A'' - copy) v|^2 and |v|^2. */
typedef struct StoredArgs {
  float *v;                      /* random */
  double *turned;                /* S G^T v, of which `product` is A times */
  const double *product, *s, *g; /* g NULL: the identity */
  const float *stored;           /* copy times v */
  int32_t block;
  Krylov *k;
  int64_t first; /* row of the whole that the first one is */
} StoredArgs;
HD void stored_begin_body(const StoredArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->block;
  double v[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) {
    a->v[i * B + r] = (float)lanczos_random(a->first + i * B + r);
    v[r] = (double)a->v[i * B + r];
  }
  if (a->g) block_back(a->g + i * B * B, v, B);
  for (int32_t r = 0; r < B; ++r) a->turned[i * B + r] = a->s[i * B + r] * v[r];
}
HD void stored_error_body(const StoredArgs *a, int64_t i, double sum[]) {
  const int32_t B = a->block;
  double w[3] = {0, 0, 0};
  for (int32_t r = 0; r < B; ++r) w[r] = a->s[i * B + r] * a->product[i * B + r];
  if (a->g) block_forward(a->g + i * B * B, w, B);
  for (int32_t r = 0; r < B; ++r) {
    const double error = w[r] - (double)a->stored[i * B + r], v = (double)a->v[i * B + r];
    sum[0] += error * error;
    sum[1] += v * v;
  }
}
HD void stored_error_finish(const StoredArgs *a, const double sum[]) { krylov_step(a->k, KRYLOV_STORE, sum); }
