#include "algebra/formats/sliced.h"
#include "core/memory.h"

static Status check_variant(const MatParams *params) {
  CHECK(!params->variant, ERR_INPUT, "format '%s' has no variants, '%s' was asked for; leave it out",
        params->format ? params->format : mat_format_name(0), params->variant);
  return OK;
}

/* start [n_slice + 1]; *longest gets the widest slice. */
static void fill_starts(const RowOrder *order, int32_t slice, int64_t *start, int64_t *longest) {
  const int64_t n_slice = (row_order_lanes(order) + slice - 1) / slice;
  int64_t most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int64_t s = 0; s < n_slice; ++s) {
    start[s + 1] = row_order_width(order, s * slice, slice) * slice;
    if (start[s + 1] > most) most = start[s + 1];
  }
  for (int64_t s = 0; s < n_slice; ++s) start[s + 1] += start[s];
  *longest = most / slice;
}

/* Offsets inside a slice are 32-bit numbers on a GPU, where unrolled loops step a little beyond the end. */
static Status check_size(const RowOrder *order, int32_t slice, int64_t longest, int64_t size, const char *instead) {
  const int64_t entries = order->pattern->start[order->pattern->n] * order->split * order->split;
  const int64_t lanes = row_order_lanes(order), holds = INT32_MAX / slice - 64;
  const char *what = order->split < order->pattern->block ? "blocks" : "entries";
  CHECK(size <= SLICED_PADDING_FREE || size / SLICED_PADDING <= entries, ERR_INPUT,
        "the longest row has %lld %s, the average row %.1f: padding every %lld rows to the longest of them would take "
        "%.0f times the memory of the entries, at most %d are allowed\n  use format '%s'",
        (long long)longest, what, (double)entries / (double)lanes, (long long)(slice < lanes ? slice : lanes),
        (double)size / (double)entries, SLICED_PADDING, instead);
  CHECK(slice >= lanes || longest <= holds, ERR_INPUT,
        "the longest row has %lld %s, in slices of %d rows at most %lld are possible\n  use format '%s'",
        (long long)longest, what, slice, (long long)holds, instead);
  return OK;
}

/* Columns; zeroed by the caller. */
static void fill_columns(const RowOrder *order, int32_t slice, const int64_t *start, int32_t *column) {
  const Pattern *pattern = order->pattern;
  const int32_t split = order->split;
#pragma omp parallel for schedule(static)
  for (int64_t lane = 0; lane < row_order_lanes(order); ++lane) {
    const int64_t s = lane / slice, end = start[s + 1];
    const int32_t row = row_order_row(order, lane), i = row / split;
    int64_t at = start[s] + lane % slice;
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int32_t c = 0; c < split; ++c, at += slice) column[at] = pattern->column[k] * split + c;
    for (; at < end; at += slice) column[at] = row;
  }
}

static void fill_slots(const RowOrder *order, int32_t slice, const int64_t *start, SlotMap *slots) {
  const Pattern *pattern = order->pattern;
  const int64_t split = order->split, side = pattern->block / split, square = side * side;
  const int64_t each = slots->per_scalar ? pattern->block : 1;
#pragma omp parallel for schedule(static)
  for (int32_t place = 0; place < pattern->n; ++place) {
    const int32_t i = row_order_block_row(order, place);
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int64_t e = 0; e < each * each; ++e) {
        const int64_t lane = place * split + e / each, entry = (k - pattern->start[i]) * split + e % each;
        slots->slot[k * each * each + e] = (start[lane / slice] + entry * slice) * square + lane % slice;
      }
  }
}

/* Blocks of values stay regular unless the scalar rows of a block row fall into two slices. */
static bool lists_scalars(const RowOrder *order, int32_t slice) {
  return slice % order->split != 0 && row_order_lanes(order) > slice;
}

static Status build_slots(Mat *mat, const RowOrder *order, int32_t slice, const int64_t *start, int64_t size) {
  SlotMap *slots = &mat->slots;
  const int64_t n_entry = order->pattern->start[order->pattern->n], block = order->pattern->block;
  const int64_t side = block / order->split;
  slots->n_value = size * side * side;
  slots->per_scalar = lists_scalars(order, slice);
  ALLOC(slots->slot, slots->per_scalar ? n_entry * block * block : n_entry, "slots of the matrix entries");
  if (!slots->per_scalar) {
    slots->same_step = 1;
    ALLOC(slots->row_step, 1, "row step of the matrix entries");
    slots->row_step[0] = order->split > 1 ? 1 : block * slice;
    slots->column_step = slice;
  }
  fill_slots(order, slice, start, slots);
  return OK;
}

