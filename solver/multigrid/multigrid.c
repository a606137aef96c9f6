/* Levels of a hierarchy: vectors, the inverse at the bottom, and the bits that their matrices are stored in.
 *
 * Low precision: an error E of A' in a product with smooth vectors x is rough, and smoothing leaves (b - E x) / bound of it,
 * so that of the energy x.A x about |E x|^2 / bound comes on top: harmless while |E x|^2 is far below the eigenvalue of
 * x. Preconditioning stays symmetric and positive whatever E is. Where it is not harmless M A has eigenvalues beyond 1,
 * which conjugate gradients notice at once (Krylov.max_eigenvalue), and float takes over. docs/theory/multilevel.md has the
 * figures. */
#include "solver/multigrid/multigrid.h"
#include "core/memory.h"
#include "algebra/formats/tiled.h"
#include "algebra/mat_format.h"
#include "solver/multigrid/multigrid_dense.h"
#include "solver/multigrid/multigrid_private.h"
#include "solver/precond/precond.h"
#include "solver/precond/eigenvalue_bound.h"
#include "solver/multigrid/rows.h"

#include <math.h>
#include <string.h>

enum { LANCZOS_STEPS = 15 };
/* 15 Lanczos steps find 98 % of the largest eigenvalue and more. */
static const double BOUND_FACTOR = 1.05;

static Status alloc_vector(const Multigrid *mg, int64_t n, const char *what, void **out) {
  return exec_alloc(mg->exec, n, precision_bytes(mg->precision), what, out);
}

static void release_vector(const Multigrid *mg, int64_t n, void **v) {
  exec_release(mg->exec, n, precision_bytes(mg->precision), v);
}

void mg_release(Multigrid *mg) {
  Exec *exec = mg->exec;
  for (int32_t l = 0; l < mg->n_level; ++l) {
    MgLevel *v = &mg->level[l];
    mat_destroy(&v->low);
    mat_destroy(&v->a);
    mg_transfer_destroy(&v->transfer);
    if (mg->below && l > 0 && l + 1 == mg->n_level) { /* borrowed */
      v->b = v->x[0] = v->x[1] = NULL;
      continue;
    }
    if (l > 0) EXEC_RELEASE(exec, v->b, v->n);
    for (int i = 0; i < 2; ++i) release_vector(mg, v->n_read, &v->x[i]);
    release_vector(mg, v->n_read, &v->r);
    v->n_read = 0;
    release_vector(mg, v->n, &v->keep);
    release_vector(mg, v->n, &v->image);
  }
  const int64_t n = mg->n_level && !mg->below ? mg->level[mg->n_level - 1].n : 0;
  exec_release(exec, n * n, precision_bytes(mg->precision), &mg->inverse);
  EXEC_RELEASE(exec, mg->dense_partial, n * MG_DENSE_PARTS);
  EXEC_RELEASE(exec, mg->scalars, MG_LEVELS);
  mg->n_level = 0;
}

static Status alloc_krylov(Multigrid *mg, MgLevel *v) {
  if (!mg->scalars) EXEC_ALLOC(mg->exec, mg->scalars, MG_LEVELS, "scalars of a K-cycle");
  TRY(alloc_vector(mg, v->n, "direction of a level", &v->keep));
  return alloc_vector(mg, v->n, "direction of a level", &v->image);
}

Status mg_level_create(Multigrid *mg, int32_t l, int64_t n) {
  MgLevel *v = &mg->level[l];
  v->n = n;
  if (v->n_read < n) v->n_read = n;
  if (v->visits < 1) v->visits = 1;
  mg->n_level = l + 1;
  if (l > 0) EXEC_ALLOC(mg->exec, v->b, n, "right-hand side of a level");
  for (int i = 0; i < 2; ++i) TRY(alloc_vector(mg, v->n_read, "solution of a level", &v->x[i]));
  TRY(alloc_vector(mg, v->n_read, "residual of a level", &v->r));
  return mg->krylov && l > 0 ? alloc_krylov(mg, v) : OK;
}

void mg_choose_storage(Precision *storage, const Mat *a) {
  if (*storage == PRECISION_INT8 && mat_block(a) < 3) *storage = PRECISION_HALF; /* as fast, and more exact */
}

void mg_level_below(Multigrid *mg, int32_t l, int64_t n, double *b, void *low, void *x) {
  mg->level[l] = (MgLevel){.n = n, .bound = 1, .visits = 1, .b = b, .x = {x, low}};
  mg->n_level = l + 1;
}

