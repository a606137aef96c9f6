/* Motion that is not linear, M a + C v = F(u, t) with -f_int(u) in F: the generalised-alpha method of stepper_dynamic.c, whose
 * equation holds in between with forces of both ends, (1 - alpha_f) F_new + alpha_f F_old = M a + C v, so that materials that
 * remember are asked at the end alone. A trial is: what the supports do, the increment of a constant acceleration, Newton's
 * method, one kernel that measures. Spans without inertia before all others have the load steps of stepper_static.c; each span of
 * motion begins with the acceleration that its loads leave. docs/theory/dynamics.md. */
#include "solver/time/stepper_private.h"

#include <math.h>

/* Of forces of inertia that cancel: their rounding. */
static const double ROUNDING = 1e-12;

static bool rests(const Stepper *t, int32_t span) {
  const StepControlParams *p = &t->control.params;
  return p->n_span && p->span[span].rests;
}

static Status motion_newton(Stepper *t) {
  const NewtonParams params = {.max_steps = t->params.max_newton,
                               .line_search = true,
                               .forcing = true,
                               .keep = true,
                               .by_work = true,
                               .watch = t->params.watch};
  return newton_create(t->exec, &t->problem, &params, t->a, t->solver, &t->newton);
}

static Status motion_create(Stepper *t) {
  StepDynamic *y = &t->dynamic;
  const bool energies = t->problem.motion.internal != NULL;
  const StepVector vector[] = {{&t->before, "solution before the step", true},
                               {&t->past[0], "solution two steps before", rests(t, 0)},
                               {&y->force_old, "forces before the step", true},
                               {&y->force, "forces", true},
                               {&y->internal_old, "internal forces before the step", energies},
                               {&y->internal, "internal forces", energies}};
  CHECK(t->params.dynamic.stiffness == 0, ERR_BUG, "damping by the stiffness of a problem that is not linear");
  TRY(stepper_dynamic_create(t));
  TRY(stepper_take(t, vector, sizeof vector / sizeof *vector));
  return motion_newton(t);
}

/* For a number of the Exec. */
static double *room(const Stepper *t) { return &t->dynamic.sums->error; }

static Status copy(const Stepper *t, double *to, const double *from) {
  return exec_copy(t->exec, to, from, (size_t)t->n * sizeof *to);
}

/* force_old of the velocity and acceleration that there are. */
static Status start_bear(Stepper *t) {
  const DynamicArgs args = stepper_dynamic_args(t);
  if (!t->problem.motion.turning.rotate) return OK;
  TRY(exec_rows(t->exec, &dynamic_start_kernel, &args, t->n));
  return stepper_turning_bear(t, 0, t->dynamic.force_old);
}

static Status motion_start(Stepper *t) {
  StepDynamic *y = &t->dynamic;
  const MotionPart *m = &t->problem.motion;
  t->memory.moves = !rests(t, t->control.span);
  TRY(stepper_turning_at(t, t->control.time));
  TRY(t->memory.moves ? stepper_dynamic_start(t) : stepper_dynamic_rest(t));
  Stage stage = t->stage;
  stage.target = t->control.time;
  TRY(t->problem.force(t->problem.context, &stage, t->u, y->force_old, NULL));
  if (t->memory.moves) TRY(start_bear(t));
  if (m->internal) TRY(m->internal(t->problem.context, t->u, y->internal_old));
  if (t->past[0]) TRY(copy(t, t->past[0], t->u));
  return copy(t, t->before, t->u);
}

static Status dot(const Stepper *t, const double *x, const double *y, double *out) {
  TRY(vec_dot(t->exec, t->n, x, y, room(t)));
  return exec_download(t->exec, out, room(t), sizeof *out);
}

static Status kinetic_energy(Stepper *t, double *out) {
  const StepDynamic *y = &t->dynamic;
  *out = 0;
  if (!t->memory.moves) return OK;
  TRY(t->problem.motion.inertia_everywhere(t->problem.context, y->v, y->inertia));
  TRY(dot(t, y->inertia, y->v, out));
  *out *= -0.5;
  return OK;
}

