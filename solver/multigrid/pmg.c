/* p-multigrid: the space of quadratic elements holds that of linear elements on the same mesh, so a level is an order
 * of the elements (papers/multilevel-pcg-sliced-ellr-t; Ronquist and Patera 1987). Smoothing takes care of what only
 * the higher order can show; the rest is solved for in the lower one, whose interpolation is exact: its shape functions
 * at the nodes of the higher one (assembly/space/order_transfer.c), zero at supports.
 *
 * The matrix of the lower order is P^T A P, not assembled again: it needs the matrix only, so it holds for tangents,
 * springs, frames of skew supports and convection as they are, and on affine elements it is the assembled one. Its
 * numbers are row kernels on the Exec; graphs are found on the host, once.
 *
 * Each order is a preconditioner of its own, with one below it: cubic, quadratic, linear, and under that smoothed
 * aggregation (`amg`), whose dense inverse is all there is when the linear problem is small. Only its vectors are used,
 * so nothing is copied between them: the scaling of both sides is part of P. Without lower orders, `amg` does it
 * all. */
#include "solver/multigrid/pmg.h"
#include "core/memory.h"
#include "solver/multigrid/pmg_direct.h"
#include "solver/multigrid/pmg_rows.h"
#include "solver/precond/spectrum.h"

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
                    "a level of at most so many unknowns is solved directly"},
    [PMG_BELOW] = {"below", "amg|" PMG_DIRECT_NAME, 0, false, 0, 1, false, false,
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
    EXEC_RELEASE(exec, m->residual, m->n);
    exec_release(exec, m->n, m->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double), &m->result);
  }
  mg_release(&p->mg);
  precond_destroy(&p->below);
  EXEC_RELEASE(exec, p->live, p->a.n_row);
  EXEC_RELEASE(exec, p->coarse_live, p->next.n_row);
  EXEC_RELEASE(exec, p->map, p->n_map);
  EXEC_RELEASE(exec, p->fold, spectrum_fold_size(m->n));
  places_release(exec, &p->places);
  places_release(exec, &p->coarse_places);
  exec_graph_release(exec, &p->a);
  exec_graph_release(exec, &p->ap);
  exec_graph_release(exec, &p->next);
  mat_destroy(&p->coarse);
  FREE(m->own);
}

/* The one below, with the parameters that it shares with this one. */
static Status create_below(Precond *m, const Mat *a, const PrecondParams *params_below) {
  Pmg *p = m->own;
  PrecondParams below = *params_below;
  double value[PRECOND_MAX_PARAMS];
  const bool orders = below.n_lower > 0, direct = !orders && m->value[PMG_BELOW] > 0;
  below.type = direct ? &pmg_direct_precond : NULL;
  below.name = orders ? m->name : direct ? PMG_DIRECT_NAME : "amg";
  below.degree = orders ? m->degree : m->degree < SMOOTHER_DEGREE_MAX ? m->degree + MORE_BELOW : m->degree;
  below.storage = m->storage;
  below.bound_factor = m->bound_factor;
  below.value = value;
  const PrecondType *type = direct ? below.type : precond_named(below.name);
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
  status_warn("preconditioner '%s' knows of no lower order of the elements: what is left is '%s'", m->name,
              m->value[PMG_BELOW] > 0 ? PMG_DIRECT_NAME : "amg");
  TRY(create_below(
      m, m->a,
      &(PrecondParams){
          .pattern = m->pattern, .near_null = m->near_null, .n_near_null = m->n_near_null, .inner = m->inner}));
  m->residual = p->below->residual;
  m->low = p->below->low;
  m->result = p->below->result;
  return OK;
}

/* Graphs of the products, on the host; those of A and P are views. */
typedef struct Graphs {
  BlockGraph a, p, ap, transposed, next;
  int64_t *source;
} Graphs;

static void graphs_release(Graphs *g) {
  block_graph_release(&g->ap);
  block_graph_release(&g->transposed);
  block_graph_release(&g->next);
  FREE(g->source);
}

static Status find_graphs(const Precond *m, const NodeMap *up, Graphs *g) {
  g->a = (BlockGraph){m->pattern->n, m->pattern->n, m->pattern->start, m->pattern->column};
  g->p = (BlockGraph){up->n_row, up->n_column, up->start, up->column};
  TRY(block_graph_times(&g->a, &g->p, NULL, &g->ap));
  TRY(block_graph_transpose(&g->p, &g->transposed, &g->source));
  return block_graph_times(&g->transposed, &g->ap, NULL, &g->next);
}

static Status create_coarse(const Precond *m, Pmg *p, const Pattern *pattern) {
  MatParams format = {.format = mat_format_with(MAT_SLICED_BLOCKS)};
  const Status status = mat_create(m->exec, &format, pattern, &p->coarse);
  if (status != ERR_INPUT) return status;
  status_clear(); /* a row so long that slices cannot be padded to it */
  format.format = mat_format_with(MAT_ANY_ROWS);
  return mat_create(m->exec, &format, pattern, &p->coarse);
}

