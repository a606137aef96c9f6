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
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "algebra/row_order.h"
#include "algebra/formats/sliced.h"
#include "algebra/formats/teams.h"

#define FORMAT sliced_ellr_t
#define LANES "algebra/formats/team_lanes.tmpl.h"
#define VISIT "algebra/formats/sliced_ellr_t_visit.tmpl.h"
#define RANGE "algebra/formats/sliced_ellr_t_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

enum { LARGEST_TEAM = 16 };

/* A matrix under construction. */
typedef struct Slices {
  RowOrder order;
  int32_t slice, team;
  int64_t n, lanes; /* slices, rows */
  int64_t *start;   /* [n + 1] */
  int32_t *length;  /* [lanes] turns */
  int32_t *column;  /* [start[n]] */
} Slices;

static int64_t turns_of(int64_t length, int32_t team) { return (length + team - 1) / team; }

/* The largest that leaves each thread 12 entries, so that padding stays below 1 / 24 of an average row. */
static int32_t choose_team(const Pattern *pattern) {
  int32_t team = 1;
  while (team < LARGEST_TEAM && 24.0 * team <= pattern_mean(pattern)) team *= 2;
  return team;
}

static Status find_sizes(const MatParams *params, const Pattern *pattern, Slices *s) {
  CHECK(!params->variant, ERR_INPUT, "format 'sliced-ellr-t' has no variants, '%s' was asked for; leave it out",
        params->variant);
  TRY(team_check(params->threads, LARGEST_TEAM));
  s->team = params->threads ? params->threads : choose_team(pattern);
  /* 96 keeps the scalar rows of a 3 x 3 block in one slice and its values regular */
  s->slice = params->slice ? params->slice : s->team == 1 && pattern->block == 3 ? 96 : SLICED_LANES;
  CHECK(s->slice > 0 && s->slice % SLICED_LANES == 0 && ROW_CHUNK % s->slice == 0, ERR_INPUT,
        "slice is %d, must be a multiple of %d that divides %d (32, 64, 96, 128, 192 ...)", s->slice, SLICED_LANES,
        ROW_CHUNK);
  return OK;
}

static Status fill_starts(Slices *s, int64_t entries) {
  int64_t longest = 0;
  for (int64_t k = 0; k < s->n; ++k) {
    const int64_t width = turns_of(row_order_width(&s->order, k * s->slice, s->slice), s->team) * s->team;
    if (width > longest) longest = width;
    s->start[k + 1] = s->start[k] + width * s->slice;
  }
  CHECK(
      longest <= INT32_MAX / s->slice, ERR_INPUT,
      "the longest row has %lld entries, a slice of %d rows holds at most %d in each\n  use format 'csr', which has no "
      "such limit",
      (long long)longest, s->slice, INT32_MAX / s->slice);
  const int64_t size = s->start[s->n];
  CHECK(
      size <= SLICED_PADDING_FREE || size / SLICED_PADDING <= entries, ERR_INPUT,
      "the longest row has %lld entries, the average row %.1f: rows padded to the longest of %d and to a multiple of "
      "%d "
      "take %.0f times the memory of the entries, at most %d are allowed\n  use format 'segspmv' or 'ell-warp', which "
      "cut long rows, or fewer threads",
      (long long)longest, (double)entries / (double)s->lanes, s->slice, s->team, (double)size / (double)entries,
      SLICED_PADDING);
  return OK;
}

/* Where entry e of the row in a lane lies. */
static int64_t sliced_ellr_t_place(const Slices *s, int64_t lane, int64_t e) {
  const int64_t slice = lane / s->slice;
  return s->start[slice] + (e / s->team * s->slice + lane - slice * s->slice) * s->team + e % s->team;
}

/* Columns, zeroed by the caller, and turns. */
static void fill_rows(Slices *s) {
  const Pattern *pattern = s->order.pattern;
  const int32_t block = pattern->block;
  for (int64_t lane = 0; lane < s->lanes; ++lane) {
    const int64_t slice = lane / s->slice, width = (s->start[slice + 1] - s->start[slice]) / s->slice;
    const int32_t row = row_order_row(&s->order, lane), i = row / block;
    const int64_t length = (pattern->start[i + 1] - pattern->start[i]) * block;
    const int32_t *column = pattern->column + pattern->start[i];
    for (int64_t e = 0; e < width; ++e)
      s->column[sliced_ellr_t_place(s, lane, e)] = e < length ? column[e / block] * block + (int32_t)(e % block) : row;
    s->length[lane] = (int32_t)turns_of(length, s->team);
  }
}

