/* Smoothed aggregation with the near-null space of the problem (Vanek, Mandel and Brezina 1996; Vanek, Brezina and
 * Mandel 2001): the rigid motions of elasticity, the constant of scalar problems, or vectors that the user gives.
 *
 * The matrix of a level has unit diagonal blocks, A'' = G S A S G^T on level 0 (precond.h). From it:
 *   aggregates   of nodes that are tied strongly (aggregation.c), |A_ij| > strength / 2^level in the Frobenius norm
 *   relative to
 *                |A_ii|: higher levels are closer knit
 *   T            the near-null vectors N cut up by aggregates and made orthonormal, N = T R; R is N of the next level
 *   P            (1 - omega A'') T with omega = 4 / (3 lambda), lambda a bound of the spectrum from Lanczos steps
 *   A_next       P^T A'' P, then G A_next G^T and P G^T with the Cholesky factors of its diagonal blocks, so that they
 *   are 1
 * until the level is small enough for a dense inverse. A node of a coarse level has as many scalars as there are
 * vectors: 3 in 2D, 6 in 3D, stored as blocks of 3 x 3. Smoothing is by polynomials (smoother.h).
 *
 * The structure is found once, the numbers are new in each setup, both by row kernels on the Exec; only the formats
 * of coarse matrices and the inverse at the bottom are made on the host. Unknowns that
 * nothing is coupled to (supports) are in no aggregate. Rejected: the strength as a filter of the matrix that smooths
 * P: it costs lumping that keeps N, and gains nothing here. docs/theory/multilevel.md has the derivations and
 * figures. */
#include "solver/multigrid/amg.h"
#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/low_bit_rows.h"
#include "algebra/mat_format.h"
#include "algebra/rows.h"
#include "solver/multigrid/multigrid_many.h"
#include "solver/multigrid/rows.h"
#include "solver/precond/eigenvalue_bound.h"

#include <math.h>

enum { DEGREE = 2, MORE_AT_BOTTOM = 3 };
/* Measures against memory, of which small systems have enough. */
enum { PART_BYTES = 1 << 30, MOST_MIRRORED = 1 << 27 };

static const Param params[AMG_N_PARAM] = {
    [AMG_STRENGTH] =
        {"strength", "1", 0.06, false, 0, 1, false, true,
         "nodes whose coupling is weaker than this fraction of the diagonal are not aggregated; halved on each level"},
    [AMG_DEGREE_OF_CYCLE] = {"cycle", MG_CYCLE_WORDS, MG_V, false, MG_V, MG_K, false, false,
                             "how often a level is visited: once, twice, or in two steps of conjugate gradients"},
    [AMG_SMOOTHER] = {"smoother", SMOOTHER_WORDS, 0, false, 0, SMOOTHER_COUNT - 1, false, false,
                      "'degree' steps of it before and after"},
    [AMG_BOTTOM] = {"bottom", "1", 300, false, 1, 5000, false, false,
                    "a level of at most this many unknowns is solved directly"}};

static void amg_destroy(Precond *m) {
  Amg *p = m->own;
  if (!p) return;
  EXEC_RELEASE(m->exec, m->residual, mat_columns(m->a));
  exec_release(m->exec, m->n, precision_bytes(m->precision), &m->result);
  exec_release(m->exec, mat_columns(m->a) * p->m, precision_bytes(m->precision), &p->near_null);
  EXEC_RELEASE(m->exec, p->fold, eigenvalue_bound_fold_size(mat_whole(m->a)));
  EXEC_RELEASE(m->exec, p->dropped, MG_LEVELS);
  for (int32_t l = 0; l < MG_LEVELS; ++l) amg_level_release(m->exec, &p->level[l], p->m);
  mg_release(&p->mg);
  FREE(m->own);
}

