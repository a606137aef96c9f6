/* The cycle (Brandt 1977; Saad, Iterative Methods, chapter 13): smooth from zero, restrict the residual, visit the next level
 * once (V) or more often (W, and as a number per level the recursion of combinatorial multigrid), add its answer, smooth.
 * The same polynomial before and after makes it symmetric, and positive as long as the bounds of the spectra hold.
 *
 * A step of a smoother is one product with its epilogue in the matrix' own kernel, w = c0 A v + c1 v + c2 u + c3 b. The first
 * step from zero is no product: degree k costs k - 1 products before, one for the residual, k after: 2 k in all.
 * Bytes per visit of a level: 2 k matrices and their vectors, P and P^T once each; at the bottom the inverse. */
#include "solver/multigrid.h"
#include "core/memory.h"
#include "solver/multigrid_dense.h"
#include "solver/rows.h"

#include <string.h>

static size_t scalar_size(const Multigrid *mg) {
  return mg->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

/* Which of the two kernels. */
static const RowKernel *pick(const Multigrid *mg, const RowKernel *d, const RowKernel *f) {
  return mg->precision == PRECISION_FLOAT ? f : d;
}

enum { MG_DENSE_PARTS = 32 };

void mg_release(Multigrid *mg) {
  Exec *exec = mg->exec;
  for (int32_t l = 0; l < mg->n_level; ++l) {
    MgLevel *v = &mg->level[l];
    mat_destroy(&v->a);
    mg_transfer_destroy(&v->transfer);
    if (mg->below && l > 0 && l + 1 == mg->n_level) { /* borrowed */
      v->b = v->x[0] = NULL;
      continue;
    }
    if (l > 0) EXEC_RELEASE(exec, v->b, v->n);
    for (int i = 0; i < 2; ++i) exec_release(exec, v->n, scalar_size(mg), &v->x[i]);
    exec_release(exec, v->n, scalar_size(mg), &v->r);
  }
  const int64_t n = mg->n_level && !mg->below ? mg->level[mg->n_level - 1].n : 0;
  exec_release(exec, n * n, scalar_size(mg), &mg->inverse);
  EXEC_RELEASE(exec, mg->dense_partial, n * MG_DENSE_PARTS);
  mg->n_level = 0;
}

Status mg_level_create(Multigrid *mg, int32_t l, int64_t n) {
  MgLevel *v = &mg->level[l];
  v->n = n;
  if (v->visits < 1) v->visits = 1;
  mg->n_level = l + 1;
  if (l > 0) EXEC_ALLOC(mg->exec, v->b, n, "right-hand side of a level");
  for (int i = 0; i < 2; ++i) TRY(exec_alloc(mg->exec, n, scalar_size(mg), "solution of a level", &v->x[i]));
  return exec_alloc(mg->exec, n, scalar_size(mg), "residual of a level", &v->r);
}

void mg_level_below(Multigrid *mg, int32_t l, int64_t n, double *b, void *x) {
  mg->level[l] = (MgLevel){.n = n, .bound = 1, .visits = 1, .b = b, .x = {x, NULL}};
  mg->n_level = l + 1;
}

void mg_find_steps(Multigrid *mg) {
  for (int32_t l = 0; l < mg->n_level; ++l) mg->smoother->find(mg->degree, mg->level[l].bound, &mg->level[l].steps);
}

Status mg_bottom(Multigrid *mg, double *a, int32_t *n_bad) {
  const int64_t n = mg->level[mg->n_level - 1].n;
  double *work = NULL;
  ALLOC(work, n, "inverse of the last level");
  *n_bad = dense_invert((int32_t)n, a, work);
  FREE(work);
  if (!mg->inverse) {
    TRY(exec_alloc(mg->exec, n * n, scalar_size(mg), "inverse of the last level", &mg->inverse));
    EXEC_ALLOC(mg->exec, mg->dense_partial, n * MG_DENSE_PARTS, "sums of the last level");
  }
  if (mg->precision == PRECISION_FLOAT) {
    float *low = (float *)a; /* each number is read before it is written over */
    for (int64_t k = 0; k < n * n; ++k) {
      const float v = (float)a[k];
      memcpy(low + k, &v, sizeof v);
    }
  }
  return exec_upload(mg->exec, mg->inverse, a, (size_t)(n * n) * scalar_size(mg));
}

/* What a recording knows: where the cycle is called from, and on level 0 where it ends. */
typedef struct Cycle {
  Multigrid *mg;
  void *z;
  Krylov *krylov;
} Cycle;

static Status record_dense(const Cycle *c, int32_t l) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  const MgDenseArgs args = {mg->inverse, v->b, mg->dense_partial, l ? v->x[0] : c->z, l || mg->inner ? NULL : c->krylov,
                            &c->krylov->stop, (int32_t)v->n, MG_DENSE_PARTS};
  TRY(exec_rows(mg->exec, pick(mg, &mg_dense_d_kernel, &mg_dense_f_kernel), &args, v->n * MG_DENSE_PARTS));
  return exec_rows(mg->exec, pick(mg, &mg_dense_end_d_kernel, &mg_dense_end_f_kernel), &args, v->n);
}

/* Steps `from` to degree - 1; x[*now] is the last one known, which the caller made when from is 1. On level 0 the last of
 * them, after the coarse levels, writes z, and the sum unless that is not wanted. */
