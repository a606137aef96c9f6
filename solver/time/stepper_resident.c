/* Nodal problems: a whole step, or several, as one loop on the Exec. Its turns are Newton steps; what belongs to the
 * beginning or the end of a step does nothing in the other turns. The linear solve is Chebyshev's iteration, of a
 * length that follows from the residual, and so without sums (stepper_chebyshev.c); all its products but the last one
 * are a launch each, with the update of the iterate in it. The last one is a true product in double with the new u.
 *
 * Bytes of a step with N Newton steps of k products, K'' = bytes of K in half or float, n nodes, degree 3 of the first
 * guess: first guess 80 n, residual (N + 1) 80 n, N (k - 1) (K'' + 24 n), N (K in double and 40 n), the end 64 n, and
 * the problem's force N + 1 times. */
#include "core/memory.h"
#include "solver/time/stepper_private.h"

#include <math.h>

static Status resident_create(Stepper *t) {
  TRY(nonlinear_create(t));
  return chebyshev_create(t);
}

/* Products with K of values before are those of another K. */
static Status resident_stiffness(Stepper *t) {
  TRY(chebyshev_renew(t));
  TRY(mat_apply(t->problem.stiffness, t->before, t->K_before));
  for (int k = 0; k < EVOLUTION_PAST; ++k) TRY(mat_apply(t->problem.stiffness, t->past[k], t->K_past[k]));
  return OK;
}

static Status record_source(Stepper *t, EvolutionPhase phase) {
  const EvolutionArgs args = nonlinear_args(t, phase);
  const Stage stage = nonlinear_stage(t, phase);
  TRY(t->problem.force(t->problem.context, &stage, t->u, t->force, t->slope));
  return exec_rows(t->exec, &evolution_residual_kernel, &args, t->n);
}

/* The part of the mass that is consistent. */
Status resident_record_lag(Stepper *t, const EvolutionArgs *args) {
  if (!t->lag) return OK;
  TRY(exec_rows(t->exec, &evolution_expect_kernel, args, t->n));
  TRY(mat_product(t->problem.mass, MAT_APPLY, &(ProductArgs){.v = t->v, .w = t->Mv, .stop = &t->scalars->skip_start}));
  return exec_rows(t->exec, &evolution_lag_kernel, args, t->n);
}

static Status record_start(Stepper *t) {
  const EvolutionArgs args = nonlinear_args(t, EVOLUTION_START);
  const Stage stage = nonlinear_stage(t, EVOLUTION_START);
  const Problem *p = &t->problem;
  EvolutionArgs interval = args;
  interval.when = &t->scalars->interval_stale;
  TRY(exec_rows(t->exec, &evolution_interval_kernel, &interval, 1));
  TRY(exec_rows(t->exec, &evolution_switches_kernel, &args, t->params.n_pulse));
  if (p->reaction.current) TRY(p->reaction.current(p->context, &stage, t->switches, t->current));
  if (p->states.first) TRY(p->states.first(p->context, &stage, t->before, t->current));
  TRY(exec_rows(t->exec, &evolution_guess_kernel, &args, t->n));
  TRY(resident_record_lag(t, &args));
  return record_source(t, EVOLUTION_START);
}

Status resident_record_semi(Stepper *t) {
  const StepResident *r = &t->resident;
  for (int32_t k = 0; k + 1 < t->params.inner; ++k)
    TRY(mat_product(r->scaled, MAT_SEMI,
                    &(ProductArgs){.v = r->y[k % 2],
                                   .w = r->y[(k + 1) % 2],
                                   .u = r->rho,
                                   .z = r->shift,
                                   .diagonal = r->K_diagonal,
                                   .f = t->scalars->semi[k + 1],
                                   .stop = &t->scalars->skip_inner[k]}));
  return OK;
}

static Status record_newton(Stepper *t) {
  const EvolutionArgs args = nonlinear_args(t, EVOLUTION_NEWTON);
  TRY(resident_record_semi(t));
  return exec_rows(t->exec, &evolution_correct_kernel, &args, t->n);
}

static Status record_end(Stepper *t) {
  const Stage stage = nonlinear_stage(t, EVOLUTION_COMMIT);
  const Problem *p = &t->problem;
  TRY(mat_product(p->stiffness, MAT_APPLY, &(ProductArgs){.v = t->u, .w = t->Ku, .stop = &t->scalars->skip_product}));
  TRY(record_source(t, EVOLUTION_VERIFY));
  if (p->commit) TRY(p->commit(p->context, &stage, t->u, t->before));
  return nonlinear_accept(t);
}

static Status record_step(Exec *exec, void *context) {
  (void)exec;
  Stepper *t = context;
  TRY(record_start(t));
  TRY(record_newton(t));
  return record_end(t);
}

