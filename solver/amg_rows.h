/* Row kernels that give a smoothed aggregation hierarchy its numbers (amg.c has the method). Everything is in double and in
 * block CSR: blocks [entry][row][column] beside ExecGraph. `s` scalars per node of the level, `m` modes, which is also what a
 * node of the next level has. */
#pragma once
#include "solver/block_rows.h"
#include "solver/graph_rows.h"

enum { AMG_MODES = 6 };

/* Squared norms of the blocks of a row, and which of its scalars are coupled to anything. */
typedef struct AmgNormArgs {
  const int64_t *start;
  const int32_t *column;
  const double *value;
  float *norm;   /* [entry] */
  uint8_t *live; /* [node], bit r: scalar r is coupled */
  int32_t s;
} AmgNormArgs;
HD void amg_norm_body(const AmgNormArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t s = a->s;
  int32_t live = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const double *v = a->value + k * s * s;
    double norm = 0;
    for (int32_t r = 0; r < s; ++r)
      for (int32_t c = 0; c < s; ++c) {
        const double t = v[r * s + c];
        norm += t * t;
        if (t != 0 && !(a->column[k] == i && r == c)) live |= 1 << r;
      }
    a->norm[k] = (float)norm;
  }
  a->live[i] = (uint8_t)live;
}

/* Level 0: the near-null vectors of A'', N'' = G^-T S^-1 N; `from` is [m][n s], `modes` [n][s][m]. */
typedef struct AmgModesArgs {
  const double *from;
  const double *scale, *blocks;
  double *modes;
  int64_t n_scalar;
  int32_t s, m;
} AmgModesArgs;
HD void amg_modes_body(const AmgModesArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->s, m = a->m;
  double *t = a->modes + i * B * m;
  for (int32_t k = 0; k < m; ++k) {
    for (int32_t r = B - 1; r >= 0; --r) {
      double v = a->from[k * a->n_scalar + i * B + r] / a->scale[i * B + r];
      if (a->blocks) {
        const double *g = a->blocks + i * B * B;
        for (int32_t q = r + 1; q < B; ++q) v -= g[q * B + r] * t[q * m + k];
        v /= g[r * B + r];
      }
      t[r * m + k] = v;
    }
  }
}

/* Tentative prolongator: the modes on one aggregate become T R with orthonormal columns T, or columns of zeros where a mode
 * depends on those before: R by Cholesky from the products of the modes, T = N R^-1, and once more from T, whose products are
 * nearly 1 (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). A row is an aggregate. */
typedef struct AmgGramArgs {
  const int64_t *start;  /* members of the aggregates */
  const int32_t *member;
  const uint8_t *live;
  const double *modes;   /* N, or T when again: [n][s][m] */
  double *factor;        /* out R of this turn: [aggregate][m][m], upper triangle */
  double *next;          /* out R, the modes of the next level; again: in R, out `factor` R */
  int32_t s, m, again;
} AmgGramArgs;
HD void amg_gram(const AmgGramArgs *a, int64_t g, const int32_t s, const int32_t m) {
  double G[AMG_MODES * AMG_MODES], *R = a->factor + g * m * m, *next = a->next + g * m * m;
  for (int32_t k = 0; k < m * m; ++k) G[k] = 0;
  for (int64_t e = a->start[g]; e < a->start[g + 1]; ++e)
    for (int32_t r = 0; r < s; ++r) {
      const double *t = a->modes + ((int64_t)a->member[e] * s + r) * m;
      if (!(a->live[a->member[e]] >> r & 1)) continue;
      for (int32_t j = 0; j < m; ++j)
        for (int32_t k = j; k < m; ++k) G[j * m + k] += t[j] * t[k];
    }
  for (int32_t j = 0; j < m; ++j) {
    const double whole = G[j * m + j];
    for (int32_t i = 0; i < j; ++i) G[j * m + j] -= G[i * m + j] * G[i * m + j];
    const double length = G[j * m + j] > 1e-13 * whole && whole > 0 ? sqrt(G[j * m + j]) : 0;
    G[j * m + j] = length;
    for (int32_t k = j + 1; k < m; ++k) {
      double t = G[j * m + k];
      for (int32_t i = 0; i < j; ++i) t -= G[i * m + j] * G[i * m + k];
      G[j * m + k] = length > 0 ? t / length : 0;
    }
  }
  for (int32_t i = 0; i < m; ++i)
    for (int32_t k = 0; k < m; ++k) {
      double t = k < i ? 0 : G[i * m + k];
      R[i * m + k] = t;
      if (a->again) {
        t = 0;
        for (int32_t j = i; j <= k; ++j) t += G[i * m + j] * next[j * m + k];
      }
      next[i * m + k] = t; /* row i of R is read no more */
    }
}

