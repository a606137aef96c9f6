/* The numbers of a hierarchy whose structure is there: row kernels only, so that it is the Exec that computes them. */
#include "core/memory.h"
#include "solver/amg.h"
#include "solver/rows.h"
#include "solver/spectrum.h"

#include <math.h>

enum { LANCZOS_STEPS = 15 };
/* 15 Lanczos steps find 98 % of the largest eigenvalue and more. */
static const double BOUND_FACTOR = 1.05;

static int64_t n_value(const AmgLevel *v) { return v->a.n_entry * v->s * v->s; }
static int64_t n_modes(const Amg *p, const AmgLevel *v) { return (int64_t)v->n * v->s * p->m; }

static Status alloc_numbers(Precond *m, int32_t l) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  if (!v->value) EXEC_ALLOC(m->exec, v->value, n_value(v), "numbers of a level");
  if (!v->modes) EXEC_ALLOC(m->exec, v->modes, n_modes(p, v), "modes of a level");
  return OK;
}

static void release_numbers(Precond *m, int32_t l) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[l];
  EXEC_RELEASE(m->exec, v->value, n_value(v));
  EXEC_RELEASE(m->exec, v->modes, n_modes(p, v));
}

Status amg_numbers_begin(Precond *m) {
  Amg *p = m->own;
  AmgLevel *v = &p->level[0];
  TRY(precond_scale(m, p->mg.level[0].a));
  TRY(alloc_numbers(m, 0));
  const AmgFetchArgs fetch = {mat_values(m->a), v->places.view, m->scale, m->blocks, v->a.start, v->a.column, v->value,
                              v->s};
  TRY(exec_rows(m->exec, &amg_fetch_kernel, &fetch, v->n));
  const AmgModesArgs modes = {p->near_null, m->scale, m->blocks, v->modes, m->n, v->s, p->m};
  return exec_rows(m->exec, &amg_modes_kernel, &modes, v->n);
}

Status amg_bound(Precond *m, int32_t l) {
  Amg *p = m->own;
  MgLevel *v = &p->mg.level[l];
  const SpectrumWork work = {{v->x[0], v->x[1], v->r}, p->fold, m->krylov};
  Spectrum spectrum;
  TRY(spectrum_estimate(v->a, LANCZOS_STEPS, &work, &spectrum));
  v->bound = fmin((m->bound_factor > 0 ? m->bound_factor : BOUND_FACTOR) * spectrum.lanczos, spectrum.row_sum);
  /* the diagonal is 1; a bound that is none (NaN in the matrix) is found by PCG */
  if (!(v->bound > 0) || !isfinite(v->bound)) v->bound = 1;
  return OK;
}

static Status store(Precond *m, int32_t l) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  Mat *to = p->mg.level[l].a;
  const AmgStoreArgs args = {v->a.start, v->value,      v->places.view, mat_values(to),
                             v->s,       mat_block(to), mat_precision(to) == PRECISION_FLOAT};
  return exec_rows(m->exec, &amg_store_kernel, &args, v->n);
}

/* Temporary numbers between two levels, on the Exec. */
typedef struct Between {
  double *p, *ap, *g; /* g: a block for each node of the next level, used twice */
  int64_t n_p, n_ap, n_g;
} Between;

static void put_away(Exec *exec, Between *b) {
  EXEC_RELEASE(exec, b->p, b->n_p);
  EXEC_RELEASE(exec, b->ap, b->n_ap);
  EXEC_RELEASE(exec, b->g, b->n_g);
}

/* T, then P = (1 - 4 / (3 lambda) A) T. */
static Status prolongator(Precond *m, int32_t l, Between *b) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  const MgTransfer *t = p->mg.level[l].transfer;
  AmgGramArgs gram = {v->aggregates.member.start, v->aggregates.member.column, v->live, v->modes, b->g, v[1].modes, v->s,
                      p->m, false};
  const AmgOrthonormalArgs orthonormal = {v->aggregates.of, v->live, b->g, v->modes, v->s, p->m};
  for (; gram.again < 2; gram.again += 1) {
    TRY(exec_rows(m->exec, &amg_gram_kernel, &gram, v->aggregates.n));
    TRY(exec_rows(m->exec, &amg_orthonormal_kernel, &orthonormal, v->n));
  }
  EXEC_ALLOC(m->exec, b->p, b->n_p, "prolongator");
  const AmgSmoothArgs smooth = {v->a.start, v->a.column, v->value, v->aggregates.of, v->modes, t->p.row, t->p.column, b->p,
                                4 / (3 * p->mg.level[l].bound), v->s, p->m};
  return exec_rows(m->exec, &amg_smooth_kernel, &smooth, t->p.n_entry);
}

