/* Aggregates as Vanek, Mandel and Brezina (1996, algorithm 5.1) make them: first balls of a node and all its strong
 * neighbours that do not touch each other, then whoever is left joins the ball that it is tied to most. On structured
 * grids in natural order the balls are packed without gaps: 3 x 3 x 3 nodes of hexahedra.
 *
 * Balls are taken in natural order. A CPU goes from node to node. A GPU goes in rounds, each of which decides all nodes
 * that no open node of lower number can change any more (Blelloch, Fineman and Shun 2012: the greedy independent set
 * has short chains): the same balls. A cube of n^3 nodes takes n to 1.4 n rounds of four launches. Along a space-filling
 * curve chains are long, so that a round decides few nodes: where the host would be done sooner, it does the rest.
 * Rejected for the balls: independent sets by random priorities, which many threads find in ten rounds, leave gaps
 * between the balls: aggregates half as many and as uneven as they come, at the price of iterations. */
#include "solver/multigrid/aggregation_share.h"
#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "solver/multigrid/rows.h"

#include <math.h>

enum { ROUNDS_AT_ONCE = 32 };
/* Microseconds: of a round on an H200 and of each entry that a row has; of a node on a core of its host, of its entries, and of
 * those to be copied there. */
static const double ROUND = 10, ROUND_ENTRY = 0.35, ROUND_NODE = 1.5e-5, HOST_NODE = 0.02, HOST_ENTRY = 1.5e-3,
                    HOST_COPY = 1e-3;

void aggregates_release(Exec *exec, Aggregates *a) {
  EXEC_RELEASE(exec, a->of, a->n_node);
  exec_graph_release(exec, &a->member);
}

/* On the Exec, while balls are made. */
typedef struct Balls {
  int64_t n_entry, n, n_node; /* own nodes; all that are known */
  uint8_t *tied, *state, *next, *beside, *told, *edge;
  int32_t *wait, *low, *low_at; /* low_at: only where ranks share */
  int64_t *left, *rank;
  AggregationShare share;
} Balls;

static void put_away(Exec *exec, Balls *w) {
  EXEC_RELEASE(exec, w->tied, w->n_entry);
  EXEC_RELEASE(exec, w->state, w->n);
  EXEC_RELEASE(exec, w->next, w->n_node);
  EXEC_RELEASE(exec, w->beside, w->n_node);
  EXEC_RELEASE(exec, w->told, w->n);
  EXEC_RELEASE(exec, w->edge, w->n);
  EXEC_RELEASE(exec, w->wait, w->n);
  EXEC_RELEASE(exec, w->low, w->n_node);
  EXEC_RELEASE(exec, w->low_at, w->n);
  EXEC_RELEASE(exec, w->left, 1);
  EXEC_RELEASE(exec, w->rank, w->n_node + 1);
}

/* What the host goes on from: the arrays of the Exec, copied where they are not the host's own. */
typedef struct HostBalls {
  GraphRows rows;
  int64_t *start;
  int32_t *lane, *column, *of;
  uint8_t *tied, *state;
} HostBalls;

/* A new ball about i, if all of it is free. */
static void try_ball(const HostBalls *h, int32_t i) {
  const GraphSpan row = graph_span(&h->rows, i);
  int64_t neighbours = 0;
  if (h->of[i] >= 0) return;
  for (int64_t k = row.at; k < row.end; k += row.step) {
    if (!h->tied[k]) continue;
    if (h->of[h->column[k]] >= 0) return;
    ++neighbours;
  }
  if (!neighbours) return;
  h->of[i] = i;
  for (int64_t k = row.at; k < row.end; k += row.step)
    if (h->tied[k]) h->of[h->column[k]] = i;
}

static void make_on_host(const HostBalls *h, int32_t n) {
  for (int32_t i = 0; i < n; ++i)
    if (h->state[i] == AGGREGATION_OPEN) try_ball(h, i);
}

static Status aggregation_fetch(Exec *exec, int64_t n, size_t size, const void *from, void **to) {
  TRY(mem_alloc(n, size, "balls of nodes", to));
  return exec_download(exec, *to, from, (size_t)n * size);
}

