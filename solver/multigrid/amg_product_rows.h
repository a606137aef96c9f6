/* Row kernels of the products of a smoothed aggregation hierarchy: P = (1 - omega A'') T, A P, P^T A P and their
 * scaling (amg_numeric.c). They have a row per block of the result, which is added up in registers and written once. P
 * is in the precision of the cycle from the start, so that P^T A P belongs to the very P that the cycle applies. All
 * else is in double.
 *
 * Where the numbers of A are those of the system, not of A'' = G S A S G^T, it is S G^T P that is kept until P^T A P is
 * there, because P^T A'' P = (S G^T P)^T A (S G^T P): no scaled copy of A in double is needed. */
#pragma once
#include "solver/multigrid/amg_rows.h"

enum { AMG_BLOCK = AMG_MODES * AMG_MODES };

/* v <- S G^T v, and back, for a block [s][m] of node i; blocks NULL: G = 1. */
HD void amg_turn(const double *scale, const double *blocks, int64_t i, double *v, const int32_t s, const int32_t m) {
  const double *g = blocks ? blocks + i * s * s : 0;
  for (int32_t r = 0; r < s; ++r)
    for (int32_t c = 0; c < m; ++c) {
      double t = blocks ? 0 : v[r * m + c];
      for (int32_t q = r; blocks && q < s; ++q) t += g[q * s + r] * v[q * m + c];
      v[r * m + c] = t * scale[i * s + r];
    }
}
HD void amg_turn_back(const double *scale, const double *blocks, int64_t i, double *v, const int32_t s,
                      const int32_t m) {
  const double *g = blocks ? blocks + i * s * s : 0;
  for (int32_t r = s - 1; r >= 0; --r)
    for (int32_t c = 0; c < m; ++c) {
      double t = v[r * m + c] / scale[i * s + r];
      for (int32_t q = r + 1; blocks && q < s; ++q) t -= g[q * s + r] * v[q * m + c];
      v[r * m + c] = blocks ? t / g[r * s + r] : t;
    }
}

/* P = (1 - omega A'') T, or S G^T P where there is a scale. A row is a block of P. */
typedef struct AmgSmoothArgs {
  AmgBlocks a;         /* A'' */
  const int32_t *of;   /* aggregate of a node, -1: none */
  const double *modes; /* T */
  const double *scale, *blocks;
  const int64_t *p_start;
  const int32_t *p_row, *p_column;
  void *p; /* [entry of P][s][m] */
  double omega;
  int32_t s, m, p_float;
} AmgSmoothArgs;
HD void amg_smooth(const AmgSmoothArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->p_row[e];
  const int32_t g = a->p_column[e];
  double sum[AMG_BLOCK];
  for (int32_t c = 0; c < s * m; ++c) sum[c] = a->of[i] == g ? a->modes[i * s * m + c] : 0;
  for (GraphSpan k = graph_span(&a->a.rows, i); k.at < k.end; k.at += k.step) {
    const int64_t j = a->a.column[k.at], at = amg_block(&a->a, k.at, s * s);
    if (a->of[j] != g) continue;
    const double *t = a->modes + j * s * m;
    for (int32_t r = 0; r < s; ++r)
      for (int32_t q = 0; q < s; ++q) {
        const double factor = -a->omega * hd_load(a->a.value, at + (r * s + q) * k.step, a->a.is_float);
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += factor * t[q * m + c];
      }
  }
  if (a->scale) amg_turn(a->scale, a->blocks, i, sum, s, m);
  for (int32_t c = 0; c < s * m; ++c) hd_store(a->p, e * s * m + c, sum[c], a->p_float);
}
AMG_SIZES(smooth, AmgSmoothArgs)

/* A P for the rows from first_row on. A row is a block of the result. */
typedef struct AmgTimesArgs {
  AmgBlocks a;
  const int64_t *p_start;
  const int32_t *p_column;
  const void *p;
  const int64_t *ap_start;
  const int32_t *ap_row, *ap_column; /* rows are counted from first_row */
  double *ap;                        /* [entry of A P][s][m] */
  int64_t first_row;
  int32_t s, m, p_float;
} AmgTimesArgs;
HD void amg_times(const AmgTimesArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->first_row + a->ap_row[e];
  const int32_t g = a->ap_column[e];
  double sum[AMG_BLOCK], *to = a->ap + e * s * m;
  for (int32_t c = 0; c < s * m; ++c) sum[c] = 0;
  for (GraphSpan k = graph_span(&a->a.rows, i); k.at < k.end; k.at += k.step) {
    const int64_t f = graph_find(a->p_start, a->p_column, a->a.column[k.at], g);
    if (f < 0) continue;
    const int64_t at = amg_block(&a->a, k.at, s * s), p = f * s * m;
    double row[AMG_MODES];
    for (int32_t q = 0; q < s; ++q) {
      for (int32_t c = 0; c < m; ++c) row[c] = hd_load(a->p, p + q * m + c, a->p_float);
      for (int32_t r = 0; r < s; ++r) {
        const double v = hd_load(a->a.value, at + (r * s + q) * k.step, a->a.is_float);
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += v * row[c];
      }
    }
  }
  for (int32_t c = 0; c < s * m; ++c) to[c] = sum[c];
}
AMG_SIZES(times, AmgTimesArgs)

