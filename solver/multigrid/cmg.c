/* Combinatorial multigrid (Koutis, Miller and Tolliver 2011; papers/cmg-segspmv, chapter 4) for Laplacians and other
 * symmetric diagonally dominant matrices: a graph is coarsened by clusters of nodes that are tied well among themselves
 * (cmg_forest.c), level l + 1 is the quotient R A R^T, R by cluster number, or a weaker one. Both the row sums that are
 * more than zero (edges to a ground) and the quotient keep the matrix dominant, so every level's scaled matrix D^-1/2 A
 * D^-1/2 has its spectrum in [0, 2]: smoothers need no estimate of a bound, and the preconditioner is symmetric and
 * positive always.
 *
 * As published a level is smoothed once by Jacobi with weight 1/2, and level l + 1 visited max(ceil(nnz_l / nnz_(l+1) -
 * 1), 1) times in each visit of l: hundreds of visits of the small levels, each a few launches. The default visits each
 * level once. What makes that good enough is that edges between clusters get the resistance inside of the clusters in
 * series: R A R^T takes each cluster for a short circuit and is too stiff for smooth vectors, by about the diameter of
 * a cluster on an even graph and once more on each level. It stays a graph of positive weights, and a symmetric V-cycle
 * is positive with any positive matrix below; more than one visit may overshoot, so other cycles take R A R^T.
 *
 * In the scaled unknowns of multigrid.h a row of the prolongator has one entry, sqrt(d_i / D_c): a gather; the
 * restriction sums by clusters in a fixed order.
 * Positive couplings are lumped into the diagonal of the preconditioner: B is that of a matrix that is A plus something
 * positive semidefinite. Rejected: the double cover, twice the unknowns for what good meshes have little of.
 *
 * Clusters depend on the values, so each setup builds all levels again, on the host; after that everything is on the Exec.
 * docs/theory/combinatorial.md has the derivation. */
#include "solver/multigrid/cmg.h"
#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "solver/multigrid/multigrid.h"
#include "solver/precond/precond.h"

#include <math.h>

enum { CMG_CYCLE, CMG_SMOOTHER, CMG_BOTTOM, CMG_SERIES, CMG_N_PARAM };
enum { DEGREE = 2, MORE_AT_BOTTOM = 2000 };

static const Param params[CMG_N_PARAM] = {
    [CMG_CYCLE] =
        {"cycle", "by-size|" MG_CYCLE_WORDS, MG_V, false, 0, MG_K, false, false,
         "how often a level is visited: as often as its size pays for (with smoother jacobi and degree 1 the method as "
         "published), once, twice, or in two steps of conjugate gradients"},
    [CMG_SMOOTHER] = {"smoother", SMOOTHER_WORDS, 0, false, 0, SMOOTHER_COUNT - 1, false, false,
                      "'degree' steps of it before and after; jacobi: with weight 1/2"},
    [CMG_BOTTOM] = {"bottom", "1", 200, false, 1, 2000, false, false,
                    "a level of at most this many unknowns is solved directly"},
    [CMG_SERIES] = {
        "series", "1", 0.7, false, 0, 1, false, false,
        "part of the resistance inside of clusters that the next level knows of; 0: none, as published, and so are "
        "cycles other than 1"}};

typedef struct Cmg {
  Multigrid mg;
  int64_t *start, *place; /* owned, host: rows of the matrix, where their entries are in its values */
  int32_t *column;
} Cmg;

static void cmg_destroy(Precond *m) {
  Cmg *p = m->own;
  if (!p) return;
  if (m->low != m->residual) exec_release(m->exec, m->n, precision_bytes(m->precision), &m->low);
  EXEC_RELEASE(m->exec, m->residual, m->n);
  exec_release(m->exec, m->n, precision_bytes(m->precision), &m->result);
  mg_release(&p->mg);
  FREE(p->start);
  FREE(p->place);
  FREE(p->column);
  FREE(m->own);
}