/* One or more steps from t->host (on the Exec already) on: t->host.stop says how it ended. */
static Status resident_run(Stepper *t) {
  StepResident *r = &t->resident;
  if (!r->loop) TRY(exec_loop_create(t->exec, record_step, t, &t->scalars->stop, &r->loop));
  /* a step has at most max_newton turns and one that starts it */
  TRY(exec_loop_run(r->loop, t->host.max_steps * (t->host.max_newton + 2), NULL, NULL));
  TRY(exec_download(t->exec, &t->host, t->scalars, sizeof t->host));
  CHECK(t->host.stop != EVOLUTION_GOES_ON, ERR_BUG, "a loop of time steps ended without a reason");
  return OK;
}

/* The Exec has decided; the control gets a ratio by which it decides the same way. */
static double resident_ratio(const Stepper *t) {
  const EvolutionScalars *s = &t->host;
  const double ratio = nonlinear_ratio(t);
  if (isnan(ratio) || s->allowed == HUGE_VAL) return ratio;
  return s->stop == EVOLUTION_REJECTED ? fmax(ratio, nextafter(1, 2)) : fmin(ratio, 1);
}

/* The residual grew: the spectrum may reach further than was estimated. Tries again with a higher end, as long as a
 * rigorous bound allows it. */
static bool resident_raise(Stepper *t) {
  static const double BY = 1.15, MOST = 64;
  const EvolutionScalars *s = &t->host;
  const StepResident *r = &t->resident;
  double *raise = &t->memory.raise;
  if (s->stop == EVOLUTION_DONE || s->stop == EVOLUTION_REJECTED) return false;
  if (s->residual <= s->first || r->interval[0].high * *raise >= r->off_diagonal || *raise > MOST) return false;
  if (*raise == 1)
    status_warn("the bound of the spectrum was too small in the step from t = %g to %g and is raised", t->control.time,
                t->control.target);
  *raise *= BY;
  return true;
}

/* The steps that the Exec has accepted. */
static Status resident_advance(Stepper *t, StepReport *report) {
  const EvolutionScalars *s = &t->host;
  for (int64_t k = 0; k < s->steps; ++k) {
    if (k) step_control_next(&t->control);
    TRY(stepper_advance(t, k + 1 < s->steps || s->stop != EVOLUTION_DONE ? (double)NAN : resident_ratio(t)));
  }
  if (s->steps && s->bad > 0 && !t->warned) {
    t->warned = true;
    status_warn(
        "at t = %g the reaction is steeper at %.0f nodes than a step of %g can follow: Newton's method is slowed down "
        "there\n  remedy: smaller steps",
        t->control.time, s->bad, s->clock.dt);
  }
  report->steps += s->steps;
  return OK;
}

static void resident_failure(const Stepper *t, Trial *trial) {
  static const NewtonReason reason[] = {
      [EVOLUTION_STUCK] = NEWTON_STUCK, [EVOLUTION_DIVERGED] = NEWTON_DIVERGED, [EVOLUTION_NAN] = NEWTON_NAN};
  const EvolutionScalars *s = &t->host;
  const NewtonReport newton = {.reason = reason[s->stop],
                               .steps = s->step_newton,
                               .residual = sqrt(s->residual),
                               .first = sqrt(s->first),
                               .goal = sqrt(s->limit)};
  trial->end = TRIAL_FAILED;
  newton_failure(NULL, &newton, nonlinear_unit(t), trial->why);
}

static Status resident_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  const EvolutionScalars *s = &t->host;
  TRY(nonlinear_begin(t, max_steps));
  TRY(resident_run(t));
  const bool raised = resident_raise(t);
  t->memory.learned = s->learned;
  report->newton += s->newton;
  report->linear.products += s->products;
  report->linear.iterations += s->products;
  report->dt = s->clock.dt;
  report->error = isnan(t->factors.share) ? (double)NAN : nonlinear_error(t);
  report->residual = sqrt(s->residual / t->volume) / t->params.reference;
  trial->ratio = resident_ratio(t);
  TRY(resident_advance(t, report));
  if (s->stop == EVOLUTION_DONE) trial->end = TRIAL_TAKEN;
  else if (raised) trial->end = TRIAL_AGAIN;
  else if (s->stop != EVOLUTION_REJECTED) resident_failure(t, trial);
  if (trial->end != TRIAL_TAKEN && trial->end != TRIAL_AGAIN && s->steps) step_control_next(&t->control);
  return OK;
}

static Status resident_accept(Stepper *t) {
  (void)t;
  return FAIL(ERR_BUG, "a step that the Exec rejected is accepted");
}

const StepMethod step_resident = {.name = "nodal",
                                  .create = resident_create,
                                  .start = nonlinear_start,
                                  .trial = resident_trial,
                                  .accept = resident_accept,
                                  .undo = stepper_undo,
                                  .history = nonlinear_history,
                                  .stiffness = resident_stiffness};
