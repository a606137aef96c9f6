/* Row kernels of blocks of vectors: 8 T columns lie in T tiles [n][8], entry i of column 8 t + c at (t n + i) 8 + c, as
 * products with several vectors read them (algebra/many.h). Products of blocks, S^T T, are summed in spans of rows and
 * then folded, in a fixed order everywhere; where sums go over parts (core/sum_parts.h), part by part. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/extra_bits.h"
#include "algebra/scaling_rows.h"

#include <math.h>

enum {
  EIGEN_WIDTH = 8,
  EIGEN_TILES = 96, /* of all blocks of an iteration together */
  EIGEN_FOLD = 64,  /* partial sums that are added at once */
  EIGEN_BAND = 64   /* rows of a block that are updated in all its tiles before the next ones */
};

typedef struct EigenTiles {
  const double *at[EIGEN_TILES]; /* [n][8] each */
} EigenTiles;

/* partial [spans][pairs][8][8] of S^T T. An item is a span of rows of a pair and one column of its left tile; all pairs of
 * a span come before the next span, so that its rows are read from memory once. Pairs are those of n_left tiles with
 * others, or (n_left 0) of tiles s <= t of a symmetric product. */
typedef struct EigenGramArgs {
  EigenTiles left, right;
  double *partial;
  int64_t begin, end, span, n_span; /* rows */
  int32_t n_left, n_pair;
} EigenGramArgs;
/* What an item reads, and where its 8 sums go. */
typedef struct EigenGramPlace {
  const double *left, *right; /* left: at its column */
  double *out;
  int64_t begin, end;
} EigenGramPlace;
HD EigenGramPlace eigen_gram_place(const EigenGramArgs *a, const int64_t item) {
  const int32_t i = (int32_t)(item % EIGEN_WIDTH);
  const int64_t k = item / EIGEN_WIDTH / a->n_pair;
  int32_t s = (int32_t)(item / EIGEN_WIDTH % a->n_pair), t = 0;
  EigenGramPlace p;
  p.out = a->partial + item * EIGEN_WIDTH;
  if (a->n_left) {
    t = s / a->n_left;
    s -= t * a->n_left;
  } else {
    for (; s > t; ++t) s -= t + 1;
  }
  p.left = a->left.at[s] + i, p.right = a->right.at[t];
  p.begin = a->begin + k * a->span;
  p.end = p.begin + a->span < a->end ? p.begin + a->span : a->end;
  return p;
}
HD void eigen_gram_body(const EigenGramArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const EigenGramPlace p = eigen_gram_place(a, item);
  const double *left = p.left, *right = p.right;
  const int64_t end = p.end;
  double *out = p.out, add[2][EIGEN_WIDTH] = {{0}};
  int64_t row = p.begin;
  for (; row + 1 < end; row += 2)
    for (int32_t u = 0; u < 2; ++u) {
      const double v = left[(row + u) * EIGEN_WIDTH];
      for (int32_t j = 0; j < EIGEN_WIDTH; ++j) add[u][j] += v * right[(row + u) * EIGEN_WIDTH + j];
    }
  for (; row < end; ++row) {
    const double v = left[row * EIGEN_WIDTH];
    for (int32_t j = 0; j < EIGEN_WIDTH; ++j) add[0][j] += v * right[row * EIGEN_WIDTH + j];
  }
  for (int32_t j = 0; j < EIGEN_WIDTH; ++j) out[j] = add[0][j] + add[1][j];
}

/* partial [spans][tiles][8]: sums of weight r^2 of each column. An item is a span of rows and a column. */
typedef struct EigenNormArgs {
  const double *r, *weight;
  double *partial;
  int64_t n, begin, end, span, n_span; /* of rows [begin, end) of n */
  int32_t n_tile;
} EigenNormArgs;
HD void eigen_norm_body(const EigenNormArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const int32_t c = (int32_t)(item % EIGEN_WIDTH);
  const int64_t k = item / EIGEN_WIDTH % a->n_span, tile = item / EIGEN_WIDTH / a->n_span;
  const int64_t begin = a->begin + k * a->span, end = begin + a->span < a->end ? begin + a->span : a->end;
  double s = 0;
  for (int64_t row = begin; row < end; ++row) {
    const double r = a->r[(tile * a->n + row) * EIGEN_WIDTH + c];
    s += a->weight[row] * r * r;
  }
  a->partial[(k * a->n_tile + tile) * EIGEN_WIDTH + c] = s;
}

/* to [rows / EIGEN_FOLD][width] from sums of EIGEN_FOLD rows each of from [rows][width]. */
typedef struct EigenFoldArgs {
  const double *from;
  double *to;
  int64_t rows, width;
} EigenFoldArgs;
HD void eigen_fold_body(const EigenFoldArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const int64_t g = item / a->width, e = item - g * a->width;
  const int64_t end = (g + 1) * EIGEN_FOLD < a->rows ? (g + 1) * EIGEN_FOLD : a->rows;
  double s = 0;
  for (int64_t k = g * EIGEN_FOLD; k < end; ++k) s += a->from[k * a->width + e];
  a->to[item] = s;
}

