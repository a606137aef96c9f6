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
/* From where on a step has met what those before it have hidden. */
static const double JUMP = 10;
/* Of what a turn changes at supports; and how many times the goal that is where turns will not find it. */
static const double LACK = 0.1, UNSEEN = 100;
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
  return mixing_create(p->exec, w->n, p->n_multiplier, p->n_border, &w->mixing);
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

/* r of the step. */
static Status outer_image(Outer *w, const double *change, double *r) {
  const OuterParams *p = &w->params;
  if (mat_numbering(p->a)) return OK; /* made anew */
  TRY(mat_apply(p->a, w->step, w->image));
  for (int32_t k = 0; k < p->n_border; ++k) TRY(vec_axpy(p->exec, w->n, change[k], p->g[k], r));
  TRY(vec_axpy(p->exec, w->n, -1, w->image, r));
  if (!p->beyond) return OK;
  TRY(p->beyond(p->context, w->step, w->image));
  return vec_axpy(p->exec, w->n, 1, w->image, r);
}

/* The answer of A to r, to `inner`; x and r with it, and with the turn of the multipliers behind it. */
static Status outer_step(Outer *w, double inner, const double *gap, const MixState *at, LinearReport *report) {
  double change[LINEAR_BORDER] = {0}, *x = at->u, *r = at->r;
  const OuterParams *p = &w->params;
  LinearReport one;
  linear_set_rtol(p->solver, inner);
  TRY(exec_zero(p->exec, w->step, (size_t)mat_columns(p->a) * sizeof(double)));
  const Status status = p->n_border ? linear_solve_border(p->solver, r, gap, w->step, change, &one)
                                    : linear_solve(p->solver, r, w->step, &one);
  linear_report_add(report, &one);
  TRY(status);
  TRY(vec_axpy(p->exec, w->n, 1, w->step, x));
  for (int32_t k = 0; k < p->n_border; ++k) at->factor[k] += change[k];
  TRY(outer_image(w, change, r));
  TRY(p->eliminate(p->context, x, at->m, false, w->image));
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
              "changes of volume of elements do not converge: residual %.3e, asked for %.3e, after %d iterations\n"
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
  TRY(outer_norm(w, at->r, now));
  return *now > JUMP * before ? mixing_begin(w->mixing, at) : OK;
}

/* The first step, which moves x as the border wants, whatever that takes; all to come leave the border as it is, and so does what is
 * made of them. *first, *now: of the residual, which may be nothing before. */
static Status outer_enter(Outer *w, double inner, const double *gap, const MixState *at, double *first, double *now,
                          LinearReport *report) {
  TRY(outer_step(w, inner, gap, at, report));
  TRY(outer_norm(w, at->r, now));
  *first = fmax(*first, *now);
  return mixing_begin(w->mixing, at);
}

/* The residual made anew behind one more turn, so that what multipliers still lack counts; what they lack may be seen where x is
 * fixed alone, as the pressure of a body that supports enclose. */
static Status outer_judge(Outer *w, const MixState *at, double *now) {
  const OuterParams *p = &w->params;
  double change;
  TRY(p->eliminate(p->context, at->u, at->m, p->residual != NULL, w->image));
  if (!p->residual) {
    TRY(vec_axpy(p->exec, w->n, 1, w->image, at->r));
    TRY(outer_norm(w, at->r, now));
    return mixing_accept(w->mixing, at);
  }
  TRY(outer_norm(w, w->image, &change));
  TRY(p->residual(p->context, at->u, at->r));
  TRY(outer_norm(w, at->r, now));
  *now = fmax(*now, LACK * change);
  return mixing_accept(w->mixing, at);
}

/* Steps until the residual is at most goal; *now: what it is. */
static Status outer_steps(Outer *w, double goal, const MixState *at, double *now, int *steps, LinearReport *report) {
  static const double NO_GAP[LINEAR_BORDER];
  const double inner = outer_inner(w);
  double least = (double)INFINITY;
  for (int best = 0; *steps < STEPS_MOST && *steps - best<STALLED && * now> goal; ++*steps) {
    TRY(outer_step(w, fmin(LOOSEST, fmax(inner, LAST * goal / *now)), NO_GAP, at, report));
    TRY(outer_mix(w, at, now));
    if (*now <= goal) {
      TRY(outer_judge(w, at, now));
      if (w->params.residual && *now > UNSEEN * goal) return OK;
    }
    if (*now < 0.9 * least) least = *now, best = *steps;
  }
  return OK;
}

Status outer_solve(Outer *w, double rtol, const double *gap, double *x, double *factor, double *r,
                   LinearReport *report) {
  const MixState at = {.u = x, .m = w->params.multiplier, .r = r, .factor = factor};
  double first, now;
  int steps = 0;
  *report = (LinearReport){.equation = -1, .true_residual = (double)INFINITY};
  TRY(outer_norm(w, r, &first));
  TRY(mixing_begin(w->mixing, &at));
  now = first;
  if (w->params.n_border) TRY(outer_enter(w, outer_inner(w), gap, &at, &first, &now, report));
  const Status status = outer_steps(w, rtol * first, &at, &now, &steps, report);
  report->norm_b = first;
  report->true_residual = report->recursive_residual = first > 0 ? now / first : 0;
  if (status != OK) return status;
  return now <= rtol * first ? OK : outer_failure(rtol, steps, report);
}
