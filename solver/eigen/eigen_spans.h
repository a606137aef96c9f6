/* Blocks of vectors on the CPU: several rows, or columns, at once, so that what they are multiplied with is read once for
 * all of them and sums need not wait for each other. Each is added up in the order of eigen_rows.h: the same bits. */
#pragma once
#include "solver/eigen/eigen_rows.h"

/* A vector that the processor has registers for: vectors of two go through memory. */
#ifdef __AVX512F__
enum { EIGEN_LANES = 8 };
#else
enum { EIGEN_LANES = 4 };
#endif
typedef double EigenLanes
    __attribute__((vector_size(EIGEN_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
enum { EIGEN_ROWS = 4, EIGEN_COLUMNS = 4 };

/* `rows` rows from that of p on, EIGEN_LANES columns from `first` on. */
HD void eigen_update_rows(const EigenUpdateArgs *a, const EigenUpdatePlace *p, const int first, const int rows) {
  const int64_t step = (int64_t)a->n_to * EIGEN_WIDTH;
  const double *factor = p->factor + first;
  double *to = p->to + first;
  EigenLanes even[EIGEN_ROWS] = {{0}}, odd[EIGEN_ROWS] = {{0}};
  for (int r = 0; a->adds && r < rows; ++r) even[r] = *(const EigenLanes *)(to + r * EIGEN_WIDTH);
  for (int32_t t = 0; t < a->n_from; ++t) {
    const double *x = a->from.at[t] + p->row * EIGEN_WIDTH;
#pragma GCC unroll 4
    for (int i = 0; i < EIGEN_WIDTH; i += 2, factor += 2 * step) {
      const EigenLanes one = *(const EigenLanes *)factor, two = *(const EigenLanes *)(factor + step);
#pragma GCC unroll 4
      for (int r = 0; r < rows; ++r) {
        even[r] += x[r * EIGEN_WIDTH + i] * one;
        odd[r] += x[r * EIGEN_WIDTH + i + 1] * two;
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) *(EigenLanes *)(to + r * EIGEN_WIDTH) = even[r] + odd[r];
}

static inline void eigen_update_span(const EigenUpdateArgs *a, int64_t item, int64_t end) {
  while (item < end) {
    EigenUpdatePlace p = eigen_update_place(a, item);
    const int64_t left = EIGEN_BAND - item % EIGEN_BAND, rows = left < end - item ? left : end - item;
    const int64_t last = p.row + rows < a->n ? p.row + rows : a->n;
    for (; p.row + EIGEN_ROWS <= last; p.row += EIGEN_ROWS, p.to += EIGEN_ROWS * EIGEN_WIDTH)
      for (int first = 0; first < EIGEN_WIDTH; first += EIGEN_LANES) eigen_update_rows(a, &p, first, EIGEN_ROWS);
    for (; p.row < last; ++p.row, p.to += EIGEN_WIDTH)
      for (int first = 0; first < EIGEN_WIDTH; first += EIGEN_LANES) eigen_update_rows(a, &p, first, 1);
    item += rows;
  }
}

/* Columns of the left tile from that of `item` on, EIGEN_LANES of the right one from `first` on. */
HD void eigen_gram_columns(const EigenGramArgs *a, const int64_t item, const int first) {
  const EigenGramPlace p = eigen_gram_place(a, item);
  EigenLanes even[EIGEN_COLUMNS] = {{0}}, odd[EIGEN_COLUMNS] = {{0}};
  int64_t row = p.begin;
  for (; row + 1 < p.end; row += 2) {
    const double *left = p.left + row * EIGEN_WIDTH, *right = p.right + row * EIGEN_WIDTH + first;
    const EigenLanes one = *(const EigenLanes *)right, two = *(const EigenLanes *)(right + EIGEN_WIDTH);
#pragma GCC unroll 4
    for (int c = 0; c < EIGEN_COLUMNS; ++c) {
      even[c] += left[c] * one;
      odd[c] += left[EIGEN_WIDTH + c] * two;
    }
  }
  for (; row < p.end; ++row)
    for (int c = 0; c < EIGEN_COLUMNS; ++c)
      even[c] += p.left[row * EIGEN_WIDTH + c] * *(const EigenLanes *)(p.right + row * EIGEN_WIDTH + first);
  for (int c = 0; c < EIGEN_COLUMNS; ++c) *(EigenLanes *)(p.out + c * EIGEN_WIDTH + first) = even[c] + odd[c];
}

static inline void eigen_gram_span(const EigenGramArgs *a, int64_t item, int64_t end) {
  while (item < end)
    if (item % EIGEN_COLUMNS == 0 && item + EIGEN_COLUMNS <= end) {
      for (int first = 0; first < EIGEN_WIDTH; first += EIGEN_LANES) eigen_gram_columns(a, item, first);
      item += EIGEN_COLUMNS;
    } else eigen_gram_body(a, item++, NULL);
}
