/* Two passes over the rows: how many columns, then which. Rows are united in order, each column put in its place. */
#include "algebra/graph/exec_graph.h"
#include "core/memory.h"
#include "algebra/graph/rows.h"

/* On the Exec between the passes. */
typedef struct Work {
  int32_t *count;
  int64_t *room, *total;
  int32_t *wide; /* columns with room between the rows */
  int64_t n, n_wide, n_bounded;
} Work;

static void put_away(Exec *exec, Work *w) {
  EXEC_RELEASE(exec, w->count, w->n);
  EXEC_RELEASE(exec, w->room, w->n + 1);
  EXEC_RELEASE(exec, w->total, 2);
  EXEC_RELEASE(exec, w->wide, w->n_wide);
}

/* Room for the columns of each row; where all are counted, that is the result. */
static Status exec_graph_count(Exec *exec, GraphUnionArgs *args, Work *w) {
  int64_t total[2];
  EXEC_ALLOC(exec, w->count, w->n, "sizes of rows");
  EXEC_ALLOC(exec, w->room, w->n + 1, "rows of a product");
  EXEC_ALLOC(exec, w->total, 2, "sizes of rows");
  args->count = w->count;
  TRY(exec_rows(exec, &graph_count_kernel, args, w->n));
  TRY(exec_rows(exec, &graph_total_kernel, &(GraphTotalArgs){w->count, w->total}, w->n));
  TRY(exec_scan(exec, w->count, sizeof *w->count, w->n, w->room, NULL));
  TRY(exec_download(exec, total, w->total, sizeof total));
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