/* A span of motion begins: its loads act at once. Of a material that remembers, stress is that of the time reached. */
static Status motion_begin(Stepper *t) {
  const Problem *p = &t->problem;
  const Stage whole = t->stage;
  const double after = nextafter(t->control.time, INFINITY);
  double had = 0, has = 0;
  if (t->dynamic.internal) TRY(kinetic_energy(t, &had));
  t->memory.moves = 1, t->memory.reference = 0;
  linear_set_rtol(t->solver, t->params.rtol);
  TRY(copy(t, t->u, t->before)); /* a trial before may have been rejected */
  if (p->motion.renew) TRY(p->motion.renew(p->context, after, t->u, t->dynamic.v));
  if (p->motion.renew) TRY(copy(t, t->before, t->u));
  t->stage.dt = 0;
  TRY(stepper_dynamic_accelerate(t, after));
  t->stage.target = after;
  TRY(p->force(p->context, &t->stage, t->u, t->dynamic.force_old, NULL));
  TRY(start_bear(t));
  if (t->dynamic.internal) TRY(p->motion.internal(p->context, t->u, t->dynamic.internal_old)); /* of what is free now */
  t->stage = whole;
  if (t->dynamic.internal) TRY(kinetic_energy(t, &has));
  t->memory.given += has - had;
  return OK;
}

/* As stepper_dynamic.c's, of the step from `before`. */
static DynamicArgs motion_args(const Stepper *t) {
  DynamicArgs args = stepper_dynamic_args(t);
  args.u = t->before;
  return args;
}

/* What inertia and dampers act on in a step that ends at u, to heavy, stiff and slow; the step itself to d. */
static Status step_rates(Stepper *t, const double *u, double *d) {
  const Problem *p = &t->problem;
  DynamicArgs args = motion_args(t);
  TRY(copy(t, d, u));
  if (p->motion.turning.rotate) TRY(p->motion.turning.rotate(p->context, t->control.target, d));
  TRY(vec_axpy(t->exec, t->n, -1, t->before, d));
  args.known = d;
  return exec_rows(t->exec, &dynamic_balance_kernel, &args, t->n);
}

/* What has met an obstacle pushes its neighbours as that does, with the velocity that it has where in the step dampers act on the others; that
 * of its end would strain a damper beside it by as much as an accelerated obstacle gains. */
static Status stop_rates(Stepper *t) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  const double mass = t->params.dynamic.mass, back = y->alpha_f * t->control.dt;
  if (!p->motion.impact.stop) return OK;
  TRY(p->motion.impact.stop(p->context, mass, 1 - mass * back, y->heavy));
  return y->slow ? p->motion.impact.stop(p->context, 1, -back, y->slow) : OK;
}

Status stepper_trial_rates(Stepper *t, const double *u, bool held, StepRates *out) {
  const StepDynamic *y = &t->dynamic;
  *out = (StepRates){.share = 1};
  if (!t->memory.moves) return OK;
  TRY(step_rates(t, u, t->dynamic.r));
  if (held) TRY(stop_rates(t));
  *out = (StepRates){.heavy = y->heavy, .slow = y->slow, .stiff = y->stiff, .share = 1 - y->alpha_f};
  return OK;
}

/* What inertia and dashpots leave of the forces of both ends. */
static Status motion_residual(void *context, const Stage *stage, const double *u, bool first, double *r, double *norm) {
  Stepper *t = context;
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  const double *force_old = y->force_old;
  VecLength length;
  TRY(p->force(p->context, stage, u, y->force, NULL));
  if (p->statics.scale) TRY(p->statics.scale(p->context, &y->scale));
  TRY(step_rates(t, u, y->d));
  TRY(stop_rates(t));
  TRY(p->motion.inertia(p->context, y->heavy, r));
  if (y->slow) TRY(p->motion.viscous(p->context, y->stiff, y->slow, y->inertia));
  if (y->slow) TRY(vec_axpy(t->exec, t->n, 1, y->inertia, r));
  TRY(vec_axpy(t->exec, t->n, 1 - y->alpha_f, y->force, r));
  TRY(stepper_turning_old(t, &force_old));
  TRY(vec_axpy(t->exec, t->n, y->alpha_f, force_old, r));
  if (p->motion.impact.hit) TRY(p->motion.impact.hit(p->context, first, r));
  if (p->motion.impact.bear) TRY(p->motion.impact.bear(p->context, y->alpha_f, r));
  if (p->motion.impact.stop)
    TRY(p->motion.impact.stop(p->context, 0, 0, r)); /* force_old is that of nodes before they are held */
  TRY(vec_length(t->exec, t->n, r, room(t), &length));
  *norm = ldexp(length.value, length.exponent);
  return OK;
}

