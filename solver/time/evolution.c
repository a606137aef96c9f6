/* From step to step: what is tried, what came of it, and what it says for the next one. */
#include "solver/time/evolution.h"
#include "core/vec.h"
#include "solver/time/evolution_private.h"
#include "solver/time/rows.h"
#include "solver/time/transient_scheme.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-9; /* as in step_control.c: a step so close to the smallest cannot shrink */
/* A step so short that states do not change in it: for the reaction at the start. */
static const double AT_ONCE = 1e200;
/* Errors of a step that its residual may make, and the least residual worth solving for. */
static const double OF_RESIDUAL = 3, EXACT = 1e-10;

bool evolution_done(const Evolution *e) { return step_control_done(&e->control); }
const StepControl *evolution_control(const Evolution *e) { return &e->control; }
const EvolutionClock *evolution_clock(const Evolution *e) { return &e->scalars->clock; }

Status evolution_tell(Evolution *e) { return exec_upload(e->exec, e->scalars, &e->host, sizeof e->host); }
Status evolution_fetch(Evolution *e) { return exec_download(e->exec, &e->host, e->scalars, sizeof e->host); }

EvolutionArgs evolution_args(const Evolution *e, EvolutionPhase phase) {
  const EvolutionClock *c = &e->scalars->clock;
  const int32_t *const when[] = {&c->start, &c->newton, &c->verify, &c->commit};
  EvolutionArgs args = {.s = e->scalars,
                        .when = when[phase],
                        .phase = phase,
                        .pulse = e->pulse,
                        .switches = e->switches,
                        .mass = e->problem.mass,
                        .fixed = e->problem.fixed,
                        .u = e->u,
                        .Ku = e->Ku,
                        .before = e->before,
                        .K_before = e->K_before,
                        .R_before = e->R_before,
                        .current = e->current,
                        .R = e->R,
                        .diagonal = e->diagonal,
                        .v = e->v,
                        .Mv = e->Mv,
                        .r = e->r,
                        .y = {e->y[0], e->y[1]},
                        .rho = e->rho,
                        .shift = e->shift,
                        .scale = e->scale,
                        .weight = e->weight,
                        .tau0 = e->tau};
  memcpy(args.past, e->past, sizeof args.past);
  memcpy(args.K_past, e->K_past, sizeof args.K_past);
  return args;
}

double evolution_goal(const Evolution *e) {
  const EvolutionParams *p = &e->params;
  if (!p->control.adaptive || !(p->share > 0)) return p->rtol;
  const double goal = fmax(p->rtol, p->share * p->control.tolerance);
  /* what many steps leave unsolved adds up as their errors in time do */
  return e->control.dt > 0 ? fmin(goal, fmax(step_control_allowed(&e->control, 0) / OF_RESIDUAL, EXACT)) : goal;
}

static Status forget_history(Evolution *e) {
  const size_t bytes = (size_t)e->n * sizeof(double);
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    TRY(exec_zero(e->exec, e->past[k], bytes));
    TRY(exec_zero(e->exec, e->K_past[k], bytes));
    e->h[k] = 1;
  }
  TRY(exec_zero(e->exec, e->current, bytes));
  e->n_history = 0;
  e->n_smooth = 0;
  e->head = 0;
  e->learned = (EvolutionLearned){.reach = {1, 1}};
  return OK;
}

/* R_n of the first step, which Crank-Nicolson needs when it starts without smoothing. */
static Status first_reaction(Evolution *e) {
  e->host = (EvolutionScalars){
      .clock = {.theta = 1, .mass = AT_ONCE, .time = e->control.time, .target = e->control.time, .start = 1}};
  if (!e->R_before) return OK;
  TRY(evolution_tell(e));
  return e->problem.reaction(e->problem.context, &e->scalars->clock, &e->scalars->clock.start, e->u, e->R_before,
                             e->diagonal);
}

Status evolution_start(Evolution *e, double *u) {
  const size_t bytes = (size_t)e->n * sizeof *u;
  if (e->u != u) exec_loop_destroy(&e->loop);
  e->u = u;
  TRY(forget_history(e));
  TRY(exec_copy(e->exec, e->before, u, bytes));
  TRY(mat_apply(e->problem.stiffness, u, e->K_before));
  TRY(first_reaction(e));
  TRY(vec_norm(e->exec, e->n, u, &e->scalars->residual));
  double size;
  TRY(exec_download(e->exec, &size, &e->scalars->residual, sizeof size));
  CHECK(isfinite(size), ERR_NUMERIC, "the initial values are not finite");
  return OK;
}

/* Weights of the last values, the last one first, in the polynomial through them at a time dt later. */
static void extrapolate(const Evolution *e, double dt, double p[EVOLUTION_PAST + 1]) {
  const int32_t degree = e->n_history < e->params.predictor ? e->n_history : e->params.predictor;
  double since[EVOLUTION_PAST + 1] = {dt}; /* from the time of value k to the new one */
  for (int32_t k = 1; k <= degree; ++k) since[k] = since[k - 1] + e->h[k - 1];
  p[0] = 1;
  for (int32_t k = 0; k <= degree; ++k) {
    p[k] = 1;
    for (int32_t j = 0; j <= degree; ++j)
      if (j != k) p[k] *= since[j] / (since[j] - since[k]);
  }
}

