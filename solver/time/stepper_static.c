/* Static problems: Newton's method from the last solution at each load step, which has moved to the values
 * prescribed for its load. Where it fails the step is cut; an adaptive run takes longer steps again where it
 * converges quickly. */
#include "solver/time/stepper_private.h"

#include <math.h>
#include <stdio.h>

/* Newton steps of a load step that is neither too long nor too short. */
static const double FEW = 8;

static Status static_create(Stepper *t) {
  const NewtonParams params = {
      .max_steps = t->params.max_newton, .line_search = t->params.line_search, .forcing = true};
  const StepVector vector[] = {{&t->before, "solution before the step", !t->problem.linear}};
  TRY(stepper_take(t, vector, 1));
  return newton_create(t->exec, &t->problem, &params, t->a, t->solver, &t->newton);
}

static Status static_keep(Stepper *t) {
  return t->before ? exec_copy(t->exec, t->before, t->u, (size_t)t->n * sizeof *t->u) : OK;
}

static Status static_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  (void)max_steps;
  const Problem *p = &t->problem;
  StepMemory *m = &t->memory;
  const double reference = t->params.reference > 0 ? t->params.reference : m->reference;
  const NewtonStep step = {.stage = t->stage, .rtol = t->params.rtol, .atol = t->params.atol * reference};
  NewtonReport newton;
  if (p->constrain) TRY(p->constrain(p->context, t->control.target, t->u));
  const Status status = newton_solve(t->newton, &step, t->u, &newton);
  report->newton += newton.steps;
  report->cuts += newton.cuts;
  report->residual = newton.residual;
  report->assembly_seconds += newton.assembly_seconds;
  linear_report_add(&report->linear, &newton.linear);
  TRY(status);
  if (isfinite(newton.first)) m->reference = fmax(m->reference, newton.first);
  if (newton.reason != NEWTON_CONVERGED) {
    trial->end = TRIAL_FAILED;
    newton_failure(t->newton, &newton, 1, trial->why);
  } else {
    trial->ratio = fmin(1, fmax(newton.steps, 1) / FEW);
  }
  return OK;
}

static Status static_accept(Stepper *t) {
  const Problem *p = &t->problem;
  if (p->commit) TRY(p->commit(p->context, &t->stage, t->u, t->before));
  return static_keep(t);
}

static Status static_undo(Stepper *t) { return t->before ? stepper_undo(t) : OK; }
static int static_history(const Stepper *t, double **vector) {
  (void)t, (void)vector;
  return 0;
}

const StepMethod step_static = {.name = "static",
                                .create = static_create,
                                .start = static_keep,
                                .trial = static_trial,
                                .accept = static_accept,
                                .undo = static_undo,
                                .history = static_history};