Status mg_find_bound(const Precond *m, MgLevel *v, double *fold) {
  const EigenvalueBoundWork work = {{v->x[0], v->x[1], v->r}, fold, m->krylov};
  EigenvalueBound estimate;
  TRY(eigenvalue_bound_estimate(v->a, LANCZOS_STEPS, &work, &estimate));
  v->bound = fmin((m->bound_factor > 0 ? m->bound_factor : BOUND_FACTOR) * estimate.lanczos, estimate.row_sum);
  /* the diagonal is 1; a bound that is none (NaN in the matrix) is found by PCG */
  if (!(v->bound > 0) || !isfinite(v->bound)) v->bound = 1;
  return OK;
}

void mg_find_steps(Multigrid *mg) {
  for (int32_t l = 0; l < mg->n_level; ++l) mg->smoother->find(mg->degree, mg->level[l].bound, &mg->level[l].steps);
}

Status mg_bottom(Multigrid *mg, double *a, int32_t *n_bad) {
  const int64_t n = mg->level[mg->n_level - 1].n;
  double *work = NULL;
  ALLOC(work, n * n, "inverse of the last level");
  *n_bad = dense_invert((int32_t)n, a, work);
  FREE(work);
  if (!mg->inverse) {
    TRY(exec_alloc(mg->exec, n * n, precision_bytes(mg->precision), "inverse of the last level", &mg->inverse));
    EXEC_ALLOC(mg->exec, mg->dense_partial, n * MG_DENSE_PARTS, "sums of the last level");
  }
  if (mg->precision == PRECISION_FLOAT) {
    float *low = (float *)a; /* each number is read before it is written over */
    for (int64_t k = 0; k < n * n; ++k) {
      const float v = (float)a[k];
      memcpy(low + k, &v, sizeof v);
    }
  }
  return exec_upload(mg->exec, mg->inverse, a, (size_t)(n * n) * precision_bytes(mg->precision));
}

bool mg_is_low(const Multigrid *mg) { return precision_is_low(mg->storage); }

bool mg_is_flexible(const Multigrid *mg) { return mg->krylov && mg->n_level > 2; }

const Mat *mg_matrix(const MgLevel *level) { return level->low ? level->low : level->a; }

/* Row sums of |A| that are infinite or none; v->r is free. */
static Status count_overflow(const Multigrid *mg, const MgLevel *v, const Mat *low, double *count) {
  const MgRangeArgs args = {v->r, (double *)v->x[1]};
  TRY(mat_product(low, MAT_ABS, &(ProductArgs){.w = v->r}));
  TRY(exec_rows(mg->exec, &mg_range_kernel, &args, v->n));
  return exec_download(mg->exec, count, args.count, sizeof *count);
}

/* Where level 0 has no matrix in the precision of the cycle any more, which large systems have no room for, it comes from
 * that of the system, and so it does in tiles. */
static Status store_level(Multigrid *mg, const Precond *m, int32_t l, double *overflow) {
  MgLevel *v = &mg->level[l];
  const Precision to = l == 0 ? mg->storage : PRECISION_HALF;
  const bool tiles = l == 0 && m->tiles && to == PRECISION_HALF && tiled_allows(m->a),
             straight = tiles || (l == 0 && !v->a);
  *overflow = 0;
  if (l > 0 && !mat_allows(v->a, to)) return OK;
  if (!v->low) TRY(tiles ? tiled_create(m->a, &v->low) : mat_create_like(straight ? m->a : v->a, to, &v->low));
  TRY(straight ? precond_scale(m, v->low) : mat_store(v->a, v->low));
  return count_overflow(mg, v, v->low, overflow);
}

Status mg_store_levels(Multigrid *mg, Precond *m) {
  for (int32_t l = 0; l + 1 < mg->n_level && mg_is_low(mg); ++l) {
    double overflow;
    const SumParts *before = mg_sum_over(mg, l);
    const Status status = store_level(mg, m, l, &overflow);
    exec_sum_over(mg->exec, before);
    TRY(status);
    if (overflow > 0) TRY(mg_give_up(mg, m, "the matrix has numbers that are too large for it"));
  }
  if (mg->level[0].low) mat_destroy(&mg->level[0].a); /* no product uses it until the next setup makes it again */
  return OK;
}

Status mg_give_up(Multigrid *mg, Precond *m, const char *why) {
  status_warn("precision %s of preconditioner '%s' is replaced by %s: %s", precision_name(mg->storage), m->name,
              precision_name(mg->precision), why);
  mg->storage = m->storage = mg->precision;
  for (int32_t l = 0; l < mg->n_level; ++l) mat_destroy(&mg->level[l].low);
  m->version += 1;
  if (mg->level[0].a) return OK;
  TRY(mat_create_like(m->a, mg->precision, &mg->level[0].a));
  return precond_scale(m, mg->level[0].a);
}