/* What the step of length dt is made of; NaN in *share: its error will not be known. */
static void set_numbers(Evolution *e, double dt, double *share) {
  TransientScheme scheme = e->params.scheme;
  if ((scheme == TRANSIENT_BDF2 && e->n_history == 0) || e->n_smooth > 0) scheme = TRANSIENT_BACKWARD_EULER;
  const TransientNumbers n = transient_numbers(scheme, e->n_history, dt, e->h[0], e->h[1]);
  EvolutionScalars *s = &e->host;
  s->clock.theta = n.theta;
  s->clock.mass = n.mass;
  s->clock.history = n.history;
  s->clock.carry = n.theta < 1 ? (1 - n.theta) / n.mass : n.history / n.mass;
  s->clock.dt = dt;
  extrapolate(e, dt, s->p);
  s->head = e->head;
  s->learned = e->learned;
  *share = n.share;
  s->e0 = isnan(n.share) ? 0 : n.share;
  s->e1 = -s->e0 * n.a1;
  s->e2 = -s->e0 * n.a2;
}

/* How many steps of a fixed run the Exec can do on its own, and where they end: their numbers are the same and none but
 * the last ends at a time that must be hit. */
static int64_t count_steps(const Evolution *e, int64_t max_steps, double target[EVOLUTION_CHAIN]) {
  const double dt = e->control.dt;
  StepControl ahead = e->control; /* its events are only read */
  target[0] = ahead.target;
  if (e->params.control.adaptive || e->problem.mass_matrix || e->n_smooth > 0 || e->n_history < EVOLUTION_PAST)
    return 1;
  for (int k = 0; k < EVOLUTION_PAST; ++k)
    if (e->h[k] != dt) return 1;
  if (max_steps > EVOLUTION_CHAIN) max_steps = EVOLUTION_CHAIN;
  for (int64_t n = 1;; ++n) {
    bool accepted;
    target[n - 1] = ahead.target;
    if (n >= max_steps || step_control_judge(&ahead, NAN, &accepted) != OK || step_control_at_output(&ahead)) return n;
    if (step_control_next(&ahead) != dt) return n;
  }
}

/* Everything that the Exec must know of the next trial. */
static void set_trial(Evolution *e, int64_t max_steps, double *share) {
  EvolutionScalars *s = &e->host;
  const StepControl *c = &e->control;
  const StepControlParams *p = &e->params.control;
  const double goal = evolution_goal(e) * e->params.reference, size = sqrt(e->volume) * e->params.reference;
  *s = (EvolutionScalars){.max_newton = e->params.max_newton}; /* more where linear solves are slow */
  set_numbers(e, c->dt, share);
  s->clock.time = c->time;
  s->clock.target = c->target;
  s->limit = e->volume * goal * goal;
  const bool may_reject = p->adaptive && !isnan(*share) && c->dt > p->min * (1 + SAME);
  const double allowed = step_control_allowed(c, 0); /* linear in the change */
  s->per_change = p->adaptive ? step_control_allowed(c, 1) - allowed : 0;
  /* below the residual that is left there is no error to be seen */
  s->allowed = may_reject ? size * (allowed + OF_RESIDUAL * evolution_goal(e)) : HUGE_VAL;
  s->max_steps = count_steps(e, max_steps, s->target);
  if (e->problem.mass_matrix) {
    s->clock.start = s->clock.newton = s->clock.verify = s->clock.commit = 1;
  } else {
    evolution_inner_numbers(e);
    evolution_go(s, EVOLUTION_START);
  }
}

static double error_of(const Evolution *e) { return sqrt(e->host.error / e->volume) / e->params.reference; }

/* The Exec has decided; the control is told a ratio of error and what is allowed that it decides the same way by. */
static double told_ratio(const Evolution *e, double share) {
  const EvolutionScalars *s = &e->host;
  const double change = sqrt(s->change / e->volume) / e->params.reference;
  if (isnan(share)) return NAN;
  if (!e->params.control.adaptive) return error_of(e);
  const double ratio = error_of(e) / (step_control_allowed(&e->control, change) + OF_RESIDUAL * evolution_goal(e));
  if (s->allowed == HUGE_VAL) return ratio;
  return s->stop == EVOLUTION_REJECTED ? fmax(ratio, nextafter(1, 2)) : fmin(ratio, 1);
}

/* One of the steps that the Exec has accepted. */
static Status advance(Evolution *e, double ratio) {
  bool accepted;
  for (int k = EVOLUTION_PAST - 1; k > 0; --k) e->h[k] = e->h[k - 1];
  e->h[0] = e->control.dt;
  e->head = evolution_newest(&(EvolutionScalars){.head = e->head});
  if (e->n_history < EVOLUTION_PAST) e->n_history += 1;
  if (e->n_smooth > 0) e->n_smooth -= 1;
  TRY(step_control_judge(&e->control, ratio, &accepted));
  CHECK(accepted, ERR_BUG, "a step that was taken is not accepted");
  return OK;
}