static Status take_rows(const Precond *m, Cmg *p) {
  const Pattern *pattern = m->pattern;
  const int64_t n_entry = pattern_entries(pattern);
  TRY(pattern_fetch(pattern));
  TRY(slot_map_fetch(mat_slots(m->a)));
  ALLOC(p->start, (int64_t)pattern->n + 1, "rows of the matrix");
  ALLOC(p->column, n_entry, "columns of the matrix");
  ALLOC(p->place, n_entry, "where the matrix entries are");
  for (int32_t i = 0; i <= pattern->n; ++i) p->start[i] = pattern->start[i];
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < n_entry; ++k) {
    p->column[k] = pattern->column[k];
    p->place[k] = mat_slots(m->a)->slot[k]; /* blocks of one scalar: whatever the format */
  }
  return OK;
}

static Status cmg_create(Precond *m) {
  for (int k = 0; k <= CMG_BOTTOM; ++k)
    CHECK(m->value[k] == floor(m->value[k]), ERR_INPUT, "%s is %g, must be a whole number", params[k].name,
          m->value[k]);
  CHECK(mat_block(m->a) == 1, ERR_INPUT,
        "preconditioner 'cmg' is for one unknown per node (heat, the heart, graphs), this matrix has %d\n  use "
        "preconditioner 'amg', or 'least-squares'",
        mat_block(m->a));
  CHECK(m->pattern, ERR_BUG, "preconditioner 'cmg' coarsens the graph of the matrix, which was not provided");
  CHECK(m->pattern->n == m->n && m->pattern->block == 1, ERR_BUG,
        "the pattern given to the preconditioner is not that of the matrix");
  Cmg *p = NULL;
  ALLOC(p, 1, "a cmg preconditioner");
  m->own = p;
  m->storage = m->precision; /* nothing lower */
  p->mg = (Multigrid){.exec = m->exec,
                      .precision = m->precision,
                      .degree = m->degree,
                      .krylov = m->value[CMG_CYCLE] == MG_K,
                      .smoother = smoother_type((int32_t)m->value[CMG_SMOOTHER])};
  TRY(take_rows(m, p));
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  m->low = m->residual;
  if (m->precision == PRECISION_FLOAT) {
    m->low = NULL; /* written by PCG, never read: the cycle starts from the residual in double */
    TRY(exec_alloc(m->exec, m->n, sizeof(float), "preconditioner workspace", &m->low));
  }
  return exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result);
}

static Status read_graph(const Precond *m, CmgGraph *out) {
  const Cmg *p = m->own;
  const int64_t n = mat_slots(m->a)->n_value;
  double *value = NULL;
  ALLOC(value, n, "values of the matrix");
  Status status = exec_download(m->exec, value, mat_values(m->a), (size_t)n * sizeof *value);
  if (status == OK) status = cmg_graph_create((int32_t)m->n, p->start, p->column, value, p->place, out);
  FREE(value);
  return status;
}

/* 1/sqrt of the diagonal, by which a level is scaled. */
static Status scale_of(const CmgGraph *g, double **out) {
  ALLOC(*out, g->n, "scaling of a level");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) (*out)[i] = 1 / sqrt(g->diagonal[i]);
  return OK;
}

/* Entries of the scaled level at slot[] of its matrix, all else zero. */
static Status upload_values(const Precond *m, const CmgGraph *g, const double *s, const int64_t *row,
                            const int32_t *column, const int64_t *slot, const Mat *to) {
  const int64_t n = mat_slots(to)->n_value;
  const bool low = m->precision == PRECISION_FLOAT;
  void *value = NULL;
  TRY(mem_alloc(n, precision_bytes(m->precision), "values of a level", &value));
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    int64_t edge = g->start[i];
    for (int64_t k = row[i]; k < row[i + 1]; ++k) {
      double v = column[k] == i ? 1 : 0; /* 0 where an entry is no edge */
      if (edge < g->start[i + 1] && column[k] == g->column[edge]) v = -g->weight[edge++] * (s[i] * s[column[k]]);
      if (low) ((float *)value)[slot[k]] = (float)v;
      else ((double *)value)[slot[k]] = v;
    }
  }
  const Status status = exec_upload(m->exec, mat_values(to), value, (size_t)n * precision_bytes(m->precision));
  FREE(value);
  return status;
}

