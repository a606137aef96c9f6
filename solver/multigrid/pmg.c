/* p-multigrid: the space of quadratic elements holds that of linear elements on the same mesh, so a level is an order
 * of the elements (papers/multilevel-pcg-sliced-ellr-t; Ronquist and Patera 1987). Smoothing takes care of what only
 * the higher order can show; the rest is solved for in the lower one, whose interpolation is exact: its shape functions
 * at the nodes of the higher one (assembly/space/order_transfer.c), zero at supports.
 *
 * The matrix of the lower order is P^T A P, not assembled again: it needs the matrix only, so it holds for tangents,
 * springs, frames of skew supports and convection as they are, and on affine elements it is the assembled one. Its
 * numbers and graphs are row kernels on the Exec, the latter once.
 *
 * Each order is a preconditioner of its own, with one below it: cubic, quadratic, linear, and under that smoothed
 * aggregation (`amg`), whose dense inverse is all there is when the linear problem is small. Only its vectors are used,
 * so nothing is copied between them: the scaling of both sides is part of P. Without lower orders, `amg` does it
 * all. */
#include "solver/multigrid/pmg.h"
#include "core/comm.h"
#include "core/memory.h"
#include "solver/multigrid/multigrid_many.h"
#include "solver/multigrid/pmg_graphs.h"
#include "solver/multigrid/pmg_rows.h"
#include "solver/precond/eigenvalue_bound.h"

#include <math.h>
#include <string.h>

/* Smoothing is cheap below, where there are fewer unknowns, and what is wrong there costs iterations. */
enum { DEGREE = 2, MORE_BELOW = 1 };

static const Param params[PMG_N_PARAM] = {
    [PMG_SMOOTHER] = {"smoother", SMOOTHER_WORDS, 0, false, 0, SMOOTHER_COUNT - 1, false, false,
                      "'degree' steps of it before and after"},
    [PMG_CYCLE] = {"cycle", MG_CYCLE_WORDS, MG_V, false, MG_V, MG_K, false, false,
                   "of amg below the linear elements: how often a level is visited"},
    [PMG_BOTTOM] = {"bottom", "1", 800, false, 1, 5000, false, false,
                    "a level of at most this many unknowns is solved directly"},
    [PMG_BELOW] = {"below", "amg|cholmod", 0, false, 0, 1, false, false,
                   "what solves the linear elements: amg, or (CPU only) a sparse factorisation, as in the paper"}};

static void places_release(Exec *exec, AmgPlaces *places) {
  EXEC_RELEASE(exec, places->slot, places->n_slot);
  EXEC_RELEASE(exec, places->row_step, places->n_row_step);
}

static void pmg_destroy(Precond *m) {
  Pmg *p = m->own;
  if (!p) return;
  Exec *exec = m->exec;
  if (p->coarse) { /* else they are those of the one below */
    EXEC_RELEASE(exec, m->residual, mat_columns(m->a));
    exec_release(exec, m->n, precision_bytes(m->precision), &m->result);
  }
  mg_release(&p->mg);
  precond_destroy(&p->below);
  exec_release(exec, (int64_t)p->share.n_read * p->B, precision_bytes(m->precision), &p->result);
  EXEC_RELEASE(exec, p->live, mat_columns(m->a) / p->B);
  EXEC_RELEASE(exec, p->coarse_live, p->share.n_read);
  EXEC_RELEASE(exec, p->map, p->n_map);
  EXEC_RELEASE(exec, p->fold, eigenvalue_bound_fold_size(mat_whole(m->a)));
  places_release(exec, &p->places);
  places_release(exec, &p->coarse_places);
  exec_graph_release(exec, &p->a);
  exec_graph_release(exec, &p->ap);
  exec_graph_release(exec, &p->next);
  mat_destroy(&p->coarse);
  pmg_share_release(exec, &p->share);
  FREE(m->own);
}

static const char *name_below(const Precond *m) { return m->value[PMG_BELOW] > 0 ? "direct" : "amg"; }