/* P^T (A P), which is symmetric: blocks above the diagonal are also put below. Rows first_row to end_row of A P are
 * there; what those before gave, or 0, is in `value` already, so that the sum is the same whatever the parts are. A row
 * is a block of the next level's matrix; or, where there are pieces, of the upper half of what a parcel of them gives to
 * it (pieces.h): rows of A P are those of whole parts then, and each piece is added up by itself first. */
typedef struct AmgGalerkinArgs {
  const int64_t *t_start; /* P^T, or its pieces: fine node and block of P of each entry */
  const int32_t *t_column;
  const int64_t *t_source;
  const void *p;
  const int64_t *ap_start;
  const int32_t *ap_column;
  const double *ap;
  const int64_t *start; /* of the next level, or of parcels */
  const int32_t *row, *column;
  const int64_t *first; /* pieces of each parcel; NULL: rows are those of P^T */
  double *value;
  int64_t first_row, end_row;
  int32_t s, m, p_float;
} AmgGalerkinArgs;
/* Entries [f, end) of P^T times column h of A P. */
HD void amg_galerkin_sum(const AmgGalerkinArgs *a, int64_t f, int64_t end, int32_t h, double *sum, const int32_t s,
                         const int32_t m) {
  for (; f < end && a->t_column[f] < a->end_row; ++f) {
    const int64_t k = graph_find(a->ap_start, a->ap_column, a->t_column[f] - a->first_row, h);
    if (k < 0) continue;
    const double *from = a->ap + k * s * m;
    const int64_t p = a->t_source[f] * s * m;
    for (int32_t q = 0; q < s; ++q)
      for (int32_t r = 0; r < m; ++r) {
        const double v = hd_load(a->p, p + q * m + r, a->p_float);
        for (int32_t c = 0; c < m; ++c) sum[r * m + c] += v * from[q * m + c];
      }
  }
}
/* Whether piece q belongs to the rows of A P that are there. */
HD int amg_galerkin_has(const AmgGalerkinArgs *a, int64_t q) {
  const int32_t i = a->t_column[a->t_start[q]];
  return i >= a->first_row && i < a->end_row;
}
HD void amg_galerkin(const AmgGalerkinArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t g = a->row[e];
  const int32_t h = a->column[e];
  double sum[AMG_BLOCK], *to = a->value + e * m * m;
  for (int64_t q = a->first ? a->first[g] : 0; a->first && q < a->first[g + 1]; ++q) {
    if (!amg_galerkin_has(a, q)) continue;
    for (int32_t c = 0; c < m * m; ++c) sum[c] = 0;
    amg_galerkin_sum(a, a->t_start[q], a->t_start[q + 1], h, sum, s, m);
    for (int32_t c = 0; c < m * m; ++c) to[c] += sum[c];
  }
  if (a->first) return;
  const int64_t end = a->t_start[g + 1];
  int64_t f = a->t_start[g];
  if (h < g || f == end || a->t_column[f] >= a->end_row || a->t_column[end - 1] < a->first_row) return;
  while (f < end && a->t_column[f] < a->first_row) ++f;
  for (int32_t c = 0; c < m * m; ++c) sum[c] = to[c];
  amg_galerkin_sum(a, f, end, h, sum, s, m);
  for (int32_t c = 0; c < m * m; ++c) to[c] = sum[c];
  if (h == g) return;
  to = a->value + graph_find(a->start, a->column, h, (int32_t)g) * m * m;
  for (int32_t c = 0; c < m * m; ++c) to[c % m * m + c / m] = sum[c];
}
AMG_SIZES(galerkin, AmgGalerkinArgs)

/* Columns of a parcel that are not below its row: how many, then which. A row is a parcel. */
typedef struct AmgUpperArgs {
  const int64_t *from_start, *start;
  const int32_t *from, *row;
  int32_t *count, *column;
} AmgUpperArgs;
HD int64_t amg_upper_first(const AmgUpperArgs *a, int64_t q) {
  int64_t k = a->from_start[q];
  while (k < a->from_start[q + 1] && a->from[k] < a->row[q]) ++k;
  return k;
}
HD void amg_upper_count_body(const AmgUpperArgs *a, int64_t q, double sum[]) {
  (void)sum;
  a->count[q] = (int32_t)(a->from_start[q + 1] - amg_upper_first(a, q));
}
HD void amg_upper_body(const AmgUpperArgs *a, int64_t q, double sum[]) {
  int64_t to = a->start[q];
  (void)sum;
  for (int64_t k = amg_upper_first(a, q); k < a->from_start[q + 1]; ++k) a->column[to++] = a->from[k];
}