/* The graph with its diagonal. */
static Status pattern_of(const CmgGraph *g, Pattern *out) {
  *out = (Pattern){.n = g->n, .block = 1};
  ALLOC(out->start, (int64_t)g->n + 1, "rows of a level");
  ALLOC(out->column, g->start[g->n] + g->n, "columns of a level");
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    int64_t k = g->start[i], at = k + i;
    for (; k < g->start[i + 1] && g->column[k] < i; ++k) out->column[at++] = g->column[k];
    out->column[at++] = i;
    for (; k < g->start[i + 1]; ++k) out->column[at++] = g->column[k];
    out->start[i + 1] = at;
  }
  return OK;
}

static Status put_matrix(Precond *m, int32_t l, const CmgGraph *g, const double *s) {
  Cmg *p = m->own;
  MgLevel *v = &p->mg.level[l];
  Pattern pattern = {0};
  MatParams mat = {.format = "sell", .precision = m->precision};
  Status status;
  if (l == 0) {
    TRY(mat_create_like(m->a, m->precision, &v->a));
    TRY(exec_upload(m->exec, m->scale, s, (size_t)m->n * sizeof *s));
    return upload_values(m, g, s, p->start, p->column, p->place, v->a);
  }
  TRY_DONE(pattern_of(g, &pattern));
  status = mat_create(m->exec, &mat, &pattern, &v->a);
  if (status == ERR_INPUT) { /* a row so long that slices cannot be padded to it */
    status_clear();
    mat.format = mat_format_with(MAT_ANY_ROWS);
    status = mat_create(m->exec, &mat, &pattern, &v->a);
  }
  if (status == OK) status = slot_map_fetch(mat_slots(v->a));
  if (status == OK) status = upload_values(m, g, s, pattern.start, pattern.column, mat_slots(v->a)->slot, v->a);
done:
  FREE(pattern.start);
  FREE(pattern.column);
  return status;
}

static Status put_bottom(Precond *m, const CmgGraph *g, const double *s) {
  Cmg *p = m->own;
  double *dense = NULL;
  int32_t n_dropped; /* one in each part that hangs on nothing */
  ALLOC(dense, (int64_t)g->n * g->n, "matrix of the last level");
  for (int64_t i = 0; i < g->n; ++i) {
    dense[i * g->n + i] = 1;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k)
      dense[i * g->n + g->column[k]] = -g->weight[k] * (s[i] * s[g->column[k]]);
  }
  const Status status = mg_bottom(&p->mg, dense, &n_dropped);
  FREE(dense);
  return status;
}

/* P from level l + 1, which has clusters, to level l. */
static Status put_transfer(Precond *m, int32_t l, const CmgClusters *c, const CmgGraph *g, const CmgGraph *next) {
  Cmg *p = m->own;
  const MgTransferShape shape = {.precision = m->precision, .n_coarse = next->n, .fine = 1, .coarse = 1};
  BlockGraph graph = {.n_row = g->n, .n_column = next->n};
  ExecGraph rows = {0};
  double *value = NULL, *on_exec = NULL;
  int64_t n = 0;
  Status status;
  ALLOC_DONE(graph.start, (int64_t)g->n + 1, "rows of a transfer");
  ALLOC_DONE(graph.column, g->n, "rows of a transfer");
  ALLOC_DONE(value, g->n, "values of a transfer");
  for (int32_t i = 0; i < g->n; ++i) graph.start[i + 1] = n += c->of[i] >= 0;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < g->n; ++i) {
    const int32_t to = c->of[i];
    if (to < 0) continue;
    graph.column[graph.start[i]] = to;
    value[graph.start[i]] = next->diagonal[to] > 0 ? sqrt(g->diagonal[i] / next->diagonal[to]) : 0;
  }
  TRY_DONE(exec_graph_upload(m->exec, &graph, "rows of a transfer", &rows));
  TRY_DONE(mg_transfer_take(m->exec, &shape, &rows, &p->mg.level[l].transfer));
  TRY_DONE(exec_alloc_upload(m->exec, n, sizeof *value, value, "values of a transfer", (void **)&on_exec));
  TRY_DONE(mg_transfer_fill(p->mg.level[l].transfer, on_exec));
  TRY_DONE(exec_sync(m->exec));
done:
  EXEC_RELEASE(m->exec, on_exec, n);
  exec_graph_release(m->exec, &rows);
  block_graph_release(&graph);
  FREE(value);
  return status;
}

/* A cluster that is a whole part which hangs on nothing has no diagonal: it is solved as 1, with a P that is zero
 * there. */