/* To the first guess: a constant acceleration, or no way at all, and supports where they are to be. *floor: what rounding leaves of inertia. */
static Status motion_predict(Stepper *t, bool goes_on, double *floor) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  const DynamicArgs args = motion_args(t);
  VecLength length;
  TRY(copy(t, t->u, t->before)); /* a trial before may have been rejected */
  if (y->g) TRY(copy(t, y->g, t->u));
  if (y->g) TRY(p->constrain(p->context, t->control.target, y->g));
  TRY(exec_rows(t->exec, &dynamic_predict_kernel, &args, t->n));
  TRY(p->motion.free_only(p->context, y->d));
  if (goes_on) TRY(vec_axpy(t->exec, t->n, 1, y->d, t->u));
  if (y->g) TRY(p->constrain(p->context, t->control.target, t->u));
  TRY(p->motion.inertia(p->context, y->d, y->inertia));
  TRY(vec_length(t->exec, t->n, y->inertia, room(t), &length));
  *floor = ROUNDING * ldexp(length.value, length.exponent) / (y->beta * args.dt * args.dt);
  return OK;
}

/* Of a span without inertia. */
static Status rest_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  t->stage.theta = 1, t->stage.mass = t->stage.viscous = 0;
  TRY(copy(t, t->u, t->before)); /* a trial before may have been rejected */
  return step_static.trial(t, max_steps, trial, report);
}

/* How far a step goes by its error, and by what the problem says. */
static Status motion_judge(Stepper *t, Trial *trial, StepReport *report) {
  const Problem *p = &t->problem;
  double ratio = 0;
  TRY(stepper_dynamic_judge(t, motion_args(t), trial, report));
  if (p->statics.judge) TRY(p->statics.judge(p->context, &t->stage, t->u, t->before, &ratio));
  trial->ratio = fmax(trial->ratio, ratio);
  return OK;
}

/* Forces of the end, d being the whole way. */
static Status trial_bear(Stepper *t) {
  DynamicArgs args = motion_args(t);
  if (!t->problem.motion.turning.rotate) return OK;
  args.known = t->dynamic.d;
  TRY(exec_rows(t->exec, &dynamic_balance_kernel, &args, t->n));
  return stepper_turning_bear(t, t->dynamic.alpha_f, t->dynamic.force);
}

static Status motion_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  StepDynamic *y = &t->dynamic;
  if (rests(t, t->control.span)) return rest_trial(t, max_steps, trial, report);
  if (t->control.edge && t->control.time > t->control.params.start) TRY(motion_begin(t));
  NewtonReport newton;
  NewtonStep step = {
      .stage = t->stage, .rtol = t->params.rtol, .residual = motion_residual, .context = t, .scale = &y->scale};
  double factor[3];
  stepper_dynamic_factors(t, factor);
  step.stage.theta = factor[0], step.stage.mass = factor[1], step.stage.viscous = factor[2];
  for (int guess = 0; guess < 2; ++guess) { /* steps far longer than vibrations are led astray by their accelerations */
    TRY(motion_predict(t, guess == 0, &step.atol));
    TRY(newton_solve(t->newton, &step, t->u, &newton));
    stepper_count_newton(&newton, report);
    if (newton.reason == NEWTON_CONVERGED) break;
  }
  if (newton.reason != NEWTON_CONVERGED) {
    trial->end = TRIAL_FAILED;
    newton_failure(t->newton, &newton, 1, trial->why);
    return OK;
  }
  TRY(stepper_turning_at(t, t->control.target));
  TRY(copy(t, y->d, t->u));
  TRY(vec_axpy(t->exec, t->n, -1, t->before, y->d));
  TRY(trial_bear(t));
  /* without what supports did */
  TRY(vec_axpy(t->exec, t->n, -1, y->known, y->d));
  return motion_judge(t, trial, report);
}

/* out = -(alpha M + C) v, also where fixed, C that of half of the way d. */
static Status damping(Stepper *t, const double *v, double *out) {
  const Problem *p = &t->problem;
  double *part = t->dynamic.inertia, *middle = t->dynamic.slow;
  TRY(p->motion.inertia_everywhere(p->context, v, part));
  TRY(exec_zero(t->exec, out, (size_t)t->n * sizeof *out));
  TRY(vec_axpy(t->exec, t->n, t->params.dynamic.mass, part, out));
  if (!middle) return OK;
  TRY(copy(t, middle, t->before));
  TRY(vec_axpy(t->exec, t->n, 0.5, t->dynamic.d, middle));
  TRY(p->motion.viscous_everywhere(p->context, middle, v, part));
  return vec_axpy(t->exec, t->n, 1, part, out);
}

