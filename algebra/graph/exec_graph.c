/* Two passes over the rows: how many columns, then which. Rows are united in order, each column put in its place. */
#include "algebra/graph/exec_graph.h"
#include "core/memory.h"
#include "algebra/graph/rows.h"

/* A row whose columns all threads have found (GRAPH_WIDE). */
typedef struct WideRow {
  int32_t row;
  int64_t *column, n; /* on the Exec */
} WideRow;
enum { WIDE_MOST = 64 };

/* On the Exec between the passes. */
typedef struct Work {
  int32_t *count;
  int64_t *room, *total;
  int32_t *wide; /* columns with room between the rows */
  int64_t n, n_wide, n_bounded;
  WideRow row[WIDE_MOST];
  int32_t n_row;
} Work;

static void put_away(Exec *exec, Work *w) {
  for (int32_t k = 0; k < w->n_row; ++k) EXEC_RELEASE(exec, w->row[k].column, w->row[k].n);
  EXEC_RELEASE(exec, w->count, w->n);
  EXEC_RELEASE(exec, w->room, w->n + 1);
  EXEC_RELEASE(exec, w->total, 3);
  EXEC_RELEASE(exec, w->wide, w->n_wide);
}

static Status total_of(Exec *exec, const Work *w, int64_t total[3]) {
  TRY(exec_rows(exec, &graph_total_kernel, &(GraphTotalArgs){w->count, w->total}, w->n));
  return exec_download(exec, total, w->total, 3 * sizeof *total);
}

/* graph_span of a row of the Exec. */
static Status span_of_row(Exec *exec, const GraphRows *g, int32_t row, GraphSpan *out) {
  const int64_t step = (int64_t)1 << g->shift;
  int32_t lane = row;
  int64_t start[2];
  if (g->lane) TRY(exec_download(exec, &lane, g->lane + row, sizeof lane));
  TRY(exec_download(exec, start, g->start + (lane >> g->shift), sizeof start));
  *out = (GraphSpan){start[0] + (lane & (step - 1)), start[1], step};
  return OK;
}

static Status row_by_marks(Exec *exec, GraphMarkArgs *args, WideRow *row) {
  static const char what[] = "columns of a long row";
  TRY(exec_zero(exec, args->mark, (size_t)args->unite.n_column));
  TRY(span_of_row(exec, &args->unite.a, row->row, &args->span));
  const GraphSpan *s = &args->span;
  TRY(exec_rows(exec, &graph_mark_kernel, args, (s->end - s->at + s->step - 1) / s->step));
  return exec_compact(exec, args->mark, args->unite.n_column, what, &row->column, &row->n);
}

/* Rows that were bounded by GRAPH_WIDE and more columns are counted, where few are: a rigid group makes some of 1e5. */
static Status wide_rows(Exec *exec, const GraphUnionArgs *args, Work *w) {
  GraphMarkArgs marks = {.unite = *args};
  int32_t *count = NULL;
  Status status;
  ALLOC(count, w->n, "sizes of rows");
  TRY_DONE(exec_download(exec, count, w->count, (size_t)w->n * sizeof *count));
  TRY_DONE(exec_alloc(exec, args->n_column, 1, "columns of a long row", (void **)&marks.mark));
  for (int64_t i = 0; i < w->n; ++i) {
    if (count[i] > -GRAPH_WIDE) continue;
    WideRow *row = &w->row[w->n_row++];
    row->row = (int32_t)i;
    TRY_DONE(row_by_marks(exec, &marks, row));
    const int32_t n = (int32_t)row->n;
    TRY_DONE(exec_upload(exec, w->count + i, &n, sizeof n)); /* more than GRAPH_LOCAL, or it had been counted */
  }
  status = OK;
done:
  EXEC_RELEASE(exec, marks.mark, args->n_column);
  FREE(count);
  return status;
}

/* Columns of those rows to their places. */
static Status wide_rows_take(Exec *exec, const Work *w) {
  for (int32_t k = 0; k < w->n_row; ++k) {
    const WideRow *row = &w->row[k];
    int64_t at;
    TRY(exec_download(exec, &at, w->room + row->row, sizeof at));
    TRY(exec_rows(exec, &graph_take_kernel, &(GraphTakeArgs){row->column, w->wide + at}, row->n));
  }
  return OK;
}

/* Room for the columns of each row; where all are counted, that is the result. */
static Status exec_graph_count(Exec *exec, GraphUnionArgs *args, Work *w) {
  int64_t total[3];
  EXEC_ALLOC(exec, w->count, w->n, "sizes of rows");
  EXEC_ALLOC(exec, w->room, w->n + 1, "rows of a product");
  EXEC_ALLOC(exec, w->total, 3, "sizes of rows");
  args->count = w->count;
  TRY(exec_rows(exec, &graph_count_kernel, args, w->n));
  TRY(total_of(exec, w, total));
  if (total[2] > 0 && total[2] <= WIDE_MOST) {
    TRY(wide_rows(exec, args, w));
    TRY(total_of(exec, w, total));
  }
  TRY(exec_scan(exec, w->count, sizeof *w->count, w->n, w->room, NULL));
  w->n_bounded = total[1];
  TRY(exec_alloc(exec, total[0], sizeof *w->wide, "columns of a product", (void **)&w->wide));
  w->n_wide = total[0];
  return OK;
}

