/* What a run needs before its first step: checks, events, all memory. */
#include "core/memory.h"
#include "solver/time/stages.h"
#include "solver/time/stepper_private.h"

#include <math.h>

static const double RTOL = 1e-8, ATOL = 1e-12, SHARE = 1e-5;
/* Steps this close to the bound of definiteness are as short as an adaptive run allows. */
static const double BELOW_BOUND = 0.95;
enum { MAX_NEWTON_IN_TIME = 12, SMOOTHING = 2 };

double stepper_bound(double max_slope) { return max_slope > 0 ? 1 / max_slope : HUGE_VAL; }

static Status check_pulses(const StepperParams *p) {
  CHECK(p->n_pulse >= 0, ERR_BUG, "%d pulses", (int)p->n_pulse);
  for (int32_t k = 0; k < p->n_pulse; ++k) {
    const EvolutionPulse *q = &p->pulse[k];
    CHECK(isfinite(q->start) && isfinite(q->duration) && q->duration > 0, ERR_INPUT,
          "stimulus %d: duration is %g, must be > 0", (int)k + 1, q->duration);
    CHECK(q->count >= 1, ERR_INPUT, "stimulus %d: count is %lld, must be at least 1", (int)k + 1, (long long)q->count);
    CHECK(q->count == 1 || (isfinite(q->period) && q->period > q->duration), ERR_INPUT,
          "stimulus %d: period is %g, must be longer than the duration, %g", (int)k + 1, q->period, q->duration);
  }
  return OK;
}

/* How many pulses of a train begin before the end. */
static int64_t pulses_before(const EvolutionPulse *q, double end) {
  if (q->count == 1) return 1;
  const double n = ceil((end - q->start) / q->period);
  return n < 1 ? 1 : n < (double)q->count ? (int64_t)n : q->count;
}

/* The events given and the edges of all pulses; owned by the caller, also after a failure. */
static Status gather_events(const StepperParams *p, StepControlParams *control) {
  int64_t n = p->control.n_event;
  const int32_t n_pulse = p->n_pulse - p->n_followed;
  for (int32_t k = 0; k < n_pulse; ++k) n += 2 * pulses_before(&p->pulse[k], p->control.end);
  CHECK(n < INT32_MAX, ERR_INPUT, "stimuli have %lld edges, at most %d are possible", (long long)n, INT32_MAX);
  StepEvent *event = NULL;
  ALLOC(event, n, "edges of stimuli");
  int32_t at = 0;
  for (; at < p->control.n_event; ++at) event[at] = p->control.event[at];
  for (int32_t k = 0; k < n_pulse; ++k) {
    const EvolutionPulse *q = &p->pulse[k];
    for (int64_t i = 0; i < pulses_before(q, p->control.end); ++i) {
      const double start = q->count > 1 ? q->start + (double)i * q->period : q->start;
      event[at++] = (StepEvent){start, true};
      event[at++] = (StepEvent){start + q->duration, true};
    }
  }
  control->event = event;
  control->n_event = at;
  return OK;
}

/* No step may reach the bound of definiteness. */
static Status respect_bound(const Problem *problem, StepControlParams *c) {
  const double bound = stepper_bound(problem->reaction.max_slope);
  if (!c->adaptive) {
    CHECK(c->step < bound, ERR_INPUT,
          "time: step is %g, must be shorter than %g, where the reaction is steeper than any step can follow (the "
          "matrix of Newton's method is not positive definite)",
          c->step, bound);
    return OK;
  }
  if (c->max > 0 && c->max >= bound)
    status_warn(
        "time: max of adaptive steps is %g; steps are kept below %g, where the reaction is steeper than any step can "
        "follow",
        c->max, bound);
  if (!(c->max > 0)) c->max = c->end - c->start;
  c->max = fmin(c->max, BELOW_BOUND * bound);
  CHECK(c->min <= c->max, ERR_INPUT, "adaptive: min is %g, must be shorter than %g, the bound of definiteness", c->min,
        bound);
  return OK;
}

/* What a static problem, a linear one and a nonlinear one take from the scheme. */
static Status fill_control(const Stepper *t, StepControlParams *c) {
  const TimeScheme *scheme = t->params.scheme;
  c->order = scheme ? scheme->order : 1;
  if (!scheme && c->adaptive) {
    c->tolerance = 1;
    if (c->first == 0) c->first = c->step;
  }
  if (!scheme || t->problem.motion.inertia) return OK;
  c->budget = t->problem.linear ? scheme->budget_linear : scheme->budget_nonlinear;
  return t->problem.linear ? OK : respect_bound(&t->problem, c);
}

