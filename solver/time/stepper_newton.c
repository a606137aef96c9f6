/* Nonlinear problems in time whose residual and tangent are assembled: Newton's method from the host, which reads the
 * scalars once per residual. */
#include "solver/time/stepper_private.h"

#include <math.h>

static Status newton_create_steps(Stepper *t) {
  const NewtonParams params = {
      .max_steps = t->params.max_newton, .line_search = t->params.line_search, .forcing = true};
  TRY(nonlinear_create(t));
  return newton_create(t->exec, &t->problem, &params, t->a, t->solver, &t->newton);
}

/* Force, products, residual of u; scalars come back. `guessed`: K u is there, extrapolated from true products. */
static Status newton_evaluate(Stepper *t, const Stage *stage, const double *u, bool guessed, double *r) {
  const Problem *p = &t->problem;
  EvolutionArgs args = nonlinear_args(t, EVOLUTION_NEWTON);
  EvolutionScalars now;
  args.r = r;
  TRY(p->force(p->context, stage, u, t->force, NULL));
  TRY(exec_rows(t->exec, &evolution_balance_kernel, &args, t->n));
  if (!guessed) TRY(mat_apply(p->stiffness, u, t->Ku));
  TRY(mat_apply(p->mass, t->v, t->Mv));
  TRY(exec_rows(t->exec, &evolution_gauss_kernel, &args, t->n));
  TRY(exec_download(t->exec, &now, t->scalars, sizeof now));
  t->host.residual = now.residual;
  t->host.error = now.error;
  t->host.change = now.change;
  t->host.products += guessed ? 1 : 2;
  return OK;
}

/* The norm is that of M^-1 r / mass, weighted by mass. */
static Status newton_in_time(void *context, const Stage *stage, const double *u, bool first, double *r, double *norm) {
  Stepper *t = context;
  const EvolutionScalars *s = &t->host;
  const bool guessed = first && !t->problem.constraint_varies;
  TRY(newton_evaluate(t, stage, u, guessed, r));
  /* only a true product says that a step is solved */
  if (guessed && s->residual <= s->limit) TRY(newton_evaluate(t, stage, u, false, r));
  *norm = isfinite(s->error) ? sqrt(s->residual) : (double)NAN;
  return OK;
}

static Status newton_guess(Stepper *t) {
  const Problem *p = &t->problem;
  const EvolutionArgs args = nonlinear_args(t, EVOLUTION_START);
  const Stage stage = nonlinear_stage(t, EVOLUTION_START);
  TRY(exec_rows(t->exec, &evolution_switches_kernel, &args, t->params.n_pulse));
  if (p->reaction.current) TRY(p->reaction.current(p->context, &stage, t->switches, t->current));
  if (p->states.first) TRY(p->states.first(p->context, &stage, t->before, t->current));
  TRY(exec_rows(t->exec, &evolution_guess_kernel, &args, t->n));
  return p->constraint_varies ? p->constrain(p->context, t->control.target, t->u) : OK;
}

static Status newton_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  NewtonReport newton;
  TRY(nonlinear_begin(t, max_steps));
  TRY(newton_guess(t));
  const NewtonStep step = {.stage = nonlinear_stage(t, EVOLUTION_NEWTON),
                           .atol = sqrt(t->host.limit),
                           .residual = newton_in_time,
                           .context = t};
  TRY(newton_solve(t->newton, &step, t->u, &newton));
  newton.linear.products += t->host.products;
  report->newton += newton.steps;
  report->cuts += newton.cuts;
  linear_report_add(&report->linear, &newton.linear);
  report->residual = sqrt(t->host.residual / t->volume) / t->params.reference;
  report->error = isnan(t->factors.share) ? (double)NAN : nonlinear_error(t);
  trial->ratio = nonlinear_ratio(t);
  if (newton.reason == NEWTON_CONVERGED) return OK;
  trial->end = TRIAL_FAILED;
  newton_failure(t->newton, &newton, nonlinear_unit(t), trial->why);
  return OK;
}

static Status newton_accept(Stepper *t) {
  const Problem *p = &t->problem;
  const Stage stage = nonlinear_stage(t, EVOLUTION_COMMIT);
  if (p->commit) TRY(p->commit(p->context, &stage, t->u, t->before));
  return nonlinear_accept(t);
}

/* Checkpoints of "newton" had states of points in another order. */
const StepMethod step_newton = {.name = "newton2",
                                .create = newton_create_steps,
                                .start = nonlinear_start,
                                .trial = newton_trial,
                                .accept = newton_accept,
                                .undo = stepper_undo,
                                .history = nonlinear_history};
