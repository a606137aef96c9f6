#include "solver/time/newton.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <stdio.h>

enum { MAX_STEPS = 25, MAX_CUTS = 12 };
/* Forcing terms: the first, the largest, the factor of (|R| / |R before|)^2, and the share of the goal. */
static const double FIRST = 1e-2, LARGEST = 0.1, GAIN = 0.9, OF_GOAL = 0.3;
/* Armijo's rule, and how much shorter a step becomes at a time. */
static const double DESCENT = 1e-4, SHORTEST_CUT = 0.1, LONGEST_CUT = 0.5;
/* Of the residual at the first guess: beyond it the method diverges. */
static const double FAR = 1e4;

struct Newton {
  Exec *exec; /* borrowed, as are problem, a and solver */
  const Problem *problem;
  NewtonParams params;
  Mat *a;
  LinearSolver *solver;
  double *r, *du, *norm; /* owned, on the Exec */
  double *start;         /* [n] where a line search begins; NULL: there is none */
  char why[NEWTON_TEXT]; /* of the linear solver or the problem, when it failed last */
};

static Status newton_allocate(Newton *w) {
  EXEC_ALLOC(w->exec, w->r, w->problem->n, "residual");
  EXEC_ALLOC(w->exec, w->du, mat_columns(w->a), "increment");
  EXEC_ALLOC(w->exec, w->norm, 1, "norm of the residual");
  if (w->params.line_search) EXEC_ALLOC(w->exec, w->start, w->problem->n, "start of a line search");
  return OK;
}

Status newton_create(Exec *exec, const Problem *problem, const NewtonParams *params, Mat *a, LinearSolver *solver,
                     Newton **out) {
  *out = NULL;
  CHECK(a && solver && problem->tangent, ERR_BUG, "Newton's method needs a matrix, a solver and a tangent");
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
  EXEC_RELEASE(w->exec, w->start, w->problem->n);
  FREE(*newton);
}

static Status newton_force(Newton *w, const NewtonStep *step, const double *u, double *norm) {
  TRY(w->problem->force(w->problem->context, &step->stage, u, w->r, NULL));
  VecLength length;
  TRY(vec_length(w->exec, w->problem->n, w->r, w->norm, &length));
  *norm = ldexp(length.value, length.exponent);
  return OK;
}

/* Residual at u and its norm, which is NaN where the problem has none. */
static Status newton_residual(Newton *w, const NewtonStep *step, const double *u, bool first, NewtonReport *report) {
  const double begin = clock_seconds();
  Status status = step->residual ? step->residual(step->context, &step->stage, u, first, w->r, &report->residual)
                                 : newton_force(w, step, u, &report->residual);
  if (status == ERR_NUMERIC) {
    snprintf(w->why, sizeof w->why, "%s", status_message());
    status_clear();
    report->residual = NAN;
    status = OK;
  }
  report->assembly_seconds += clock_seconds() - begin;
  return status;
}

/* The strict bound of the tangent's spectrum, if requested; *seconds that it took. */
static Status newton_bound(Newton *w, const Stage *stage, double *seconds) {
  const double begin = clock_seconds();
  double bound = 0;
  bool blocks;
  *seconds = 0;
  if (!w->problem->bound || !linear_wants_bound(w->solver, &blocks)) return OK;
  TRY(w->problem->bound(w->problem->context, stage, blocks, &bound));
  linear_set_bound(w->solver, bound);
  *seconds = clock_seconds() - begin;
  return OK;
}

static Status newton_tangent(Newton *w, const NewtonStep *step, const double *u, NewtonReport *report) {
  const double begin = clock_seconds();
  double bound_seconds;
  TRY(w->problem->tangent(w->problem->context, &step->stage, u, w->a));
  if (!step->residual) TRY(exec_sync(w->exec)); /* for the clock */
  report->assembly_seconds += clock_seconds() - begin;
  TRY(newton_bound(w, &step->stage, &bound_seconds));
  report->linear.setup_seconds += bound_seconds;
  return linear_setup(w->solver);
}

static double newton_forcing(const NewtonReport *report, double last) {
  const double gained = last > 0 ? report->residual / last : 0, wanted = last > 0 ? GAIN * gained * gained : FIRST;
  return fmax(fmin(wanted, LARGEST), fmin(0.5, OF_GOAL * report->goal / report->residual));
}

/* du = A^-1 r; where the solver of a nonlinear problem fails, so has Newton's method. */
static Status newton_increment(Newton *w, NewtonReport *report) {
  const int64_t n = w->problem->n;
  LinearReport linear = {0};
  TRY(exec_zero(w->exec, w->du, (size_t)n * sizeof(double)));
  const Status status = linear_solve(w->solver, w->r, w->du, &linear);
  linear_report_add(&report->linear, &linear);
  if (w->problem->linear || status != ERR_NUMERIC) return status;
  if (linear.reason != LINEAR_UNDERFLOW) { /* what changes so little is exact to the last digit */
    report->reason = linear.reason == LINEAR_NAN ? NEWTON_NAN : NEWTON_UNSOLVABLE;
    snprintf(w->why, sizeof w->why, "%s", status_message());
  }
  status_clear();
  return OK;
}

