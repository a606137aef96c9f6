/* Sliced block ELLPACK (Zhang, Yang et al., papers/polynomial-pcg-sbell-elasticity, section 3): block rows in slices of
 * S lanes, each slice as wide as its longest row, entries column-major within the slice.
 * MatView: start[s] counts block entries (padding included) before slice s; column[start[s] + k S + lane];
 *   value[start[s] B^2 + (k B^2 + r B + c) S + lane] for scalar (r, c) of the k-th block; row[lane] the block row, NULL
 *   when rows are not moved; n block rows. Padding has its own row as column and value 0.
 * x and y stay in natural order. Rows are sorted by length, longest first and stable, inside windows as small as
 * padding allows, since far moves cost locality. */
#include "core/memory.h"
#include "solver/mat_format.h"

#include <string.h>

enum { SBELL_LANES = 32 };
typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));

#define FORMAT sbell
#define REAL double
#define NAMED(name) name##_d
#define P d
#include "solver/sbell_visit.h"
#include "solver/sbell_range.h"
#define BLOCK 1
#include "solver/mat_kernels.h"
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"
#undef REAL
#undef NAMED
#undef P
#define REAL float
#define NAMED(name) name##_f
#define P f
#include "solver/sbell_visit.h"
#include "solver/sbell_range.h"
#define BLOCK 1
#include "solver/mat_kernels.h"
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"

static int64_t row_length(const Pattern *pattern, int32_t i) { return pattern->start[i + 1] - pattern->start[i]; }

/* Block entries, padding included, with the rows in this order. */
static int64_t padded_size(const Pattern *pattern, const int32_t *row, int32_t slice) {
  int64_t size = 0;
  for (int32_t first = 0; first < pattern->n; first += slice) {
    int64_t width = 0;
    for (int32_t l = first; l < first + slice && l < pattern->n; ++l)
      if (row_length(pattern, row[l]) > width) width = row_length(pattern, row[l]);
    size += width * slice;
    if (first > INT32_MAX - slice) break;
  }
  return size;
}

/* Stable counting sort by length, longest first, inside each window; count [longest + 2]. */
static void sort_rows(const Pattern *pattern, int32_t window, int64_t longest, int32_t *count, int32_t *row) {
  for (int64_t first = 0; first < pattern->n; first += window) {
    const int32_t begin = (int32_t)first;
    const int32_t end = pattern->n - begin > window ? begin + window : pattern->n;
    memset(count, 0, (size_t)(longest + 2) * sizeof *count);
    for (int32_t i = begin; i < end; ++i) count[longest - row_length(pattern, i) + 1] += 1;
    for (int64_t length = 0; length <= longest; ++length) count[length + 1] += count[length];
    for (int32_t i = begin; i < end; ++i) row[begin + count[longest - row_length(pattern, i)]++] = i;
  }
}

/* The natural order unless it pads more than 4 % beyond the best, since rows out of place cost more than that on a GPU;
 * then the smallest window within 1 % of the best. *moved: the order is not the natural one. */
static Status order_rows(const Pattern *pattern, int32_t slice, int32_t *row, bool *moved) {
  const int32_t window[] = {1, 8 * slice, 64 * slice, 512 * slice, INT32_MAX};
  enum { N_WINDOW = sizeof window / sizeof *window };
  int64_t longest = 0, size[N_WINDOW], best = INT64_MAX;
  for (int32_t i = 0; i < pattern->n; ++i)
    if (row_length(pattern, i) > longest) longest = row_length(pattern, i);
  int32_t *count = NULL;
  ALLOC(count, longest + 2, "row lengths");
  for (int w = 0; w < N_WINDOW; ++w) {
    sort_rows(pattern, window[w], longest, count, row);
    size[w] = padded_size(pattern, row, slice);
    if (size[w] < best) best = size[w];
  }
  int w = 0;
  while ((double)size[w] > (w == 0 ? 1.04 : 1.01) * (double)best) ++w;
  sort_rows(pattern, window[w], longest, count, row);
  *moved = w > 0;
  FREE(count);
  return OK;
}

