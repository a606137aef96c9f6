/* Nonlinear problems in time, whichever way a step is solved: first guess and error from values before the step, the
 * tolerance of its equation, and what it says about the error. */
#include "core/vec.h"
#include "solver/time/stepper_private.h"

#include <math.h>
#include <string.h>

/* A step so short that states do not change in it: for the force at the start. */
static const double AT_ONCE = 1e200;
static const double SAME = 1e-9; /* as in step_control.c: a step so close to the smallest cannot shrink */
/* Errors of a step that its residual may make, and the least residual worth solving for. */
static const double OF_RESIDUAL = 3, EXACT = 1e-10;
/* A polynomial of degree 4 carries 31 times the error of the values that it goes through into the next guess, one of
 * degree 3 15 times: worth it where they are solved this far. */
static const double WORTH_DEGREE_4 = 3e-8;

Status nonlinear_volume(Stepper *t) {
  TRY(vec_fill(t->exec, t->n, 1, t->force));
  TRY(vec_dot(t->exec, t->n, t->problem.reaction.lumped, t->force, &t->scalars->residual));
  TRY(exec_download(t->exec, &t->volume, &t->scalars->residual, sizeof t->volume));
  CHECK(isfinite(t->volume) && t->volume > 0, ERR_NUMERIC, "the sum of the lumped mass is %g, must be > 0", t->volume);
  return OK;
}

Status nonlinear_create(Stepper *t) {
  const bool nodal = t->problem.reaction.nodal, lags = nodal && t->problem.reaction.consistent > 0;
  const StepVector vector[] = {{&t->before, "solution before the step", true},
                               {&t->K_before, "product with K", true},
                               {&t->Ku, "product with K", true},
                               {&t->force_before, "reaction before the step",
                                t->params.scheme->carries == SCHEME_CARRIES_RATE ||
                                    (t->params.scheme->carries == SCHEME_STATES_FIRST && !t->problem.states.first)},
                               {&t->force, "reaction", true},
                               {&t->current, "currents", true},
                               {&t->slope, "slope of the reaction", nodal},
                               {&t->v, "work space of a time step", !nodal || lags},
                               {&t->Mv, "product with M", !nodal || lags},
                               {&t->q, "balance at the nodes", lags},
                               {&t->q_before, "balance before the step", lags},
                               {&t->lag, "consistent part of the mass", lags}};
  TRY(stepper_take(t, vector, sizeof vector / sizeof *vector));
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    const StepVector past[] = {{&t->past[k], "solutions before the step", true},
                               {&t->K_past[k], "products with K", true}};
    TRY(stepper_take(t, past, 2));
  }
  if (t->params.predictor == 0) t->params.predictor = nonlinear_goal(t) <= WORTH_DEGREE_4 ? 4 : 3;
  return nonlinear_volume(t);
}

EvolutionArgs nonlinear_args(const Stepper *t, EvolutionPhase phase) {
  const EvolutionClock *c = &t->scalars->clock;
  const int32_t *const when[] = {&c->start, &c->newton, &c->verify, &c->commit};
  const StepResident *r = &t->resident;
  EvolutionArgs args = {.s = t->scalars,
                        .when = when[phase],
                        .phase = phase,
                        .pulse = t->pulse,
                        .switches = t->switches,
                        .n_pulse = t->params.n_pulse,
                        .mass = t->problem.reaction.lumped,
                        .fixed = t->problem.fixed,
                        .u = t->u,
                        .Ku = t->Ku,
                        .before = t->before,
                        .K_before = t->K_before,
                        .R_before = t->force_before,
                        .current = t->current,
                        .known = t->problem.reaction.known,
                        .R = t->force,
                        .diagonal = t->slope,
                        .v = t->v,
                        .Mv = t->Mv,
                        .q = t->q,
                        .q_before = t->q_before,
                        .lag = t->lag,
                        .consistent = t->problem.reaction.consistent,
                        .y = {r->y[0], r->y[1]},
                        .rho = r->rho,
                        .shift = r->shift,
                        .scale = r->scale,
                        .weight = r->weight,
                        .line = t->problem.reaction.line,
                        .line_slope = t->problem.reaction.line_slope,
                        .unscaled = r->K_diagonal,
                        .own = r->own,
                        .tau0 = r->tau};
  memcpy(args.past, t->past, sizeof args.past);
  memcpy(args.K_past, t->K_past, sizeof args.K_past);
  return args;
}

