#include "algebra/formats/sliced.h"
#include "algebra/formats/rows.h"
#include "core/memory.h"

/* Offsets inside a slice are 32-bit numbers on a GPU, where unrolled loops step a little beyond the end. */
static Status check_size(const RowOrder *order, int32_t block, int32_t slice, int64_t size, const char *instead) {
  const int64_t entries = order->n_entry * order->split * order->split;
  const int64_t lanes = row_order_lanes(order), holds = INT32_MAX / slice - 64;
  const int64_t longest = (int64_t)order->longest * order->split;
  const char *what = order->split < block ? "blocks" : "entries";
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

/* Blocks of values stay regular unless the scalar rows of a block row fall into two slices. */
static bool lists_scalars(const RowOrder *order, int32_t slice) {
  return slice % order->split != 0 && row_order_lanes(order) > slice;
}

/* The kernels' arguments but for what they fill in. */
static SlicedArgs args_of(const RowOrder *order, int32_t slice, const int64_t *start) {
  return (SlicedArgs){.from_start = order->loan.start,
                      .from_column = order->loan.column,
                      .block_row = order->block_row,
                      .n_lane = row_order_lanes(order),
                      .split = order->split,
                      .slice = slice,
                      .team = 1,
                      .start = start};
}

Status sliced_list(Mat *mat, const RowOrder *order, const SlicedArgs *from) {
  SlotMap *slots = &mat->slots;
  SlicedArgs args = *from;
  args.each = slots->per_scalar ? mat->block : 1;
  if (!slots->per_scalar) {
    slots->same_step = 1;
    ALLOC(slots->row_step, 1, "row step of the matrix entries");
  }
  TRY(slot_map_begin(mat->exec, order->n_entry * args.each * args.each, 0, slots));
  args.slot = slots->exec_slot;
  return exec_rows(mat->exec, &sliced_slot_kernel, &args, order->n);
}

static Status build_slots(Mat *mat, const RowOrder *order, SlicedArgs *args, int64_t size) {
  SlotMap *slots = &mat->slots;
  const int64_t side = mat->block / order->split;
  args->square = (int32_t)(side * side);
  slots->n_value = size * side * side;
  slots->per_scalar = lists_scalars(order, args->slice);
  TRY(sliced_list(mat, order, args));
  if (slots->per_scalar) return OK;
  slots->row_step[0] = order->split > 1 ? 1 : mat->block * (int64_t)args->slice;
  slots->column_step = args->slice;
  return OK;
}

Status sliced_columns(Mat *mat, SlicedArgs *args, int64_t n_slice, int64_t size) {
  TRY(mat_part(mat, size, sizeof *args->column, NULL, "columns of the matrix", (void **)&args->column));
  mat->view.column = args->column;
  return exec_rows(mat->exec, &sliced_column_kernel, args, n_slice * args->slice);
}

Status sliced_lengths(Mat *mat, SlicedArgs *args, int64_t n) {
  TRY(mat_part(mat, n, sizeof *args->length, NULL, "row lengths of the matrix", (void **)&args->length));
  mat->view.length = args->length;
  return exec_rows(mat->exec, &sliced_length_kernel, args, n);
}

Status sliced_rows(Mat *mat, SlicedArgs *args) {
  if (!args->block_row) return OK;
  TRY(mat_part(mat, args->n_lane, sizeof *args->row, NULL, "row order of the matrix", (void **)&args->row));
  mat->view.row = args->row;
  return exec_rows(mat->exec, &sliced_row_kernel, args, args->n_lane);
}

Status sliced_starts(Mat *mat, const RowOrder *order, SlicedArgs *args, int64_t *n_slice, int64_t *size) {
  int64_t *start = NULL;
  *n_slice = (args->n_lane + args->slice - 1) / args->slice;
  TRY(mat_part(mat, *n_slice + 1, sizeof *start, NULL, "slice starts of the matrix", (void **)&start));
  args->start = mat->view.start = start;
  mat->view.n = args->n_lane;
  mat->view.slice = args->slice;
  return row_order_cut(order, args->slice, args->team, start, size);
}

static Status build_sliced(Mat *mat, const RowOrder *order, int32_t slice, const char *instead) {
  SlicedArgs args = args_of(order, slice, NULL);
  int64_t n_slice = 0, size = 0;
  CHECK((args.n_lane + slice - 1) / slice * slice <= INT32_MAX, ERR_INPUT,
        "%lld rows are more than can be padded to whole slices of %d; use format '%s'", (long long)args.n_lane, slice,
        instead);
  TRY(sliced_starts(mat, order, &args, &n_slice, &size));
  TRY(check_size(order, mat->block, slice, size, instead));
  mat->view.width = n_slice ? (int32_t)(size / (n_slice * slice)) : 0;
  TRY(sliced_columns(mat, &args, n_slice, size));
  TRY(build_slots(mat, order, &args, size));
  return sliced_rows(mat, &args);
}

/* The rows in their order, and the slice. */
static Status sliced_arrange(Exec *exec, const MatParams *params, const Pattern *pattern, int32_t split, int32_t *slice,
                             RowOrder *order) {
  if (params->slice) *slice = params->slice;
  CHECK(*slice > 0 && *slice % SLICED_LANES == 0 && ROW_CHUNK % *slice == 0, ERR_INPUT,
        "slice is %d, must be a multiple of %d that divides %d (32, 64, 96, 128, 192 ...)", *slice, SLICED_LANES,
        ROW_CHUNK);
  return row_order_create(exec, pattern, split, *slice, params->window, order);
}

Status sliced_build(Mat *mat, const MatParams *params, const Pattern *pattern, int32_t split, int32_t slice,
                    const char *instead) {
  RowOrder order = {.exec = mat->exec};
  Status status = sliced_arrange(mat->exec, params, pattern, split, &slice, &order);
  if (status == OK) status = build_sliced(mat, &order, slice, instead);
  row_order_release(&order);
  return status;
}

/* One slice of all rows. */
static Status check_whole(int64_t lanes, const char *instead, int32_t *slice) {
  const int64_t groups = (lanes + SLICED_LANES - 1) / SLICED_LANES;
  CHECK(groups <= INT32_MAX / SLICED_LANES, ERR_INPUT, "%lld rows are more than one slice can hold; use format '%s'",
        (long long)lanes, instead);
  *slice = (int32_t)(groups > 0 ? groups : 1) * SLICED_LANES;
  return OK;
}

Status sliced_build_whole(Mat *mat, const Pattern *pattern, int32_t split, bool lengths, const char *instead) {
  RowOrder order;
  int32_t slice = 0;
  TRY(check_whole((int64_t)pattern->n * split, instead, &slice));
  Status status = row_order_natural(mat->exec, pattern, split, &order);
  if (status == OK) status = build_sliced(mat, &order, slice, instead);
  if (status == OK && lengths) {
    SlicedArgs args = args_of(&order, slice, NULL);
    status = sliced_lengths(mat, &args, slice);
  }
  row_order_release(&order);
  return status;
}
