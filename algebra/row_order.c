#include "algebra/row_order.h"
#include "core/memory.h"

#include <string.h>

static int64_t block_length(const Pattern *pattern, int32_t i) { return pattern->start[i + 1] - pattern->start[i]; }

int64_t row_order_width(const RowOrder *order, int64_t first, int64_t slice) {
  const int64_t lanes = row_order_lanes(order), end = lanes - first < slice ? lanes : first + slice;
  int64_t width = 0;
  for (int64_t place = first / order->split; place * order->split < end; ++place) {
    const int64_t length = block_length(order->pattern, row_order_block_row(order, place));
    if (length > width) width = length;
  }
  return width * order->split;
}

/* Entries, padding included. */
static int64_t padded_size(const RowOrder *order, int32_t slice) {
  int64_t size = 0;
  for (int64_t first = 0; first < row_order_lanes(order); first += slice)
    size += row_order_width(order, first, slice) * slice;
  return size;
}

/* Stable counting sort by length, longest first, inside each window; count [longest + 2]. */
static void sort_rows(const Pattern *pattern, int32_t window, int32_t *count, int32_t *row) {
  if (window == 1) { /* the natural order; the counts below would be cleared for every row */
    for (int32_t i = 0; i < pattern->n; ++i) row[i] = i;
    return;
  }
  for (int64_t first = 0; first < pattern->n; first += window) {
    const int32_t begin = (int32_t)first;
    const int32_t end = pattern->n - begin > window ? begin + window : pattern->n;
    int64_t longest = 0; /* of the window: small ones must not cost the longest row of all */
    for (int32_t i = begin; i < end; ++i)
      if (block_length(pattern, i) > longest) longest = block_length(pattern, i);
    memset(count, 0, (size_t)(longest + 2) * sizeof *count);
    for (int32_t i = begin; i < end; ++i) count[longest - block_length(pattern, i) + 1] += 1;
    for (int64_t length = 0; length <= longest; ++length) count[length + 1] += count[length];
    for (int32_t i = begin; i < end; ++i) row[begin + count[longest - block_length(pattern, i)]++] = i;
  }
}

/* Leaves the order in block_row, also where it is the natural one. *moved: it is not. asked 0: the best. */
static Status row_order_choose(RowOrder *order, int32_t slice, int32_t asked, bool *moved) {
  const int32_t window[] = {1, 8 * slice, 64 * slice, 512 * slice, INT32_MAX};
  enum { N_WINDOW = sizeof window / sizeof *window };
  const Pattern *pattern = order->pattern;
  int64_t longest = 0, size[N_WINDOW], best = INT64_MAX;
  for (int32_t i = 0; i < pattern->n; ++i)
    if (block_length(pattern, i) > longest) longest = block_length(pattern, i);
  int32_t *count = NULL;
  ALLOC(count, longest + 2, "row lengths");
  for (int w = 0; !asked && w < N_WINDOW; ++w) {
    sort_rows(pattern, window[w], count, order->block_row);
    size[w] = padded_size(order, slice);
    if (size[w] < best) best = size[w];
  }
  int w = 0;
  while (!asked && (double)size[w] > (w == 0 ? 1.04 : 1.01) * (double)best) ++w;
  const int32_t taken = asked ? asked : window[w];
  *moved = taken > 1;
  if (*moved) sort_rows(pattern, taken, count, order->block_row);
  FREE(count);
  return OK;
}

Status row_order_create(const Pattern *pattern, int32_t split, int32_t slice, int32_t window, RowOrder *out) {
  *out = (RowOrder){pattern, split, NULL};
  ALLOC(out->block_row, pattern->n, "row order");
  bool moved = false;
  const Status status = row_order_choose(out, slice, window, &moved);
  if (status != OK || !moved) row_order_release(out);
  return status;
}

void row_order_release(RowOrder *order) { FREE(order->block_row); }
