#include "solver/krylov/warm.h"
#include "core/memory.h"
#include "solver/krylov/rows.h"

struct Warm {
  Exec *exec; /* borrowed */
  int64_t n;
  double *kept;        /* owned, on the Exec, as the next: [WARM_KEPT][n] */
  WarmNumbers *number; /* [1] */
};

static const char WHAT[] = "solutions of the last steps";

Status warm_create(Exec *exec, int64_t n, Warm **out) {
  *out = NULL;
  Warm *w = NULL;
  ALLOC(w, 1, WHAT);
  *w = (Warm){.exec = exec, .n = n};
  Status status = exec_alloc(exec, WARM_KEPT * n, sizeof *w->kept, WHAT, (void **)&w->kept);
  if (status == OK) status = exec_alloc(exec, 1, sizeof *w->number, WHAT, (void **)&w->number);
  if (status == OK) status = warm_forget(w);
  if (status != OK) warm_destroy(&w);
  *out = w;
  return status;
}

void warm_destroy(Warm **warm) {
  Warm *w = *warm;
  if (!w) return;
  EXEC_RELEASE(w->exec, w->kept, WARM_KEPT * w->n);
  EXEC_RELEASE(w->exec, w->number, 1);
  FREE(*warm);
}

Status warm_forget(Warm *w) {
  TRY(exec_zero(w->exec, w->kept, (size_t)(WARM_KEPT * w->n) * sizeof *w->kept));
  return exec_zero(w->exec, w->number, sizeof *w->number);
}

static WarmArgs args_of(const Warm *w, const double *b, const WarmNear *near, double *x) {
  return (WarmArgs){
      .kept = w->kept, .n = w->n, .b = b, .x = x, .near = near->v, .factor = near->factor, .number = w->number};
}

Status warm_begin(Warm *w, const double *b, const WarmNear *near, double *x) {
  WarmArgs args = args_of(w, b, near, x);
  for (; args.first < WARM_KEPT; args.first += WARM_GROUP) TRY(exec_rows(w->exec, &warm_match_kernel, &args, w->n));
  TRY(exec_rows(w->exec, &warm_solve_kernel, &args, 1));
  return exec_rows(w->exec, &warm_begin_kernel, &args, w->n);
}

Status warm_keep(Warm *w, const double *b, const double *r, const WarmNear *near, double *x, const int32_t *skip) {
  WarmArgs args = args_of(w, b, near, x);
  args.r = r, args.skip = skip;
  for (; args.first < WARM_KEPT; args.first += WARM_GROUP) TRY(exec_rows(w->exec, &warm_keep_kernel, &args, w->n));
  return OK;
}

void warm_state(Warm *w, double **vector, int32_t *n_vector, double **number, int32_t *n_number) {
  *vector = w->kept, *n_vector = WARM_KEPT;
  *number = &w->number->n, *n_number = (int32_t)(sizeof *w->number / sizeof(double));
}