/* T = N R^-1 in place. A row is a node. */
typedef struct AmgOrthonormalArgs {
  const int32_t *of;
  const uint8_t *live;
  const double *factor; /* R of this turn */
  double *modes;
  int32_t s, m;
} AmgOrthonormalArgs;
HD void amg_orthonormal(const AmgOrthonormalArgs *a, int64_t i, const int32_t s, const int32_t m) {
  if (a->of[i] < 0) return;
  const double *R = a->factor + (int64_t)a->of[i] * m * m;
  for (int32_t r = 0; r < s; ++r) {
    double t[AMG_MODES], *to = a->modes + (i * s + r) * m;
    const int live = a->live[i] >> r & 1;
    for (int32_t k = 0; k < m; ++k) {
      double v = to[k];
      for (int32_t j = 0; j < k; ++j) v -= t[j] * R[j * m + k];
      t[k] = live && R[k * m + k] > 0 ? v / R[k * m + k] : 0;
    }
    for (int32_t k = 0; k < m; ++k) to[k] = t[k];
  }
}

/* The sizes that matter as constants, so that inner loops are unrolled: nodes with 2, 3 or 6 scalars and rigid motions, and
 * scalar problems. */
#define AMG_SIZES(NAME, ARGS)                                                                                          \
  HD void amg_##NAME##_body(const ARGS *a, int64_t row, double sum[]) {                                                \
    (void)sum;                                                                                                         \
    if (a->m == 6 && a->s == 3) amg_##NAME(a, row, 3, 6);                                                              \
    else if (a->m == 6 && a->s == 6) amg_##NAME(a, row, 6, 6);                                                         \
    else if (a->m == 3 && a->s == 2) amg_##NAME(a, row, 2, 3);                                                         \
    else if (a->m == 3 && a->s == 3) amg_##NAME(a, row, 3, 3);                                                         \
    else if (a->m == 1 && a->s == 1) amg_##NAME(a, row, 1, 1);                                                         \
    else amg_##NAME(a, row, a->s, a->m);                                                                               \
  }
AMG_SIZES(gram, AmgGramArgs)
AMG_SIZES(orthonormal, AmgOrthonormalArgs)

/* The products below have a row per block of the result, which is added up in registers and written once. */
enum { AMG_BLOCK = AMG_MODES * AMG_MODES };

/* P = (1 - omega A) T. A row is a block of P. */
typedef struct AmgSmoothArgs {
  const int64_t *start;      /* of A, as are column and value */
  const int32_t *column;
  const double *value;
  const int32_t *of;         /* aggregate of a node, -1: none */
  const double *modes;       /* T */
  const int32_t *p_row, *p_column;
  double *p;                 /* [entry of P][s][m] */
  double omega;
  int32_t s, m;
} AmgSmoothArgs;
HD void amg_smooth(const AmgSmoothArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->p_row[e];
  const int32_t g = a->p_column[e];
  double sum[AMG_BLOCK], *to = a->p + e * s * m;
  for (int32_t c = 0; c < s * m; ++c) sum[c] = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    if (a->of[j] != g) continue;
    const double *v = a->value + k * s * s, *t = a->modes + j * s * m;
    for (int32_t r = 0; r < s; ++r)
      for (int32_t q = 0; q < s; ++q) {
        const double factor = (j == i && q == r ? 1 : 0) - a->omega * v[r * s + q];
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += factor * t[q * m + c];
      }
  }
  for (int32_t c = 0; c < s * m; ++c) to[c] = sum[c];
}
AMG_SIZES(smooth, AmgSmoothArgs)

/* A P. A row is a block of the result. */
typedef struct AmgTimesArgs {
  const int64_t *start;
  const int32_t *column;
  const double *value;
  const int64_t *p_start;
  const int32_t *p_column;
  const double *p;
  const int32_t *ap_row, *ap_column;
  double *ap;             /* [entry of A P][s][m] */
  int32_t s, m;
} AmgTimesArgs;
HD void amg_times(const AmgTimesArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->ap_row[e];
  const int32_t g = a->ap_column[e];
  double sum[AMG_BLOCK], *to = a->ap + e * s * m;
  for (int32_t c = 0; c < s * m; ++c) sum[c] = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t f = graph_find(a->p_start, a->p_column, a->column[k], g);
    if (f < 0) continue;
    const double *v = a->value + k * s * s, *p = a->p + f * s * m;
    for (int32_t r = 0; r < s; ++r)
      for (int32_t q = 0; q < s; ++q)
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += v[r * s + q] * p[q * m + c];
  }
  for (int32_t c = 0; c < s * m; ++c) to[c] = sum[c];
}
AMG_SIZES(times, AmgTimesArgs)