static void fill_starts(const Pattern *pattern, const int32_t *row, int32_t slice, int64_t *start) {
  int64_t at = 0, s = 0;
  for (int64_t first = 0; first < pattern->n; first += slice) {
    int64_t width = 0;
    for (int64_t l = first; l < first + slice && l < pattern->n; ++l)
      if (row_length(pattern, row[l]) > width) width = row_length(pattern, row[l]);
    start[s++] = at;
    at += width * slice;
  }
  start[s] = at;
}

/* Columns (zeroed by the caller) and slots. */
static void fill_entries(const Pattern *pattern, const int32_t *row, int32_t slice, const int64_t *start,
                         int32_t *column, int64_t *slot) {
  const int64_t square = (int64_t)pattern->block * pattern->block;
  for (int32_t lane = 0; lane < pattern->n; ++lane) {
    const int64_t s = lane / slice, in_slice = lane - s * slice, width = (start[s + 1] - start[s]) / slice;
    const int32_t i = row[lane];
    const int64_t first = pattern->start[i], length = row_length(pattern, i);
    for (int64_t k = 0; k < width; ++k) {
      column[start[s] + k * slice + in_slice] = k < length ? pattern->column[first + k] : i;
      if (k < length) slot[first + k] = start[s] * square + k * square * slice + in_slice;
    }
  }
}

static Status sbell_fill(Mat *mat, const Pattern *pattern, const int32_t *row, bool moved) {
  const int32_t slice = mat->view.slice, block = pattern->block;
  const int64_t n_slice = ((int64_t)pattern->n + slice - 1) / slice, n_entry = pattern->start[pattern->n];
  int64_t *start = NULL;
  int32_t *column = NULL;
  Status status;
  ALLOC_DONE(start, n_slice + 1, "slice starts");
  fill_starts(pattern, row, slice, start);
  ALLOC_DONE(column, start[n_slice], "columns");
  ALLOC_DONE(mat->slots.slot, n_entry, "slots of the matrix entries");
  ALLOC_DONE(mat->slots.row_step, 1, "row step of the matrix entries");
  fill_entries(pattern, row, slice, start, column, mat->slots.slot);
  mat->slots.n_value = start[n_slice] * block * block;
  mat->view.width = pattern->n ? (int32_t)(start[n_slice] / pattern->n) : 0;
  mat->slots.same_step = 1;
  mat->slots.row_step[0] = (int64_t)block * slice;
  mat->slots.column_step = slice;
  TRY_DONE(mat_part(mat, n_slice + 1, sizeof *start, start, "slice starts of the matrix", (void **)&mat->view.start));
  TRY_DONE(mat_part(mat, start[n_slice], sizeof *column, column, "columns of the matrix", (void **)&mat->view.column));
  if (moved) TRY_DONE(mat_part(mat, pattern->n, sizeof *row, row, "row order of the matrix", (void **)&mat->view.row));
done:
  FREE(start);
  FREE(column);
  return status;
}

static Status sbell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  const int32_t slice = params->slice ? params->slice : 32;
  CHECK(slice > 0 && slice % SBELL_LANES == 0 && ROW_CHUNK % slice == 0, ERR_INPUT,
        "slice is %d, must be a multiple of %d that divides %d (32, 64, 96, 128, 192 ...)", slice, SBELL_LANES, ROW_CHUNK);
  mat->view.slice = slice;
  mat->view.n = pattern->n;
  int32_t *row = NULL;
  bool moved = false;
  Status status;
  ALLOC_DONE(row, pattern->n, "row order");
  TRY_DONE(order_rows(pattern, slice, row, &moved));
  TRY_DONE(sbell_fill(mat, pattern, row, moved));
done:
  FREE(row);
  return status;
}

static const RowKernel *sbell_kernel(const Mat *mat, MatOp op) {
  static const RowKernel *const kernels[2][3] = {{sbell_kernels_1d, sbell_kernels_2d, sbell_kernels_3d},
                                                 {sbell_kernels_1f, sbell_kernels_2f, sbell_kernels_3f}};
  return &kernels[mat->precision == PRECISION_FLOAT][mat->block - 1][op];
}

const MatFormat sbell_format = {sbell_build, sbell_kernel};
