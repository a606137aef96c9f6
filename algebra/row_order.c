#include "algebra/row_order.h"
#include "core/memory.h"

#include <omp.h>
#include <string.h>

enum { SORT_CHUNK = 1 << 14 };

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
  const int64_t n_slice = (row_order_lanes(order) + slice - 1) / slice;
  int64_t size = 0;
#pragma omp parallel for schedule(static) reduction(+ : size)
  for (int64_t s = 0; s < n_slice; ++s) size += row_order_width(order, s * slice, slice) * slice;
  return size;
}

/* Stable counting sort by length, longest first, of rows [begin, end); count [longest + 2] of the longest of them. */
static void sort_window(const Pattern *pattern, int32_t begin, int32_t end, int32_t *count, int32_t *row) {
  int64_t longest = 0; /* of the window: small ones must not cost the longest row of all */
  for (int32_t i = begin; i < end; ++i)
    if (block_length(pattern, i) > longest) longest = block_length(pattern, i);
  memset(count, 0, (size_t)(longest + 2) * sizeof *count);
  for (int32_t i = begin; i < end; ++i) count[longest - block_length(pattern, i) + 1] += 1;
  for (int64_t length = 0; length <= longest; ++length) count[length + 1] += count[length];
  for (int32_t i = begin; i < end; ++i) row[begin + count[longest - block_length(pattern, i)]++] = i;
}

/* The same of all rows, whose chunks are counted and placed by all threads: where a length begins in a chunk depends on
 * the chunks before alone. */
static Status sort_all(const Pattern *pattern, int64_t longest, int32_t *row) {
  const int64_t n_chunk = (pattern->n + SORT_CHUNK - 1) / SORT_CHUNK, wide = longest + 1;
  int32_t *count = NULL;
  ALLOC(count, n_chunk * wide, "row lengths");
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < n_chunk; ++c)
    for (int64_t i = c * SORT_CHUNK; i < pattern->n && i < (c + 1) * SORT_CHUNK; ++i)
      ++count[c * wide + longest - block_length(pattern, (int32_t)i)];
  for (int64_t length = 0, at = 0; length < wide; ++length)
    for (int64_t c = 0; c < n_chunk; ++c) {
      const int32_t here = count[c * wide + length];
      count[c * wide + length] = (int32_t)at;
      at += here;
    }
#pragma omp parallel for schedule(static)
  for (int64_t c = 0; c < n_chunk; ++c)
    for (int64_t i = c * SORT_CHUNK; i < pattern->n && i < (c + 1) * SORT_CHUNK; ++i)
      row[count[c * wide + longest - block_length(pattern, (int32_t)i)]++] = (int32_t)i;
  FREE(count);
  return OK;
}

/* Each window by itself; 1: the natural order. */
static Status sort_rows(const Pattern *pattern, int32_t window, int64_t longest, int32_t *row) {
  if (window == 1) {
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < pattern->n; ++i) row[i] = i;
    return OK;
  }
  if (window >= pattern->n && pattern->n > SORT_CHUNK && longest < SORT_CHUNK) return sort_all(pattern, longest, row);
  const int32_t n_window = (int32_t)(((int64_t)pattern->n + window - 1) / window);
  const int threads = n_window > 1 ? omp_get_max_threads() : 1;
  int32_t *count = NULL;
  ALLOC(count, (longest + 2) * threads, "row lengths");
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int32_t w = 0; w < n_window; ++w) {
    const int64_t begin = (int64_t)w * window, end = begin + window < pattern->n ? begin + window : pattern->n;
    sort_window(pattern, (int32_t)begin, (int32_t)end, count + omp_get_thread_num() * (longest + 2), row);
  }
  FREE(count);
  return OK;
}

/* Leaves the order in block_row, also where it is the natural one. *moved: it is not. asked 0: the best. */
static Status row_order_choose(RowOrder *order, int32_t slice, int32_t asked, bool *moved) {
  const int32_t window[] = {1, 8 * slice, 64 * slice, 512 * slice, INT32_MAX};
  enum { N_WINDOW = sizeof window / sizeof *window };
  const Pattern *pattern = order->pattern;
  int64_t longest = 0, size[N_WINDOW], best = INT64_MAX;
#pragma omp parallel for schedule(static) reduction(max : longest)
  for (int32_t i = 0; i < pattern->n; ++i)
    if (block_length(pattern, i) > longest) longest = block_length(pattern, i);
  for (int w = 0; !asked && w < N_WINDOW; ++w) {
    TRY(sort_rows(pattern, window[w], longest, order->block_row));
    size[w] = padded_size(order, slice);
    if (size[w] < best) best = size[w];
  }
  int w = 0;
  while (!asked && (double)size[w] > (w == 0 ? 1.04 : 1.01) * (double)best) ++w;
  const int32_t taken = asked ? asked : window[w];
  *moved = taken > 1;
  return *moved ? sort_rows(pattern, taken, longest, order->block_row) : OK;
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
