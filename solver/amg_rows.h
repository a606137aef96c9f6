/* Row kernels that give a smoothed aggregation hierarchy its numbers (amg.c has the method). Everything is in double and in
 * block CSR: blocks [entry][row][column] beside ExecGraph. `s` scalars per node of the level, `m` modes, which is also what a
 * node of the next level has. */
#pragma once
#include "solver/block_rows.h"

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
 * depends on those before (twice Gram and Schmidt). A row is an aggregate. */
typedef struct AmgTentativeArgs {
  const int32_t *start, *member;
  const uint8_t *live;
  double *modes; /* in N, out T: [n][s][m] */
  double *next;  /* R, the modes of the next level: [aggregate][m][m] */
  int32_t s, m;
} AmgTentativeArgs;
HD void amg_tentative_body(const AmgTentativeArgs *a, int64_t g, double sum[]) {
  (void)sum;
  const int32_t s = a->s, m = a->m, begin = a->start[g], end = a->start[g + 1];
  double *R = a->next + g * m * m;
  for (int32_t k = 0; k < m * m; ++k) R[k] = 0;
  for (int32_t k = 0; k < m; ++k) {
    double first = 0, norm = 0;
    for (int32_t e = begin; e < end; ++e)
      for (int32_t r = 0; r < s; ++r) {
        double *t = a->modes + ((int64_t)a->member[e] * s + r) * m + k;
        if (!(a->live[a->member[e]] >> r & 1)) *t = 0;
        first += *t * *t;
      }
    for (int32_t turn = 0; turn < 2; ++turn)
      for (int32_t j = 0; j < k; ++j) {
        double dot = 0;
        for (int32_t e = begin; e < end; ++e)
          for (int32_t r = 0; r < s; ++r) {
            const double *t = a->modes + ((int64_t)a->member[e] * s + r) * m;
            dot += t[j] * t[k];
          }
        R[j * m + k] += dot;
        for (int32_t e = begin; e < end; ++e)
          for (int32_t r = 0; r < s; ++r) {
            double *t = a->modes + ((int64_t)a->member[e] * s + r) * m;
            t[k] -= dot * t[j];
          }
      }
    for (int32_t e = begin; e < end; ++e)
      for (int32_t r = 0; r < s; ++r) {
        const double t = a->modes[((int64_t)a->member[e] * s + r) * m + k];
        norm += t * t;
      }
    const double length = norm > 1e-20 * first && norm > 0 ? sqrt(norm) : 0;
    R[k * m + k] = length;
    for (int32_t e = begin; e < end; ++e)
      for (int32_t r = 0; r < s; ++r) {
        double *t = a->modes + ((int64_t)a->member[e] * s + r) * m + k;
        *t = length > 0 ? *t / length : 0;
      }
  }
}

/* Place of a column in a row of a graph where it surely is. */
HD int64_t amg_find(const int64_t *start, const int32_t *column, int64_t i, int32_t wanted) {
  int64_t low = start[i], high = start[i + 1] - 1;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (column[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* P = (1 - omega A) T. A row is a scalar row. */
typedef struct AmgSmoothArgs {
  const int64_t *start;      /* of A, as are column and value */
  const int32_t *column;
  const double *value;
  const int32_t *of;         /* aggregate of a node, -1: none */
  const double *modes;       /* T */
  const int64_t *p_start;
  const int32_t *p_column;
  double *p;                 /* [entry of P][s][m] */
  double omega;
  int32_t s, m;
} AmgSmoothArgs;
HD void amg_smooth_body(const AmgSmoothArgs *a, int64_t row, double sum[]) {
  (void)sum;
  const int32_t s = a->s, m = a->m;
  const int64_t i = row / s, r = row - i * s;
  if (a->p_start[i] == a->p_start[i + 1]) return;
  for (int64_t k = a->p_start[i]; k < a->p_start[i + 1]; ++k)
    for (int32_t c = 0; c < m; ++c) a->p[(k * s + r) * m + c] = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    if (a->of[j] < 0) continue;
    double *p = a->p + (amg_find(a->p_start, a->p_column, i, a->of[j]) * s + r) * m;
    for (int32_t q = 0; q < s; ++q) {
      const double factor = (j == i && q == r ? 1 : 0) - a->omega * a->value[(k * s + r) * s + q];
      const double *t = a->modes + (j * s + q) * m;
      for (int32_t c = 0; c < m; ++c) p[c] += factor * t[c];
    }
  }
}

/* The sizes that matter as constants, so that inner loops are unrolled: nodes with 2, 3 or 6 scalars and rigid motions. */
#define AMG_SIZES(NAME, ARGS)                                                                                          \
  HD void amg_##NAME##_body(const ARGS *a, int64_t row, double sum[]) {                                                \
    (void)sum;                                                                                                         \
    if (a->m == 6 && a->s == 3) amg_##NAME(a, row, 3, 6);                                                              \
    else if (a->m == 6 && a->s == 6) amg_##NAME(a, row, 6, 6);                                                         \
    else if (a->m == 3 && a->s == 2) amg_##NAME(a, row, 2, 3);                                                         \
    else if (a->m == 3 && a->s == 3) amg_##NAME(a, row, 3, 3);                                                         \
    else amg_##NAME(a, row, a->s, a->m);                                                                               \
  }

/* A P. A row is a scalar row. */
typedef struct AmgTimesArgs {
  const int64_t *start;
  const int32_t *column;
  const double *value;
  const int64_t *p_start;
  const int32_t *p_column;
  const double *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  double *ap;             /* [entry of A P][s][m] */
  int32_t s, m;
} AmgTimesArgs;
HD void amg_times(const AmgTimesArgs *a, int64_t row, const int32_t s, const int32_t m) {
  const int64_t i = row / s, r = row - i * s;
  const int64_t begin = a->ap_start[i], end = a->ap_start[i + 1];
  if (begin == end) return;
  for (int64_t k = begin; k < end; ++k)
    for (int32_t c = 0; c < m; ++c) a->ap[(k * s + r) * m + c] = 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    const double *v = a->value + (k * s + r) * s;
    int64_t place = begin;
    for (int64_t f = a->p_start[j]; f < a->p_start[j + 1]; ++f) {
      while (a->ap_column[place] != a->p_column[f]) ++place;
      double *to = a->ap + (place * s + r) * m;
      for (int32_t q = 0; q < s; ++q)
        for (int32_t c = 0; c < m; ++c) to[c] += v[q] * a->p[(f * s + q) * m + c];
    }
  }
}
AMG_SIZES(times, AmgTimesArgs)

