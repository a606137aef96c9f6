/* Aggregates as Vanek, Mandel and Brezina (1996, algorithm 5.1) make them: first balls of a node and all its strong
 * neighbours that do not touch each other, then whoever is left joins the ball that it is tied to most. On structured
 * grids in natural order the balls are packed without gaps: 3 x 3 x 3 nodes of hexahedra. The balls are made one after the
 * other on the host, a byte or two read per entry of the graph; all else is row kernels.
 * Rejected for the balls: independent sets by random priorities, which many threads find in ten rounds, leave gaps between the
 * balls: aggregates half as many and as uneven as they come, at the price of iterations. */
#include "solver/aggregation.h"
#include "core/memory.h"
#include "solver/rows.h"

void aggregates_release(Exec *exec, Aggregates *a) {
  EXEC_RELEASE(exec, a->of, a->n_node);
  exec_graph_release(exec, &a->member);
}

/* Host side. */
typedef struct Work {
  const BlockGraph *graph;
  uint8_t *tied;   /* owned, [entry] */
  int32_t *of;     /* owned, [node]; -1: free */
  int64_t *start;  /* owned, of each aggregate in member */
  int32_t *member; /* owned */
  int32_t n;
} Work;

/* A new ball about i, if all of it is free. */
static void try_ball(Work *w, int32_t i) {
  const int64_t begin = w->graph->start[i], end = w->graph->start[i + 1];
  const int32_t *column = w->graph->column;
  int64_t neighbours = 0;
  if (w->of[i] >= 0) return;
  for (int64_t k = begin; k < end; ++k) {
    if (!w->tied[k]) continue;
    if (w->of[column[k]] >= 0) return;
    ++neighbours;
  }
  if (!neighbours) return;
  w->of[i] = w->n;
  for (int64_t k = begin; k < end; ++k)
    if (w->tied[k]) w->of[column[k]] = w->n;
  w->n += 1;
}

static Status make_balls(Exec *exec, const AggregationArgs *args, Work *w) {
  const int32_t n = w->graph->n_row;
  const int64_t n_entry = w->graph->start[n];
  AggregationArgs tie = *args;
  ALLOC(w->tied, n_entry, "ties of nodes");
  ALLOC(w->of, n, "aggregates");
  TRY(exec_alloc(exec, n_entry, sizeof *tie.tied, "ties of nodes", (void **)&tie.tied));
  Status status = exec_rows(exec, &aggregation_tie_kernel, &tie, n);
  if (status == OK) status = exec_download(exec, w->tied, tie.tied, (size_t)n_entry);
  EXEC_RELEASE(exec, tie.tied, n_entry);
  TRY(status);
  for (int32_t i = 0; i < n; ++i) w->of[i] = -1;
  for (int32_t i = 0; i < n; ++i) try_ball(w, i);
  FREE(w->tied);
  return OK;
}

/* Turns end when nobody finds a ball next to it any more: the second or third, unless the graph is not symmetric. */
static Status join_rest(Exec *exec, AggregationArgs *args, Work *w, Aggregates *out) {
  int32_t *before = NULL;
  int64_t *joined = NULL, n = 1;
  Status status;
  TRY_DONE(exec_alloc(exec, out->n_node, sizeof *before, "aggregates", (void **)&before));
  TRY_DONE(exec_alloc(exec, 1, sizeof *joined, "nodes that join", (void **)&joined));
  args->joined = joined;
  while (n > 0) {
    TRY_DONE(exec_copy(exec, before, out->of, (size_t)out->n_node * sizeof *before));
    args->ball = before;
    args->of = out->of;
    TRY_DONE(exec_rows(exec, &aggregation_join_kernel, args, out->n_node));
    TRY_DONE(exec_download(exec, &n, joined, sizeof n));
  }
  status = exec_download(exec, w->of, out->of, (size_t)out->n_node * sizeof *w->of);
done:
  EXEC_RELEASE(exec, before, out->n_node);
  EXEC_RELEASE(exec, joined, 1);
  return status;
}

static Status list_members(Exec *exec, Work *w, Aggregates *out) {
  ALLOC(w->start, (int64_t)out->n + 1, "aggregates");
  for (int32_t i = 0; i < out->n_node; ++i)
    if (w->of[i] >= 0) w->start[w->of[i] + 1] += 1;
  for (int32_t a = 0; a < out->n; ++a) w->start[a + 1] += w->start[a];
  ALLOC(w->member, w->start[out->n], "aggregates");
  for (int32_t i = 0; i < out->n_node; ++i)
    if (w->of[i] >= 0) w->member[w->start[w->of[i]]++] = i;
  for (int32_t a = out->n; a > 0; --a) w->start[a] = w->start[a - 1];
  w->start[0] = 0;
  const BlockGraph member = {out->n, out->n_node, w->start, w->member};
  return exec_graph_upload(exec, &member, "aggregates", &out->member);
}

static Status build(Exec *exec, const Ties *ties, Work *w, Aggregates *out) {
  AggregationArgs args = {.start = ties->a->start, .column = ties->a->column, .weight = ties->weight, .in = ties->in,
                          .limit = ties->limit};
  TRY(make_balls(exec, &args, w));
  out->n = w->n;
  out->n_node = w->graph->n_row;
  TRY(exec_alloc_upload(exec, out->n_node, sizeof *out->of, w->of, "aggregates", (void **)&out->of));
  if (out->n > 0) TRY(join_rest(exec, &args, w, out));
  return list_members(exec, w, out);
}

Status aggregates_create(Exec *exec, const Ties *ties, Aggregates *out) {
  Work w = {.graph = ties->graph};
  *out = (Aggregates){0};
  const Status status = build(exec, ties, &w, out);
  FREE(w.tied);
  FREE(w.of);
  FREE(w.start);
  FREE(w.member);
  return status;
}
