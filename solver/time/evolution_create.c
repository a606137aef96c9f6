/* What a run needs before its first step: checks, events, all memory. */
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/evolution_private.h"
#include "solver/time/rows.h"

#include <math.h>

static const double RTOL = 1e-8, SHARE = 1e-5;
/* Steps this close to the bound of definiteness are as short as an adaptive run allows. */
static const double BELOW_BOUND = 0.95;
/* What the errors of all steps may add up to, times the tolerance, so that the speed of a wave is wrong by about the
 * tolerance. By scheme; measured, docs/theory/evolution.md. */
static const double BUDGET[] = {0.6, 4, 2};
enum { MAX_NEWTON = 12, SMOOTHING = 2 };
/* A polynomial of degree 4 carries 31 times the error of the values that it goes through into the next guess, one of
 * degree 3 15 times: worth it where they are solved this far. */
static const double WORTH_DEGREE_4 = 3e-8;

double evolution_bound(double steepest) { return steepest > 0 ? 1 / steepest : HUGE_VAL; }

static Status check_pulses(const EvolutionParams *p) {
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
static Status gather_events(const EvolutionParams *p, StepControlParams *control) {
  int64_t n = p->control.n_event;
  for (int32_t k = 0; k < p->n_pulse; ++k) n += 2 * pulses_before(&p->pulse[k], p->control.end);
  CHECK(n < INT32_MAX, ERR_INPUT, "stimuli have %lld edges, at most %d are possible", (long long)n, INT32_MAX);
  StepEvent *event = NULL;
  ALLOC(event, n, "edges of stimuli");
  int32_t at = 0;
  for (; at < p->control.n_event; ++at) event[at] = p->control.event[at];
  for (int32_t k = 0; k < p->n_pulse; ++k) {
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
static Status respect_bound(const EvolutionProblem *problem, StepControlParams *c) {
  const double bound = evolution_bound(problem->steepest);
  if (!c->adaptive) {
    CHECK(c->step < bound, ERR_INPUT,
          "time: step is %g, must be shorter than %g, where the reaction is steeper than any step can follow (the "
          "matrix of "
          "Newton's method is not positive definite)",
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

static Status fill_params(Evolution *e, const EvolutionParams *params) {
  EvolutionParams *p = &e->params;
  *p = *params;
  CHECK(p->reference > 0 && isfinite(p->reference), ERR_INPUT, "the reference of the tolerance is %g, must be > 0",
        p->reference);
  if (p->rtol == 0) p->rtol = RTOL;
  CHECK(p->rtol > 0 && p->rtol < 1, ERR_INPUT, "rtol is %g, must lie in (0, 1)", p->rtol);
  CHECK(p->inner >= 0 && p->inner <= EVOLUTION_INNER, ERR_INPUT,
        "products of a linear solve are %d, must lie in [1, %d]", (int)p->inner, EVOLUTION_INNER);
  CHECK(p->predictor <= EVOLUTION_PAST, ERR_INPUT, "degree of the predictor is %d, must be at most %d",
        (int)p->predictor, EVOLUTION_PAST);
  if (p->share == 0) p->share = SHARE;
  if (p->max_newton <= 0) p->max_newton = MAX_NEWTON;
  if (p->predictor == 0) p->predictor = evolution_goal(e) <= WORTH_DEGREE_4 ? 4 : 3;
  if (p->smoothing == 0) p->smoothing = SMOOTHING;
  TRY(check_pulses(p));
  StepControlParams control = p->control;
  control.order = p->scheme == TRANSIENT_BACKWARD_EULER ? 1 : 2;
  control.budget = BUDGET[p->scheme];
  TRY(respect_bound(&e->problem, &control));
  TRY(gather_events(p, &control));
  const Status status = step_control_create(&control, &e->control);
  StepEvent *event = (StepEvent *)(uintptr_t)control.event;
  FREE(event);
  p->control = e->control.params;
  p->control.event = NULL;
  p->pulse = NULL;
  return status;
}

static Status take_vectors(Evolution *e) {
  const bool nodal = !e->problem.mass_matrix;
  const struct {
    double **to;
    const char *what;
    bool wanted;
  } vector[] = {{&e->before, "solution before the step", true},
                {&e->K_before, "product with K", true},
                {&e->Ku, "product with K", true},
                {&e->R_before, "reaction before the step", e->params.scheme == TRANSIENT_CRANK_NICOLSON},
                {&e->R, "reaction", true},
                {&e->current, "currents", true},
                {&e->diagonal, "slope of the reaction", nodal},
                {&e->v, "work space of a time step", !nodal},
                {&e->Mv, "product with M", !nodal},
                {&e->r, "residual", !nodal},
                {&e->du, "increment of Newton's method", !nodal}};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k)
    if (vector[k].wanted) TRY(exec_alloc(e->exec, e->n, sizeof(double), vector[k].what, (void **)vector[k].to));
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    EXEC_ALLOC(e->exec, e->past[k], e->n, "solutions before the step");
    EXEC_ALLOC(e->exec, e->K_past[k], e->n, "products with K");
  }
  EXEC_ALLOC(e->exec, e->scalars, 1, "scalars of a time step");
  EXEC_ALLOC(e->exec, e->switches, e->params.n_pulse, "switches of stimuli");
  return OK;
}

static Status find_volume(Evolution *e) {
  TRY(vec_fill(e->exec, e->n, 1, e->R));
  TRY(vec_dot(e->exec, e->n, e->problem.mass, e->R, &e->scalars->residual));
  TRY(exec_download(e->exec, &e->volume, &e->scalars->residual, sizeof e->volume));
  CHECK(isfinite(e->volume) && e->volume > 0, ERR_NUMERIC, "the sum of the lumped mass is %g, must be > 0", e->volume);
  return OK;
}

static Status fill(Evolution *e, const EvolutionParams *params) {
  TRY(fill_params(e, params));
  TRY(take_vectors(e));
  TRY(exec_alloc_upload(e->exec, params->n_pulse, sizeof *params->pulse, params->pulse, "stimuli", (void **)&e->pulse));
  TRY(find_volume(e));
  return e->problem.mass_matrix ? OK : evolution_inner_create(e);
}

static Status check_problem(const EvolutionProblem *p, const Mat *a, const LinearSolver *solver) {
  const bool nodal = !p->mass_matrix;
  CHECK(p->mass && p->stiffness && p->reaction && p->commit, ERR_BUG,
        "a problem needs mass, stiffness, reaction, commit");
  CHECK(mat_rows(p->stiffness) == p->n, ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)p->n,
        (long long)mat_rows(p->stiffness));
  CHECK(mat_precision(p->stiffness) == PRECISION_DOUBLE && !mat_numbering(p->stiffness), ERR_BUG,
        "the stiffness must be in double and in natural numbering");
  CHECK(nodal || (a && solver && p->tangent), ERR_BUG,
        "a problem with a mass matrix needs a matrix, a solver, a tangent");
  CHECK(nodal || mat_rows(a) == p->n, ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)p->n,
        nodal ? 0 : (long long)mat_rows(a));
  CHECK(p->steepest >= 0 && isfinite(p->steepest), ERR_BUG, "steepest is %g", p->steepest);
  CHECK(p->state_bytes == 0 || (p->save && p->restore), ERR_BUG, "states without save and restore");
  return OK;
}

Status evolution_create(Exec *exec, const EvolutionProblem *problem, const EvolutionParams *params, Mat *a,
                        LinearSolver *solver, Evolution **out) {
  *out = NULL;
  TRY(check_problem(problem, a, solver));
  Evolution *e = NULL;
  ALLOC(e, 1, "nonlinear time stepping");
  e->exec = exec;
  e->problem = *problem;
  e->a = a;
  e->solver = solver;
  e->n = problem->n;
  const Status status = fill(e, params);
  if (status != OK) evolution_destroy(&e);
  *out = e;
  return status;
}

void evolution_destroy(Evolution **evolution) {
  Evolution *e = *evolution;
  if (!e) return;
  exec_loop_destroy(&e->loop);
  step_control_release(&e->control);
  double **vector[] = {&e->before,   &e->K_before, &e->Ku, &e->R_before, &e->R, &e->current,
                       &e->diagonal, &e->v,        &e->Mv, &e->r,        &e->du};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k) EXEC_RELEASE(e->exec, *vector[k], e->n);
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    EXEC_RELEASE(e->exec, e->past[k], e->n);
    EXEC_RELEASE(e->exec, e->K_past[k], e->n);
  }
  float **small[] = {&e->rho, &e->shift, &e->y[0], &e->y[1], &e->scale, &e->weight, &e->K_diagonal};
  for (size_t k = 0; k < sizeof small / sizeof *small; ++k) EXEC_RELEASE(e->exec, *small[k], e->n);
  mat_destroy(&e->scaled);
  EXEC_RELEASE(e->exec, e->pulse, e->params.n_pulse);
  EXEC_RELEASE(e->exec, e->switches, e->params.n_pulse);
  EXEC_RELEASE(e->exec, e->scalars, 1);
  FREE(*evolution);
}