static Status record_steps(const Cycle *c, int32_t l, int32_t from, bool last, int *now) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  for (int32_t k = from; k < mg->degree; ++k) {
    const double a = v->steps.a[k], b = v->steps.b[k];
    ProductArgs args = {.v = v->x[*now], .w = v->x[1 - *now], .b = v->b, .c0 = -b, .c1 = 1 + a, .c3 = b,
                        .stop = &c->krylov->stop, .krylov = c->krylov, .step = KRYLOV_BETA};
    if (a != 0 && k > from) {
      args.u = v->x[1 - *now];
      args.c2 = -a;
    }
    const bool ends = last && k + 1 == mg->degree;
    if (ends && mg->inner) {
      args.w = c->z;
    } else if (ends) {
      args.w = NULL;
      args.z = c->z;
      args.e3 = 1;
    }
    TRY(mat_product(v->a, ends && !mg->inner ? MAT_COMBINE_DOT : MAT_COMBINE, &args));
    *now = 1 - *now;
  }
  return OK;
}

static Status record_restrict(const Cycle *c, int32_t l, int now) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l], *next = v + 1;
  const MgTransfer *t = v->transfer;
  const MgRestrictArgs args = {.segment = t->segment, .row_segment = t->row_segment, .column = t->transposed.column,
                               .value = t->transposed_value ? t->transposed_value : t->value,
                               .source = t->transposed_value ? NULL : t->source, .r = v->r, .partial = t->partial, .b = next->b,
                               .x = next->x[0], .factor = next->steps.b[0], .stop = &c->krylov->stop, .fine = t->fine,
                               .coarse = t->coarse};
  TRY(mat_product(v->a, MAT_COMBINE, &(ProductArgs){.v = v->x[now], .w = v->r, .b = v->b, .c0 = -1, .c3 = 1,
                                                    .stop = &c->krylov->stop}));
  TRY(exec_rows(mg->exec, pick(mg, &mg_segment_d_kernel, &mg_segment_f_kernel), &args, t->n_segment * t->coarse));
  return exec_rows(mg->exec, pick(mg, &mg_restrict_d_kernel, &mg_restrict_f_kernel), &args, next->n);
}

static Status record_prolong(const Cycle *c, int32_t l, int now, int from) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  const MgTransfer *t = v->transfer;
  const MgProlongArgs args = {t->p.start, t->p.column, t->value, v[1].x[from], v->x[now], &c->krylov->stop, t->fine,
                              t->coarse};
  return exec_rows(mg->exec, pick(mg, &mg_prolong_d_kernel, &mg_prolong_f_kernel), &args, v->n);
}

/* x[*now] becomes better, from zero when `zero`: b is there, and then the first step too, in x[0]. */
static Status record_level(const Cycle *c, int32_t l, bool zero, int *now) {
  const Multigrid *mg = c->mg;
  const MgLevel *v = &mg->level[l];
  if (l + 1 == mg->n_level) {
    *now = 0;
    return mg->below ? mg->below(mg->below_context) : record_dense(c, l);
  }
  if (zero) *now = 0;
  TRY(record_steps(c, l, zero ? 1 : 0, false, now));
  TRY(record_restrict(c, l, *now));
  const int32_t visits = l + 2 == mg->n_level ? 1 : v->visits;
  int below = 0;
  for (int32_t k = 0; k < visits; ++k) TRY(record_level(c, l + 1, k == 0, &below));
  TRY(record_prolong(c, l, *now, below));
  return record_steps(c, l, 0, l == 0, now);
}

Status mg_cycle(Multigrid *mg, const double *b, void *z, Krylov *krylov) {
  const Cycle c = {mg, z, krylov};
  MgLevel *top = &mg->level[0];
  int now = 0;
  top->b = (double *)b; /* read only; a view */
  if (mg->n_level > 1)
    TRY(exec_rows(mg->exec, pick(mg, &mg_first_d_kernel, &mg_first_f_kernel),
                  &(MgFirstArgs){b, top->x[0], top->steps.b[0], &krylov->stop}, top->n));
  return record_level(&c, 0, true, &now);
}

/* Visits of each level in one cycle. */
static void count_visits(const Multigrid *mg, double *visits) {
  visits[0] = 1;
  for (int32_t l = 1; l < mg->n_level; ++l)
    visits[l] = visits[l - 1] * (l + 1 == mg->n_level ? 1 : mg->level[l - 1].visits);
}

double mg_bytes(const Multigrid *mg) {
  double bytes = 0, visits[MG_LEVELS];
  const double size = (double)scalar_size(mg);
  count_visits(mg, visits);
  for (int32_t l = 0; l < mg->n_level; ++l) {
    const MgLevel *v = &mg->level[l];
    const double n = (double)v->n;
    if (mg->below && l > 0 && l + 1 == mg->n_level) break;
    if (l + 1 == mg->n_level) {
      bytes += visits[l] * n * (n * size + 8 + size);
      continue;
    }
    const double transfer = (double)v->transfer->p.n_entry * (v->transfer->fine * v->transfer->coarse * size + 4);
    bytes += visits[l] * (2 * mg->degree * ((double)mat_bytes(v->a) + n * (8 + 3 * size)) + 2 * transfer + 3 * n * size);
  }
  return bytes;
}

double mg_products(const Multigrid *mg) {
  double entries = 0, visits[MG_LEVELS];
  count_visits(mg, visits);
  for (int32_t l = 0; l + 1 < mg->n_level; ++l) entries += visits[l] * 2 * mg->degree * (double)mat_entries(mg->level[l].a);
  return mg->n_level > 1 ? entries / (double)mat_entries(mg->level[0].a) : 1;
}