/* Row `which` of the blocks [m][m] from `first` on, to a plane [entry][m] or from there: what goes between ranks at once is a
 * sixth of all. A row is a block. */
typedef struct AmgPlaneArgs {
  double *value, *plane;
  int64_t first;
  int32_t m, which, back;
} AmgPlaneArgs;
HD void amg_plane_body(const AmgPlaneArgs *a, int64_t k, double sum[]) {
  const int64_t e = a->first + k;
  double *block = a->value + (e * a->m + a->which) * a->m, *plane = a->plane + e * a->m;
  (void)sum;
  for (int32_t c = 0; c < a->m; ++c)
    if (a->back) block[c] = plane[c];
    else plane[c] = block[c];
}

/* P^T A P, which is 0, from its parcels in their order; the lower half is the mirror of the upper one. A row is a coarse
 * node. */
typedef struct AmgJoinArgs {
  const int64_t *row_start;
  const int32_t *place; /* the parcels of a row */
  const int64_t *piece_start;
  const int32_t *piece_column;
  const double *piece;
  const int64_t *start;
  const int32_t *column;
  double *value;
  int32_t s, m; /* the same */
} AmgJoinArgs;
HD void amg_join(const AmgJoinArgs *a, int64_t g, const int32_t s, const int32_t m) {
  (void)s;
  for (int64_t k = a->row_start[g]; k < a->row_start[g + 1]; ++k) {
    int64_t at = a->start[g];
    for (int64_t e = a->piece_start[a->place[k]]; e < a->piece_start[a->place[k] + 1]; ++e) {
      while (a->column[at] < a->piece_column[e]) ++at;
      for (int32_t c = 0; c < m * m; ++c) a->value[at * m * m + c] += a->piece[e * m * m + c];
    }
  }
  for (int64_t at = a->start[g]; at < a->start[g + 1]; ++at) {
    const int32_t h = a->column[at];
    if (h <= g) continue;
    double *to = a->value + graph_find(a->start, a->column, h, (int32_t)g) * m * m;
    for (int32_t c = 0; c < m * m; ++c) to[c % m * m + c / m] = a->value[at * m * m + c];
  }
}
AMG_SIZES(join, AmgJoinArgs)

/* to <- G_i to G_j^T for the blocks of a square matrix. Rows that G drops get a 1 on the diagonal. A row is a block. */
typedef struct AmgScaleArgs {
  const int32_t *row, *column;
  double *value;
  const double *g;
  int32_t s, m; /* the same */
} AmgScaleArgs;
/* v <- v g^T */
HD void amg_right(const double *g, double *v, const int32_t s, const int32_t m) {
  for (int32_t r = 0; r < s; ++r)
    for (int32_t c = m - 1; c >= 0; --c) {
      double t = 0;
      for (int32_t q = 0; q <= c; ++q) t += v[r * m + q] * g[c * m + q];
      v[r * m + c] = t;
    }
}
HD void amg_scale(const AmgScaleArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->row[e], j = a->column[e];
  double v[AMG_BLOCK], *to = a->value + e * s * m;
  const double *mine = a->g + i * m * m;
  for (int32_t k = 0; k < s * m; ++k) v[k] = to[k];
  amg_right(a->g + j * m * m, v, s, m);
  for (int32_t r = s - 1; r >= 0; --r)
    for (int32_t c = 0; c < m; ++c) {
      double t = 0;
      for (int32_t q = 0; q <= r; ++q) t += mine[r * s + q] * v[q * m + c];
      v[r * m + c] = t;
    }
  for (int32_t r = 0; i == j && r < s; ++r)
    if (!(mine[r * s + r] > 0)) v[r * m + r] = 1;
  for (int32_t k = 0; k < s * m; ++k) to[k] = v[k];
}
AMG_SIZES(scale, AmgScaleArgs)

/* P <- P G_j^T, from S G^T P where there is a scale. A row is a block of P. */
typedef struct AmgFinishArgs {
  const int32_t *row, *column;
  void *p;
  const double *g;
  const double *scale, *blocks;
  int32_t s, m, p_float;
} AmgFinishArgs;
HD void amg_finish(const AmgFinishArgs *a, int64_t e, const int32_t s, const int32_t m) {
  const int64_t i = a->row[e], j = a->column[e];
  double v[AMG_BLOCK];
  for (int32_t k = 0; k < s * m; ++k) v[k] = hd_load(a->p, e * s * m + k, a->p_float);
  if (a->scale) amg_turn_back(a->scale, a->blocks, i, v, s, m);
  amg_right(a->g + j * m * m, v, s, m);
  for (int32_t k = 0; k < s * m; ++k) hd_store(a->p, e * s * m + k, v[k], a->p_float);
}
AMG_SIZES(finish, AmgFinishArgs)
