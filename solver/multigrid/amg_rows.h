/* Row kernels that give a smoothed aggregation hierarchy its numbers (amg.c has the method). Everything is in double
 * and in block CSR: blocks [entry][row][column] beside ExecGraph. `s` scalars per node of the level, `m` modes, which
 * is also what a node of the next level has. */
#pragma once
#include "algebra/block_rows.h"
#include "algebra/graph/graph_rows.h"
#include "algebra/rigid_motion.h"

enum { AMG_MODES = 6 };

/* Blocks [s][s] of a matrix in double or float: rows as ExecGraph has them, and the scalars of an entry as SBELL has
 * them with slices of 2^shift rows, [slice][entry of a row][scalar][row]; with shift 0 block after block. */
typedef struct AmgBlocks {
  GraphRows rows;
  const int32_t *column;
  const void *value;
  int32_t is_float;
} AmgBlocks;
/* Where scalar 0 of entry k is; scalar e is as many slots further on as there are rows in a slice. */
HD int64_t amg_block(const AmgBlocks *a, int64_t k, int32_t square) {
  const int32_t shift = a->rows.shift;
  return (k >> shift << shift) * square + (k & (((int64_t)1 << shift) - 1));
}

/* Squared norms of the blocks of a row, 0 from one part to another, and which of its scalars are coupled to anything. */
typedef struct AmgNormArgs {
  AmgBlocks a;
  const int32_t *part; /* [node]; NULL: there is one */
  float *norm;         /* [entry] */
  uint8_t *live;       /* [node], bit r: scalar r is coupled */
  int32_t s;
} AmgNormArgs;
HD void amg_norm(const AmgNormArgs *a, int64_t i, const int32_t s, const int is_float) {
  int32_t live = 0;
  for (GraphSpan k = graph_span(&a->a.rows, i); k.at < k.end; k.at += k.step) {
    const int64_t at = amg_block(&a->a, k.at, s * s);
    const int32_t own = a->a.column[k.at] == i;
    double norm = 0;
    for (int32_t r = 0; r < s; ++r)
      for (int32_t c = 0; c < s; ++c) {
        const double t = hd_load(a->a.value, at + (r * s + c) * k.step, is_float);
        norm += t * t;
        live |= (t != 0 && !(own && r == c)) << r;
      }
    a->norm[k.at] = a->part && a->part[i] != a->part[a->a.column[k.at]] ? 0 : (float)norm;
  }
  a->live[i] = (uint8_t)live;
}
HD void amg_norm_body(const AmgNormArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->s == 3 && a->a.is_float) amg_norm(a, i, 3, 1);
  else if (a->s == 3) amg_norm(a, i, 3, 0);
  else if (a->s == 6) amg_norm(a, i, 6, a->a.is_float);
  else amg_norm(a, i, a->s, a->a.is_float);
}

/* The part of an aggregate is that of its first node. */
typedef struct AmgPartArgs {
  GraphRows member;
  const int32_t *node, *from; /* of the aggregates, parts of nodes */
  int32_t *part;
} AmgPartArgs;
HD void amg_part_body(const AmgPartArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->part[i] = a->from[a->node[graph_span(&a->member, i).at]];
}

/* Level 0: the near-null vectors of A'', N'' = G^-T S^-1 N, `modes` [n][s][m]. N is `from` [m][n s], the rigid motions of
 * the places, or each component constant; rounded to float where the cycle is in float, as `from` is then (what that
 * rounds off counts squared in the energy of P). */
typedef struct AmgModesArgs {
  const void *from;
  RigidPlaces places;
  const double *scale, *blocks;
  double *modes;
  int64_t n_scalar;
  int32_t s, m, from_float;
} AmgModesArgs;
HD double amg_mode(const AmgModesArgs *a, int64_t i, int32_t r, int32_t k) {
  if (a->from) return hd_load(a->from, k * a->n_scalar + i * a->s + r, a->from_float);
  const double v = a->places.x ? rigid_motion(&a->places, i, a->s, k, r) : k == r;
  return a->from_float ? (double)(float)v : v;
}
HD void amg_modes_body(const AmgModesArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int32_t B = a->s, m = a->m;
  double *t = a->modes + i * B * m;
  for (int32_t k = 0; k < m; ++k) {
    for (int32_t r = B - 1; r >= 0; --r) {
      double v = amg_mode(a, i, r, k) / a->scale[i * B + r];
      if (a->blocks) {
        const double *g = a->blocks + i * B * B;
        for (int32_t q = r + 1; q < B; ++q) v -= g[q * B + r] * t[q * m + k];
        v /= g[r * B + r];
      }
      t[r * m + k] = v;
    }
  }
}

/* Tentative prolongator: the modes on one aggregate become T R with orthonormal columns T, or columns of zeros where a
 * mode depends on those before: R by Cholesky from the products of the modes, T = N R^-1, and once more from T, whose
 * products are nearly 1 (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). A row is an aggregate. */