/* The columns of a block lie regularly when no team splits them, its rows when no slice does. */
static bool is_regular(const Slices *s) {
  const int32_t block = s->order.pattern->block;
  return (s->team == 1 || s->team % block == 0) && (s->slice % block == 0 || s->n <= 1);
}

static Status build_slots(const Slices *s, SlotMap *slots) {
  const Pattern *pattern = s->order.pattern;
  const int64_t block = pattern->block, n_entry = pattern->start[pattern->n];
  const bool regular = is_regular(s);
  const int64_t each = regular ? 1 : block;
  slots->n_value = s->start[s->n];
  slots->per_scalar = !regular;
  ALLOC(slots->slot, n_entry * each * each, "slots of the matrix entries");
  if (regular) {
    slots->same_step = 1;
    ALLOC(slots->row_step, 1, "row step of the matrix entries");
    slots->row_step[0] = s->team;
    slots->column_step = s->team == 1 ? s->slice : 1;
  }
  for (int32_t at = 0; at < pattern->n; ++at) {
    const int32_t i = row_order_block_row(&s->order, at);
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int64_t e = 0; e < each * each; ++e)
        slots->slot[k * each * each + e] =
            sliced_ellr_t_place(s, at * block + e / each, (k - pattern->start[i]) * block + e % each);
  }
  return OK;
}

/* Uses length for the row order once the lengths are where the matrix works. */
static Status sliced_ellr_t_upload(Mat *mat, Slices *s) {
  MatView *view = &mat->view;
  TRY(mat_part(mat, s->n + 1, sizeof *s->start, s->start, "slice starts of the matrix", (void **)&view->start));
  TRY(mat_part(mat, s->lanes, sizeof *s->length, s->length, "row lengths of the matrix", (void **)&view->length));
  TRY(mat_part(mat, s->start[s->n], sizeof *s->column, s->column, "columns of the matrix", (void **)&view->column));
  if (s->order.block_row) {
    for (int64_t lane = 0; lane < s->lanes; ++lane) s->length[lane] = row_order_row(&s->order, lane);
    TRY(mat_part(mat, s->lanes, sizeof *s->length, s->length, "row order of the matrix", (void **)&view->row));
  }
  view->n = s->lanes;
  view->slice = s->slice;
  view->threads = s->team;
  view->width = s->lanes ? (int32_t)(s->start[s->n] / s->lanes) : 0;
  return OK;
}

/* Slice starts. */
static Status sliced_ellr_t_cut(Slices *s) {
  const Pattern *pattern = s->order.pattern;
  s->lanes = row_order_lanes(&s->order);
  s->n = (s->lanes + s->slice - 1) / s->slice;
  CHECK(s->n * s->slice <= INT32_MAX, ERR_INPUT,
        "%lld rows are more than can be padded to whole slices of %d; use format 'csr'", (long long)s->lanes, s->slice);
  ALLOC(s->start, s->n + 1, "slice starts");
  return fill_starts(s, pattern->start[pattern->n] * pattern->block * pattern->block);
}

static Status build_sliced_ellr_t(Mat *mat, Slices *s) {
  TRY(sliced_ellr_t_cut(s));
  ALLOC(s->length, s->lanes, "row lengths");
  ALLOC(s->column, s->start[s->n], "columns");
  fill_rows(s);
  TRY(build_slots(s, &mat->slots));
  return sliced_ellr_t_upload(mat, s);
}

static Status sliced_ellr_t_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  Slices s = {0};
  TRY(find_sizes(params, pattern, &s));
  TRY(row_order_create(pattern, pattern->block, s.slice, params->window, &s.order));
  const Status status = build_sliced_ellr_t(mat, &s);
  FREE(s.start);
  FREE(s.length);
  FREE(s.column);
  row_order_release(&s.order);
  return status;
}

static const RowKernel *sliced_ellr_t_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &sliced_ellr_t_kernels_1f[op] : &sliced_ellr_t_kernels_1d[op];
}

const MatFormat sliced_ellr_t_format = {.build = sliced_ellr_t_build, .kernel = sliced_ellr_t_kernel, .sorts = true};