/* P^T (A P), which is symmetric: blocks above the diagonal are also put below. A row is a block of the next level's matrix. */
typedef struct AmgGalerkinArgs {
  const int64_t *t_start;  /* P^T: fine node and block of P of each entry */
  const int32_t *t_column;
  const int64_t *t_source;
  const double *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  const double *ap;
  const int64_t *start;        /* of the next level */
  const int32_t *row, *column;
  double *value;
  int32_t s, m;
} AmgGalerkinArgs;
HD void amg_galerkin(const AmgGalerkinArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t g = a->row[e];
  const int32_t h = a->column[e];
  double sum[AMG_BLOCK], *to = a->value + e * m * m;
  if (h < g) return;
  for (int32_t c = 0; c < m * m; ++c) sum[c] = 0;
  for (int64_t f = a->t_start[g]; f < a->t_start[g + 1]; ++f) {
    const int64_t k = graph_find(a->ap_start, a->ap_column, a->t_column[f], h);
    if (k < 0) continue;
    const double *p = a->p + a->t_source[f] * s * m, *from = a->ap + k * s * m;
    for (int32_t q = 0; q < s; ++q)
      for (int32_t r = 0; r < m; ++r)
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += p[q * m + r] * from[q * m + c];
  }
  for (int32_t c = 0; c < m * m; ++c) to[c] = sum[c];
  if (h == g) return;
  to = a->value + graph_find(a->start, a->column, h, (int32_t)g) * m * m;
  for (int32_t c = 0; c < m * m; ++c) to[c % m * m + c / m] = sum[c];
}
AMG_SIZES(galerkin, AmgGalerkinArgs)

/* Inverse G of the Cholesky factor of a diagonal block of the next level, and its modes scaled with it, L^T R. A scalar that
 * no fine one is part of (its column of P is zero) gets a zero row of G. Sum: pivots that are not positive although P is not
 * zero there. A row is a node. */
typedef struct AmgFactorArgs {
  const int64_t *start;
  const int32_t *column;
  const double *value;
  double *g;     /* [node][m][m] */
  double *modes; /* [node][m][m] */
  Krylov *krylov;
  int32_t m;
} AmgFactorArgs;
HD void amg_factor_body(const AmgFactorArgs *a, int64_t i, double sum[]) {
  const int32_t m = a->m;
  const double *d = a->value + graph_find(a->start, a->column, i, (int32_t)i) * m * m;
  double L[AMG_MODES * AMG_MODES], *g = a->g + i * m * m, *modes = a->modes + i * m * m;
  for (int32_t r = 0; r < m; ++r) {
    for (int32_t c = 0; c <= r; ++c) {
      double t = d[r * m + c];
      for (int32_t k = 0; k < c; ++k) t -= L[r * m + k] * L[c * m + k];
      if (c < r) {
        L[r * m + c] = L[c * m + c] > 0 ? t / L[c * m + c] : 0;
      } else {
        const int good = t > 1e-13 * d[r * m + r] && t - t == 0;
        if (!good && !(d[r * m + r] == 0)) sum[0] += 1;
        L[r * m + r] = good ? sqrt(t) : 0;
      }
    }
    if (!(L[r * m + r] > 0))
      for (int32_t c = 0; c < r; ++c) L[r * m + c] = 0;
  }
  for (int32_t c = 0; c < m; ++c)
    for (int32_t r = 0; r < m; ++r) {
      double t = r == c;
      for (int32_t k = c; k < r; ++k) t -= L[r * m + k] * g[k * m + c];
      g[r * m + c] = r < c || !(L[r * m + r] > 0) ? 0 : t / L[r * m + r];
    }
  for (int32_t c = 0; c < m; ++c)
    for (int32_t r = 0; r < m; ++r) {
      double t = 0;
      for (int32_t k = r; k < m; ++k) t += L[k * m + r] * modes[k * m + c];
      modes[r * m + c] = t;
    }
}
HD void amg_factor_finish(const AmgFactorArgs *a, const double sum[]) {
  a->krylov->sum[0] = sum[0];
  a->krylov->sum[1] = 0;
}