static Status check_tolerances(const StepperParams *p, bool nonlinear) {
  CHECK(nonlinear ? p->reference > 0 && isfinite(p->reference) : p->reference >= 0, ERR_INPUT,
        "the reference of the tolerance is %g, must be > 0", p->reference);
  CHECK(p->rtol > 0 && p->rtol < 1, ERR_INPUT, "rtol is %g, must lie in (0, 1)", p->rtol);
  CHECK(p->atol >= 0, ERR_INPUT, "atol is %g, must be >= 0", p->atol);
  CHECK(p->inner >= 0 && p->inner <= EVOLUTION_INNER, ERR_INPUT,
        "products of a linear solve are %d, must lie in [1, %d]", (int)p->inner, EVOLUTION_INNER);
  CHECK(p->predictor <= EVOLUTION_PAST, ERR_INPUT, "degree of the predictor is %d, must be at most %d",
        (int)p->predictor, EVOLUTION_PAST);
  return OK;
}

static Status fill_params(Stepper *t, const StepperParams *params) {
  StepperParams *p = &t->params;
  const bool nonlinear = params->scheme && !t->problem.linear && !t->problem.motion.inertia;
  *p = *params;
  if (p->rtol == 0) p->rtol = RTOL;
  if (p->atol == 0) p->atol = ATOL;
  if (p->share == 0) p->share = SHARE;
  if (p->max_newton <= 0 && nonlinear) p->max_newton = MAX_NEWTON_IN_TIME;
  if (p->smoothing == 0) p->smoothing = SMOOTHING;
  TRY(check_tolerances(p, nonlinear));
  TRY(check_pulses(p));
  StepControlParams control = p->control;
  TRY(fill_control(t, &control));
  Status status = gather_events(p, &control);
  if (status == OK) {
    status = step_control_create(&control, &t->control);
    StepEvent *event = (StepEvent *)(uintptr_t)control.event;
    FREE(event);
  }
  p->control = t->control.params;
  p->control.event = NULL, p->control.span = NULL;
  p->pulse = NULL;
  p->too_stiff = NULL;
  return status;
}

Status stepper_take(Stepper *t, const StepVector *vector, size_t n_vector) {
  for (size_t k = 0; k < n_vector; ++k) {
    if (!vector[k].wanted) continue;
    TRY(exec_alloc(t->exec, t->n_read, sizeof(double), vector[k].what, (void **)vector[k].to));
    t->taken[t->n_taken++] = vector[k].to;
  }
  return OK;
}

static Status check_matrix(const Mat *a, int64_t n) {
  CHECK(mat_rows(a) == n, ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)n, (long long)mat_rows(a));
  CHECK(!mat_numbering(a), ERR_INPUT,
        "steps in time multiply with their matrices in natural order, but this variant of format '%s' numbers the "
        "unknowns again; use variant '%s'",
        mat_format(a), mat_natural_variant(a));
  CHECK(mat_precision(a) == PRECISION_DOUBLE, ERR_BUG, "matrices of a problem in time must be in double");
  return OK;
}

static Status check_problem(const Problem *p, bool is_static, const Mat *a, const LinearSolver *solver) {
  CHECK(!p->states.advance || (p->states.begin && !is_static), ERR_BUG, "a problem that steps itself begins, in time");
  CHECK(p->states.advance || p->force || (p->linear && !is_static), ERR_BUG,
        "a problem that is nonlinear or static needs its force");
  CHECK(p->states.advance || p->reaction.nodal || (a && solver && p->tangent), ERR_BUG,
        "a problem that is not nodal needs a matrix, a solver, a tangent");
  CHECK(p->states.bytes == 0 || (p->states.save && p->states.restore), ERR_BUG, "states without save and restore");
  if (is_static || p->states.advance) return OK;
  const bool moves = p->motion.inertia || p->motion.free_only || p->motion.viscous;
  CHECK(!moves || (p->force && p->motion.inertia && p->motion.free_only && !p->reaction.nodal && !p->load), ERR_BUG,
        "a second-order problem must provide force, inertia and free_only");
  CHECK(!p->motion.internal || p->motion.inertia_everywhere, ERR_BUG, "energies need inertia everywhere");
  if (moves) return OK;
  const ReactionPart *r = &p->reaction;
  CHECK(p->stiffness && (r->nodal || p->mass) && (p->linear || r->lumped), ERR_BUG,
        "a problem in time needs K and M, and the lumped mass if it is nonlinear");
  CHECK(!p->linear || (!p->force && !r->current && p->fixed), ERR_BUG,
        "a linear problem in time has a load, no force and no current, and says what is fixed");
  CHECK(p->linear || !p->load, ERR_BUG, "a nonlinear problem in time has its loads in its force");
  CHECK(!r->nodal || !p->constraint_varies, ERR_BUG, "a nodal problem has prescribed values that stay");
  CHECK(r->max_slope >= 0 && isfinite(r->max_slope), ERR_BUG, "the largest slope is %g", r->max_slope);
  TRY(check_matrix(p->stiffness, p->n));
  if (p->mass) TRY(check_matrix(p->mass, p->n));
  CHECK(r->consistent == 0 || (r->nodal && p->mass && r->consistent > 0 && r->consistent <= 1), ERR_BUG,
        "a share %g of consistent mass: 0 to 1, of a nodal problem with M", r->consistent);
  return OK;
}