static Status put_rows(Mat *mat, const RowOrder *order) {
  const int64_t n = row_order_lanes(order);
  int32_t *row = NULL;
  Status status;
  ALLOC_DONE(row, n, "rows in the order of storage");
#pragma omp parallel for schedule(static)
  for (int64_t lane = 0; lane < n; ++lane) row[lane] = row_order_row(order, lane);
  TRY_DONE(mat_part(mat, n, sizeof *row, row, "row order of the matrix", (void **)&mat->view.row));
done:
  FREE(row);
  return status;
}

/* Slice starts, checked against what the format can hold. Owned by the caller, also after a failure. */
static Status sliced_cut(const RowOrder *order, int32_t slice, const char *instead, int64_t *n_slice, int64_t **start) {
  const int64_t lanes = row_order_lanes(order);
  int64_t longest = 0;
  *n_slice = (lanes + slice - 1) / slice;
  CHECK(*n_slice * slice <= INT32_MAX, ERR_INPUT,
        "%lld rows are more than can be padded to whole slices of %d; use format '%s'", (long long)lanes, slice,
        instead);
  ALLOC(*start, *n_slice + 1, "slice starts");
  fill_starts(order, slice, *start, &longest);
  return check_size(order, slice, longest, (*start)[*n_slice], instead);
}

static Status build_sliced(Mat *mat, const RowOrder *order, int32_t slice, const char *instead) {
  int64_t *start = NULL, n_slice = 0;
  int32_t *column = NULL;
  Status status;
  TRY_DONE(sliced_cut(order, slice, instead, &n_slice, &start));
  ALLOC_DONE(column, start[n_slice], "columns");
  fill_columns(order, slice, start, column);
  TRY_DONE(build_slots(mat, order, slice, start, start[n_slice]));
  mat->view.n = row_order_lanes(order);
  mat->view.slice = slice;
  mat->view.width = n_slice ? (int32_t)(start[n_slice] / (n_slice * slice)) : 0;
  TRY_DONE(mat_part(mat, n_slice + 1, sizeof *start, start, "slice starts of the matrix", (void **)&mat->view.start));
  TRY_DONE(mat_part(mat, start[n_slice], sizeof *column, column, "columns of the matrix", (void **)&mat->view.column));
  if (order->block_row) TRY_DONE(put_rows(mat, order));
done:
  FREE(start);
  FREE(column);
  return status;
}

/* The rows in their order, and the slice. */
static Status sliced_arrange(const MatParams *params, const Pattern *pattern, int32_t split, int32_t *slice,
                             RowOrder *order) {
  if (params->slice) *slice = params->slice;
  TRY(check_variant(params));
  CHECK(*slice > 0 && *slice % SLICED_LANES == 0 && ROW_CHUNK % *slice == 0, ERR_INPUT,
        "slice is %d, must be a multiple of %d that divides %d (32, 64, 96, 128, 192 ...)", *slice, SLICED_LANES,
        ROW_CHUNK);
  const int32_t window = pattern->share.n_whole && !params->window ? 1 : params->window; /* every rank the same */
  return row_order_create(pattern, split, *slice, window, order);
}

Status sliced_build(Mat *mat, const MatParams *params, const Pattern *pattern, int32_t split, int32_t slice,
                    const char *instead) {
  RowOrder order;
  TRY(sliced_arrange(params, pattern, split, &slice, &order));
  const Status status = build_sliced(mat, &order, slice, instead);
  row_order_release(&order);
  return status;
}

/* One slice of all rows, in natural order. */
static Status arrange_whole(const MatParams *params, const Pattern *pattern, int32_t split, const char *instead,
                            int32_t *slice, RowOrder *order) {
  TRY(check_variant(params));
  *order = (RowOrder){pattern, split, NULL};
  const int64_t lanes = row_order_lanes(order), groups = (lanes + SLICED_LANES - 1) / SLICED_LANES;
  CHECK(groups <= INT32_MAX / SLICED_LANES, ERR_INPUT, "%lld rows are more than one slice can hold; use format '%s'",
        (long long)lanes, instead);
  *slice = (int32_t)(groups > 0 ? groups : 1) * SLICED_LANES;
  return OK;
}

Status sliced_build_whole(Mat *mat, const MatParams *params, const Pattern *pattern, int32_t split,
                          const char *instead) {
  RowOrder natural;
  int32_t slice = 0;
  TRY(arrange_whole(params, pattern, split, instead, &slice, &natural));
  return build_sliced(mat, &natural, slice, instead);
}