/* Host [m][n], in float if requested. */
static void fill_near_null(const double *given, int64_t n, bool small, void *to) {
#pragma omp parallel for schedule(static)
  for (int64_t k = 0; k < n; ++k) {
    if (small) ((float *)to)[k] = (float)given[k];
    else ((double *)to)[k] = given[k];
  }
}

/* What was given, where amg_modes does not find motions by itself. */
static Status upload_near_null(Precond *m, Amg *p) {
  const int64_t n = mat_columns(m->a) * p->m;
  void *host = NULL;
  TRY(mem_alloc(n, precision_bytes(m->precision), "near-null vectors", &host));
  fill_near_null(m->near_null, n, m->precision == PRECISION_FLOAT, host);
  const Status status =
      exec_alloc_upload(m->exec, n, precision_bytes(m->precision), host, "near-null vectors", &p->near_null);
  FREE(host);
  return status;
}

static Status take_near_null(Precond *m, Amg *p) {
  const int32_t block = mat_block(m->a);
  if (m->near_null) m->places.x = NULL;
  p->m = m->near_null ? m->n_near_null : m->places.x ? (block == 3 ? 6 : block == 2 ? 3 : 1) : block;
  CHECK(p->m >= 1 && p->m <= AMG_MODES, ERR_INPUT, "preconditioner 'amg' takes 1 to %d near-null vectors, not %d",
        AMG_MODES, p->m);
  if (!m->near_null && !m->places.x && block > 1)
    status_warn("preconditioner 'amg' has translations but no rotations as near-null vectors, and needs more "
                "iterations\n  give the "
                "coordinates of the nodes (sinew solve: --coordinates FILE.mtx)");
  return m->near_null ? upload_near_null(m, p) : OK;
}

static int32_t shift_of(int32_t slice) {
  int32_t shift = 0;
  while ((1 << shift) < slice) ++shift;
  return shift;
}

bool amg_sees(const Mat *mat) {
  const int32_t slice = mat->view.slice;
  return mat_has(mat, MAT_SLICED_BLOCKS) && slice > 0 && (1 << shift_of(slice)) == slice;
}

/* Rows beyond which a level cannot be the last one. */
static double most_at_bottom(const Precond *m) { return fmax(MORE_AT_BOTTOM * m->value[AMG_BOTTOM], 2000); }

/* The graph where the matrix has it, or a copy. */
static Status take_graph(Precond *m, AmgLevel *v) {
  const Mat *a = m->a;
  if (!amg_sees(a) || (double)mat_whole(a) <= most_at_bottom(m)) {
    TRY(pattern_fetch(m->pattern));
    const BlockGraph graph = {v->n, v->n_node, m->pattern->start, m->pattern->column}; /* a view */
    TRY(exec_graph_upload(m->exec, &graph, "rows of the matrix", &v->a));
    return amg_places_upload(m->exec, a, v->a.n_entry, &v->places);
  }
  v->a = (ExecGraph){.n_row = v->n,
                     .n_entry = a->slots.n_value / ((int64_t)v->s * v->s),
                     .start = (int64_t *)a->view.start,
                     .column = (int32_t *)a->view.column,
                     .shift = shift_of(a->view.slice),
                     .borrowed = true}; /* read only */
  if (!a->view.row) return OK;
  EXEC_ALLOC(m->exec, v->a.lane, v->n, "places of the rows");
  return exec_rows(m->exec, &low_bit_lanes_kernel, &(LowBitArgs){.from = a->view, .lane_of = v->a.lane}, a->view.n);
}

AmgBlocks amg_blocks(const Precond *m, int32_t l, bool exact) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  if (!v->a.borrowed) return (AmgBlocks){exec_graph_places(&v->a), v->a.column, v->value, 0};
  const Mat *mat = exact ? m->a : p->mg.level[l].a;
  return (AmgBlocks){exec_graph_places(&v->a), v->a.column, mat_values(mat), mat_precision(mat) == PRECISION_FLOAT};
}