/* The open nodes one after the other. */
static Status finish_on_host(Exec *exec, const ExecGraph *graph, const Balls *w, int32_t *of) {
  const int64_t n_start = ((w->n + ((int64_t)1 << graph->shift) - 1) >> graph->shift) + 1;
  HostBalls h = {exec_graph_places(graph), graph->start, graph->lane, graph->column, of, w->tied, w->state};
  if (exec_is_host(exec)) {
    make_on_host(&h, (int32_t)w->n);
    return OK;
  }
  Status status;
  h = (HostBalls){0};
  TRY_DONE(aggregation_fetch(exec, n_start, sizeof *h.start, graph->start, (void **)&h.start));
  if (graph->lane) TRY_DONE(aggregation_fetch(exec, w->n, sizeof *h.lane, graph->lane, (void **)&h.lane));
  TRY_DONE(aggregation_fetch(exec, graph->n_entry, sizeof *h.column, graph->column, (void **)&h.column));
  TRY_DONE(aggregation_fetch(exec, w->n, sizeof *h.of, of, (void **)&h.of));
  TRY_DONE(aggregation_fetch(exec, w->n_entry, 1, w->tied, (void **)&h.tied));
  TRY_DONE(aggregation_fetch(exec, w->n, 1, w->state, (void **)&h.state));
  h.rows = (GraphRows){h.start, h.lane, graph->shift};
  make_on_host(&h, (int32_t)w->n);
  status = exec_upload(exec, of, h.of, (size_t)w->n * sizeof *of);
done:
  FREE(h.start);
  FREE(h.lane);
  FREE(h.column);
  FREE(h.of);
  FREE(h.tied);
  FREE(h.state);
  return status;
}

/* Whether the host is sooner done with what is left, if rounds go on as they did, of which the last ones decided `gone` nodes. */
static bool host_is_sooner(const Balls *w, int64_t left, int64_t gone) {
  const double n = (double)w->n, entries = (double)w->n_entry / fmax(n, 1), rest = (double)left;
  const double rounds = rest * ROUNDS_AT_ONCE / fmax((double)gone, 1);
  return rounds * (ROUND + entries * ROUND_ENTRY + n * ROUND_NODE) >
         n * (1 + entries) * HOST_COPY + rest * (HOST_NODE + entries * HOST_ENTRY);
}

/* of[i]: middle of the ball of node i. Ranks that share nodes go on in rounds to the end. */
static Status find_balls(Exec *exec, const Ties *ties, const AggregationBallArgs *args, const Balls *w) {
  const bool host = exec_is_host(exec);
  const int32_t most = ties->share ? INT32_MAX : ties->rounds ? ties->rounds : host ? 0 : INT32_MAX;
  const int32_t at_once = ties->share && host ? 1 : ROUNDS_AT_ONCE;
  int64_t left = w->n > 0 ? w->n : 1, before; /* a rank without nodes takes part in the rounds */
  bool sooner = false;
  TRY(exec_rows(exec, &aggregation_begin_kernel, args, w->n));
  TRY(aggregation_share_bring(exec, &w->share, args->next, sizeof *args->next));
  TRY(aggregation_share_bring(exec, &w->share, args->of, sizeof *args->of));
  TRY(aggregation_share_bring(exec, &w->share, args->beside, sizeof *args->beside));
  TRY(aggregation_share_bring(exec, &w->share, args->low, sizeof *args->low));
  for (int32_t round = 0; round < most && left > 0 && !sooner;) {
    const int32_t until = most - round < at_once ? most : round + at_once;
    for (; round < until; ++round) TRY(aggregation_share_round(exec, &w->share, args));
    before = left;
    TRY(exec_download(exec, &left, w->left, sizeof left));
    sooner = !ties->share && !ties->rounds && host_is_sooner(w, left, before - left);
  }
  return left > 0 ? finish_on_host(exec, ties->a, w, args->of) : OK;
}

/* Balls by number, in the order of their middles. */
static Status number_balls(Exec *exec, AggregationBallArgs *args, const Balls *w, int32_t *n) {
  int64_t count;
  TRY(exec_rows(exec, &aggregation_middle_kernel, args, w->n));
  TRY(exec_scan(exec, args->rank, sizeof *args->rank, w->n, w->rank, &count));
  if (w->share.ties) TRY(aggregation_share_count(exec, count, &args->before, &count));
  *n = (int32_t)count;
  if (w->share.ties) TRY(exec_rows(exec, &aggregation_after_kernel, args, w->n));
  TRY(aggregation_share_bring(exec, &w->share, w->rank, sizeof *w->rank));
  TRY(exec_rows(exec, &aggregation_number_kernel, args, w->n));
  return aggregation_share_bring(exec, &w->share, args->of, sizeof *args->of);
}

static Status alloc_balls(Exec *exec, Balls *w) {
  static const char *const what = "balls of nodes";
  EXEC_ALLOC(exec, w->tied, w->n_entry, "ties of nodes");
  EXEC_ALLOC(exec, w->state, w->n, what);
  EXEC_ALLOC(exec, w->next, w->n_node, what);
  EXEC_ALLOC(exec, w->beside, w->n_node, what);
  EXEC_ALLOC(exec, w->told, w->n, what);
  EXEC_ALLOC(exec, w->wait, w->n, what);
  EXEC_ALLOC(exec, w->low, w->n_node, what);
  EXEC_ALLOC(exec, w->left, 1, what);
  EXEC_ALLOC(exec, w->rank, w->n_node + 1, what);
  if (!w->share.ties) return OK;
  EXEC_ALLOC(exec, w->edge, w->n, what);
  EXEC_ALLOC(exec, w->low_at, w->n, what);
  return OK;
}

