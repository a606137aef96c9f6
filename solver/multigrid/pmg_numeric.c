/* From the values of the matrix to those of the next lower order and of the transfer to it, on the Exec. */
#include "core/memory.h"
#include "solver/multigrid/pmg.h"
#include "solver/multigrid/rows.h"

/* Which scalars take part, and P in numbers. */
static Status pmg_numeric_interpolation(Precond *m, Pmg *p, double *values) {
  const MgTransfer *t = p->mg.level[0].transfer;
  const PmgLiveArgs live = {p->a.start, p->a.column, mat_values(m->a), p->places.view, p->live, p->B};
  TRY(exec_rows(m->exec, &pmg_live_kernel, &live, p->a.n_row));
  if (t->halo) TRY(exec_exchange(m->exec, t->halo, p->live, sizeof *p->live));
  const PmgCoarseLiveArgs coarse = {
      t->transposed.start, t->transposed.column, t->source, p->map, p->live, p->coarse_live, p->B, p->map_block};
  TRY(exec_rows(m->exec, &pmg_coarse_live_kernel, &coarse, p->next.n_row));
  TRY(pmg_share_bring(m->exec, &p->share, p->coarse_live, sizeof *p->coarse_live));
  const PmgRawArgs raw = {t->p.start, t->p.column, p->map, p->live, p->coarse_live, values, p->B, p->map_block};
  return exec_rows(m->exec, &pmg_raw_kernel, &raw, t->p.n_row);
}

/* P^T A P. */
static Status pmg_numeric_galerkin(Precond *m, Pmg *p, const double *values) {
  const MgTransfer *t = p->mg.level[0].transfer;
  const int64_t n_ap = p->ap.n_entry * p->B * p->B;
  double *ap = NULL;
  Status status;
  TRY_DONE(exec_alloc(m->exec, n_ap, sizeof *ap, "matrix times interpolation", (void **)&ap));
  const PmgTimesArgs times = {p->a.start,  p->a.column, mat_values(m->a), p->places.view, t->p.start,
                              t->p.column, values,      p->ap.start,      p->ap.column,   ap,
                              p->B};
  TRY_DONE(exec_rows(m->exec, &pmg_times_kernel, &times, m->n));
  if (p->share.ap.entries)
    TRY_DONE(exec_exchange(m->exec, p->share.ap.entries, ap, (size_t)(p->B * p->B) * sizeof *ap));
  const PmgProductArgs product = {t->transposed.start,
                                  t->transposed.column,
                                  t->source,
                                  values,
                                  p->ap.start,
                                  p->ap.column,
                                  ap,
                                  p->next.start,
                                  p->next.column,
                                  mat_values(p->coarse),
                                  p->coarse_places.view,
                                  p->coarse_live,
                                  p->B};
  TRY_DONE(exec_rows(m->exec, &pmg_product_kernel, &product, mat_rows(p->coarse)));
done:
  EXEC_RELEASE(m->exec, ap, n_ap);
  return status;
}

static Status set_up_below(Precond *m, Pmg *p) {
  double *work = NULL, mean;
  int64_t n_bad = 0;
  const int64_t n = p->below->n;
  if (p->coarse) TRY(pmg_share_parts(m, &p->share));
  EXEC_ALLOC(m->exec, work, n, "workspace of a setup");
  const SumParts *before = exec_sum_over(m->exec, p->coarse && m->exec->parts ? p->share.parts : m->exec->parts);
  Status status = precond_setup(p->below, work, &n_bad, &mean);
  exec_sum_over(m->exec, before);
  EXEC_RELEASE(m->exec, work, n);
  if (status == OK) status = pmg_share_bring(m->exec, &p->share, p->below->scale, (size_t)p->B * sizeof(double));
  TRY(status);
  CHECK(n_bad == 0, ERR_NUMERIC,
        "preconditioner '%s': %lld entries of the diagonal are not positive once the elements are of lower order, so "
        "the matrix "
        "is not positive definite",
        m->name, (long long)n_bad);
  return OK;
}

Status pmg_numeric(Precond *m) {
  Pmg *p = m->own;
  if (!p->coarse) return set_up_below(m, p);
  MgTransfer *t = p->mg.level[0].transfer;
  const int64_t n = t->p.n_entry * p->B * p->B;
  double *values = NULL;
  Status status;
  TRY_DONE(exec_alloc(m->exec, n, sizeof *values, "interpolation between orders", (void **)&values));
  if (!p->mg.level[0].a) TRY_DONE(mat_create_like(m->a, m->precision, &p->mg.level[0].a));
  TRY_DONE(precond_scale(m, p->mg.level[0].a));
  TRY_DONE(mg_find_bound(m, &p->mg.level[0], p->fold));
  TRY_DONE(pmg_numeric_interpolation(m, p, values));
  TRY_DONE(pmg_numeric_galerkin(m, p, values));
  TRY_DONE(set_up_below(m, p));
  const PmgScaleArgs scale = {t->p.start, t->p.column, values, m->scale, m->blocks, p->below->scale, p->B};
  TRY_DONE(exec_rows(m->exec, &pmg_scale_kernel, &scale, t->p.n_row));
  TRY_DONE(mg_transfer_fill(t, values));
  TRY_DONE(exec_sync(m->exec));
done:
  EXEC_RELEASE(m->exec, values, n);
  return status;
}