/* P^T (A P). A row is a scalar row of the next level. */
typedef struct AmgGalerkinArgs {
  const int64_t *t_start;  /* P^T: fine node and block of P of each entry */
  const int32_t *t_column;
  const int64_t *t_source;
  const double *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  const double *ap;
  const int64_t *start;    /* of the next level */
  const int32_t *column;
  double *value;
  int32_t s, m;
} AmgGalerkinArgs;
HD void amg_galerkin(const AmgGalerkinArgs *a, int64_t row, const int32_t s, const int32_t m) {
  const int64_t g = row / m, r = row - g * m;
  const int64_t begin = a->start[g], end = a->start[g + 1];
  for (int64_t k = begin; k < end; ++k)
    for (int32_t c = 0; c < m; ++c) a->value[(k * m + r) * m + c] = 0;
  for (int64_t f = a->t_start[g]; f < a->t_start[g + 1]; ++f) {
    const int64_t i = a->t_column[f];
    const double *p = a->p + a->t_source[f] * s * m + r;
    int64_t place = begin;
    for (int64_t k = a->ap_start[i]; k < a->ap_start[i + 1]; ++k) {
      while (a->column[place] != a->ap_column[k]) ++place;
      double *to = a->value + (place * m + r) * m;
      const double *from = a->ap + k * s * m;
      for (int32_t q = 0; q < s; ++q)
        for (int32_t c = 0; c < m; ++c) to[c] += p[q * m] * from[q * m + c];
    }
  }
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
  const double *d = a->value + amg_find(a->start, a->column, i, (int32_t)i) * m * m;
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
 * diagonal. A row is a node. */
typedef struct AmgScaleArgs {
  const int64_t *start;
  const int32_t *column;
  double *value;
  const double *g;
  int32_t s, m, left; /* blocks are s x m */
} AmgScaleArgs;
HD void amg_scale_body(const AmgScaleArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t s = a->s, m = a->m;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    double *v = a->value + k * s * m;
    const double *g = a->g + (int64_t)a->column[k] * m * m, *mine = a->g + i * m * m;
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
    for (int32_t r = 0; a->left && a->column[k] == i && r < s; ++r)
      if (!(mine[r * s + r] > 0)) v[r * m + r] = 1;
  }
}

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
HD void amg_fetch_body(const AmgFetchArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->s;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t j = a->column[k];
    double *v = a->value + k * B * B;
    for (int32_t r = 0; r < B; ++r)
      for (int32_t c = 0; c < B; ++c)
        v[r * B + c] = a->scale[i * B + r] * a->from[amg_slot(&a->slots, i, k, r, c, B)] * a->scale[j * B + c];
    if (a->blocks) block_both_sides(a->blocks + i * B * B, a->blocks + j * B * B, v, B);
  }
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