static Status make_balls(Exec *exec, const Ties *ties, const AggregationArgs *args, Balls *w, Aggregates *out) {
  AggregationArgs tie = *args;
  TRY(alloc_balls(exec, w));
  EXEC_ALLOC(exec, out->of, w->n_node, "aggregates");
  out->n_node = (int32_t)w->n_node;
  tie.tied = w->tied;
  TRY(exec_rows(exec, &aggregation_tie_kernel, &tie, w->n));
  AggregationBallArgs ball = {.rows = exec_graph_places(ties->a),
                              .column = ties->a->column,
                              .tied = w->tied,
                              .state = w->state,
                              .next = w->next,
                              .beside = w->beside,
                              .told = w->told,
                              .wait = w->wait,
                              .low = w->low,
                              .low_at = w->low_at ? w->low_at : w->low,
                              .of = out->of,
                              .rank = w->wait,
                              .start_of_rank = w->rank,
                              .left = w->left,
                              .number = w->share.number,
                              .edge = w->edge,
                              .n_own = (int32_t)w->n};
  TRY(find_balls(exec, ties, &ball, w));
  return number_balls(exec, &ball, w, &out->n);
}

/* The passes end when no node finds a ball next to it any more: the second or third, unless the graph is not symmetric. */
static Status join_passes(Exec *exec, AggregationArgs *args, const AggregationShare *share, int32_t *before,
                          Aggregates *out) {
  const int at_once = exec_is_host(exec) ? 1 : 2; /* a GPU is asked once for two passes */
  int64_t n = 1;
  args->ball = before;
  args->of = out->of;
  while (n > 0) {
    for (int pass = 0; pass < at_once; ++pass) {
      TRY(exec_copy(exec, before, out->of, (size_t)out->n_node * sizeof *before));
      const SumParts *over = exec_sum_over(exec, share->ties ? share->ties->parts : NULL);
      const Status status = exec_rows(exec, &aggregation_join_kernel, args, args->others.n_own);
      exec_sum_over(exec, over);
      TRY(status);
      TRY(aggregation_share_bring(exec, share, out->of, sizeof *out->of));
    }
    TRY(exec_download(exec, &n, args->joined, sizeof n));
  }
  return OK;
}

static Status join_rest(Exec *exec, AggregationArgs *args, const AggregationShare *share, Aggregates *out) {
  int32_t *before = NULL;
  Status status;
  TRY_DONE(exec_alloc(exec, out->n_node, sizeof *before, "aggregates", (void **)&before));
  TRY_DONE(exec_alloc(exec, 1, sizeof *args->joined, "nodes that join", (void **)&args->joined));
  status = join_passes(exec, args, share, before, out);
done:
  EXEC_RELEASE(exec, before, out->n_node);
  EXEC_RELEASE(exec, args->joined, 1);
  return status;
}

/* Nodes by aggregate, those in none behind. */
Status aggregates_list(Exec *exec, Aggregates *a) {
  if (a->member.start) return OK;
  a->member = (ExecGraph){.n_row = a->n, .n_entry = a->n_node};
  return exec_graph_list(exec, a->of, a->n_node, a->n, &a->member.start, (uint32_t **)&a->member.column);
}

/* The work on balls is away before the rest joins, but for what is known of other ranks. */
static Status aggregates_make(Exec *exec, const Ties *ties, Balls *balls, Aggregates *out) {
  TRY(aggregation_share_create(exec, ties, &balls->share));
  AggregationArgs args = {.rows = exec_graph_places(ties->a),
                          .column = ties->a->column,
                          .weight = ties->weight,
                          .in = ties->in,
                          .limit = ties->limit,
                          .others = aggregation_others(&balls->share, ties)};
  const Status status = make_balls(exec, ties, &args, balls, out);
  put_away(exec, balls);
  return status == OK && out->n > 0 ? join_rest(exec, &args, &balls->share, out) : status;
}

Status aggregates_create(Exec *exec, const Ties *ties, Aggregates *out) {
  const int32_t n = ties->a->n_row;
  Balls balls = {.n_entry = ties->a->n_entry, .n = n, .n_node = n + (ties->share ? ties->share->halo->n_halo : 0)};
  *out = (Aggregates){0};
  const Status status = aggregates_make(exec, ties, &balls, out);
  aggregation_share_release(exec, &balls.share);
  return status;
}
