#include "algebra/row_order.h"
#include "algebra/rows.h"
#include "core/memory.h"

static const char *const WHAT = "row order";

static RowOrderArgs args_of(const RowOrder *o) {
  return (RowOrderArgs){.start = o->loan.start,
                        .block_row = o->block_row,
                        .n = o->n,
                        .n_lane = row_order_lanes(o),
                        .split = o->split,
                        .longest = o->longest};
}

/* Lengths of the longest and of the shortest row. */
static Status find_lengths(RowOrder *o) {
  Status status = OK;
  const int64_t n_chunk = ((int64_t)o->n + ROW_ORDER_CHUNK - 1) / ROW_ORDER_CHUNK;
  RowOrderArgs args = args_of(o);
  int32_t *length = NULL, *here = NULL;
  o->shortest = o->n ? INT32_MAX : 0;
  TRY_DONE(exec_alloc(o->exec, 2 * n_chunk, sizeof *length, WHAT, (void **)&length));
  args.most = length;
  args.least = length + n_chunk;
  TRY_DONE(exec_rows(o->exec, &row_order_most_kernel, &args, n_chunk));
  ALLOC_DONE(here, 2 * n_chunk, WHAT);
  TRY_DONE(exec_download(o->exec, here, length, (size_t)(2 * n_chunk) * sizeof *here));
  for (int64_t chunk = 0; chunk < n_chunk; ++chunk) {
    if (here[chunk] > o->longest) o->longest = here[chunk];
    if (here[n_chunk + chunk] < o->shortest) o->shortest = here[n_chunk + chunk];
  }
done:
  FREE(here);
  EXEC_RELEASE(o->exec, length, 2 * n_chunk);
  return status;
}

Status row_order_cut(const RowOrder *o, int32_t slice, int32_t team, int64_t *start, int64_t *size) {
  Status status = OK;
  const int64_t n_slice = (row_order_lanes(o) + slice - 1) / slice;
  RowOrderArgs args = args_of(o);
  int64_t *own = NULL;
  args.slice = slice;
  args.team = team;
  TRY_DONE(exec_alloc(o->exec, n_slice, sizeof *args.size, "sizes of slices", (void **)&args.size));
  if (!start) TRY_DONE(exec_alloc(o->exec, n_slice + 1, sizeof *own, "sizes of slices", (void **)&own));
  if (slice <= ROW_CHUNK) {
    TRY_DONE(exec_rows(o->exec, &row_order_size_kernel, &args, n_slice));
  } else if (n_slice) { /* one slice of all rows: the longest is known */
    const int64_t width = ((int64_t)o->longest * o->split + team - 1) / team * team * slice;
    TRY_DONE(exec_upload(o->exec, args.size, &width, sizeof width));
  }
  status = exec_scan(o->exec, args.size, sizeof *args.size, n_slice, start ? start : own, size);
done:
  EXEC_RELEASE(o->exec, own, n_slice + 1);
  EXEC_RELEASE(o->exec, args.size, n_slice);
  return status;
}

/* Each window by itself; 1: the natural order. */
static Status sort_rows(RowOrder *o, int32_t window) {
  Status status = OK;
  RowOrderArgs args = args_of(o);
  int32_t *order = NULL;
  EXEC_RELEASE(o->exec, o->block_row, o->n);
  if (window == 1) return OK;
  while (o->longest >> args.bits) ++args.bits;
  args.window = window;
  int bits = args.bits;
  while (o->n && (int64_t)(o->n - 1) / window >> (bits - args.bits)) ++bits;
  TRY_DONE(exec_alloc(o->exec, o->n, sizeof *args.key, WHAT, (void **)&args.key));
  TRY_DONE(exec_alloc(o->exec, o->n, sizeof *order, WHAT, (void **)&order));
  args.order = (uint32_t *)order;
  TRY_DONE(exec_rows(o->exec, &row_order_key_kernel, &args, o->n));
  TRY_DONE(exec_sort(o->exec, o->n, args.key, sizeof *args.key, bits, args.order));
  o->block_row = order; /* below 2^31 */
  order = NULL;
done:
  EXEC_RELEASE(o->exec, args.key, o->n);
  EXEC_RELEASE(o->exec, order, o->n);
  return status;
}

/* asked 0: the best. Where natural order pads no more than 4 % of all entries nothing can be so much better. */
static Status row_order_choose(RowOrder *o, int32_t slice, int32_t asked) {
  const int32_t window[] = {1, 8 * slice, 64 * slice, 512 * slice, INT32_MAX};
  enum { N_WINDOW = sizeof window / sizeof *window };
  static const double NATURAL = 1.04, SORTED = 1.01;
  int64_t size[N_WINDOW], best = INT64_MAX;
  if (asked) return sort_rows(o, asked);
  for (int w = 0; w < N_WINDOW; ++w) {
    TRY(sort_rows(o, window[w]));
    TRY(row_order_cut(o, slice, 1, NULL, &size[w]));
    if (size[w] < best) best = size[w];
    if (w == 0 && (double)size[0] <= NATURAL * (double)(o->n_entry * o->split * o->split)) return OK;
  }
  int w = 0;
  while ((double)size[w] > (w == 0 ? NATURAL : SORTED) * (double)best) ++w;
  return w + 1 < N_WINDOW ? sort_rows(o, window[w]) : OK;
}

Status row_order_natural(Exec *exec, const Pattern *pattern, int32_t split, RowOrder *out) {
  *out = (RowOrder){.exec = exec, .n = pattern->n, .split = split, .n_entry = pattern_entries(pattern)};
  TRY(pattern_lend(exec, pattern, &out->loan));
  return find_lengths(out);
}

Status row_order_create(Exec *exec, const Pattern *pattern, int32_t split, int32_t slice, int32_t window,
                        RowOrder *out) {
  TRY(row_order_natural(exec, pattern, split, out));
  return row_order_choose(out, slice, window);
}

void row_order_release(RowOrder *o) {
  EXEC_RELEASE(o->exec, o->block_row, o->n);
  matrix_loan_end(o->exec, &o->loan);
}
