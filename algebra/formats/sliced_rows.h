/* Row kernels that make the structure of formats with slices of lanes (sliced.h), and that of scalars in rows (csr.c).
 * Entry e of a lane is at start[slice] + (e / T S + lane in its slice) T + e % T with slices of S lanes and teams of T. */
#pragma once
#include "core/hd.h"

typedef struct SlicedArgs {
  const int64_t *from_start; /* of the pattern */
  const int32_t *from_column;
  const int32_t *block_row; /* in the order of storage; NULL: natural */
  int64_t n_lane;
  int32_t split, slice, team;
  const int64_t *start; /* [slice + 1] entries before */
  int32_t *column;      /* [start[slices]] */
  int32_t *length;      /* [lane] turns of the team, 0 behind the last; NULL: not wanted */
  int32_t *row;         /* [lane] */
  int64_t *slot;
  int32_t each, square; /* slots listed per side of a block; scalars behind an entry */
} SlicedArgs;

HD int64_t sliced_block_row(const SlicedArgs *a, int64_t place) { return a->block_row ? a->block_row[place] : place; }

/* Rows are lanes, those behind the last row too. */
HD void sliced_column_body(const SlicedArgs *a, int64_t lane, double sum[]) {
  const int64_t step = (int64_t)a->slice * a->team, end = a->start[lane / a->slice + 1];
  const int64_t i = lane < a->n_lane ? sliced_block_row(a, lane / a->split) : 0;
  const int32_t row = lane < a->n_lane ? (int32_t)(i * a->split + lane % a->split) : 0;
  int64_t at = a->start[lane / a->slice] + lane % a->slice * a->team;
  int32_t t = 0;
  (void)sum;
  for (int64_t k = lane < a->n_lane ? a->from_start[i] : INT64_MAX; lane < a->n_lane && k < a->from_start[i + 1]; ++k)
    for (int32_t c = 0; c < a->split; ++c) {
      a->column[at + t] = a->from_column[k] * a->split + c;
      if (++t == a->team) t = 0, at += step;
    }
  while (at < end) {
    a->column[at + t] = row;
    if (++t == a->team) t = 0, at += step;
  }
}
/* Rows are lanes, those behind the last row too where they are wanted. */
HD void sliced_length_body(const SlicedArgs *a, int64_t lane, double sum[]) {
  const int64_t i = lane < a->n_lane ? sliced_block_row(a, lane / a->split) : 0;
  const int64_t n = lane < a->n_lane ? (a->from_start[i + 1] - a->from_start[i]) * a->split : 0;
  (void)sum;
  a->length[lane] = (int32_t)((n + a->team - 1) / a->team);
}
/* Rows are lanes. */
HD void sliced_row_body(const SlicedArgs *a, int64_t lane, double sum[]) {
  (void)sum;
  a->row[lane] = (int32_t)(sliced_block_row(a, lane / a->split) * a->split + lane % a->split);
}
/* Rows are block rows in the order of storage. */
HD void sliced_slot_body(const SlicedArgs *a, int64_t place, double sum[]) {
  const int64_t i = sliced_block_row(a, place), begin = a->from_start[i], end = a->from_start[i + 1];
  const int64_t each = a->each, hop = (int64_t)a->slice * a->team * a->square;
  const int32_t skip = each == 1 ? a->split : 1;
  (void)sum;
  for (int64_t r = 0; r < each; ++r) {
    const int64_t lane = place * a->split + r;
    int64_t at = a->start[lane / a->slice] * a->square + lane % a->slice * a->team;
    int32_t t = 0;
    for (int64_t k = begin; k < end; ++k)
      for (int64_t c = 0; c < each; ++c) {
        a->slot[(k * each + r) * each + c] = at + t;
        for (t += skip; t >= a->team; t -= a->team) at += hop;
      }
  }
}

/* Scalars of rows one after another. */
typedef struct CsrArgs {
  const int64_t *from_start; /* of the pattern */
  const int32_t *from_column;
  int64_t n, block; /* block rows */
  int64_t *start;   /* [n block + 1] */
  int32_t *column;
  int64_t *slot, *row_step;
} CsrArgs;
/* Rows are scalar rows, and the end. */
HD void csr_row_body(const CsrArgs *a, int64_t row, double sum[]) {
  const int64_t b = a->block, i = row / b, begin = a->from_start[i], end = i < a->n ? a->from_start[i + 1] : begin;
  int64_t at = begin * b * b + row % b * (end - begin) * b;
  (void)sum;
  a->start[row] = at;
  for (int64_t k = begin; k < end; ++k)
    for (int64_t c = 0; c < b; ++c) a->column[at++] = (int32_t)(a->from_column[k] * b + c);
}
/* Rows are block rows. */
HD void csr_slot_body(const CsrArgs *a, int64_t i, double sum[]) {
  const int64_t b = a->block, begin = a->from_start[i], end = a->from_start[i + 1];
  (void)sum;
  a->row_step[i] = (end - begin) * b;
  for (int64_t k = begin; k < end; ++k) a->slot[k] = begin * b * b + (k - begin) * b;
}