Stage nonlinear_stage(const Stepper *t, EvolutionPhase phase) {
  Stage stage = t->stage;
  if (t->problem.reaction.nodal) stage = (Stage){NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL, false};
  stage.clock = &t->scalars->clock;
  stage.when = nonlinear_args(t, phase).when;
  return stage;
}

Status nonlinear_accept(const Stepper *t) {
  const EvolutionArgs args = nonlinear_args(t, EVOLUTION_COMMIT);
  const SumParts *over = exec_sum_over(t->exec, NULL); /* its sum is for nobody, so no rank waits for it */
  const Status status = exec_rows(t->exec, &evolution_accept_kernel, &args, t->n);
  exec_sum_over(t->exec, over);
  return status;
}

double nonlinear_goal(const Stepper *t) {
  const StepperParams *p = &t->params;
  if (!p->control.adaptive || !(p->share > 0)) return p->rtol;
  const double goal = fmax(p->rtol, p->share * p->control.tolerance);
  /* what many steps leave unsolved adds up as their errors in time do */
  return t->control.dt > 0 ? fmin(goal, fmax(step_control_allowed(&t->control, 0) / OF_RESIDUAL, EXACT)) : goal;
}

/* The clock of the start, and F there, which a scheme with theta < 1 needs when it begins without smoothing. */
static Status nonlinear_first_force(Stepper *t) {
  const double time = t->control.time;
  t->host = (EvolutionScalars){.clock = {.theta = 1, .mass = AT_ONCE, .time = time, .target = time, .start = 1}};
  TRY(exec_upload(t->exec, t->scalars, &t->host, sizeof t->host));
  if (!t->force_before) return OK;
  t->stage = (Stage){.time = time, .target = time, .theta = 1, .mass = AT_ONCE};
  const Stage stage = nonlinear_stage(t, EVOLUTION_START);
  return t->problem.force(t->problem.context, &stage, t->u, t->force_before, t->slope);
}

Status nonlinear_start_clock(Stepper *t) {
  TRY(nonlinear_first_force(t));
  TRY(vec_norm(t->exec, t->n, t->u, &t->scalars->residual));
  double size;
  TRY(exec_download(t->exec, &size, &t->scalars->residual, sizeof size));
  CHECK(isfinite(size), ERR_NUMERIC, "the initial values are not finite");
  return OK;
}

Status nonlinear_start(Stepper *t) {
  const size_t bytes = (size_t)t->n * sizeof(double);
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    TRY(exec_zero(t->exec, t->past[k], bytes));
    TRY(exec_zero(t->exec, t->K_past[k], bytes));
  }
  TRY(exec_zero(t->exec, t->current, (size_t)t->n_read * sizeof(double)));
  if (t->lag) {
    TRY(exec_zero(t->exec, t->q, bytes));
    TRY(exec_zero(t->exec, t->q_before, bytes));
  }
  TRY(exec_copy(t->exec, t->before, t->u, bytes));
  TRY(mat_apply(t->problem.stiffness, t->u, t->K_before));
  return nonlinear_start_clock(t);
}

/* Values in the order of their age, wherever they lie. */
int nonlinear_history(const Stepper *t, double **vector) {
  int n = 0;
  vector[n++] = t->K_before;
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    vector[n++] = t->past[(t->head + k) % EVOLUTION_PAST];
    vector[n++] = t->K_past[(t->head + k) % EVOLUTION_PAST];
  }
  if (t->force_before) vector[n++] = t->force_before;
  if (t->lag) vector[n++] = t->q, vector[n++] = t->q_before;
  return n;
}

int stepper_extrapolate(const Stepper *t, double dt, double p[EVOLUTION_PAST + 1]) {
  const int32_t n_history = t->memory.n_history, most = t->params.predictor,
                degree = n_history < most ? n_history : most;
  double since[EVOLUTION_PAST + 1] = {dt}; /* from the time of value k to the new one */
  for (int32_t k = 1; k <= degree; ++k) since[k] = since[k - 1] + t->memory.h[k - 1];
  p[0] = 1;
  for (int32_t k = 0; k <= degree; ++k) {
    p[k] = 1;
    for (int32_t j = 0; j <= degree; ++j)
      if (j != k) p[k] *= since[j] / (since[j] - since[k]);
  }
  return degree;
}

/* Whether the next steps have the factors of this one, and of so many before. */
static bool goes_on_alike(const Stepper *t, int32_t before) {
  const StepMemory *m = &t->memory;
  bool alike = !t->params.control.adaptive && t->problem.reaction.nodal && m->n_smooth == 0 && m->n_history >= before;
  for (int k = 0; k < before; ++k) alike &= m->h[k] == t->control.dt;
  return alike;
}