typedef struct AmgGramArgs {
  const int64_t *start; /* members of the aggregates */
  const int32_t *member;
  const uint8_t *live;
  const double *modes; /* N, or T when again: [n][s][m] */
  double *factor;      /* out R of this turn: [aggregate][m][m], upper triangle */
  double *next;        /* out R, the modes of the next level; again: in R, out `factor` R */
  int32_t s, m, again;
} AmgGramArgs;
/* G += N^T N of node i, its upper triangle. */
HD void amg_gram_node(const uint8_t *live, const double *modes, int64_t i, double *G, const int32_t s,
                      const int32_t m) {
  for (int32_t r = 0; r < s; ++r) {
    const double *t = modes + (i * s + r) * m;
    if (!(live[i] >> r & 1)) continue;
    for (int32_t j = 0; j < m; ++j)
      for (int32_t k = j; k < m; ++k) G[j * m + k] += t[j] * t[k];
  }
}
/* R from G, which is overwritten; again: `next` becomes R `next`. */
HD void amg_gram_factor(double *G, double *R, double *next, int32_t again, const int32_t m) {
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
      if (again) {
        t = 0;
        for (int32_t j = i; j <= k; ++j) t += G[i * m + j] * next[j * m + k];
      }
      next[i * m + k] = t; /* row i of R is read no more */
    }
}
HD void amg_gram(const AmgGramArgs *a, int64_t g, const int32_t s, const int32_t m) {
  double G[AMG_MODES * AMG_MODES];
  for (int32_t k = 0; k < m * m; ++k) G[k] = 0;
  for (int64_t e = a->start[g]; e < a->start[g + 1]; ++e) amg_gram_node(a->live, a->modes, a->member[e], G, s, m);
  amg_gram_factor(G, a->factor + g * m * m, a->next + g * m * m, a->again, m);
}

/* The same where what an aggregate has comes in parcels (pieces.h): a row of amg_gram_piece is a parcel, one of
 * amg_gram_join an aggregate. */
typedef struct AmgGramPieceArgs {
  const int64_t *first; /* pieces of each parcel */
  const int64_t *start; /* entries of each piece */
  const int32_t *node;  /* of each entry */
  const int32_t *row;   /* aggregate of a parcel */
  const int32_t *of;    /* of a node: the others of a piece are neighbours only */
  const uint8_t *live;
  const double *modes;
  double *gram; /* [parcel][m][m] */
  const int64_t *row_start;
  const int32_t *place; /* the parcels of each aggregate */
  double *factor, *next;
  int32_t s, m, again;
} AmgGramPieceArgs;
HD void amg_gram_piece(const AmgGramPieceArgs *a, int64_t k, const int32_t s, const int32_t m) {
  double G[AMG_MODES * AMG_MODES], *all = a->gram + k * m * m;
  for (int32_t c = 0; c < m * m; ++c) all[c] = 0;
  for (int64_t q = a->first[k]; q < a->first[k + 1]; ++q) {
    for (int32_t c = 0; c < m * m; ++c) G[c] = 0;
    for (int64_t e = a->start[q]; e < a->start[q + 1]; ++e)
      if (a->of[a->node[e]] == a->row[k]) amg_gram_node(a->live, a->modes, a->node[e], G, s, m);
    for (int32_t c = 0; c < m * m; ++c) all[c] += G[c];
  }
}
HD void amg_gram_join(const AmgGramPieceArgs *a, int64_t g, const int32_t s, const int32_t m) {
  double G[AMG_MODES * AMG_MODES];
  (void)s;
  for (int32_t k = 0; k < m * m; ++k) G[k] = 0;
  for (int64_t e = a->row_start[g]; e < a->row_start[g + 1]; ++e)
    for (int32_t k = 0; k < m * m; ++k) G[k] += a->gram[(int64_t)a->place[e] * m * m + k];
  amg_gram_factor(G, a->factor + g * m * m, a->next + g * m * m, a->again, m);
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

/* The sizes that matter as constants, so that inner loops are unrolled: nodes with 2, 3 or 6 scalars and rigid motions,
 * and scalar problems. */
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
AMG_SIZES(gram_piece, AmgGramPieceArgs)
AMG_SIZES(gram_join, AmgGramPieceArgs)
AMG_SIZES(orthonormal, AmgOrthonormalArgs)

/* Inverse G of the Cholesky factor of a diagonal block of the next level, and its modes scaled with it, L^T R. A scalar
 * that no fine one is part of (its column of P is zero) gets a zero row of G. Sum: pivots that are not positive
 * although P is not zero there. A row is a node. */
typedef struct AmgFactorArgs {
  const int64_t *start;
  const int32_t *column;
  const double *value;
  double *g;     /* [node][m][m] */
  double *modes; /* [node][m][m] */
  double *n_dropped;
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
HD void amg_factor_finish(const AmgFactorArgs *a, const double sum[]) { *a->n_dropped = sum[0]; }

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
  const int64_t *lanes; /* amg_store_lanes: slice starts */
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
/* The same into SBELL in natural order with slices of 32 (sbell_exec.h), which lists no slots. A row is a block row of
 * the Mat. */
HD void amg_store_lanes_body(const AmgStoreArgs *a, int64_t lane, double sum[]) {
  (void)sum;
  enum { LANES = 32 };
  const int32_t m = a->m, B = a->block, parts = m / B;
  const int64_t i = lane / parts, first = lane % parts * B;
  int64_t at = a->lanes[lane / LANES] * B * B + lane % LANES;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
    for (int32_t part = 0; part < parts; ++part, at += LANES * B * B)
      for (int32_t e = 0; e < B * B; ++e)
        hd_store(a->to, at + e * LANES, a->value[(k * m + first + e / B) * m + part * B + e % B], a->to_float);
}
