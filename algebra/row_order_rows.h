/* Row kernels that put the rows of a matrix in order by length and say how wide slices of them are. */
#pragma once
#include "core/hd.h"

enum { ROW_ORDER_CHUNK = 64 };

typedef struct RowOrderArgs {
  const int64_t *start;     /* of the pattern */
  const int32_t *block_row; /* NULL: natural */
  int64_t n;                /* block rows */
  int64_t n_lane;           /* n times split */
  int64_t window;
  int32_t split, slice, team; /* widths are rounded up to the team */
  int32_t longest, bits;
  int32_t *most;  /* [chunk]: longest row, */
  int32_t *least; /* and the shortest */
  uint64_t *key;  /* what is sorted by: window, then length */
  uint32_t *order;
  int64_t *size; /* [slice]: entries, padding included */
} RowOrderArgs;

HD int64_t row_order_length(const RowOrderArgs *a, int64_t place) {
  const int64_t i = a->block_row ? a->block_row[place] : place;
  return a->start[i + 1] - a->start[i];
}

/* Rows are chunks. */
HD void row_order_most_body(const RowOrderArgs *a, int64_t chunk, double sum[]) {
  const int64_t begin = chunk * ROW_ORDER_CHUNK, end = begin + ROW_ORDER_CHUNK < a->n ? begin + ROW_ORDER_CHUNK : a->n;
  int64_t most = 0, least = INT32_MAX;
  (void)sum;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t length = a->start[i + 1] - a->start[i];
    most = length > most ? length : most;
    least = length < least ? length : least;
  }
  a->most[chunk] = (int32_t)most;
  a->least[chunk] = (int32_t)least;
}

/* Rows are block rows. */
HD void row_order_key_body(const RowOrderArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->key[i] = (uint64_t)(i / a->window) << a->bits | (uint64_t)(a->longest - (a->start[i + 1] - a->start[i]));
  a->order[i] = (uint32_t)i;
}

/* Rows are slices. */
HD void row_order_size_body(const RowOrderArgs *a, int64_t s, double sum[]) {
  const int64_t first = s * a->slice, end = a->n_lane - first < a->slice ? a->n_lane : first + a->slice;
  int64_t width = 0;
  (void)sum;
  for (int64_t place = first / a->split; place * a->split < end; ++place) {
    const int64_t length = row_order_length(a, place);
    width = length > width ? length : width;
  }
  a->size[s] = (width * a->split + a->team - 1) / a->team * a->team * a->slice;
}