/* to <- G_i to G_j^T for the blocks of a square matrix (left), or to G_j^T for those of P. Rows that G drops get a 1 on the
 * diagonal. A row is a block. */
typedef struct AmgScaleArgs {
  const int32_t *row, *column;
  double *value;
  const double *g;
  int32_t s, m, left; /* blocks are s x m */
} AmgScaleArgs;
HD void amg_scale(const AmgScaleArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->row[e], j = a->column[e];
  double v[AMG_BLOCK], *to = a->value + e * s * m;
  const double *g = a->g + j * m * m, *mine = a->g + i * m * m;
  for (int32_t k = 0; k < s * m; ++k) v[k] = to[k];
  for (int32_t r = 0; r < s; ++r)
    for (int32_t c = m - 1; c >= 0; --c) {
      double t = 0;
      for (int32_t q = 0; q <= c; ++q) t += v[r * m + q] * g[c * m + q];
      v[r * m + c] = t;
    }
  for (int32_t r = s - 1; a->left && r >= 0; --r)
    for (int32_t c = 0; c < m; ++c) {
      double t = 0;
      for (int32_t q = 0; q <= r; ++q) t += mine[r * s + q] * v[q * m + c];
      v[r * m + c] = t;
    }
  for (int32_t r = 0; a->left && i == j && r < s; ++r)
    if (!(mine[r * s + r] > 0)) v[r * m + r] = 1;
  for (int32_t k = 0; k < s * m; ++k) to[k] = v[k];
}
AMG_SIZES(scale, AmgScaleArgs)

/* Where a Mat keeps its entries, as SlotMap says, on the Exec. */
typedef struct AmgSlots {
  const int64_t *slot, *row_step;
  int64_t column_step;
  int32_t per_scalar, same_step;
} AmgSlots;
HD int64_t amg_slot(const AmgSlots *a, int64_t row, int64_t entry, int32_t r, int32_t c, int32_t B) {
  if (a->per_scalar) return a->slot[(entry * B + r) * B + c];
  return a->slot[entry] + r * a->row_step[a->same_step ? 0 : row] + c * a->column_step;
}

/* Level 0: A'' = G S A S G^T from the slots of any format. A row is a block row. */
typedef struct AmgFetchArgs {
  const double *from;
  AmgSlots slots;
  const double *scale, *blocks; /* S; G, or NULL */
  const int64_t *start;
  const int32_t *column;
  double *value;
  int32_t s;
} AmgFetchArgs;
HD void amg_fetch(const AmgFetchArgs *a, int64_t i, const int32_t B) {
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    double v[9], *to = a->value + k * B * B;
    for (int32_t r = 0; r < B; ++r)
      for (int32_t c = 0; c < B; ++c)
        v[r * B + c] = a->scale[i * B + r] * a->from[amg_slot(&a->slots, i, k, r, c, B)] * a->scale[j * B + c];
    if (a->blocks) block_both_sides(a->blocks + i * B * B, a->blocks + j * B * B, v, B);
    for (int32_t r = 0; r < B * B; ++r) to[r] = v[r];
  }
}
HD void amg_fetch_body(const AmgFetchArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->s == 3) amg_fetch(a, i, 3);
  else if (a->s == 2) amg_fetch(a, i, 2);
  else amg_fetch(a, i, 1);
}

/* Blocks of m x m into a Mat whose blocks are smaller, B x B: every node is m / B block rows. A row is a node. */
typedef struct AmgStoreArgs {
  const int64_t *start;
  const double *value;
  AmgSlots slots;
  void *to;
  int32_t m, block, to_float;
} AmgStoreArgs;
HD void amg_store_body(const AmgStoreArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t m = a->m, B = a->block, parts = m / B;
  const int64_t begin = a->start[i], width = a->start[i + 1] - begin;
  for (int64_t k = 0; k < width; ++k)
    for (int32_t r = 0; r < m; ++r)
      for (int32_t c = 0; c < m; ++c) {
        const int64_t entry = begin * parts * parts + (r / B * width + k) * parts + c / B;
        const int64_t at = amg_slot(&a->slots, i * parts + r / B, entry, r % B, c % B, B);
        const double v = a->value[((begin + k) * m + r) * m + c];
        if (a->to_float) ((float *)a->to)[at] = (float)v;
        else ((double *)a->to)[at] = v;
      }
}
