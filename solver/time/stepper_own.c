/* Of a problem that steps itself: the frame gives it the clock, checkpoints and a way to stop. */
#include "solver/time/stepper_private.h"

#include <math.h>

static Status own_create(Stepper *t) {
  CHECK(!t->params.control.adaptive, ERR_INPUT, "steps by modes are exact: they have one length, without 'adaptive'");
  return OK;
}

static Status own_start(Stepper *t) { return t->problem.states.begin(t->problem.context, t->control.time); }

static Status own_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  (void)max_steps, (void)trial;
  report->error = 0;
  return t->problem.states.advance(t->problem.context, &t->stage);
}

static Status own_accept(Stepper *t) {
  (void)t;
  return OK;
}

static int own_history(const Stepper *t, double **vector) {
  (void)t, (void)vector;
  return 0;
}

const StepMethod step_own = {.name = "own",
                             .create = own_create,
                             .start = own_start,
                             .trial = own_trial,
                             .accept = own_accept,
                             .history = own_history};