/* What loads and supports do in the step, by the forces of both ends, d being the way. */
static Status forces_work(Stepper *t) {
  StepDynamic *y = &t->dynamic;
  StepMemory *m = &t->memory;
  const double *const force[] = {y->force_old, y->force, y->internal_old, y->internal};
  double part;
  TRY(copy(t, y->d, t->u));
  TRY(vec_axpy(t->exec, t->n, -1, t->before, y->d));
  for (int k = 0; k < 4; ++k) {
    TRY(dot(t, force[k], y->d, &part));
    m->work += k < 2 ? 0.5 * part : -0.5 * part;
    m->internal -= k < 2 ? 0 : 0.5 * part;
  }
  return OK;
}

/* The same of motion, and what dampers take. The velocities and accelerations of the old end are in stiff and heavy. */
static Status motion_work(Stepper *t) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  StepMemory *m = &t->memory;
  double part;
  TRY(forces_work(t));
  if (p->motion.impact.rub) TRY(p->motion.impact.rub(p->context, y->d, &m->work, &m->dissipated));
  TRY(vec_axpy(t->exec, t->n, 1, y->v, y->stiff));
  TRY(vec_axpy(t->exec, t->n, 1, y->a, y->heavy));
  TRY(damping(t, y->stiff, y->r));
  TRY(dot(t, y->r, y->d, &part));
  m->dissipated -= 0.5 * part;
  if (!y->g) return OK;
  TRY(p->motion.inertia_everywhere(p->context, y->heavy, y->inertia));
  TRY(vec_axpy(t->exec, t->n, 1, y->inertia, y->r));
  TRY(dot(t, y->r, y->known, &part));
  m->work -= 0.5 * part;
  return OK;
}

/* Forces of the end; what is done the problem knows (stepper_work). */
static Status rest_accept(Stepper *t) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  TRY(stepper_turning_at(t, t->control.target));
  TRY(p->force(p->context, &t->stage, t->u, y->force, NULL));
  if (y->internal) TRY(p->motion.internal(p->context, t->u, y->internal_old));
  TRY(copy(t, y->force_old, y->force));
  return step_static.accept(t);
}

/* What has met an obstacle goes on with that; stiff is the velocity of before. */
static Status motion_stop(Stepper *t) {
  const Problem *p = &t->problem;
  const ImpactPart *impact = &p->motion.impact;
  double lost = 0, done = 0, taken = 0;
  if (!impact->stop) return OK;
  TRY(impact->stop(p->context, 1, 0, t->dynamic.v));
  if (impact->bend) TRY(impact->bend(p->context, t->dynamic.v));
  TRY(impact->stop(p->context, 0, 1, t->dynamic.a));
  if (t->dynamic.internal) TRY(impact->lost(p->context, t->dynamic.stiff, t->dynamic.v, &lost, &done, &taken));
  t->memory.dissipated += lost, t->memory.work += done, t->memory.internal += taken;
  return OK;
}

static Status motion_accept(Stepper *t) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  const DynamicArgs args = motion_args(t);
  if (!t->memory.moves) return rest_accept(t);
  if (y->internal) TRY(p->motion.internal(p->context, t->u, y->internal));
  if (p->commit) TRY(p->commit(p->context, &t->stage, t->u, t->before));
  TRY(copy(t, y->stiff, y->v));
  TRY(copy(t, y->heavy, y->a));
  TRY(copy(t, y->r, t->before));
  TRY(exec_rows(t->exec, &dynamic_accept_kernel, &args, t->n)); /* `before` too, up to rounding */
  TRY(motion_stop(t));
  TRY(copy(t, t->before, y->r));
  if (y->internal) {
    TRY(motion_work(t));
    TRY(copy(t, y->internal_old, y->internal));
  }
  TRY(copy(t, y->force_old, y->force));
  return copy(t, t->before, t->u);
}

Status stepper_energies(Stepper *t, StepEnergies *out) {
  const StepMemory *m = &t->memory;
  *out = (StepEnergies){.external = m->work, .dissipated = m->dissipated, .internal = m->internal, .given = m->given};
  return kinetic_energy(t, &out->kinetic);
}

static int motion_history(const Stepper *t, double **vector) {
  const StepDynamic *y = &t->dynamic;
  int n = 0;
  vector[n++] = y->v;
  vector[n++] = y->a;
  vector[n++] = y->force_old;
  if (y->internal_old) vector[n++] = y->internal_old;
  if (t->past[0]) vector[n++] = t->past[0];
  return n;
}

static Status motion_restored(Stepper *t) { return linear_restore_spare(t->solver, &t->memory.solver); }

const StepMethod step_motion = {.name = "motion",
                                .create = motion_create,
                                .start = motion_start,
                                .trial = motion_trial,
                                .accept = motion_accept,
                                .undo = stepper_undo,
                                .history = motion_history,
                                .restored = motion_restored,
                                .renew = motion_newton};