/* The one below, with the parameters that it shares with this one. */
static Status create_below(Precond *m, const Mat *a, const PrecondParams *params_below) {
  Pmg *p = m->own;
  PrecondParams below = *params_below;
  double value[PRECOND_MAX_PARAMS];
  const bool orders = below.n_lower > 0;
  below.name = orders ? m->name : name_below(m);
  const PrecondType *type = precond_named(below.name);
  below.degree = orders || m->degree == SMOOTHER_DEGREE_MAX ? m->degree : m->degree + MORE_BELOW;
  if (!type->degree_max) below.degree = 0;
  below.storage = m->storage;
  below.bound_factor = m->bound_factor;
  below.value = value;
  for (int32_t k = 0; k < type->n_param; ++k) {
    value[k] = type->param[k].value;
    for (int32_t i = 0; i < PMG_N_PARAM; ++i)
      if (!strcmp(type->param[k].name, params[i].name)) value[k] = m->value[i];
  }
  return precond_create(a, &below, m->krylov, &p->below);
}

/* No lower orders: all of it is the one below, on the matrix itself. */
static Status stand_aside(Precond *m) {
  Pmg *p = m->own;
  status_warn("preconditioner '%s' finds no lower order of these elements, and is the same as '%s'", m->name,
              name_below(m));
  TRY(create_below(
      m, m->a,
      &(PrecondParams){
          .pattern = m->pattern, .near_null = m->near_null, .n_near_null = m->n_near_null, .inner = m->inner}));
  m->residual = p->below->residual;
  m->low = p->below->low;
  m->result = p->below->result;
  m->precision = p->below->precision;
  return OK;
}

static Status create_coarse(const Precond *m, Pmg *p, const Pattern *pattern) {
  MatParams format = {.format = mat_format_with(MAT_SLICED_BLOCKS)};
  const Status status = mat_create(m->exec, &format, pattern, &p->coarse);
  if (status != ERR_INPUT) return status;
  status_clear(); /* a row so long that slices cannot be padded to it */
  format.format = mat_format_with(MAT_ANY_ROWS);
  return mat_create(m->exec, &format, pattern, &p->coarse);
}

static Status take_structure(Precond *m, Pmg *p, PmgGraphs *g, const Pattern *next) {
  Exec *exec = m->exec;
  TRY(create_coarse(m, p, next));
  p->a = g->on_a;
  p->ap = g->on_ap;
  p->next = g->on_next;
  g->on_a = g->on_ap = g->on_next = (ExecGraph){0};
  TRY(amg_places_upload(exec, m->a, p->a.n_entry, &p->places));
  TRY(amg_places_upload(exec, p->coarse, p->next.n_entry, &p->coarse_places));
  p->n_map = g->n_map;
  p->map = g->map;
  g->map = NULL;
  EXEC_ALLOC(exec, p->live, mat_columns(m->a) / p->B, "nodes that take part");
  EXEC_ALLOC(exec, p->coarse_live, p->share.n_read, "nodes that take part");
  p->mg.level[0].n_read = mat_columns(m->a);
  TRY(mg_level_create(&p->mg, 0, m->n));
  TRY(precond_use_blocks(m));
  MgTransfer **t = &p->mg.level[0].transfer;
  TRY(mg_transfer_create(exec, m->precision, &g->on_p, &g->on_transposed, &g->source, p->B, t));
  (*t)->halo = m->pattern->share.halo;
  return OK;
}

static Status take_vectors(Precond *m, Pmg *p) {
  EXEC_ALLOC(m->exec, m->residual, mat_columns(m->a), "preconditioner workspace");
  m->low = m->precision == PRECISION_FLOAT ? p->mg.level[0].x[0] : m->residual;
  TRY(exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result));
  EXEC_ALLOC(m->exec, p->fold, eigenvalue_bound_fold_size(mat_whole(m->a)), "preconditioner workspace");
  if (!p->share.halo) return OK;
  return exec_alloc(m->exec, (int64_t)p->share.n_read * p->B, precision_bytes(m->precision), "preconditioner workspace",
                    &p->result);
}

