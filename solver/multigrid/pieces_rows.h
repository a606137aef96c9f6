/* Row kernels that cut the rows of P^T into pieces (pieces.c). */
#pragma once
#include "core/hd.h"

typedef struct PieceArgs {
  const int64_t *part; /* [n_part + 1]: where the parts begin, fine nodes */
  const int64_t *start;
  const int32_t *column; /* fine nodes of a row of P^T, ascending */
  int32_t *count;        /* of count: pieces of a row */
  const int64_t *first;  /* of cut: pieces before those of a row */
  int64_t *piece;        /* where each begins, and where the last one ends */
  int32_t *row;
  int64_t n;
  int32_t n_part;
} PieceArgs;
/* Where the part of node i ends. */
HD int64_t piece_end(const PieceArgs *a, int64_t i) {
  int32_t low = 0, high = a->n_part;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    if (a->part[middle] <= i) low = middle;
    else high = middle;
  }
  return a->part[low + 1];
}
HD void piece_count_body(const PieceArgs *a, int64_t g, double sum[]) {
  int32_t n = 0;
  int64_t end = -1;
  (void)sum;
  for (int64_t k = a->start[g]; k < a->start[g + 1]; ++k)
    if (a->column[k] >= end) {
      end = piece_end(a, a->column[k]);
      ++n;
    }
  a->count[g] = n;
}
/* A row is one of P^T, or their end. */
HD void piece_cut_body(const PieceArgs *a, int64_t g, double sum[]) {
  int64_t at = a->first[g], end = -1;
  (void)sum;
  if (g == a->n) {
    a->piece[at] = a->start[g];
    return;
  }
  for (int64_t k = a->start[g]; k < a->start[g + 1]; ++k)
    if (a->column[k] >= end) {
      end = piece_end(a, a->column[k]);
      a->piece[at] = k;
      a->row[at++] = (int32_t)g;
    }
}

/* to[k] = from[at[k]]: where the segments of parcels begin. */
typedef struct PiecePickArgs {
  const int64_t *at, *from;
  int64_t *to;
} PiecePickArgs;
HD void piece_pick_body(const PiecePickArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->to[k] = a->from[a->at[k]];
}