/* u = start + length du until the residual falls; `last` is that of start. */
static Status newton_line_search(Newton *w, const NewtonStep *step, double last, double *u, NewtonReport *report) {
  const size_t bytes = (size_t)w->problem->n * sizeof *u;
  double length = 1;
  for (int k = 0; !(report->residual <= fmax((1 - DESCENT * length) * last, report->goal)); ++k) {
    if (k == MAX_CUTS) {
      report->reason = isfinite(report->residual) ? NEWTON_ASCENT : NEWTON_NAN;
      return OK;
    }
    const double grown = report->residual / last, least = length * length / (grown * grown - 1 + 2 * length);
    length *=
        isfinite(grown) ? fmin(fmax(least / length, SHORTEST_CUT), LONGEST_CUT) : 0.5 * (SHORTEST_CUT + LONGEST_CUT);
    report->cuts += 1;
    TRY(exec_copy(w->exec, u, w->start, bytes));
    TRY(vec_axpy(w->exec, w->problem->n, length, w->du, u));
    TRY(newton_residual(w, step, u, false, report));
  }
  return OK;
}

/* One Newton step; `last`: the residual before the one before it, 0 at first. */
static Status newton_advance(Newton *w, const NewtonStep *step, double last, double *u, NewtonReport *report) {
  const double now = report->residual;
  TRY(newton_tangent(w, step, u, report));
  if (w->params.forcing) linear_set_rtol(w->solver, newton_forcing(report, last));
  TRY(newton_increment(w, report));
  report->steps += 1;
  if (report->reason != NEWTON_CONVERGED) return OK;
  if (w->start) TRY(exec_copy(w->exec, w->start, u, (size_t)w->problem->n * sizeof *u));
  TRY(vec_axpy(w->exec, w->problem->n, 1, w->du, u));
  TRY(newton_residual(w, step, u, false, report));
  return w->start ? newton_line_search(w, step, now, u, report) : OK;
}

/* Whether the iteration ends here. */
static bool newton_ends(const Newton *w, NewtonReport *report) {
  if (report->reason != NEWTON_CONVERGED) return true;
  if (!isfinite(report->residual)) report->reason = NEWTON_NAN;
  else if (w->problem->linear) return report->steps == 1 || report->residual == 0;
  else if (report->residual <= report->goal) return true;
  else if (report->steps == w->params.max_steps) report->reason = NEWTON_STUCK;
  else if (report->steps > 1 && report->residual > FAR * report->first) report->reason = NEWTON_DIVERGED;
  return report->reason != NEWTON_CONVERGED;
}

Status newton_solve(Newton *w, const NewtonStep *step, double *u, NewtonReport *report) {
  *report = (NewtonReport){.linear = {.equation = -1}};
  w->why[0] = 0;
  TRY(newton_residual(w, step, u, true, report));
  report->first = report->residual;
  report->goal = fmax(step->rtol * report->first, step->atol);
  for (double last = 0, now; !newton_ends(w, report); last = now) {
    now = report->residual;
    TRY(newton_advance(w, step, last, u, report));
  }
  return OK;
}

const char *newton_failure(const Newton *w, const NewtonReport *r, double unit, char text[NEWTON_TEXT]) {
  const double now = r->residual / unit, first = r->first / unit, goal = r->goal / unit;
  const char *why = w ? w->why : "";
  if (r->reason == NEWTON_STUCK)
    snprintf(text, NEWTON_TEXT,
             "Newton's method did not converge in %d steps: residual %.3e, at the first guess %.3e, asked for %.3e",
             (int)r->steps, now, first, goal);
  else if (r->reason == NEWTON_DIVERGED)
    snprintf(text, NEWTON_TEXT, "Newton's method diverges: residual %.3e, at the first guess %.3e", now, first);
  else if (r->reason == NEWTON_ASCENT)
    snprintf(text, NEWTON_TEXT, "no length of Newton step %d makes the residual %.3e smaller", (int)r->steps, now);
  else if (r->reason == NEWTON_UNSOLVABLE) snprintf(text, NEWTON_TEXT, "in Newton step %d: %.900s", (int)r->steps, why);
  else
    snprintf(text, NEWTON_TEXT,
             "the residual is not a number after %d Newton steps%s%.800s\n  likely: a load, a stimulus, a prescribed "
             "value or "
             "a parameter that overflows; a step that is too large",
             (int)r->steps, *why ? ": " : "", why);
  return text;
}
