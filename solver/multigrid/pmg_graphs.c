#include "solver/multigrid/pmg_graphs.h"
#include "algebra/graph/exec_graph.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

static const char *const WHAT = "interpolation between orders";

void pmg_graphs_release(Exec *exec, PmgGraphs *g) {
  if (!g->p_is_view) block_graph_release(&g->p);
  block_graph_release(&g->transposed);
  block_graph_release(&g->next);
  exec_graph_release(exec, &g->on_a);
  exec_graph_release(exec, &g->on_ap);
  exec_graph_release(exec, &g->on_next);
  FREE(g->source);
  EXEC_RELEASE(exec, g->map, g->n_map);
}

/* ---- rows of others ---- */

/* graph, whose columns are places, with the rows of others behind its own; *halo is theirs. */
static Status append_rows(Exec *exec, const Halo *rows, const int32_t *whole, int32_t n_whole, size_t most,
                          BlockGraph *graph, GraphHalo *halo) {
  ExecGraph on_exec = {0};
  const int64_t n = graph->start[graph->n_row];
  for (int64_t k = 0; k < n; ++k) graph->column[k] = whole[graph->column[k]];
  Status status = exec_graph_upload(exec, graph, WHAT, &on_exec);
  if (status == OK) status = graph_halo_create(exec, rows, &on_exec, most, halo);
  if (status == OK) status = graph_halo_append(exec, halo, &on_exec);
  block_graph_release(graph);
  if (status == OK) status = exec_graph_download(exec, &on_exec, n_whole, graph);
  exec_graph_release(exec, &on_exec);
  TRY(status);
  for (int64_t k = 0; k < graph->start[graph->n_row]; ++k)
    graph->column[k] = (int32_t)ascending_find(n_whole, whole, graph->column[k]);
  return OK;
}

/* Own rows of the interpolation, columns as places. */
static Status own_rows(const NodeMap *up, int32_t n, HaloOrder order, BlockGraph *out) {
  *out = (BlockGraph){.n_row = n, .n_column = up->n_column};
  ALLOC(out->start, (int64_t)n + 1, WHAT);
  ALLOC(out->column, up->start[n], WHAT);
  for (int32_t i = 0; i < n; ++i) out->start[i + 1] = up->start[i + 1];
  for (int64_t k = 0; k < up->start[n]; ++k) out->column[k] = halo_place(order, up->column[k]);
  return OK;
}

/* P and its numbers, of which owners know the rows. */
static Status interpolation_share(const Precond *m, const NodeMap *up, const PmgShare *share, const int32_t *whole,
                                  PmgGraphs *g) {
  Exec *exec = m->exec;
  const Pattern *fine = m->pattern;
  const int64_t square = up->block * up->block, n_own = up->start[fine->n] * square;
  GraphHalo halo = {0};
  Status status;
  TRY_DONE(own_rows(up, fine->n, share->order, &g->p));
  TRY_DONE(append_rows(exec, fine->share.halo, whole, share->n_read, (size_t)square * sizeof *g->map, &g->p, &halo));
  g->n_map = g->p.start[g->p.n_row] * square;
  TRY_DONE(exec_alloc(exec, g->n_map, sizeof *g->map, WHAT, (void **)&g->map));
  TRY_DONE(exec_upload(exec, g->map, up->value, (size_t)n_own * sizeof *g->map));
  status = exec_exchange(exec, halo.entries, g->map, (size_t)square * sizeof *g->map);
done:
  graph_halo_release(exec, &halo);
  return status;
}

static Status interpolation_alone(const Precond *m, const NodeMap *up, PmgGraphs *g) {
  g->p = (BlockGraph){up->n_row, up->n_column, up->start, up->column};
  g->p_is_view = true;
  g->n_map = up->start[up->n_row] * up->block * up->block;
  return exec_alloc_upload(m->exec, g->n_map, sizeof *g->map, up->value, WHAT, (void **)&g->map);
}

/* ---- products; columns are places ---- */

/* Own rows of P^T, columns ascending in the whole. */
static Status transpose_own(const BlockGraph *p, HaloOrder fine, const PmgShare *share, PmgGraphs *g) {
  const int32_t low = share->order.n_low;
  BlockGraph *t = &g->transposed;
  *t = (BlockGraph){.n_row = share->n_own, .n_column = p->n_row};
  ALLOC(t->start, (int64_t)t->n_row + 2, WHAT);
  int64_t *next = t->start + 1; /* where the next entry of a row goes, and at the end where the row ends */
  for (int64_t k = 0; k < p->start[p->n_row]; ++k)
    if (p->column[k] >= low && p->column[k] - low < t->n_row) next[p->column[k] - low + 1] += 1;
  for (int32_t i = 0; i < t->n_row; ++i) next[i + 1] += next[i];
  ALLOC(t->column, next[t->n_row], WHAT);
  ALLOC(g->source, next[t->n_row], WHAT);
  for (int32_t place = 0; place < p->n_row; ++place) {
    const int32_t i = halo_number(fine, place);
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int32_t row = p->column[k] - low;
      if (row < 0 || row >= t->n_row) continue;
      t->column[next[row]] = i;
      g->source[next[row]++] = k;
    }
  }
  return OK;
}

