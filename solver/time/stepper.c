/* From step to step: what is tried, what came of it, and what it says for the next one. The same for all problems. */
#include "core/memory.h"
#include "solver/time/stepper_private.h"

#include <math.h>

bool stepper_done(const Stepper *t) { return step_control_done(&t->control); }

void stepper_stop(Stepper *t) { t->control.params.end = t->control.time; }
void stepper_forget(Stepper *t) { exec_loop_destroy(&t->resident.loop); }
const StepControl *stepper_control(const Stepper *t) { return &t->control; }
StepStages stepper_stages(const Stepper *t) { return t->resident.stages; }
const EvolutionClock *stepper_clock(const Stepper *t) { return &t->scalars->clock; }
bool stepper_can_watch(const Stepper *t) { return t->method->watches && !t->exec->comm; }
StepSamples stepper_samples(const Stepper *t) { return (StepSamples){t->n_sampled, t->sample_time, t->ring}; }

Status stepper_stiffness(Stepper *t) {
  CHECK(t->method->stiffness, ERR_BUG, "the stiffness of steps that keep it has changed");
  return t->method->stiffness(t);
}

Status stepper_watch(Stepper *t, const StepWatch *watch) {
  const int64_t room = watch->room;
  CHECK(stepper_can_watch(t) && !t->ring && watch->n > 0 && room >= 0, ERR_BUG, "steps that cannot be watched");
  exec_loop_destroy(&t->resident.loop); /* recorded without it */
  t->watch = *watch;
  t->watch.room = room > 0 && room < EVOLUTION_CHAIN ? room : EVOLUTION_CHAIN;
  EXEC_ALLOC(t->exec, t->ring, t->watch.room * watch->n, "samples of a loop");
  return OK;
}

Status stepper_start(Stepper *t, double *u) {
  if (t->u != u) exec_loop_destroy(&t->resident.loop);
  t->u = u;
  t->memory = (StepMemory){
      .made_with = {NAN, NAN, NAN}, .first_with = {NAN, NAN, NAN}, .raise = 1, .learned = {.rate_estimate = {1, 1}}};
  for (int k = 0; k < EVOLUTION_PAST; ++k) t->memory.h[k] = 1;
  t->head = 0;
  if (t->problem.constrain) TRY(t->problem.constrain(t->problem.context, t->control.time, u));
  return t->method->start(t);
}

/* Nothing before an edge says anything about what follows. */
static void stepper_after_edge(Stepper *t) {
  const TimeScheme *scheme = t->params.scheme;
  t->memory.n_history = 0;
  t->memory.n_smooth = scheme && scheme->rings && t->params.smoothing > 0 ? t->params.smoothing : 0;
}

/* The factors of the step that the control is at. */
static void stepper_set_stage(Stepper *t) {
  const StepControl *c = &t->control;
  const StepMemory *m = &t->memory;
  const TimeScheme *scheme = t->params.scheme;
  if (scheme && (m->n_history < scheme->n_history || m->n_smooth > 0)) scheme = &backward_euler_scheme;
  t->factors = scheme ? scheme_factors(scheme, m->n_history, c->dt, m->h[0], m->h[1])
                      : (SchemeFactors){.theta = 1, .share = NAN};
  t->stage = (Stage){.time = c->time,
                     .target = c->target,
                     .dt = c->dt,
                     .theta = t->factors.theta,
                     .mass = t->factors.mass,
                     .clock = scheme ? &t->scalars->clock : NULL};
}

/* The step is accepted: history goes on. */
static void stepper_shift(Stepper *t) {
  StepMemory *m = &t->memory;
  for (int k = EVOLUTION_PAST - 1; k > 0; --k) m->h[k] = m->h[k - 1];
  m->h[0] = t->control.dt;
  t->head = evolution_newest(&(EvolutionScalars){.head = t->head});
  if (m->n_history < EVOLUTION_PAST) m->n_history += 1;
  if (m->n_smooth > 0) m->n_smooth -= 1;
}