static Status take_level_0(Precond *m, Amg *p) {
  AmgLevel *v = &p->level[0];
  v->n = m->pattern->n;
  v->s = m->pattern->block;
  v->n_node = pattern_columns(m->pattern);
  v->n_whole = mat_whole(m->a) / v->s;
  p->n_level = 1;
  TRY(take_graph(m, v));
  p->mg.level[0].entries = (double)mat_entries(m->a);
  if (m->a->share.n_whole) TRY(comm_total(m->exec->comm, &p->mg.level[0].entries));
  TRY(precond_use_blocks(m));
  p->mg.level[0].visits = (int32_t)m->value[AMG_DEGREE_OF_CYCLE];
  p->mg.level[0].n_read = mat_columns(m->a);
  return mg_level_create(&p->mg, 0, m->n);
}

static Status take_vectors(Precond *m, Amg *p) {
  EXEC_ALLOC(m->exec, m->residual, mat_columns(m->a), "preconditioner workspace");
  m->low = m->precision == PRECISION_FLOAT ? p->mg.level[0].x[0] : m->residual;
  TRY(exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result));
  EXEC_ALLOC(m->exec, p->fold, eigenvalue_bound_fold_size(mat_whole(m->a)), "preconditioner workspace");
  EXEC_ALLOC(m->exec, p->dropped, MG_LEVELS, "preconditioner workspace");
  return OK;
}

static Status amg_create(Precond *m) {
  for (int k = AMG_DEGREE_OF_CYCLE; k <= AMG_BOTTOM; ++k)
    CHECK(m->value[k] == floor(m->value[k]), ERR_INPUT, "%s is %g, must be a whole number", params[k].name,
          m->value[k]);
  CHECK(m->pattern, ERR_BUG, "preconditioner 'amg' coarsens the graph of the matrix, which was not provided");
  CHECK((int64_t)m->pattern->n * m->pattern->block == m->n && m->pattern->block == mat_block(m->a), ERR_BUG,
        "the pattern given to the preconditioner is not that of the matrix");
  Amg *p = NULL;
  ALLOC(p, 1, "an amg preconditioner");
  m->own = p;
  p->part_bytes = PART_BYTES / exec_whole(m->exec, 1);
  p->most_mirrored = (int64_t)(MOST_MIRRORED / exec_whole(m->exec, 1));
  mg_choose_storage(&m->storage, m->a);
  p->mg = (Multigrid){.exec = m->exec,
                      .precision = m->precision,
                      .storage = m->storage,
                      .degree = m->degree,
                      .inner = m->inner,
                      .krylov = m->value[AMG_DEGREE_OF_CYCLE] == MG_K,
                      .smoother = smoother_type((int32_t)m->value[AMG_SMOOTHER])};
  TRY(take_near_null(m, p));
  TRY(take_level_0(m, p));
  return take_vectors(m, p);
}

const Halo *amg_halo(const Precond *m, int32_t l) { return l == 0 ? m->a->share.halo : NULL; }

/* Whether level l is the last one. Finds the structure of the next one where it is not known. What ranks may share is not
 * solved directly. */
static Status is_last(Precond *m, int32_t l, bool *last) {
  Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  const bool shared = l == 0 && p->parts && p->parts->n_part > 1;
  const double rows = (double)v->n_whole * v->s, most = m->value[AMG_BOTTOM];
  *last = p->built ? l + 1 == p->n_level : rows <= most && !shared;
  if (p->built || *last) return OK;
  bool coarser = false;
  if (l + 1 < MG_LEVELS) TRY(amg_coarsen(m, l, &coarser));
  CHECK(coarser || (rows <= most_at_bottom(m) && !shared), ERR_NUMERIC,
        "level %d of the hierarchy has %lld nodes that cannot be coarsened: hardly any of them are coupled "
        "by more "
        "than strength = %g of their diagonal\n  remedy: a smaller strength, or preconditioner 'least-squares'",
        l, (long long)v->n_whole, m->value[AMG_STRENGTH]);
  *last = !coarser;
  return OK;
}

