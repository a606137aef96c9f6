/* Weights on the Exec; a kernel for points, one for the rest. Bytes of n sums over v rows: 8 v (n + n/4). */
#include "solver/time/functional.h"
#include "core/memory.h"
#include "solver/time/rows.h"

struct Functional {
  Exec *exec; /* borrowed */
  int64_t n;
  int32_t n_point, n_whole;
  bool wide;
  int64_t n_weight;
  /* owned, on the Exec */
  int32_t *start, *at;
  double *weight, *whole;
  int32_t *always; /* [2]: 1, as a flag, and 0, as a row */
};

static Status functional_fill(Functional *f, const FunctionalParams *p) {
  static const int32_t always[] = {1, 0};
  TRY(exec_alloc_upload(f->exec, 2, sizeof *always, always, "weights of points", (void **)&f->always));
  f->n_weight = p->n_point ? p->start[p->n_point] : 0;
  if (p->n_point) {
    TRY(exec_alloc_upload(f->exec, p->n_point + 1, sizeof *f->start, p->start, "weights of points",
                          (void **)&f->start));
    TRY(exec_alloc_upload(f->exec, f->n_weight, sizeof *f->at, p->at, "weights of points", (void **)&f->at));
    TRY(exec_alloc_upload(f->exec, f->n_weight, sizeof *f->weight, p->weight, "weights of points",
                          (void **)&f->weight));
  }
  if (p->n_whole)
    TRY(exec_alloc_upload(f->exec, p->n_whole * p->n, sizeof *f->whole, p->whole, "weights of sums",
                          (void **)&f->whole));
  return OK;
}

Status functional_create(Exec *exec, const FunctionalParams *params, Functional **out) {
  *out = NULL;
  Functional *f = NULL;
  ALLOC(f, 1, "functionals");
  f->exec = exec, f->n = params->n, f->n_point = params->n_point, f->n_whole = params->n_whole;
  f->wide = params->wide;
  const Status status = functional_fill(f, params);
  if (status != OK) functional_destroy(&f);
  *out = f;
  return status;
}

void functional_destroy(Functional **functional) {
  Functional *f = *functional;
  if (!f) return;
  EXEC_RELEASE(f->exec, f->start, f->n_point + 1);
  EXEC_RELEASE(f->exec, f->at, f->n_weight);
  EXEC_RELEASE(f->exec, f->weight, f->n_weight);
  EXEC_RELEASE(f->exec, f->whole, f->n_whole * f->n);
  EXEC_RELEASE(f->exec, f->always, 2);
  FREE(*functional);
}

Status functional_points(Functional *f, const double *x, double *value, const FunctionalRing *ring) {
  const FunctionalRing now = {f->always, f->always + 1, 0}, *to = ring ? ring : &now;
  const FunctionalArgs args = {.when = to->when,
                               .start = f->start,
                               .at = f->at,
                               .weight = f->weight,
                               .x = x,
                               .to = {to->row, to->stride, value}};
  return value ? exec_rows(f->exec, &functional_points_kernel, &args, f->n_point) : OK;
}

/* Its GPU launcher is gpu/rows/solver_functional.cu. */
static void functional_wide_range(const void *args, int64_t begin, int64_t end, double *sum) {
  const FunctionalWholesArgs *a = args;
  for (int64_t i = begin; i < end && *a->when; ++i) functional_wide_body(a, i, sum);
}
static void functional_wide_end(const void *args, const double *sum) {
  const FunctionalWholesArgs *a = args;
  if (*a->when) functional_wide_finish(a, sum);
}
const RowKernel functional_wide_kernel = {"functional_wide", FUNCTIONAL_WIDE, sizeof(FunctionalWholesArgs),
                                          functional_wide_range, functional_wide_end};

Status functional_wholes(Functional *f, const double *x, double *value, const FunctionalRing *ring) {
  const FunctionalRing now = {f->always, f->always + 1, 0}, *to = ring ? ring : &now;
  const int32_t most = f->wide ? FUNCTIONAL_WIDE : FUNCTIONAL_WHOLES;
  for (int32_t k = 0; value && k < f->n_whole; k += most) {
    const int32_t left = f->n_whole - k;
    const FunctionalWholesArgs args = {.when = to->when,
                                       .n = left < most ? left : most,
                                       .stride = f->n,
                                       .whole = f->whole + k * f->n,
                                       .x = x,
                                       .to = {to->row, to->stride, value + k}};
    TRY(exec_rows(f->exec, f->wide ? &functional_wide_kernel : &functional_wholes_kernel, &args, f->n));
  }
  return OK;
}