/* Without the room that rows which were bounded do not need. */
static Status exec_graph_pack(Exec *exec, Work *w, ExecGraph *out) {
  int64_t n_entry;
  EXEC_ALLOC(exec, out->start, w->n + 1, "rows of a product");
  TRY(exec_scan(exec, w->count, sizeof *w->count, w->n, out->start, &n_entry));
  TRY(exec_alloc(exec, n_entry, sizeof *out->column, "columns of a product", (void **)&out->column));
  out->n_entry = n_entry;
  const GraphPackArgs pack = {w->room, out->start, w->wide, out->column};
  return exec_rows(exec, &graph_pack_kernel, &pack, w->n);
}

static Status exec_graph_unite(Exec *exec, const GraphUnion *u, Work *w, ExecGraph *out) {
  const ExecGraph *a = u->a;
  GraphUnionArgs args = {.a = exec_graph_places(a),
                         .a_column = a->column,
                         .of = u->of,
                         .row_in = u->row_in,
                         .column_in = u->column_in,
                         .n_column = u->n_column};
  if (u->b) args.b = exec_graph_places(u->b), args.b_column = u->b->column;
  out->n_row = a->n_row;
  w->n = a->n_row;
  TRY(exec_graph_count(exec, &args, w));
  args.start = w->room;
  args.column = w->wide;
  TRY(exec_rows(exec, &graph_fill_kernel, &args, w->n));
  TRY(wide_rows_take(exec, w));
  if (w->n_bounded) return exec_graph_pack(exec, w, out);
  out->start = w->room;
  out->column = w->wide;
  out->n_entry = w->n_wide;
  w->room = NULL;
  w->wide = NULL;
  return OK;
}

Status exec_graph_union(Exec *exec, const GraphUnion *params, bool with_rows, ExecGraph *out) {
  Work w = {0};
  *out = (ExecGraph){0};
  const SumParts *before = exec_sum_over(exec, NULL); /* columns are counted here, whatever sums of vectors go over */
  const Status status = exec_graph_unite(exec, params, &w, out);
  exec_sum_over(exec, before);
  put_away(exec, &w);
  return status == OK && with_rows ? exec_graph_rows(exec, out) : status;
}

Status exec_graph_rows(Exec *exec, ExecGraph *graph) {
  if (graph->row) return OK;
  TRY(exec_alloc(exec, graph->n_entry, sizeof *graph->row, "rows of entries", (void **)&graph->row));
  return exec_rows(exec, &graph_row_kernel, &(GraphRowArgs){graph->start, graph->row}, graph->n_row);
}

Status exec_graph_list(Exec *exec, const int32_t *of, int64_t n, int32_t n_group, int64_t **start, uint32_t **thing) {
  const char *what = "members of groups";
  GraphListArgs args = {.of = of, .n = n, .n_group = n_group};
  Status status;
  int bits = 0;
  *start = NULL;
  *thing = NULL;
  while (bits < 32 && (uint32_t)n_group >> bits) ++bits;
  TRY_DONE(exec_alloc(exec, (int64_t)n_group + 1, sizeof **start, what, (void **)start));
  TRY_DONE(exec_alloc(exec, n, sizeof **thing, what, (void **)thing));
  TRY_DONE(exec_alloc(exec, n, sizeof *args.key, what, (void **)&args.key));
  args.start = *start;
  args.thing = *thing;
  TRY_DONE(exec_rows(exec, &graph_key_kernel, &args, n));
  TRY_DONE(exec_sort(exec, n, args.key, sizeof *args.key, bits, args.thing));
  status = exec_rows(exec, &graph_begin_kernel, &args, n + 1);
done:
  EXEC_RELEASE(exec, args.key, n);
  return status;
}

static Status graph_transpose(Exec *exec, const ExecGraph *graph, uint32_t **entry, ExecGraph *out, int64_t **source) {
  const int64_t n = graph->n_entry;
  TRY(exec_graph_list(exec, graph->column, n, out->n_row, &out->start, entry));
  TRY(exec_alloc(exec, n, sizeof *out->column, "columns of a transpose", (void **)&out->column));
  out->n_entry = n;
  TRY(exec_alloc(exec, n, sizeof **source, "places of a transpose", (void **)source));
  return exec_rows(exec, &graph_turn_kernel, &(GraphTurnArgs){*entry, graph->row, out->column, *source}, n);
}

Status exec_graph_transpose(Exec *exec, const ExecGraph *graph, int32_t n_column, ExecGraph *out, int64_t **source) {
  ExecGraph rows = *graph;
  uint32_t *entry = NULL;
  *out = (ExecGraph){.n_row = n_column};
  *source = NULL;
  Status status = exec_graph_rows(exec, &rows);
  if (status == OK) status = graph_transpose(exec, &rows, &entry, out, source);
  EXEC_RELEASE(exec, entry, graph->n_entry);
  if (!graph->row) EXEC_RELEASE(exec, rows.row, graph->n_entry);
  return status;
}

Status exec_graph_download(Exec *exec, const ExecGraph *graph, int32_t n_column, BlockGraph *out) {
  *out = (BlockGraph){.n_row = graph->n_row, .n_column = n_column};
  ALLOC(out->start, (int64_t)graph->n_row + 1, "rows of a graph");
  ALLOC(out->column, graph->n_entry, "columns of a graph");
  TRY(exec_download(exec, out->start, graph->start, ((size_t)graph->n_row + 1) * sizeof *out->start));
  return exec_download(exec, out->column, graph->column, (size_t)graph->n_entry * sizeof *out->column);
}