static Status stepper_fill(Stepper *t, const StepperParams *params) {
  TRY(fill_params(t, params));
  if (params->scheme) EXEC_ALLOC(t->exec, t->scalars, 1, "scalars of a step");
  EXEC_ALLOC(t->exec, t->switches, t->params.n_pulse, "switches of stimuli");
  TRY(exec_alloc_upload(t->exec, params->n_pulse, sizeof *params->pulse, params->pulse, "stimuli", (void **)&t->pulse));
  return t->method->create(t);
}

/* Whether the most stages that there is room for cannot do a step: once the spectrum is known. */
static bool stages_too_stiff(const Stepper *t) {
  const double lambda = t->resident.stiffest;
  return t->method == &step_stages && lambda > 0 &&
         stage_numbers(EVOLUTION_INNER).reach < t->params.control.step * (lambda + t->problem.reaction.decay);
}

Status stepper_create(Exec *exec, const Problem *problem, const StepperParams *params, Mat *a, LinearSolver *solver,
                      Stepper **out) {
  *out = NULL;
  TRY(check_problem(problem, !params->scheme, a, solver));
  Stepper *t = NULL;
  ALLOC(t, 1, "time stepping");
  t->exec = exec;
  t->problem = *problem;
  t->a = a;
  t->solver = solver;
  t->n = problem->n;
  t->n_read = a ? mat_columns(a) : problem->stiffness ? mat_columns(problem->stiffness) : problem->n;
  t->method = !params->scheme           ? &step_static
              : problem->states.advance ? &step_own
              : problem->motion.inertia ? (problem->linear ? &step_dynamic : &step_motion)
              : problem->linear         ? &step_linear
              : params->scheme->stages  ? &step_stages
              : problem->reaction.nodal ? &step_resident
                                        : &step_newton;
  Status status = rank_run_find(exec->comm, t->n, &t->place);
  if (status == OK) status = stepper_fill(t, params);
  if (params->too_stiff) *params->too_stiff = status == ERR_INPUT && stages_too_stiff(t);
  if (status != OK) stepper_destroy(&t);
  *out = t;
  return status;
}

void stepper_destroy(Stepper **stepper) {
  Stepper *t = *stepper;
  if (!t) return;
  StepResident *r = &t->resident;
  exec_loop_destroy(&r->loop);
  mat_destroy(&r->exact);
  mat_destroy(&r->scaled);
  newton_destroy(&t->newton);
  step_control_release(&t->control);
  for (int k = 0; k < t->n_taken; ++k) EXEC_RELEASE(t->exec, *t->taken[k], t->n_read);
  float **small[] = {&r->rho, &r->shift, &r->y[0], &r->y[1], &r->scale, &r->weight, &r->K_diagonal, &r->own};
  for (size_t k = 0; k < sizeof small / sizeof *small; ++k) EXEC_RELEASE(t->exec, *small[k], t->n_read);
  EXEC_RELEASE(t->exec, t->linear.sums, 1);
  EXEC_RELEASE(t->exec, t->dynamic.sums, 1);
  EXEC_RELEASE(t->exec, t->pulse, t->params.n_pulse);
  EXEC_RELEASE(t->exec, t->switches, t->params.n_pulse);
  EXEC_RELEASE(t->exec, t->scalars, 1);
  EXEC_RELEASE(t->exec, t->ring, t->watch.room * t->watch.n);
  FREE(*stepper);
}