/* A near-null vector at own nodes of lower order, and from other ranks; host, [n_read][B]. */
static Status sample_one(const Precond *m, const PmgShare *share, const double *from, double *to) {
  const NodeMap *down = &m->lower->down;
  const int32_t B = m->pattern->block;
  const int64_t n = (int64_t)share->n_read * B;
  double *on_exec = NULL;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < share->n_own; ++i)
    for (int64_t k = down->start[i]; k < down->start[i + 1]; ++k)
      for (int32_t r = 0; r < B; ++r)
        for (int32_t c = 0; c < B; ++c)
          to[(int64_t)i * B + r] +=
              pmg_weight(down->value, down->block, k, r, c) * from[(int64_t)down->column[k] * B + c];
  if (!share->halo) return OK;
  Status status = exec_alloc_upload(m->exec, n, sizeof *to, to, "near-null vectors", (void **)&on_exec);
  if (status == OK) status = pmg_share_bring(m->exec, share, on_exec, (size_t)B * sizeof *to);
  if (status == OK) status = exec_download(m->exec, to, on_exec, (size_t)n * sizeof *to);
  EXEC_RELEASE(m->exec, on_exec, n);
  return status;
}

/* The near-null vectors at the nodes of lower order, host; NULL where there are none. */
static Status pmg_sample(const Precond *m, const PmgShare *share, double **out) {
  const int64_t n = (int64_t)share->n_read * m->pattern->block, n_fine = mat_columns(m->a);
  if (!m->near_null) return OK;
  ALLOC(*out, n * m->n_near_null, "near-null vectors of lower order");
  for (int32_t v = 0; v < m->n_near_null; ++v) TRY(sample_one(m, share, m->near_null + v * n_fine, *out + v * n));
  return OK;
}

Status pmg_below(void *context) {
  const Precond *m = context;
  Pmg *p = m->own;
  const PmgShare *share = &p->share;
  const bool shared = share->halo != NULL;
  const SumParts *before = exec_sum_over(m->exec, p->coarse && m->exec->parts ? share->parts : m->exec->parts);
  Status status = p->below->type->record(p->below);
  exec_sum_over(m->exec, before);
  if (status == OK && shared)
    status = exec_copy(m->exec, p->result, p->below->result, (size_t)p->below->n * precision_bytes(m->precision));
  return status == OK && shared
             ? pmg_share_bring(m->exec, share, p->result, (size_t)p->B * precision_bytes(m->precision))
             : status;
}

static Status put_below(Precond *m, Pmg *p, const Pattern *pattern) {
  double *near_null = NULL;
  Status status;
  TRY_DONE(pmg_sample(m, &p->share, &near_null));
  const PrecondParams below = {.pattern = pattern,
                               .near_null = near_null,
                               .n_near_null = m->n_near_null,
                               .lower = m->lower + 1,
                               .n_lower = m->n_lower - 1,
                               .inner = true};
  TRY_DONE(create_below(m, p->coarse, &below));
  mg_level_below(&p->mg, 1, mat_rows(p->coarse), p->below->residual, p->below->low,
                 p->result ? p->result : p->below->result);
  p->mg.below = pmg_below;
  p->mg.below_context = m;
done:
  FREE(near_null);
  return status;
}

/* Entries of a matrix on all ranks. */
static Status count_entries(const Precond *m, const Mat *a, double *out) {
  *out = (double)mat_entries(a);
  return m->pattern->share.n_whole ? comm_total(m->exec->comm, out) : OK;
}

static Status put_orders(Precond *m, Pmg *p) {
  const NodeMap *up = &m->lower->up;
  PmgGraphs g = {0};
  Status status;
  CHECK(up->n_row == pattern_columns(m->pattern) && (up->block == 1 || up->block == p->B), ERR_BUG,
        "the interpolation from lower order is for %d nodes with %d unknowns, the matrix has %d with %d", up->n_row,
        up->block, pattern_columns(m->pattern), p->B);
  p->map_block = up->block;
  TRY(pmg_share_create(m, m->lower->number, up->n_row, &p->share));
  TRY_DONE(pmg_graphs_find(m, up, &p->share, &g));
  const Pattern next = {
      .n = g.next.n_row, .block = p->B, .share = p->share.rows, .start = g.next.start, .column = g.next.column};
  TRY_DONE(take_structure(m, p, &g, &next));
  TRY_DONE(count_entries(m, m->a, &p->entries[0]));
  TRY_DONE(count_entries(m, p->coarse, &p->entries[1]));
  p->mg.level[0].entries = p->entries[0];
  TRY_DONE(take_vectors(m, p));
  status = put_below(m, p, &next);
done:
  pmg_graphs_release(m->exec, &g);
  return status;
}

