/* Rows of others: how long they are goes through the halo of the rows, then entries have a halo of their own. */
#include "algebra/graph/graph_halo.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/graph/graph_halo_rows.h"
#include "algebra/graph/rows.h"
#include "core/memory.h"

static const char *const WHAT = "rows of other ranks";

/* While it is made. On the Exec: width of own rows and of those of others, width and place of those that are sent. */
typedef struct Making {
  int32_t *width, *sent_width, *entry;
  int64_t *sent_at, n_sent, n_entry;
  int64_t *at, *send_start, *recv_start, *begin; /* host */
  int32_t *send, *peer;
} Making;

static void graph_halo_put_away(Exec *exec, const Halo *rows, Making *w) {
  EXEC_RELEASE(exec, w->width, (int64_t)rows->n_own + rows->n_halo);
  EXEC_RELEASE(exec, w->sent_width, w->n_sent);
  EXEC_RELEASE(exec, w->sent_at, w->n_sent + 1);
  EXEC_RELEASE(exec, w->entry, w->n_entry);
  FREE(w->at);
  FREE(w->begin);
  FREE(w->send_start);
  FREE(w->recv_start);
  FREE(w->send);
  FREE(w->peer);
}

/* Lengths of all rows, and of those that are sent where they begin. */
static Status graph_halo_measure(Exec *exec, const Halo *rows, const ExecGraph *own, Making *w, GraphHalo *out) {
  GraphHaloArgs args = {.rows = exec_graph_places(own)};
  EXEC_ALLOC(exec, w->width, (int64_t)rows->n_own + rows->n_halo, WHAT);
  EXEC_ALLOC(exec, w->sent_width, w->n_sent, WHAT);
  EXEC_ALLOC(exec, w->sent_at, w->n_sent + 1, WHAT);
  EXEC_ALLOC(exec, out->start, (int64_t)rows->n_halo + 1, WHAT);
  args.width = w->width;
  TRY(exec_rows(exec, &graph_halo_width_kernel, &args, rows->n_own));
  TRY(exec_exchange(exec, rows, w->width, sizeof *w->width));
  TRY(exec_scan(exec, w->width + rows->n_own, sizeof *w->width, rows->n_halo, out->start, &out->n_entry));
  args.width = w->sent_width;
  args.sent = rows->send_row;
  TRY(exec_rows(exec, &graph_halo_width_kernel, &args, w->n_sent));
  TRY(exec_scan(exec, w->sent_width, sizeof *w->sent_width, w->n_sent, w->sent_at, &w->n_entry));
  TRY(exec_alloc(exec, w->n_entry, sizeof *w->entry, WHAT, (void **)&w->entry));
  args.at = w->sent_at;
  args.entry = w->entry;
  return exec_rows(exec, &graph_halo_list_kernel, &args, w->n_sent);
}

static Status graph_halo_lists(Exec *exec, const Halo *rows, const ExecGraph *own, Making *w, const GraphHalo *out,
                               HaloLists *lists) {
  const int32_t n = rows->n_peer;
  ALLOC(w->at, w->n_sent + 1, WHAT);
  ALLOC(w->begin, (int64_t)rows->n_halo + 1, WHAT);
  ALLOC(w->send_start, n + 1, WHAT);
  ALLOC(w->recv_start, n + 1, WHAT);
  ALLOC(w->send, w->n_entry, WHAT);
  ALLOC(w->peer, n, WHAT);
  TRY(exec_download(exec, w->at, w->sent_at, ((size_t)w->n_sent + 1) * sizeof *w->at));
  TRY(exec_download(exec, w->begin, out->start, ((size_t)rows->n_halo + 1) * sizeof *w->begin));
  TRY(exec_download(exec, w->send, w->entry, (size_t)w->n_entry * sizeof *w->send));
  for (int32_t p = 0; p <= n; ++p) {
    w->send_start[p] = w->at[rows->send_start[p]];
    w->recv_start[p] = w->begin[rows->recv_start[p]];
    if (p < n) w->peer[p] = rows->peer[p].rank;
  }
  *lists = (HaloLists){(int32_t)own->n_entry, (int32_t)out->n_entry, n, w->peer, w->send_start, w->send, w->recv_start};
  return OK;
}

static Status graph_halo_make(Exec *exec, const Halo *rows, const ExecGraph *own, size_t most, Making *w,
                              GraphHalo *out) {
  HaloLists lists;
  CHECK(own->n_row == rows->n_own, ERR_BUG, "a graph of %d rows and a halo of %d", own->n_row, rows->n_own);
  TRY(graph_halo_measure(exec, rows, own, w, out));
  CHECK(own->n_entry + out->n_entry <= INT32_MAX, ERR_INPUT,
        "%lld blocks of a matrix are more than a rank can share; start more ranks", (long long)own->n_entry);
  TRY(graph_halo_lists(exec, rows, own, w, out, &lists));
  return halo_create(exec, &lists, most, &out->entries);
}

Status graph_halo_create(Exec *exec, const Halo *rows, const ExecGraph *own, size_t most, GraphHalo *out) {
  Making w = {.n_sent = rows->send_start[rows->n_peer]};
  *out = (GraphHalo){.n_row = rows->n_halo};
  const Status status = graph_halo_make(exec, rows, own, most, &w, out);
  graph_halo_put_away(exec, rows, &w);
  return status;
}

void graph_halo_release(Exec *exec, GraphHalo *halo) {
  halo_destroy(&halo->entries);
  EXEC_RELEASE(exec, halo->start, (int64_t)halo->n_row + 1);
  *halo = (GraphHalo){0};
}

static Status graph_halo_fill(Exec *exec, const GraphHalo *halo, const ExecGraph *graph, ExecGraph *all) {
  all->n_row = graph->n_row + halo->n_row;
  EXEC_ALLOC(exec, all->start, (int64_t)all->n_row + 1, WHAT);
  TRY(exec_alloc(exec, graph->n_entry + halo->n_entry, sizeof *all->column, WHAT, (void **)&all->column));
  all->n_entry = graph->n_entry + halo->n_entry;
  TRY(exec_copy(exec, all->start, graph->start, (size_t)graph->n_row * sizeof *all->start));
  const GraphBehindArgs behind = {halo->start, all->start + graph->n_row, graph->n_entry};
  TRY(exec_rows(exec, &graph_behind_kernel, &behind, (int64_t)halo->n_row + 1));
  TRY(exec_copy(exec, all->column, graph->column, (size_t)graph->n_entry * sizeof *all->column));
  return exec_exchange(exec, halo->entries, all->column, sizeof *all->column);
}

Status graph_halo_append(Exec *exec, const GraphHalo *halo, ExecGraph *graph) {
  ExecGraph all = {0};
  CHECK(graph->shift == 0 && !graph->lane, ERR_BUG, "rows that lie side by side have none behind them");
  const Status status = graph_halo_fill(exec, halo, graph, &all);
  exec_graph_release(exec, status == OK ? graph : &all);
  if (status == OK) *graph = all;
  return status;
}