/* Tiles of `to`, and behind them of `rest` = sum over tiles of from times factor [8 n_from][8 n_to], or that added to them.
 * An item is a row of a tile: of EIGEN_BAND rows all tiles, then the next rows, so that these are read from memory once. */
typedef struct EigenUpdateArgs {
  EigenTiles from;
  const double *factor;
  double *to, *rest;
  int64_t n;
  int32_t n_from, n_to, n_first, adds; /* n_to tiles in all, of which n_first in `to` */
} EigenUpdateArgs;
HD int64_t eigen_update_items(int64_t n, int32_t n_to) { return (n + EIGEN_BAND - 1) / EIGEN_BAND * EIGEN_BAND * n_to; }
typedef struct EigenUpdatePlace {
  double *to;           /* at its row */
  const double *factor; /* at its columns */
  int64_t row;          /* n and more: nothing is there */
} EigenUpdatePlace;
HD EigenUpdatePlace eigen_update_place(const EigenUpdateArgs *a, const int64_t item) {
  const int64_t k = item / EIGEN_BAND, o = k % a->n_to;
  EigenUpdatePlace p;
  p.row = k / a->n_to * EIGEN_BAND + item % EIGEN_BAND;
  p.to = (o < a->n_first ? a->to + o * a->n * EIGEN_WIDTH : a->rest + (o - a->n_first) * a->n * EIGEN_WIDTH) +
         p.row * EIGEN_WIDTH;
  p.factor = a->factor + o * EIGEN_WIDTH;
  return p;
}
HD void eigen_update_body(const EigenUpdateArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const EigenUpdatePlace p = eigen_update_place(a, item);
  const int64_t step = (int64_t)a->n_to * EIGEN_WIDTH;
  const double *factor = p.factor;
  double *to = p.to, add[2][EIGEN_WIDTH];
  if (p.row >= a->n) return;
  for (int32_t j = 0; j < EIGEN_WIDTH; ++j) {
    add[0][j] = a->adds ? to[j] : 0;
    add[1][j] = 0;
  }
  for (int32_t t = 0; t < a->n_from; ++t) {
    const double *x = a->from.at[t] + p.row * EIGEN_WIDTH;
    for (int32_t i = 0; i < EIGEN_WIDTH; ++i, factor += step)
      for (int32_t j = 0; j < EIGEN_WIDTH; ++j) add[i & 1][j] += x[i] * factor[j];
  }
  for (int32_t j = 0; j < EIGEN_WIDTH; ++j) to[j] = add[0][j] + add[1][j];
}

/* r = A x - theta B x of a block; theta [8 tiles] on the Exec. An item is a row of a tile. */
typedef struct EigenResidualArgs {
  const double *ax, *bx, *theta;
  double *r;
  int64_t n;
} EigenResidualArgs;
HD void eigen_residual_body(const EigenResidualArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const double *theta = a->theta + item / a->n * EIGEN_WIDTH;
  const int64_t at = item * EIGEN_WIDTH;
  for (int32_t c = 0; c < EIGEN_WIDTH; ++c) a->r[at + c] = a->ax[at + c] - theta[c] * a->bx[at + c];
}

/* r = (row sums of |A| + |theta| those of |B|) |x|, for smooth x what |A| |x| + |theta| |B| |x| is. An item is a row of a
 * tile. */
typedef struct EigenRoundingArgs {
  const double *x, *a, *b, *theta;
  double *r;
  int64_t n;
} EigenRoundingArgs;
HD void eigen_rounding_body(const EigenRoundingArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const int64_t tile = item / a->n, row = item - tile * a->n;
  for (int32_t c = 0; c < EIGEN_WIDTH; ++c) {
    const double theta = fabs(a->theta[tile * EIGEN_WIDTH + c]);
    a->r[item * EIGEN_WIDTH + c] = (a->a[row] + theta * a->b[row]) * fabs(a->x[item * EIGEN_WIDTH + c]);
  }
}

/* 1 / the diagonal of B, 0 where that is not positive: at unknowns that are held. Sum: the others. */
typedef struct EigenWeightArgs {
  double *weight; /* in: the diagonal */
  double *count;
} EigenWeightArgs;
HD void eigen_weight_body(const EigenWeightArgs *a, int64_t i, double sum[]) {
  const int is_free = a->weight[i] > 0;
  a->weight[i] = is_free ? 1 / a->weight[i] : 0;
  sum[0] += is_free;
}
HD void eigen_weight_finish(const EigenWeightArgs *a, const double sum[]) { *a->count = sum[0]; }

