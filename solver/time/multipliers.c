#include "solver/time/multipliers.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/outer.h"

/* Of the residual, what an increment leaves that is one; with a border, which it leaves as it should be. */
static const double LEFT = 0.9, LEFT_BORDER = 1;

struct Multipliers {
  Exec *exec; /* borrowed, as are problem and a */
  const Problem *problem;
  const Mat *a;
  Outer *outer;
  double *r;                    /* owned, [n] on the Exec */
  double *lag, *start, *change; /* owned, [n_multiplier] on the Exec: ahead of those of u; before a step; of the step */
};

static Status multipliers_eliminate(void *context, const double *x, double *m, bool everywhere, double *change) {
  const Problem *p = ((const Multipliers *)context)->problem;
  return p->multipliers.eliminate(p->context, x, m, everywhere, change);
}

static Status multipliers_beyond(void *context, const double *x, double *change) {
  const Problem *p = ((const Multipliers *)context)->problem;
  return p->multipliers.beyond(p->context, x, change);
}

static Status allocate(Multipliers *w, LinearSolver *solver, double *const *g) {
  const Problem *p = w->problem;
  const int64_t n = p->multipliers.n;
  EXEC_ALLOC(w->exec, w->r, p->n, "residual of an increment");
  EXEC_ALLOC(w->exec, w->lag, n, "multipliers");
  EXEC_ALLOC(w->exec, w->start, n, "multipliers before a step");
  EXEC_ALLOC(w->exec, w->change, n, "change of multipliers");
  const OuterParams params = {.exec = w->exec,
                              .a = w->a,
                              .solver = solver,
                              .n_multiplier = n,
                              .multiplier = w->lag,
                              .eliminate = multipliers_eliminate,
                              .beyond = p->multipliers.beyond ? multipliers_beyond : NULL,
                              .n_border = p->statics.n_border,
                              .g = (const double *const *)g,
                              .context = w};
  return outer_create(&params, &w->outer);
}

Status multipliers_create(Exec *exec, const Problem *problem, const Mat *a, LinearSolver *solver, double *const *g,
                          Multipliers **out) {
  Multipliers *w = NULL;
  *out = NULL;
  CHECK(problem->multipliers.measure_lag && !mat_numbering(a), ERR_BUG,
        "turns of a nonlinear problem: no coupling, or a matrix with a numbering of its own");
  ALLOC(w, 1, "multipliers");
  *w = (Multipliers){.exec = exec, .problem = problem, .a = a};
  const Status status = allocate(w, solver, g);
  if (status != OK) multipliers_destroy(&w);
  *out = w;
  return status;
}

void multipliers_destroy(Multipliers **multipliers) {
  Multipliers *w = *multipliers;
  if (!w) return;
  const int64_t n = w->problem->multipliers.n;
  EXEC_RELEASE(w->exec, w->r, w->problem->n);
  EXEC_RELEASE(w->exec, w->lag, n);
  EXEC_RELEASE(w->exec, w->start, n);
  EXEC_RELEASE(w->exec, w->change, n);
  outer_destroy(&w->outer);
  FREE(*multipliers);
}

static Status copy(const Multipliers *w, double *to, const double *from) {
  const int64_t n = w->problem->multipliers.n;
  return n ? exec_copy(w->exec, to, from, (size_t)n * sizeof *to) : OK;
}

Status multipliers_increment(Multipliers *w, double rtol, const double *u, const double *r, const double *gap,
                             double *du, double *factor, LinearReport *report) {
  const Problem *p = w->problem;
  TRY(p->multipliers.measure_lag(p->context, u, w->lag));
  TRY(copy(w, w->change, w->lag));
  TRY(exec_copy(w->exec, w->r, r, (size_t)p->n * sizeof *r));
  Status status = outer_solve(w->outer, rtol, gap, du, factor, w->r, report);
  if (status == ERR_NUMERIC && report->true_residual <= (p->statics.n_border ? LEFT_BORDER : LEFT)) {
    status_clear();
    report->reason = LINEAR_CONVERGED; /* as far as it goes */
    status = OK;
  }
  TRY(status);
  if (p->multipliers.n) TRY(vec_axpy(w->exec, p->multipliers.n, -1, w->change, w->lag));
  return copy(w, w->change, w->lag);
}

Status multipliers_start(Multipliers *w) { return copy(w, w->start, w->problem->multipliers.value); }

Status multipliers_go(Multipliers *w, double length) {
  TRY(copy(w, w->problem->multipliers.value, w->start));
  const int64_t n = w->problem->multipliers.n;
  return n ? vec_axpy(w->exec, n, length, w->change, w->problem->multipliers.value) : OK;
}