/* P^T A P into the next level. */
static Status galerkin(Precond *m, int32_t l, Between *b) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l], *next = v + 1;
  const MgTransfer *t = p->mg.level[l].transfer;
  EXEC_ALLOC(m->exec, b->ap, b->n_ap, "matrix times prolongator");
  const AmgTimesArgs times = {v->a.start, v->a.column, v->value, t->p.start, t->p.column, b->p, v->ap.row, v->ap.column,
                              b->ap, v->s, p->m};
  TRY(exec_rows(m->exec, &amg_times_kernel, &times, v->ap.n_entry));
  const AmgGalerkinArgs product = {t->transposed.start, t->transposed.column, t->source, b->p, v->ap.start, v->ap.column,
                                   b->ap, next->a.start, next->a.row, next->a.column, next->value, v->s, p->m};
  return exec_rows(m->exec, &amg_galerkin_kernel, &product, next->a.n_entry);
}

/* Diagonal blocks of the next level become 1. */
static Status scale(Precond *m, int32_t l, Between *b) {
  Amg *p = m->own;
  const AmgLevel *v = &p->level[l], *next = v + 1;
  const MgTransfer *t = p->mg.level[l].transfer;
  Krylov k;
  const AmgFactorArgs factor = {next->a.start, next->a.column, next->value, b->g, next->modes, m->krylov, p->m};
  TRY(exec_rows(m->exec, &amg_factor_kernel, &factor, next->n));
  TRY(exec_download(m->exec, &k, m->krylov, sizeof k));
  p->n_dropped += (int32_t)k.sum[0];
  const AmgScaleArgs both = {next->a.row, next->a.column, next->value, b->g, p->m, p->m, true};
  TRY(exec_rows(m->exec, &amg_scale_kernel, &both, next->a.n_entry));
  const AmgScaleArgs right = {t->p.row, t->p.column, b->p, b->g, v->s, p->m, false};
  return exec_rows(m->exec, &amg_scale_kernel, &right, t->p.n_entry);
}

Status amg_numbers_next(Precond *m, int32_t l) {
  Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  MgTransfer *t = p->mg.level[l].transfer;
  Between b = {.n_p = t->p.n_entry * v->s * p->m,
               .n_ap = v->ap.n_entry * v->s * p->m,
               .n_g = (int64_t)v[1].n * p->m * p->m};
  Status status;
  if (l > 0) TRY_DONE(store(m, l));
  TRY_DONE(amg_bound(m, l));
  TRY_DONE(alloc_numbers(m, l + 1));
  TRY_DONE(exec_alloc(m->exec, b.n_g, sizeof *b.g, "blocks of aggregates", (void **)&b.g));
  TRY_DONE(prolongator(m, l, &b));
  TRY_DONE(galerkin(m, l, &b));
  TRY_DONE(scale(m, l, &b));
  TRY_DONE(mg_transfer_fill(t, b.p));
  release_numbers(m, l);
done:
  put_away(m->exec, &b);
  return status;
}

Status amg_numbers_end(Precond *m) {
  Amg *p = m->own;
  const int32_t l = p->n_level - 1;
  AmgLevel *v = &p->level[l];
  const int64_t n = (int64_t)v->n * v->s, s = v->s;
  double *value = NULL, *dense = NULL;
  int64_t *start = NULL;
  int32_t *column = NULL, n_bad = 0;
  Status status;
  ALLOC_DONE(value, n_value(v), "numbers of the last level");
  ALLOC_DONE(dense, n * n, "matrix of the last level");
  ALLOC_DONE(start, (int64_t)v->n + 1, "rows of the last level");
  ALLOC_DONE(column, v->a.n_entry, "columns of the last level");
  TRY_DONE(exec_download(m->exec, value, v->value, (size_t)n_value(v) * sizeof *value));
  TRY_DONE(exec_download(m->exec, start, v->a.start, ((size_t)v->n + 1) * sizeof *start));
  TRY_DONE(exec_download(m->exec, column, v->a.column, (size_t)v->a.n_entry * sizeof *column));
  for (int32_t i = 0; i < v->n; ++i)
    for (int64_t k = start[i]; k < start[i + 1]; ++k)
      for (int64_t e = 0; e < s * s; ++e) dense[(i * s + e / s) * n + column[k] * s + e % s] = value[k * s * s + e];
  TRY_DONE(mg_bottom(&p->mg, dense, &n_bad));
  p->n_dropped += n_bad;
  release_numbers(m, l);
done:
  FREE(value);
  FREE(dense);
  FREE(start);
  FREE(column);
  return status;
}
