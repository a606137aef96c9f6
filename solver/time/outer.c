#include "solver/time/outer.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/precond/precond.h"
#include "solver/time/mixing.h"

#include <math.h>

/* Steps at most, and of those the most without a new least residual. */
enum { STEPS_MOST = 150, STALLED = 25 };
/* Of the residual before a step, what mixing has to come below. */
static const double GAINED = 0.9;
/* Of what a turn changes at supports. */
static const double LACK = 0.1;
/* How exact a solve of A is, by preconditioners that leave an error of small residual too, and towards the end, in parts of what is left to do. */
static const double INNER = 0.1, INNER_WEAK = 1e-3, LAST = 0.5, LOOSEST = 0.5;

struct Outer {
  OuterParams params;
  int64_t n;
  Mixing *mixing;              /* owned */
  double *step, *image, *norm; /* owned, on the Exec: [mat_columns], [n], [1] */
};

static Status outer_allocate(Outer *w) {
  const OuterParams *p = &w->params;
  EXEC_ALLOC(p->exec, w->step, mat_columns(p->a), "step of an outer iteration");
  EXEC_ALLOC(p->exec, w->image, w->n, "what a step changes");
  EXEC_ALLOC(p->exec, w->norm, 1, "norm of the residual");
  return mixing_create(p->exec, w->n, p->n_multiplier, 0, &w->mixing);
}

Status outer_create(const OuterParams *params, Outer **out) {
  Outer *w = NULL;
  *out = NULL;
  ALLOC(w, 1, "an outer iteration");
  *w = (Outer){.params = *params, .n = mat_rows(params->a)};
  const Status status = outer_allocate(w);
  if (status != OK) outer_destroy(&w);
  *out = w;
  return status;
}

void outer_destroy(Outer **outer) {
  Outer *w = *outer;
  if (!w) return;
  Exec *exec = w->params.exec;
  EXEC_RELEASE(exec, w->step, mat_columns(w->params.a));
  EXEC_RELEASE(exec, w->image, w->n);
  EXEC_RELEASE(exec, w->norm, 1);
  mixing_destroy(&w->mixing);
  FREE(*outer);
}

static Status outer_norm(Outer *w, const double *r, double *norm) {
  VecLength length;
  TRY(vec_length(w->params.exec, w->n, r, w->norm, &length));
  *norm = ldexp(length.value, length.exponent);
  return OK;
}

/* The answer of A to r, to `inner`; x and r with it, and with the turn of the multipliers behind it. */
static Status outer_step(Outer *w, double inner, double *x, double *r, LinearReport *report) {
  const OuterParams *p = &w->params;
  LinearReport one;
  const double before = report->setup_seconds;
  linear_set_rtol(p->solver, inner);
  TRY(exec_zero(p->exec, w->step, (size_t)mat_columns(p->a) * sizeof(double)));
  const Status status = linear_solve(p->solver, r, w->step, &one);
  const bool first = !report->preconditioner;
  linear_report_add(report, &one);
  if (!first) report->setup_seconds = before; /* of all solves together */
  TRY(status);
  TRY(vec_axpy(p->exec, w->n, 1, w->step, x));
  if (!mat_numbering(p->a)) {
    TRY(mat_apply(p->a, w->step, w->image));
    TRY(vec_axpy(p->exec, w->n, -1, w->image, r));
  }
  TRY(p->turn(p->context, x, false, w->image));
  return mat_numbering(p->a) ? p->residual(p->context, x, r) : vec_axpy(p->exec, w->n, 1, w->image, r);
}

static double outer_inner(const Outer *w) {
  LinearReport report;
  linear_begin_report(w->params.solver, &report);
  return precond_named(report.preconditioner)->needs ? INNER : INNER_WEAK;
}

static Status outer_failure(double rtol, int steps, LinearReport *report) {
  report->reason = isfinite(report->true_residual) ? LINEAR_STAGNATED : LINEAR_NAN;
  return FAIL(ERR_NUMERIC,
              "changes of volume of elements do not settle: residual %.3e of the asked %.3e after %d turns\n"
              "  likely: rtol is below what rounding leaves\n  remedy: a larger rtol, or a smaller bulk modulus",
              report->true_residual, rtol, steps);
}

/* On to the least residual, where that is less than before the step; *now: the residual. */
static Status outer_mix(Outer *w, const MixState *at, double *now) {
  const double before = *now;
  TRY(mixing_go(w->mixing, at));
  TRY(outer_norm(w, at->r, now));
  if (*now < GAINED * before) return mixing_accept(w->mixing, at);
  TRY(mixing_return(w->mixing, at));
  return outer_norm(w, at->r, now);
}

/* The residual made anew behind one more turn, so that what multipliers still lack counts; what they lack may be seen where x is
 * fixed alone, as the pressure of a body that supports enclose. */
static Status outer_judge(Outer *w, const MixState *at, double *now) {
  const OuterParams *p = &w->params;
  double change;
  TRY(p->turn(p->context, at->u, true, w->image));
  TRY(outer_norm(w, w->image, &change));
  TRY(p->residual(p->context, at->u, at->r));
  TRY(outer_norm(w, at->r, now));
  *now = fmax(*now, LACK * change);
  return mixing_accept(w->mixing, at);
}

Status outer_solve(Outer *w, double rtol, double *x, double *r, LinearReport *report) {
  const OuterParams *p = &w->params;
  const MixState at = {.u = x, .m = p->multiplier, .r = r};
  double first, now, least = (double)INFINITY;
  int best = 0, k;
  const double inner = outer_inner(w);
  *report = (LinearReport){.equation = -1};
  TRY(outer_norm(w, r, &first));
  TRY(mixing_begin(w->mixing, &at));
  now = first;
  for (k = 0; k < STEPS_MOST && k - best < STALLED && now > rtol * first; ++k) {
    TRY(outer_step(w, fmin(LOOSEST, fmax(inner, LAST * rtol * first / now)), x, r, report));
    TRY(outer_mix(w, &at, &now));
    if (now <= rtol * first) TRY(outer_judge(w, &at, &now));
    if (now < 0.9 * least) least = now, best = k;
  }
  report->norm_b = first;
  report->true_residual = report->recursive_residual = first > 0 ? now / first : 0;
  return now <= rtol * first ? OK : outer_failure(rtol, k, report);
}
