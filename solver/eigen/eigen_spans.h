/* Blocks of vectors on the CPU: several rows, or columns, at once, so that what they are multiplied with is read once for
 * all of them and sums need not wait for each other. Each is added up in the order of eigen_rows.h: the same bits. */
#pragma once
#include "solver/eigen/eigen_rows.h"

typedef double EigenLanes
    __attribute__((vector_size(EIGEN_WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));
enum { EIGEN_ROWS = 4, EIGEN_COLUMNS = 4 };

/* `rows` items from `item` on, of tile o. */
HD void eigen_update_rows(const EigenUpdateArgs *a, const int64_t o, const int64_t item, const int rows) {
  const int64_t row = item - o * a->n, step = (int64_t)a->n_to * EIGEN_WIDTH;
  const double *factor = a->factor + o * EIGEN_WIDTH;
  EigenLanes *to = (EigenLanes *)(a->to + item * EIGEN_WIDTH), even[EIGEN_ROWS] = {{0}}, odd[EIGEN_ROWS] = {{0}};
  for (int r = 0; a->adds && r < rows; ++r) even[r] = to[r];
  for (int32_t t = 0; t < a->n_from; ++t) {
    const double *x = a->from.at[t] + row * EIGEN_WIDTH;
#pragma GCC unroll 4
    for (int i = 0; i < EIGEN_WIDTH; i += 2, factor += 2 * step) {
      const EigenLanes first = *(const EigenLanes *)factor, second = *(const EigenLanes *)(factor + step);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        even[r] += x[r * EIGEN_WIDTH + i] * first;
        odd[r] += x[r * EIGEN_WIDTH + i + 1] * second;
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) to[r] = even[r] + odd[r];
}

static inline void eigen_update_span(const EigenUpdateArgs *a, int64_t item, int64_t end) {
  while (item < end) {
    const int64_t o = item / a->n, last = (o + 1) * a->n < end ? (o + 1) * a->n : end;
    for (; item + EIGEN_ROWS <= last; item += EIGEN_ROWS) eigen_update_rows(a, o, item, EIGEN_ROWS);
    for (; item < last; ++item) eigen_update_rows(a, o, item, 1);
  }
}

/* Columns of the left tile from that of `item` on. */
HD void eigen_gram_columns(const EigenGramArgs *a, const int64_t item) {
  const EigenGramPlace p = eigen_gram_place(a, item);
  EigenLanes even[EIGEN_COLUMNS] = {{0}}, odd[EIGEN_COLUMNS] = {{0}};
  int64_t row = p.begin;
  for (; row + 1 < p.end; row += 2) {
    const double *left = p.left + row * EIGEN_WIDTH, *right = p.right + row * EIGEN_WIDTH;
    const EigenLanes first = *(const EigenLanes *)right, second = *(const EigenLanes *)(right + EIGEN_WIDTH);
#pragma GCC unroll 4
    for (int c = 0; c < EIGEN_COLUMNS; ++c) {
      even[c] += left[c] * first;
      odd[c] += left[EIGEN_WIDTH + c] * second;
    }
  }
  for (; row < p.end; ++row)
    for (int c = 0; c < EIGEN_COLUMNS; ++c)
      even[c] += p.left[row * EIGEN_WIDTH + c] * *(const EigenLanes *)(p.right + row * EIGEN_WIDTH);
  for (int c = 0; c < EIGEN_COLUMNS; ++c) *(EigenLanes *)(p.out + (int64_t)c * EIGEN_WIDTH) = even[c] + odd[c];
}

static inline void eigen_gram_span(const EigenGramArgs *a, int64_t item, int64_t end) {
  while (item < end)
    if (item % EIGEN_COLUMNS == 0 && item + EIGEN_COLUMNS <= end) {
      eigen_gram_columns(a, item);
      item += EIGEN_COLUMNS;
    } else eigen_gram_body(a, item++, NULL);
}
