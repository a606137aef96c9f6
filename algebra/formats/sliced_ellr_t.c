/* Sliced ELLR-T: slices of scalar rows, T = 1, 2, 4, 8 or 16 threads to a row, rows padded to a multiple of T (papers/
 * multilevel-pcg-sliced-ellr-t, section III: slices of Sliced ELLPACK, each stored as ELLPACK R-T, where "many threads
 * operate on a single row" and row lengths end the loop, Dziekonski et al. 2011). The paper pads all rows to a multiple
 * of 16; here T is enough for whole lines, because slices are of 32 rows or more. Rows are sorted by length only where
 * that pays (row_order.h); vectors stay in natural order.
 * MatView: slice S rows, threads T; start[s] counts entries, padding included, before slice s; the k-th turn of thread
 * t of
 *   lane l in its slice is at start[s] + (k S + l) T + t in value and column and holds entry k T + t of the row;
 *   length[lane] the turns of a row; row[lane] the row, NULL when rows are not moved; n rows. Padding has its own row
 *   as column (0 behind the last row) and value 0. */
#include "algebra/mat_format.h"
#include "algebra/formats/sliced.h"
#include "algebra/formats/teams.h"

#define FORMAT sliced_ellr_t
#define LANES "algebra/formats/team_lanes.tmpl.h"
#define VISIT "algebra/formats/sliced_ellr_t_visit.tmpl.h"
#define RANGE "algebra/formats/sliced_ellr_t_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

enum { LARGEST_TEAM = 16 };

/* What rows are dealt out to. */
typedef struct Sizes {
  int32_t slice, team;
} Sizes;

/* The largest that leaves each thread 12 entries, so that padding stays below 1 / 24 of an average row. */
static int32_t choose_team(const Pattern *pattern) {
  int32_t team = 1;
  while (team < LARGEST_TEAM && 24.0 * team <= pattern_mean(pattern)) team *= 2;
  return team;
}

static Status find_sizes(const MatParams *params, const Pattern *pattern, Sizes *s) {
  TRY(team_check(params->threads, LARGEST_TEAM));
  s->team = params->threads ? params->threads : choose_team(pattern);
  /* 96 keeps the scalar rows of a 3 x 3 block in one slice and its values regular */
  s->slice = params->slice ? params->slice : s->team == 1 && pattern->block == 3 ? 96 : SLICED_LANES;
  CHECK(s->slice > 0 && s->slice % SLICED_LANES == 0 && ROW_CHUNK % s->slice == 0, ERR_INPUT,
        "slice is %d, must be a multiple of %d that divides %d (32, 64, 96, 128, 192 ...)", s->slice, SLICED_LANES,
        ROW_CHUNK);
  return OK;
}

static Status check_size(const RowOrder *order, const Sizes *s, int64_t size) {
  const int64_t entries = order->n_entry * order->split * order->split, lanes = row_order_lanes(order);
  const int64_t longest = ((int64_t)order->longest * order->split + s->team - 1) / s->team * s->team;
  CHECK(longest <= INT32_MAX / s->slice, ERR_INPUT,
        "the longest row has %lld entries, a slice of %d rows holds at most %d in each\n  use format 'csr', which has "
        "no such limit",
        (long long)longest, s->slice, INT32_MAX / s->slice);
  CHECK(
      size <= SLICED_PADDING_FREE || size / SLICED_PADDING <= entries, ERR_INPUT,
      "the longest row has %lld entries, the average row %.1f: rows padded to the longest of %d and to a multiple of "
      "%d "
      "take %.0f times the memory of the entries, at most %d are allowed\n  use format 'segspmv' or 'ell-warp', which "
      "cut long rows, or fewer threads",
      (long long)longest, (double)entries / (double)lanes, s->slice, s->team, (double)size / (double)entries,
      SLICED_PADDING);
  return OK;
}

/* The columns of a block lie regularly when no team splits them, its rows when no slice does. */
static bool is_regular(const Sizes *s, int32_t block, int64_t n_slice) {
  return (s->team == 1 || s->team % block == 0) && (s->slice % block == 0 || n_slice <= 1);
}

static Status build_slots(Mat *mat, const RowOrder *order, const SlicedArgs *args, int64_t size, bool regular) {
  mat->slots.n_value = size;
  mat->slots.per_scalar = !regular;
  TRY(sliced_list(mat, order, args));
  if (!regular) return OK;
  mat->slots.row_step[0] = args->team;
  mat->slots.column_step = args->team == 1 ? args->slice : 1;
  return OK;
}

static Status build_sliced_ellr_t(Mat *mat, const RowOrder *order, const Sizes *s) {
  SlicedArgs args = {.from_start = order->loan.start,
                     .from_column = order->loan.column,
                     .block_row = order->block_row,
                     .n_lane = row_order_lanes(order),
                     .split = order->split,
                     .slice = s->slice,
                     .team = s->team,
                     .square = 1};
  int64_t n_slice = 0, size = 0;
  CHECK((args.n_lane + s->slice - 1) / s->slice * s->slice <= INT32_MAX, ERR_INPUT,
        "%lld rows are more than can be padded to whole slices of %d; use format 'csr'", (long long)args.n_lane,
        s->slice);
  TRY(sliced_starts(mat, order, &args, &n_slice, &size));
  TRY(check_size(order, s, size));
  mat->view.threads = s->team;
  mat->view.width = args.n_lane ? (int32_t)(size / args.n_lane) : 0;
  TRY(sliced_lengths(mat, &args, args.n_lane));
  TRY(sliced_columns(mat, &args, n_slice, size));
  TRY(build_slots(mat, order, &args, size, is_regular(s, order->split, n_slice)));
  return sliced_rows(mat, &args);
}

static Status sliced_ellr_t_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  Sizes s = {0};
  RowOrder order;
  TRY(find_sizes(params, pattern, &s));
  Status status = row_order_create(mat->exec, pattern, pattern->block, s.slice, params->window, &order);
  if (status == OK) status = build_sliced_ellr_t(mat, &order, &s);
  row_order_release(&order);
  return status;
}

static const RowKernel *sliced_ellr_t_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &sliced_ellr_t_kernels_1f[op] : &sliced_ellr_t_kernels_1d[op];
}

const MatFormat sliced_ellr_t_format = {
    .build = sliced_ellr_t_build,
    .kernel = sliced_ellr_t_kernel,
    .slice = SLICED_SLICE,
    .threads = "of a GPU to a row: a power of two to 16; chosen by the row length unless given",
    .window = SLICED_WINDOW};