static void hold_loose_clusters(CmgGraph *g) {
  for (int32_t i = 0; i < g->n; ++i)
    if (!(g->diagonal[i] > 0)) g->diagonal[i] = g->ground[i] = 1;
}

static int32_t cmg_visits(const Precond *m, const CmgGraph *g, const CmgGraph *next) {
  const double rows = (double)(g->start[g->n] + g->n), below = (double)(next->start[next->n] + next->n);
  return m->value[CMG_CYCLE] > 0 ? (int32_t)m->value[CMG_CYCLE] : (int32_t)fmax(ceil(rows / below - 1), 1);
}

/* Level l from its graph, and the graph of the next one, n = 0 when this is the last one. */
static Status put_level(Precond *m, int32_t l, const CmgGraph *g, CmgGraph *next) {
  Cmg *p = m->own;
  MgLevel *v = &p->mg.level[l];
  CmgClusters c = {.n = g->n};
  double *s = NULL;
  Status status;
  TRY_DONE(mg_level_create(&p->mg, l, g->n));
  TRY_DONE(scale_of(g, &s));
  v->bound =
      m->value[CMG_SMOOTHER] > 0 ? 8.0 / 3 : 2; /* the spectrum ends at 2; Jacobi's weight is 4/3 over the bound, 1/2 */
  if (g->n > m->value[CMG_BOTTOM] && l + 1 < MG_LEVELS) TRY_DONE(cmg_clusters_create(g, &c));
  if (g->n > MORE_AT_BOTTOM && c.n > 0.95 * g->n) {
    status = FAIL(ERR_NUMERIC,
                  "level %d of the hierarchy has %d nodes that cannot be coarsened\n  remedy: "
                  "preconditioner 'amg', or 'least-squares'",
                  l, g->n);
    goto done;
  }
  if (l == 0 || c.n < g->n) TRY_DONE(put_matrix(m, l, g, s));
  if (c.n < g->n) {
    TRY_DONE(cmg_graph_quotient(g, &c, m->value[CMG_CYCLE] == 1 ? m->value[CMG_SERIES] : 0, next));
    v->visits = cmg_visits(m, g, next);
    TRY_DONE(put_transfer(m, l, &c, g, next));
    hold_loose_clusters(next);
  } else {
    TRY_DONE(put_bottom(m, g, s));
  }
done:
  cmg_clusters_release(&c);
  FREE(s);
  return status;
}

static Status cmg_setup(Precond *m) {
  Cmg *p = m->own;
  CmgGraph g = {0}, next = {0};
  mg_release(&p->mg);
  Status status = read_graph(m, &g);
  for (int32_t l = 0; status == OK && g.n > 0; ++l) {
    status = put_level(m, l, &g, &next);
    cmg_graph_release(&g);
    g = next;
    next = (CmgGraph){0};
  }
  cmg_graph_release(&g);
  TRY(status);
  mg_find_steps(&p->mg);
  m->flexible = mg_is_flexible(&p->mg);
  m->version += 1;
  m->products = (int64_t)ceil(mg_products(&p->mg));
  m->bytes = mg_bytes(&p->mg);
  return OK;
}

static Status cmg_record(Precond *m) {
  Cmg *p = m->own;
  return mg_cycle(&p->mg, m->residual, m->low, m->result, m->krylov);
}

void cmg_size(const Precond *m, int32_t *n_level, double *complexity) {
  const Multigrid *mg = &((const Cmg *)m->own)->mg;
  double entries = 0;
  for (int32_t l = 0; l < mg->n_level; ++l)
    entries += l && l + 1 == mg->n_level ? (double)mg->level[l].n * (double)mg->level[l].n
                                         : (double)mat_entries(mg->level[l].a);
  *n_level = mg->n_level;
  *complexity = entries / (double)mat_entries(m->a);
}

const PrecondType cmg_precond = {.graph = true,
                                 .alone = "its clusters are cut out of the graph of all rows, one after another",
                                 .aggregates = true,
                                 .dominant = true,
                                 .param = params,
                                 .n_param = CMG_N_PARAM,
                                 .degree_max = SMOOTHER_DEGREE_MAX,
                                 .degree_default = DEGREE,
                                 .create = cmg_create,
                                 .destroy = cmg_destroy,
                                 .setup = cmg_setup,
                                 .record = cmg_record};