static Status advance_all(Evolution *e, double share, EvolutionStep *report) {
  const EvolutionScalars *s = &e->host;
  for (int64_t k = 0; k < s->steps; ++k) {
    if (k) step_control_next(&e->control);
    TRY(advance(e, k + 1 < s->steps || s->stop != EVOLUTION_DONE ? (double)NAN : told_ratio(e, share)));
  }
  if (s->steps && s->bad > 0 && !e->warned) {
    e->warned = true;
    status_warn(
        "at t = %g the reaction is steeper at %.0f nodes than a step of %g can follow: Newton's method is slowed down "
        "there\n  remedy: smaller steps",
        e->control.time, s->bad, s->clock.dt);
  }
  report->steps += s->steps;
  return OK;
}

/* Newton's method gave nothing: a shorter step, or the end with the reason. */
static Status failed(Evolution *e, EvolutionStep *report) {
  const EvolutionScalars *s = &e->host;
  const double goal = evolution_goal(e), size = sqrt(s->residual / e->volume) / e->params.reference;
  report->failed += 1;
  TRY(exec_copy(e->exec, e->u, e->before, (size_t)e->n * sizeof *e->u));
  const Status status = step_control_failed(&e->control);
  if (status == OK) return OK;
  if (s->stop == EVOLUTION_STUCK)
    return status_context(status, "Newton's method did not converge in %d steps: residual %.3e, asked for %.3e",
                          (int)s->max_newton, size, goal);
  if (s->stop == EVOLUTION_DIVERGED)
    return status_context(status, "Newton's method diverges: residual %.3e, at the first guess %.3e", size,
                          sqrt(s->first / e->volume) / e->params.reference);
  return status_context(status,
                        "the residual is not a number\n  likely: a stimulus or a parameter that overflows, a step that "
                        "is too large");
}

/* The residual of a nodal problem grew: the spectrum may reach further than was estimated. Tries again with a higher
 * end, as long as a rigorous bound allows it. */
static bool raise_bound(Evolution *e) {
  static const double BY = 1.15, MOST = 64;
  const EvolutionScalars *s = &e->host;
  if (e->problem.mass_matrix || s->stop == EVOLUTION_DONE || s->stop == EVOLUTION_REJECTED) return false;
  if (s->residual <= s->first || e->interval[0].high * e->raise >= e->off_diagonal || e->raise > MOST) return false;
  if (e->raise == 1)
    status_warn("the bound of the spectrum was too small in the step from t = %g to %g and is raised", e->control.time,
                e->control.target);
  e->raise *= BY;
  return true;
}

/* What stands behind an edge says nothing about what follows. */
static void begin_after_edge(Evolution *e) {
  e->n_history = 0;
  e->n_smooth = e->params.scheme == TRANSIENT_CRANK_NICOLSON && e->params.smoothing > 0 ? e->params.smoothing : 0;
}

/* One trial, of several steps perhaps. */
static Status attempt(Evolution *e, int64_t max_steps, EvolutionStep *report) {
  double share;
  step_control_next(&e->control);
  set_trial(e, max_steps, &share);
  TRY(evolution_tell(e));
  TRY(e->problem.mass_matrix ? evolution_gauss_run(e) : evolution_nodal_run(e));
  const EvolutionScalars *s = &e->host;
  const bool raised = raise_bound(e);
  e->learned = s->learned;
  report->newton += s->newton;
  report->products += s->products;
  report->iterations += e->problem.mass_matrix ? e->iterations : s->products;
  report->dt = s->clock.dt;
  report->error = isnan(share) ? (double)NAN : error_of(e);
  const double ratio = told_ratio(e, share);
  report->residual = sqrt(s->residual / e->volume) / e->params.reference;
  TRY(advance_all(e, share, report));
  if (s->stop == EVOLUTION_DONE) return OK;
  if (raised) return exec_copy(e->exec, e->u, e->before, (size_t)e->n * sizeof *e->u);
  if (s->steps) step_control_next(&e->control);
  if (s->stop != EVOLUTION_REJECTED) return failed(e, report);
  bool accepted;
  report->rejected += 1;
  return step_control_judge(&e->control, ratio, &accepted);
}

Status evolution_step(Evolution *e, int64_t max_steps, EvolutionStep *report) {
  *report = (EvolutionStep){.error = NAN};
  CHECK(e->u, ERR_BUG, "evolution_step before evolution_start");
  CHECK(!evolution_done(e), ERR_BUG, "evolution_step after the end");
  if (e->control.edge) begin_after_edge(e);
  while (report->steps == 0) {
    const Status status = attempt(e, max_steps, report);
    report->time = e->control.time;
    if (status != OK) return status;
  }
  return OK;
}
