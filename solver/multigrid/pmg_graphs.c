#include "solver/multigrid/pmg_graphs.h"
#include "algebra/graph/exec_graph.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

static const char *const WHAT = "interpolation between orders";

void pmg_graphs_release(Exec *exec, PmgGraphs *g) {
  block_graph_release(&g->next);
  exec_graph_release(exec, &g->on_p);
  exec_graph_release(exec, &g->on_transposed);
  exec_graph_release(exec, &g->on_a);
  exec_graph_release(exec, &g->on_ap);
  exec_graph_release(exec, &g->on_next);
  EXEC_RELEASE(exec, g->source, g->n_source);
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

/* P, which is the caller's, and its numbers, of which owners know the rows. */
static Status interpolation_share(const Precond *m, const NodeMap *up, const PmgShare *share, const int32_t *whole,
                                  BlockGraph *p, PmgGraphs *g) {
  Exec *exec = m->exec;
  const Pattern *fine = m->pattern;
  const int64_t square = up->block * up->block, n_own = up->start[fine->n] * square;
  GraphHalo halo = {0};
  Status status;
  TRY_DONE(own_rows(up, fine->n, share->order, p));
  TRY_DONE(append_rows(exec, fine->share.halo, whole, share->n_read, (size_t)square * sizeof *g->map, p, &halo));
  g->n_map = p->start[p->n_row] * square;
  TRY_DONE(exec_alloc(exec, g->n_map, sizeof *g->map, WHAT, (void **)&g->map));
  TRY_DONE(exec_upload(exec, g->map, up->value, (size_t)n_own * sizeof *g->map));
  status = exec_exchange(exec, halo.entries, g->map, (size_t)square * sizeof *g->map);
done:
  graph_halo_release(exec, &halo);
  return status;
}

/* ---- products; columns are places ---- */

/* Own rows of P^T, columns ascending in the whole; *source: the block of P of each of its blocks. */
static Status transpose_own(const BlockGraph *p, HaloOrder fine, const PmgShare *share, BlockGraph *t,
                            int64_t **source) {
  const int32_t low = share->order.n_low;
  *t = (BlockGraph){.n_row = share->n_own, .n_column = p->n_row};
  ALLOC(t->start, (int64_t)t->n_row + 2, WHAT);
  int64_t *next = t->start + 1; /* where the next entry of a row goes, and at the end where the row ends */
  for (int64_t k = 0; k < p->start[p->n_row]; ++k)
    if (p->column[k] >= low && p->column[k] - low < t->n_row) next[p->column[k] - low + 1] += 1;
  for (int32_t i = 0; i < t->n_row; ++i) next[i + 1] += next[i];
  ALLOC(t->column, next[t->n_row], WHAT);
  ALLOC(*source, next[t->n_row], WHAT);
  for (int32_t place = 0; place < p->n_row; ++place) {
    const int32_t i = halo_number(fine, place);
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int32_t row = p->column[k] - low;
      if (row < 0 || row >= t->n_row) continue;
      t->column[next[row]] = i;
      (*source)[next[row]++] = k;
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
static Status product_share(const Precond *m, PmgShare *share, const int32_t *whole, const BlockGraph *transposed,
                            PmgGraphs *g, BlockGraph *ap) {
  TRY(exec_graph_download(m->exec, &g->on_ap, share->n_read, ap));
  exec_graph_release(m->exec, &g->on_ap);
  const size_t block = (size_t)(m->pattern->block * m->pattern->block) * sizeof(double);
  TRY(append_rows(m->exec, m->pattern->share.halo, whole, share->n_read, block, ap, &share->ap));
  TRY(check_rows(transposed, ap));
  return exec_graph_upload(m->exec, ap, WHAT, &g->on_ap);
}

static Status number_graph(Exec *exec, const PmgShare *share, BlockGraph *graph, ExecGraph *on_exec) {
  columns_number(share, graph);
  exec_graph_release(exec, on_exec);
  return exec_graph_upload(exec, graph, WHAT, on_exec);
}

/* P^T A P of A P. */
static Status product_end(Exec *exec, int32_t n_column, PmgGraphs *g) {
  const GraphUnion rows = {.a = &g->on_transposed, .b = &g->on_ap, .n_column = n_column};
  TRY(exec_graph_union(exec, &rows, false, &g->on_next));
  return exec_graph_download(exec, &g->on_next, n_column, &g->next);
}

static Status product_begin(const Precond *m, int32_t n_column, PmgGraphs *g) {
  TRY(copy_rows(m->exec, m->pattern, &g->on_a));
  return exec_graph_union(m->exec, &(GraphUnion){.a = &g->on_a, .b = &g->on_p, .n_column = n_column}, false, &g->on_ap);
}

/* Of several ranks: places while products are found, numbers in the end. */
static Status graphs_share(const Precond *m, const NodeMap *up, PmgShare *share, PmgGraphs *g) {
  Exec *exec = m->exec;
  BlockGraph p = {0}, transposed = {0}, ap = {0};
  int32_t *whole = NULL;
  int64_t *source = NULL;
  Status status;
  TRY_DONE(pmg_share_places(exec, share, &whole));
  TRY_DONE(interpolation_share(m, up, share, whole, &p, g));
  TRY_DONE(transpose_own(&p, pattern_order(m->pattern), share, &transposed, &source));
  g->n_source = transposed.start[transposed.n_row];
  TRY_DONE(exec_alloc_upload(exec, g->n_source, sizeof *source, source, WHAT, (void **)&g->source));
  TRY_DONE(exec_graph_upload(exec, &p, WHAT, &g->on_p));
  TRY_DONE(exec_graph_upload(exec, &transposed, WHAT, &g->on_transposed));
  TRY_DONE(product_begin(m, share->n_read, g));
  TRY_DONE(product_share(m, share, whole, &transposed, g, &ap));
  TRY_DONE(product_end(exec, share->n_read, g));
  TRY_DONE(number_graph(exec, share, &p, &g->on_p));
  TRY_DONE(number_graph(exec, share, &ap, &g->on_ap));
  status = number_graph(exec, share, &g->next, &g->on_next);
done:
  FREE(whole);
  FREE(source);
  block_graph_release(&p);
  block_graph_release(&transposed);
  block_graph_release(&ap);
  return status;
}

Status pmg_graphs_find(const Precond *m, const NodeMap *up, PmgShare *share, PmgGraphs *g) {
  Exec *exec = m->exec;
  *g = (PmgGraphs){0};
  if (share->halo) return graphs_share(m, up, share, g);
  g->n_map = up->start[up->n_row] * up->block * up->block;
  TRY(exec_alloc_upload(exec, g->n_map, sizeof *g->map, up->value, WHAT, (void **)&g->map));
  TRY(exec_graph_upload(exec, &(BlockGraph){up->n_row, up->n_column, up->start, up->column}, WHAT, &g->on_p));
  TRY(exec_graph_transpose(exec, &g->on_p, up->n_column, &g->on_transposed, &g->source));
  g->n_source = g->on_transposed.n_entry;
  TRY(product_begin(m, up->n_column, g));
  return product_end(exec, up->n_column, g);
}
