/* Newton's method: R(u) = 0 with the tangent K = -dR/du, K du = R, u += du (Hughes 2000, section 10.3 in spirit; no
 * line search: step sizes are the time stepping's or load stepping's affair). */
#include "solver/time/newton.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <time.h>

enum { MAX_STEPS = 25 };

typedef struct Newton {
  Exec *exec;
  const NewtonProblem *problem;
  Mat *a;
  LinearSolver *solver;
  double *r, *du, *norm; /* owned, on the Exec */
} Newton;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Status take_workspace(Newton *w) {
  EXEC_ALLOC(w->exec, w->r, w->problem->n, "residual");
  EXEC_ALLOC(w->exec, w->du, w->problem->n, "increment");
  EXEC_ALLOC(w->exec, w->norm, 1, "norm of the residual");
  return OK;
}

static void release_workspace(Newton *w) {
  EXEC_RELEASE(w->exec, w->r, w->problem->n);
  EXEC_RELEASE(w->exec, w->du, w->problem->n);
  EXEC_RELEASE(w->exec, w->norm, 1);
}

/* Residual at u and its norm. */
static Status residual(Newton *w, const double *u, NewtonReport *report) {
  const double begin = seconds_now();
  TRY(w->problem->residual(w->problem->context, u, w->r));
  VecLength length;
  TRY(vec_length(w->exec, w->problem->n, w->r, w->norm, &length));
  report->residual = ldexp(length.value, length.exponent);
  report->assembly_seconds += seconds_now() - begin;
  return OK;
}

/* The strict bound of the tangent's spectrum, where somebody asks for it; *seconds that it took. */
static Status find_bound(Newton *w, double *seconds) {
  const double begin = seconds_now();
  double bound = 0;
  bool blocks;
  *seconds = 0;
  if (!w->problem->bound || !linear_wants_bound(w->solver, &blocks)) return OK;
  TRY(w->problem->bound(w->problem->context, blocks, &bound));
  linear_set_bound(w->solver, bound);
  *seconds = seconds_now() - begin;
  return OK;
}

/* u += K^-1 r */
static Status step(Newton *w, double *u, NewtonReport *report) {
  const double begin = seconds_now();
  TRY(w->problem->tangent(w->problem->context, u, mat_values(w->a)));
  TRY(exec_sync(w->exec));
  report->assembly_seconds += seconds_now() - begin;
  double bound_seconds;
  TRY(find_bound(w, &bound_seconds));
  TRY(linear_setup(w->solver));
  TRY(exec_zero(w->exec, w->du, (size_t)w->problem->n * sizeof(double)));
  LinearReport linear = {0};
  const Status status = linear_solve(w->solver, w->r, w->du, &linear);
  linear.setup_seconds += bound_seconds;
  linear_report_add(&report->linear, &linear);
  if (status != OK) return w->problem->linear ? status : status_context(status, "in Newton step %d", report->steps + 1);
  report->steps += 1;
  return vec_axpy(w->exec, w->problem->n, 1, w->du, u);
}

static Status solve(Newton *w, const NewtonParams *params, double *u, NewtonReport *report) {
  const int32_t max_steps = w->problem->linear ? 1 : params->max_steps > 0 ? params->max_steps : MAX_STEPS;
  TRY(residual(w, u, report));
  report->first_residual = report->residual;
  for (;;) {
    CHECK(isfinite(report->residual), ERR_NUMERIC,
          "the residual is not a number after %d Newton steps\n  likely: a load, a prescribed value or a material that "
          "overflows; a step that is too large",
          report->steps);
    /* a linear problem is one step: its solver has judged the residual */
    if (w->problem->linear && (report->steps == 1 || report->residual == 0)) return OK;
    if (!w->problem->linear && report->residual <= fmax(params->rtol * report->first_residual, params->atol)) return OK;
    CHECK(report->steps < max_steps, ERR_NUMERIC,
          "Newton's method did not converge in %d steps: residual %.3e, first %.3e, asked for %.3e\n  likely: a step "
          "that "
          "is too large, or an instability\n  remedy: smaller steps, more Newton steps",
          report->steps, report->residual, report->first_residual,
          fmax(params->rtol * report->first_residual, params->atol));
    TRY(step(w, u, report));
    TRY(residual(w, u, report));
  }
}

Status newton_solve(Exec *exec, const NewtonProblem *problem, const NewtonParams *params, Mat *a, LinearSolver *solver,
                    double *u, NewtonReport *report) {
  *report = (NewtonReport){.linear = {.equation = -1}};
  CHECK(problem->n == mat_rows(a), ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)problem->n,
        (long long)mat_rows(a));
  Newton w = {.exec = exec, .problem = problem, .a = a, .solver = solver};
  Status status = take_workspace(&w);
  if (status == OK) status = solve(&w, params, u, report);
  release_workspace(&w);
  return status;
}