/* Sum of diagonal / B's diagonal: the scale of the largest values. */
typedef struct EigenScaleArgs {
  const double *diagonal;
  double *weight, *sum;
} EigenScaleArgs;
HD void eigen_scale_body(const EigenScaleArgs *a, int64_t i, double sum[]) { sum[0] += a->diagonal[i] * a->weight[i]; }
HD void eigen_scale_finish(const EigenScaleArgs *a, const double sum[]) { *a->sum = sum[0]; }

/* weight = 1 / diagonal where it is not 0. */
HD void eigen_reweigh_body(const EigenScaleArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->weight[i] > 0) a->weight[i] = a->diagonal[i] > 0 ? 1 / a->diagonal[i] : 0;
}

/* Numbers in [-1, 1] without a pattern, 0 at held unknowns; columns from `columns` on are 0. An item is a row of a
 * tile. */
typedef struct EigenRandomArgs {
  double *x;
  const double *weight;
  int64_t n, first; /* row of the whole that the first one is */
  int32_t columns;
} EigenRandomArgs;
HD void eigen_random_body(const EigenRandomArgs *a, int64_t item, double sum[]) {
  (void)sum;
  const int64_t row = item % a->n, first = item / a->n * EIGEN_WIDTH;
  const int is_free = a->weight[row] > 0;
  for (int32_t c = 0; c < EIGEN_WIDTH; ++c)
    a->x[item * EIGEN_WIDTH + c] =
        is_free && first + c < a->columns ? lanczos_random((a->first + row) * 4099 + (first + c) * 524287) : 0;
}

/* One column of a tile: to and from vectors of their own. scale NULL: 1. */
typedef struct EigenColumnArgs {
  double *tile; /* at its column */
  double *v;    /* [n] */
  float *low;   /* the same in float; NULL: none */
  const void *result;
  const int8_t *extra; /* more bits of a result in float; NULL: none */
  const double *scale, *weight;
  double factor;
  int32_t is_float;
} EigenColumnArgs;
/* v = factor S column */
HD void eigen_take_body(const EigenColumnArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const double v = a->factor * (a->scale ? a->scale[i] : 1) * a->tile[i * EIGEN_WIDTH];
  if (a->v) a->v[i] = v;
  if (a->low) a->low[i] = (float)v;
}
/* column = factor S result at unknowns that are free, 0 elsewhere */
HD void eigen_give_body(const EigenColumnArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const double v = a->is_float ? extra_read_f((const float *)a->result, a->extra, i) : ((const double *)a->result)[i];
  const int is_free = !a->weight || a->weight[i] > 0;
  a->tile[i * EIGEN_WIDTH] = is_free ? a->factor * (a->scale ? a->scale[i] : 1) * v : 0;
}
/* column = factor S S v, of a diagonal preconditioner */
HD void eigen_diagonal_body(const EigenColumnArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->tile[i * EIGEN_WIDTH] = a->weight[i] > 0 ? a->factor * a->scale[i] * a->scale[i] * a->v[i] : 0;
}
/* column = 0 */
HD void eigen_clear_body(const EigenColumnArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->tile[i * EIGEN_WIDTH] = 0;
}

/* 8 columns, from anywhere in tiles, as one tile times factor S, and what a preconditioner of 8 vectors made of it back. */
typedef struct EigenPackArgs {
  const double *from[EIGEN_WIDTH]; /* each at its column; NULL: zeros */
  double factor[EIGEN_WIDTH];
  const double *scale, *weight;
  double *packed;
  float *low; /* the same in float; NULL: none */
  const void *result;
  double *to;
  int32_t is_float;
} EigenPackArgs;
HD void eigen_pack_body(const EigenPackArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int32_t q = 0; q < EIGEN_WIDTH; ++q) {
    const double v = a->from[q] ? a->factor[q] * a->scale[i] * a->from[q][i * EIGEN_WIDTH] : 0;
    a->packed[i * EIGEN_WIDTH + q] = v;
    if (a->low) a->low[i * EIGEN_WIDTH + q] = (float)v;
  }
}
HD void eigen_unpack_body(const EigenPackArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const int is_free = a->weight[i] > 0;
  for (int32_t q = 0; q < EIGEN_WIDTH; ++q) {
    const int64_t at = i * EIGEN_WIDTH + q;
    const double v = a->is_float ? (double)((const float *)a->result)[at] : ((const double *)a->result)[at];
    a->to[at] = is_free && a->from[q] ? a->scale[i] * v : 0;
  }
}

/* to = a + factor b */
typedef struct EigenShiftArgs {
  const double *a, *b;
  double *to;
  double factor;
} EigenShiftArgs;
HD void eigen_shift_body(const EigenShiftArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->to[i] = a->a[i] + a->factor * a->b[i];
}