Status stepper_advance(Stepper *t, double ratio) {
  bool accepted;
  TRY(step_control_judge(&t->control, ratio, &accepted));
  CHECK(accepted, ERR_BUG, "a step that was taken is not accepted");
  stepper_shift(t);
  return OK;
}

Status stepper_undo(Stepper *t) { return exec_copy(t->exec, t->u, t->before, (size_t)t->n * sizeof *t->u); }

/* No solution: a shorter step, or the end with the reason. */
static Status stepper_fail(Stepper *t, const Trial *trial, StepReport *report) {
  const StepControlParams *c = &t->control.params;
  report->failed += 1;
  TRY(t->method->undo(t));
  bool taken = false;
  const bool takes = t->solver && !(t->problem.statics.n_border && !exec_is_host(t->exec)); /* linear_set_border */
  if (report->indefinite && takes && step_control_is_shortest(&t->control))
    TRY(linear_take_spare(t->solver, "a tangent is not positive definite, however short the step", &taken));
  if (taken) {
    step_control_again(&t->control);
    return OK;
  }
  if (!t->params.scheme && !c->adaptive && !c->cuts && c->step >= c->end - c->start)
    return FAIL(ERR_NUMERIC, "%s", trial->why);
  const Status status = step_control_failed(&t->control);
  return status == OK ? OK : status_context(status, "%s", trial->why);
}

/* Steps of one length have one matrix: where many are left a factor may be cheaper than what the eighth of them took. */
static Status offer_factor(Stepper *t, const StepReport *report) {
  enum { EIGHTH = 8 };
  const StepControl *c = &t->control;
  if (c->n_accepted != EIGHTH || c->params.adaptive || c->params.n_span || report->rebuilt) return OK;
  if (!t->solver || t->method->restored != stepper_restore_matrix) return OK;
  return linear_offer(t->solver, report->linear.iterations, (int64_t)ceil((c->params.end - c->time) / c->dt - 0.5));
}

static Status stepper_attempt(Stepper *t, int64_t max_steps, StepReport *report) {
  Trial trial = {.ratio = NAN};
  step_control_next(&t->control);
  stepper_set_stage(t);
  report->dt = t->control.dt;
  TRY(t->method->trial(t, max_steps, &trial, report));
  if (trial.end == TRIAL_TAKEN) return OK;
  if (trial.end == TRIAL_AGAIN) return stepper_undo(t);
  if (trial.end == TRIAL_FAILED) return stepper_fail(t, &trial, report);
  bool accepted;
  TRY(step_control_judge(&t->control, trial.ratio, &accepted));
  report->rejected += !accepted;
  if (!accepted) return OK;
  TRY(t->method->accept(t));
  stepper_shift(t);
  report->steps = 1;
  return offer_factor(t, report);
}

Status stepper_step(Stepper *t, int64_t max_steps, StepReport *report) {
  *report = (StepReport){.error = NAN, .linear = {.equation = -1}};
  t->n_sampled = 0;
  CHECK(t->u, ERR_BUG, "stepper_step before stepper_start");
  CHECK(!stepper_done(t), ERR_BUG, "stepper_step after the end");
  if (t->control.edge) stepper_after_edge(t);
  while (report->steps == 0) {
    const Status status = stepper_attempt(t, max_steps, report);
    report->time = t->control.time;
    if (status != OK) return status;
  }
  return OK;
}

Status stepper_solve(Exec *exec, const Problem *problem, double rtol, Mat *a, LinearSolver *solver, double *u,
                     StepReport *report) {
  const StepperParams params = {.control = {.end = 1, .step = 1}, .rtol = rtol};
  Stepper *t = NULL;
  Status status = stepper_create(exec, problem, &params, a, solver, &t);
  if (status == OK) status = stepper_start(t, u);
  if (status == OK) status = stepper_step(t, 1, report);
  stepper_destroy(&t);
  return status;
}

double stepper_work(Stepper *t, double more) {
  t->memory.work += more, t->memory.internal += more;
  return t->memory.work;
}