double amg_complexity(const Precond *m) {
  const Amg *p = m->own;
  double entries = 0, first = 1;
  for (int32_t l = 0; l < p->n_level; ++l) {
    const AmgLevel *v = &p->level[l];
    entries += l == 0 ? p->mg.level[0].entries : (double)v->a.n_entry * v->s * v->s;
    if (l == 0) first = entries;
  }
  return entries / first;
}

static void amg_describe(Precond *m) {
  Amg *p = m->own;
  m->bound = p->mg.level[0].bound;
  m->flexible = mg_is_flexible(&p->mg);
  m->max_eigenvalue =
      p->n_dropped || m->flexible ? 0 : 1; /* a symmetric cycle never overshoots while the bounds hold */
  m->products = (int64_t)ceil(mg_products(&p->mg));
  m->bytes = mg_bytes(&p->mg) + precond_block_bytes(m);
}

/* All levels, without the copies of their matrices in low precision. */
static Status make_levels(Precond *m) {
  Amg *p = m->own;
  p->n_dropped = 0;
  TRY(amg_numeric_begin(m));
  for (int32_t l = 0;; ++l) {
    bool last;
    TRY(is_last(m, l, &last));
    if (last) break;
    TRY(amg_numeric_next(m, l));
  }
  TRY(amg_numeric_end(m));
  return mg_is_low(&p->mg) ? OK : amg_copy(m);
}

/* Sums on the way are over what this rank has, but for those that are said to go over p->parts: none where this is part
 * of another preconditioner that gives all ranks the same matrix. */
static Status amg_setup(Precond *m) {
  Amg *p = m->own;
  const SumParts *over = exec_sum_over(m->exec, NULL);
  const bool shared = m->a->share.halo || !m->exec->comm;
  p->parts = over && over->n_row == p->level[0].n && shared ? over : NULL;
  p->mg.level[0].whole = !p->parts;
  const Status status = make_levels(m);
  exec_sum_over(m->exec, over);
  TRY(status);
  if (p->n_dropped && !p->built) /* once, of the first matrix: Newton meets some that it does not keep */
    status_warn(
        "preconditioner 'amg' left out %d combinations of unknowns that have no stiffness: the matrix is singular or "
        "nearly so (a part that can move freely?), or not positive definite",
        p->n_dropped);
  p->built = true;
  mg_find_steps(&p->mg);
  TRY(mg_store_levels(&p->mg, m));
  m->version += 1;
  amg_describe(m);
  return OK;
}

static Status amg_record(Precond *m) {
  Amg *p = m->own;
  TRY(precond_record_forward(m));
  TRY(mg_cycle(&p->mg, m->residual, m->low, m->result, m->krylov));
  return precond_record_back(m);
}

static Status amg_raise(Precond *m, double factor) {
  Amg *p = m->own;
  if (mg_is_low(&p->mg)) return mg_give_up(&p->mg, m, "conjugate gradients break down with it");
  for (int32_t l = 0; l < p->mg.n_level; ++l) p->mg.level[l].bound *= factor;
  mg_find_steps(&p->mg);
  m->bound *= factor;
  m->version += 1;
  return OK;
}

static void *amg_levels(const Precond *m, Precond **below) {
  *below = NULL;
  return &((Amg *)m->own)->mg;
}
static const PrecondManyType amg_many = MG_MANY_TYPE(amg_levels);

const PrecondType amg_precond = {.graph = true,
                                 .ranks = true,
                                 .needs = PRECOND_NEAR_NULL,
                                 .aggregates = true,
                                 .param = params,
                                 .n_param = AMG_N_PARAM,
                                 .degree_max = SMOOTHER_DEGREE_MAX,
                                 .degree_default = DEGREE,
                                 .create = amg_create,
                                 .destroy = amg_destroy,
                                 .setup = amg_setup,
                                 .record = amg_record,
                                 .raise = amg_raise,
                                 .many = &amg_many};
