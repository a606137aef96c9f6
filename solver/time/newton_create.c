/* Newton's method is made, with what its problem asks for. */
#include "core/memory.h"
#include "solver/time/newton_private.h"

enum { MAX_STEPS = 25 };

static Status outer_residual(void *context, const double *u, double *r) {
  const Newton *w = context;
  return w->problem->force(w->problem->context, w->stage, u, r, NULL);
}
static Status outer_eliminate(void *context, const double *u, double *m, bool everywhere, double *change) {
  const Newton *w = context;
  return w->problem->multipliers.eliminate(w->problem->context, u, m, everywhere, change);
}
static Status newton_outer_create(Newton *w) {
  const OuterParams params = {.exec = w->exec,
                              .a = w->a,
                              .solver = w->solver,
                              .n_multiplier = w->problem->multipliers.n,
                              .multiplier = w->problem->multipliers.value,
                              .eliminate = outer_eliminate,
                              .residual = outer_residual,
                              .context = w};
  return outer_create(&params, &w->outer);
}

static Status newton_allocate(Newton *w) {
  EXEC_ALLOC(w->exec, w->r, w->problem->n, "residual");
  EXEC_ALLOC(w->exec, w->du, mat_columns(w->a), "increment");
  EXEC_ALLOC(w->exec, w->norm, 1, "norm of the residual");
  if (w->params.line_search) EXEC_ALLOC(w->exec, w->start, mat_columns(w->a), "start of a line search");
  const Problem *p = w->problem;
  for (int32_t k = 0; k < p->statics.n_border; ++k) EXEC_ALLOC(w->exec, w->g[k], p->n, "border of a tangent");
  if (p->multipliers.eliminate && p->linear) return newton_outer_create(w);
  if (p->multipliers.eliminate) return multipliers_create(w->exec, p, w->a, w->solver, w->g, &w->follow);
  return p->multipliers.update ? mixing_create(w->exec, p->n, p->multipliers.n, p->statics.n_border, &w->mixing) : OK;
}

Status newton_create(Exec *exec, const Problem *problem, const NewtonParams *params, Mat *a, LinearSolver *solver,
                     Newton **out) {
  *out = NULL;
  CHECK(a && solver && problem->tangent, ERR_BUG, "Newton's method needs a matrix, a solver and a tangent");
  CHECK(problem->statics.n_border <= LINEAR_BORDER && (!problem->statics.n_border || problem->statics.scale), ERR_BUG,
        "a border of %d vectors, at most %d and with a scale", (int)problem->statics.n_border, LINEAR_BORDER);
  CHECK(problem->n == mat_rows(a), ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)problem->n,
        (long long)mat_rows(a));
  Newton *w = NULL;
  ALLOC(w, 1, "Newton's method");
  *w = (Newton){.exec = exec, .problem = problem, .params = *params, .a = a, .solver = solver};
  if (problem->linear) w->params = (NewtonParams){.max_steps = 1};
  if (w->params.max_steps <= 0) w->params.max_steps = MAX_STEPS;
  const Status status = newton_allocate(w);
  if (status != OK) newton_destroy(&w);
  *out = w;
  return status;
}

void newton_destroy(Newton **newton) {
  Newton *w = *newton;
  if (!w) return;
  EXEC_RELEASE(w->exec, w->r, w->problem->n);
  EXEC_RELEASE(w->exec, w->du, mat_columns(w->a));
  EXEC_RELEASE(w->exec, w->norm, 1);
  EXEC_RELEASE(w->exec, w->start, mat_columns(w->a));
  for (int32_t k = 0; k < LINEAR_BORDER; ++k) EXEC_RELEASE(w->exec, w->g[k], w->problem->n);
  mixing_destroy(&w->mixing);
  outer_destroy(&w->outer);
  multipliers_destroy(&w->follow);
  FREE(*newton);
}