int64_t nonlinear_count_steps(const Stepper *t, int64_t max_steps, int32_t before, EvolutionScalars *s) {
  StepControl ahead = t->control; /* its events are only read */
  int64_t n_sample = 0;
  if (!goes_on_alike(t, before)) max_steps = 1;
  if (max_steps > EVOLUTION_CHAIN) max_steps = EVOLUTION_CHAIN;
  for (int64_t n = 1;; ++n) {
    bool accepted;
    s->target[n - 1] = ahead.target;
    if (step_control_judge(&ahead, NAN, &accepted) != OK) return n;
    const bool samples = t->ring && step_control_at_sample(&ahead);
    s->samples[n - 1] = samples;
    n_sample += samples;
    if (n >= max_steps || (t->ring && n_sample == t->watch.room)) return n;
    if (!samples && step_control_at_output(&ahead)) return n;
    if (step_control_next(&ahead) != t->control.dt) return n;
  }
}

void nonlinear_clock(const Stepper *t, EvolutionClock *clock) {
  const SchemeFactors *n = &t->factors;
  const StepControl *c = &t->control;
  clock->theta = n->theta;
  clock->mass = n->mass;
  clock->history = n->history;
  clock->carry = n->theta < 1 ? (1 - n->theta) / n->mass : n->history / n->mass;
  clock->states_dt = 0.5 * (t->stage.dt + (t->control.time > t->control.params.start ? t->memory.h[0] : 0));
  clock->dt = c->dt;
  clock->time = c->time;
  clock->target = c->target;
  clock->start = clock->newton = clock->verify = clock->commit = 1;
}

/* Middles of steps: from the last one to this over from the one before to the last. By a line the roughest modes decay where
 * the share times an eigenvalue of M_lumped^-1 B (up to 26/27, hex8) is at most 2/3; beyond, q of the last step is taken as it
 * is, which always decays. */
double nonlinear_lead(const Stepper *t) {
  static const double BY_LINE = 0.6;
  const double *h = t->memory.h;
  return t->lag && t->problem.reaction.consistent <= BY_LINE && t->memory.n_history > 1
             ? (t->control.dt + h[0]) / (h[0] + h[1])
             : 0;
}

Status nonlinear_begin(Stepper *t, int64_t max_steps) {
  EvolutionScalars *s = &t->host;
  const StepControl *c = &t->control;
  const StepControlParams *p = &t->params.control;
  const double share = t->factors.share, goal = nonlinear_goal(t) * t->params.reference,
               size = sqrt(t->volume) * t->params.reference;
  *s = (EvolutionScalars){.max_newton = t->params.max_newton, .head = t->head, .learned = t->memory.learned};
  nonlinear_clock(t, &s->clock);
  stepper_extrapolate(t, c->dt, s->p);
  s->lead = nonlinear_lead(t);
  s->e0 = isnan(share) ? 0 : share;
  s->e1 = -s->e0 * t->factors.a1;
  s->e2 = -s->e0 * t->factors.a2;
  s->limit = t->volume * goal * goal;
  const bool may_reject = p->adaptive && !isnan(share) && c->dt > p->min * (1 + SAME);
  const double allowed = step_control_allowed(c, 0); /* linear in the change */
  s->per_change = p->adaptive ? step_control_allowed(c, 1) - allowed : 0;
  /* below the residual that is left there is no error to be seen */
  s->allowed = may_reject ? size * (allowed + OF_RESIDUAL * nonlinear_goal(t)) : HUGE_VAL;
  s->max_steps = nonlinear_count_steps(t, max_steps, EVOLUTION_PAST, s);
  if (t->problem.reaction.nodal) {
    TRY(chebyshev_numbers(t));
    evolution_go(s, EVOLUTION_START);
  }
  return exec_upload(t->exec, t->scalars, s, sizeof *s);
}

double nonlinear_unit(const Stepper *t) { return sqrt(t->volume) * t->params.reference; }

double nonlinear_error(const Stepper *t) { return sqrt(t->host.error / t->volume) / t->params.reference; }

double nonlinear_ratio(const Stepper *t) {
  const double change = sqrt(t->host.change / t->volume) / t->params.reference;
  if (isnan(t->factors.share)) return NAN;
  if (!t->params.control.adaptive) return nonlinear_error(t);
  return nonlinear_error(t) / (step_control_allowed(&t->control, change) + OF_RESIDUAL * nonlinear_goal(t));
}