static Status take_structure(Precond *m, Pmg *p, const NodeMap *up, const Graphs *g, const Pattern *next) {
  Exec *exec = m->exec;
  TRY(create_coarse(m, p, next));
  TRY(exec_graph_upload(exec, &g->a, "rows of the matrix", &p->a));
  TRY(exec_graph_upload(exec, &g->ap, "rows of a product", &p->ap));
  TRY(exec_graph_upload(exec, &g->next, "rows of lower order", &p->next));
  TRY(amg_places_upload(exec, m->a, p->a.n_entry, &p->places));
  TRY(amg_places_upload(exec, p->coarse, p->next.n_entry, &p->coarse_places));
  p->map_block = up->block;
  p->n_map = up->start[up->n_row] * up->block * up->block;
  TRY(exec_alloc_upload(exec, p->n_map, sizeof *p->map, up->value, "interpolation between orders", (void **)&p->map));
  EXEC_ALLOC(exec, p->live, p->a.n_row, "nodes that take part");
  EXEC_ALLOC(exec, p->coarse_live, p->next.n_row, "nodes that take part");
  TRY(mg_level_create(&p->mg, 0, m->n));
  TRY(precond_use_blocks(m));
  return mg_transfer_create(exec, m->precision, &g->p, p->B, p->B, &p->mg.level[0].transfer);
}

static Status take_vectors(Precond *m, Pmg *p) {
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  m->low = m->precision == PRECISION_FLOAT ? p->mg.level[0].x[0] : m->residual;
  TRY(exec_alloc(m->exec, m->n, m->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double),
                 "preconditioner workspace", &m->result));
  EXEC_ALLOC(m->exec, p->fold, spectrum_fold_size(m->n), "preconditioner workspace");
  return OK;
}

/* The near-null vectors at the nodes of lower order, host; NULL where there are none. */
static Status pmg_sample(const Precond *m, const NodeMap *down, int32_t B, double **out) {
  const int64_t n = (int64_t)down->n_row * B;
  if (!m->near_null) return OK;
  ALLOC(*out, n * m->n_near_null, "near-null vectors of lower order");
  for (int32_t v = 0; v < m->n_near_null; ++v)
    for (int32_t i = 0; i < down->n_row; ++i)
      for (int64_t k = down->start[i]; k < down->start[i + 1]; ++k)
        for (int32_t r = 0; r < B; ++r)
          for (int32_t c = 0; c < B; ++c)
            (*out)[v * n + (int64_t)i * B + r] += pmg_weight(down->value, down->block, k, r, c) *
                                                  m->near_null[v * m->n + (int64_t)down->column[k] * B + c];
  return OK;
}

static Status record_below(void *context) {
  Precond *below = context;
  return below->type->record(below);
}

static Status put_below(Precond *m, Pmg *p, const Pattern *pattern) {
  double *near_null = NULL;
  TRY(pmg_sample(m, &m->lower->down, p->B, &near_null));
  const PrecondParams below = {.pattern = pattern,
                               .near_null = near_null,
                               .n_near_null = m->n_near_null,
                               .lower = m->lower + 1,
                               .n_lower = m->n_lower - 1,
                               .inner = true};
  const Status status = create_below(m, p->coarse, &below);
  FREE(near_null);
  if (status != OK) return status;
  mg_level_below(&p->mg, 1, mat_rows(p->coarse), p->below->residual, p->below->low, p->below->result);
  p->mg.below = record_below;
  p->mg.below_context = p->below;
  return OK;
}

static Status put_orders(Precond *m, Pmg *p) {
  const NodeMap *up = &m->lower->up;
  Graphs g = {0};
  Status status;
  CHECK(up->n_row == m->pattern->n && (up->block == 1 || up->block == p->B), ERR_BUG,
        "the interpolation from lower order is for %d nodes with %d unknowns, the matrix has %d with %d", up->n_row,
        up->block, m->pattern->n, p->B);
  TRY_DONE(find_graphs(m, up, &g));
  const Pattern next = {.n = g.next.n_row, .block = p->B, .start = g.next.start, .column = g.next.column};
  TRY_DONE(take_structure(m, p, up, &g, &next));
  TRY_DONE(take_vectors(m, p));
  status = put_below(m, p, &next);
done:
  graphs_release(&g);
  return status;
}

static Status pmg_create(Precond *m) {
  for (int k = 0; k < PMG_N_PARAM; ++k)
    CHECK(m->value[k] == floor(m->value[k]), ERR_INPUT, "%s is %g, must be a whole number", params[k].name,
          m->value[k]);
  CHECK(m->pattern, ERR_BUG, "preconditioner '%s' uses the graph of the matrix, which was not provided", m->name);
  CHECK((int64_t)m->pattern->n * m->pattern->block == m->n && m->pattern->block == mat_block(m->a), ERR_BUG,
        "the pattern given to the preconditioner is not that of the matrix");
  TRY(pattern_fetch(m->pattern));
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
  const double share = p->coarse ? (double)mat_entries(p->coarse) / (double)mat_entries(m->a) : 1;
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
  if (!p->coarse) return record_below(p->below);
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

const PrecondType pmg_precond = {.graph = true,
                                 .needs = PRECOND_NEAR_NULL | PRECOND_ORDERS,
                                 .param = params,
                                 .n_param = PMG_N_PARAM,
                                 .degree_max = SMOOTHER_DEGREE_MAX,
                                 .degree_default = DEGREE,
                                 .create = pmg_create,
                                 .destroy = pmg_destroy,
                                 .setup = pmg_setup,
                                 .record = pmg_record,
                                 .raise = pmg_raise};