static Status pmg_create(Precond *m) {
  for (int k = 0; k < PMG_N_PARAM; ++k)
    CHECK(m->value[k] == floor(m->value[k]), ERR_INPUT, "%s is %g, must be a whole number", params[k].name,
          m->value[k]);
  CHECK(m->pattern, ERR_BUG, "preconditioner '%s' uses the graph of the matrix, which was not provided", m->name);
  CHECK((int64_t)m->pattern->n * m->pattern->block == m->n && m->pattern->block == mat_block(m->a), ERR_BUG,
        "the pattern given to the preconditioner is not that of the matrix");
  Pmg *p = NULL;
  ALLOC(p, 1, "a p-multigrid preconditioner");
  m->own = p;
  /* 8 bits of quadratic elements: 28 iterations in place of 25 on unstructured tet10, on a million unknowns they are
   * given up */
  if (m->storage == PRECISION_INT8) m->storage = PRECISION_HALF;
  p->B = m->pattern->block;
  p->mg = (Multigrid){.exec = m->exec,
                      .precision = m->precision,
                      .storage = m->storage,
                      .degree = m->degree,
                      .inner = m->inner,
                      .smoother = smoother_type((int32_t)m->value[PMG_SMOOTHER])};
  return m->n_lower > 0 ? put_orders(m, p) : stand_aside(m);
}

static void pmg_describe(Precond *m) {
  const Pmg *p = m->own;
  const double share = p->coarse ? p->entries[1] / p->entries[0] : 1;
  m->bound = p->coarse ? p->mg.level[0].bound : p->below->bound;
  m->flexible = p->below->flexible;
  m->max_eigenvalue = p->below->max_eigenvalue; /* a symmetric cycle never overshoots while the bounds hold */
  m->products = (int64_t)ceil((p->coarse ? mg_products(&p->mg) : 0) + share * (double)p->below->products);
  if (!p->coarse) m->storage = p->below->storage;
  m->bytes = (p->coarse ? mg_bytes(&p->mg) : 0) + p->below->bytes + precond_block_bytes(m);
}

static Status pmg_setup(Precond *m) {
  Pmg *p = m->own;
  TRY(pmg_numeric(m));
  if (p->coarse) {
    mg_find_steps(&p->mg);
    TRY(mg_store_levels(&p->mg, m));
  }
  m->version += 1;
  pmg_describe(m);
  return OK;
}

static Status pmg_record(Precond *m) {
  Pmg *p = m->own;
  if (!p->coarse) return pmg_below(m);
  TRY(precond_record_forward(m));
  TRY(mg_cycle(&p->mg, m->residual, m->low, m->result, m->krylov));
  return precond_record_back(m);
}

static Status pmg_raise(Precond *m, double factor) {
  Pmg *p = m->own;
  TRY(p->below->type->raise(p->below, factor));
  if (p->coarse && mg_is_low(&p->mg)) {
    TRY(mg_give_up(&p->mg, m, "conjugate gradients break down with it"));
  } else if (p->coarse) {
    p->mg.level[0].bound *= factor;
    mg_find_steps(&p->mg);
  }
  m->bound *= factor;
  m->version += 1;
  return OK;
}

/* Without lower orders it is the one below, which is left to itself. */
static void *pmg_levels(const Precond *m, Precond **below) {
  Pmg *p = m->own;
  *below = p->below;
  return p->coarse ? &p->mg : NULL;
}
static const PrecondManyType pmg_many = MG_MANY_TYPE(pmg_levels);

const PrecondType pmg_precond = {.graph = true,
                                 .ranks = true,
                                 .needs = PRECOND_NEAR_NULL | PRECOND_ORDERS,
                                 .param = params,
                                 .n_param = PMG_N_PARAM,
                                 .degree_max = SMOOTHER_DEGREE_MAX,
                                 .degree_default = DEGREE,
                                 .create = pmg_create,
                                 .destroy = pmg_destroy,
                                 .setup = pmg_setup,
                                 .record = pmg_record,
                                 .raise = pmg_raise,
                                 .many = &pmg_many};