/* Whether all that is here of A P is so, where P^T reads it. */
static Status check_rows(const BlockGraph *transposed, const BlockGraph *ap) {
  for (int64_t k = 0; k < transposed->start[transposed->n_row]; ++k) {
    const int32_t i = transposed->column[k];
    for (int64_t e = ap->start[i]; e < ap->start[i + 1]; ++e)
      CHECK(ap->column[e] >= 0, ERR_BUG, "a node of lower order that row %d couples with is not here", i);
  }
  return OK;
}

static void columns_number(const PmgShare *share, BlockGraph *graph) {
  for (int64_t k = 0; k < graph->start[graph->n_row]; ++k)
    if (graph->column[k] >= 0) graph->column[k] = halo_number(share->order, graph->column[k]);
}

/* The rows of the matrix, its own copy: the pattern may leave the Exec. */
static Status copy_rows(Exec *exec, const Pattern *pattern, ExecGraph *out) {
  MatrixLoan rows;
  *out = (ExecGraph){.n_row = pattern->n, .n_entry = pattern_entries(pattern)};
  const size_t n_start = ((size_t)out->n_row + 1) * sizeof *out->start;
  Status status = pattern_lend(exec, pattern, &rows);
  if (status == OK) status = exec_alloc(exec, (int64_t)out->n_row + 1, sizeof *out->start, WHAT, (void **)&out->start);
  if (status == OK) status = exec_alloc(exec, out->n_entry, sizeof *out->column, WHAT, (void **)&out->column);
  if (status == OK) status = exec_copy(exec, out->start, rows.start, n_start);
  if (status == OK) status = exec_copy(exec, out->column, rows.column, (size_t)out->n_entry * sizeof *out->column);
  matrix_loan_end(exec, &rows);
  return status;
}

/* The rows of A P that others have behind the own ones; *ap is the same on the host. */
static Status product_share(const Precond *m, PmgShare *share, const int32_t *whole, PmgGraphs *g, BlockGraph *ap) {
  const size_t block = (size_t)(m->pattern->block * m->pattern->block) * sizeof(double);
  TRY(exec_graph_download(m->exec, &g->on_ap, g->p.n_column, ap));
  exec_graph_release(m->exec, &g->on_ap);
  TRY(append_rows(m->exec, m->pattern->share.halo, whole, share->n_read, block, ap, &share->ap));
  TRY(check_rows(&g->transposed, ap));
  return exec_graph_upload(m->exec, ap, WHAT, &g->on_ap);
}

/* Numbers in place of places. */
static Status products_number(Exec *exec, const PmgShare *share, BlockGraph *ap, PmgGraphs *g) {
  columns_number(share, &g->p);
  columns_number(share, ap);
  columns_number(share, &g->next);
  exec_graph_release(exec, &g->on_ap);
  exec_graph_release(exec, &g->on_next);
  TRY(exec_graph_upload(exec, ap, WHAT, &g->on_ap));
  return exec_graph_upload(exec, &g->next, WHAT, &g->on_next);
}

static Status products_find(const Precond *m, PmgShare *share, const int32_t *whole, PmgGraphs *g) {
  Exec *exec = m->exec;
  ExecGraph p = {0}, transposed = {0};
  BlockGraph ap = {0};
  Status status;
  TRY_DONE(transpose_own(&g->p, pattern_order(m->pattern), share, g));
  TRY_DONE(copy_rows(exec, m->pattern, &g->on_a));
  TRY_DONE(exec_graph_upload(exec, &g->p, WHAT, &p));
  TRY_DONE(exec_graph_union(exec, &(GraphUnion){.a = &g->on_a, .b = &p, .n_column = g->p.n_column}, false, &g->on_ap));
  if (share->halo) TRY_DONE(product_share(m, share, whole, g, &ap));
  TRY_DONE(exec_graph_upload(exec, &g->transposed, WHAT, &transposed));
  TRY_DONE(exec_graph_union(exec, &(GraphUnion){.a = &transposed, .b = &g->on_ap, .n_column = g->p.n_column}, false,
                            &g->on_next));
  TRY_DONE(exec_graph_download(exec, &g->on_next, g->p.n_column, &g->next));
  if (share->halo) status = products_number(exec, share, &ap, g);
done:
  block_graph_release(&ap);
  exec_graph_release(exec, &p);
  exec_graph_release(exec, &transposed);
  return status;
}

Status pmg_graphs_find(const Precond *m, const NodeMap *up, PmgShare *share, PmgGraphs *g) {
  int32_t *whole = NULL;
  Status status = OK;
  *g = (PmgGraphs){0};
  if (share->halo) TRY_DONE(pmg_share_places(m->exec, share, &whole));
  TRY_DONE(share->halo ? interpolation_share(m, up, share, whole, g) : interpolation_alone(m, up, g));
  status = products_find(m, share, whole, g);
done:
  FREE(whole);
  return status;
}
