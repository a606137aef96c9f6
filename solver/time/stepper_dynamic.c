/* Dynamics, M a + C v + K u = f, by the generalised-alpha method: of second order, without condition on the step, with as
 * much damping of the highest frequencies as rho_infinity says (Chung and Hulbert 1993; dynamic_rows.h). A trial is: what
 * the supports do, one force and one inertia for the right-hand side, conjugate gradients from the increment of a constant
 * acceleration, one kernel that measures. docs/theory/dynamics.md. */
#include "solver/time/stepper_private.h"

#include <math.h>

static const double ROUNDING = 1e-8;
/* Of K beside M, in shares of the square of the first step, where the first acceleration is found: next to nothing, but
 * what is fixed has a diagonal. */
static const double FIRST_STIFFNESS = 1e-12;

/* The error is one of second order in the step. */
static double no_error(double dt, double h1) {
  (void)h1;
  return dt;
}
const TimeScheme generalized_alpha_scheme = {
    .order = 2, .budget_linear = 1, .budget_nonlinear = 1, .factors = backward_euler_factors, .error = no_error};

Status stepper_dynamic_create(Stepper *t) {
  StepDynamic *y = &t->dynamic;
  const double rho = t->params.dynamic.rho_infinity;
  CHECK(rho >= 0 && rho <= 1, ERR_INPUT, "rho-infinity is %g, must lie in [0, 1]", rho);
  CHECK(t->params.dynamic.hht >= -1. / 3 && t->params.dynamic.hht <= 0, ERR_INPUT, "hht is %g, must lie in [-1/3, 0]",
        t->params.dynamic.hht);
  y->alpha_m = t->params.dynamic.by_hht ? 0 : (2 * rho - 1) / (rho + 1);
  y->alpha_f = t->params.dynamic.by_hht ? -t->params.dynamic.hht : rho / (rho + 1);
  y->gamma = 0.5 - y->alpha_m + y->alpha_f;
  y->beta = 0.25 * (0.5 + y->gamma) * (0.5 + y->gamma);
  const StepVector vector[] = {{&y->v, "velocity", true},
                               {&y->a, "acceleration", true},
                               {&y->d, "increment", true},
                               {&y->known, "increment of supports", true},
                               {&y->stiff, "work space of a time step", true},
                               {&y->heavy, "work space of a time step", true},
                               {&y->r, "right-hand side", true},
                               {&y->inertia, "forces of inertia", true},
                               {&y->slow, "work space of a time step", t->problem.motion.viscous != NULL},
                               {&y->g, "prescribed values", t->problem.constraint_varies}};
  TRY(stepper_take(t, vector, sizeof vector / sizeof *vector));
  EXEC_ALLOC(t->exec, y->sums, 1, "sums of a time step");
  return OK;
}

DynamicArgs stepper_dynamic_args(const Stepper *t) {
  const StepDynamic *y = &t->dynamic;
  return (DynamicArgs){.dt = t->control.dt,
                       .newmark_beta = y->beta,
                       .gamma = y->gamma,
                       .alpha_m = y->alpha_m,
                       .alpha_f = y->alpha_f,
                       .mass = t->params.dynamic.mass,
                       .stiffness = t->params.dynamic.stiffness,
                       .u = t->u,
                       .v = y->v,
                       .a = y->a,
                       .g = y->g,
                       .d = y->d,
                       .known = y->known,
                       .stiff = y->stiff,
                       .heavy = y->heavy,
                       .slow = y->slow,
                       .sums = y->sums,
                       .unit = 1};
}

/* r = f - K stiff - M heavy - C slow, zero at supports: f of one time, or `late` times that of the end and the rest of the beginning of a
 * step, as Hilber, Hughes and Taylor have it. */
static Status dynamic_force(Stepper *t, double time, double late) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  Stage stage = t->stage;
  stage.target = time;
  TRY(p->force(p->context, &stage, y->stiff, y->r, NULL));
  if (late < 1) {
    stage.target = t->control.target;
    TRY(p->force(p->context, &stage, y->stiff, y->inertia, NULL));
    TRY(vec_axpy(t->exec, t->n, -1, y->r, y->inertia));
    TRY(vec_axpy(t->exec, t->n, late, y->inertia, y->r));
  }
  TRY(p->motion.inertia(p->context, y->heavy, y->inertia));
  TRY(vec_axpy(t->exec, t->n, 1, y->inertia, y->r));
  if (!y->slow) return OK;
  TRY(p->motion.viscous(p->context, y->stiff, y->slow, y->inertia));
  return vec_axpy(t->exec, t->n, 1, y->inertia, y->r);
}

static Status dynamic_solve(Stepper *t, double *x, StepReport *report) {
  LinearReport linear = {0};
  Status status = linear_solve(t->solver, t->dynamic.r, x, &linear);
  if (status == ERR_NUMERIC && linear.reason == LINEAR_UNDERFLOW) { /* exact to the last digit */
    status_clear();
    status = OK;
  }
  linear_report_add(&report->linear, &linear);
  return status;
}

const double stepper_velocity[STEP_POINTS] = {-11. / 6, 3, -1.5, 1. / 3};
const double stepper_acceleration[STEP_POINTS] = {2, -5, 4, -1};

Status stepper_support_motion(Exec *exec, const Problem *p, double time, double step, double *work, double *v,
                              double *a) {
  const double h = step / 3;
  for (int k = 0; k < STEP_POINTS; ++k) {
    TRY(exec_zero(exec, work, (size_t)p->n * sizeof *work));
    TRY(p->constrain(p->context, time + k * h, work));
    if (v) TRY(vec_axpy(exec, p->n, stepper_velocity[k] / h, work, v));
    if (a) TRY(vec_axpy(exec, p->n, stepper_acceleration[k] / (h * h), work, a));
  }
  return OK;
}

Status stepper_dynamic_rest(Stepper *t) {
  const StepDynamic *y = &t->dynamic;
  const size_t bytes = (size_t)t->n * sizeof(double);
  TRY(exec_zero(t->exec, y->a, bytes));
  if (t->goes_on) return OK;
  if (!t->params.dynamic.velocity) return exec_zero(t->exec, y->v, bytes);
  TRY(exec_copy(t->exec, y->v, t->params.dynamic.velocity, bytes));
  return t->problem.motion.free_only(t->problem.context, y->v);
}

Status stepper_dynamic_accelerate(Stepper *t, double time) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  const size_t bytes = (size_t)t->n * sizeof(double);
  const double dt = t->control.params.step, factor[3] = {FIRST_STIFFNESS * dt * dt, 1, 0};
  StepReport report = {0};
  double *clear[] = {y->d, y->known, y->a};
  for (int k = 0; k < 3; ++k) TRY(exec_zero(t->exec, clear[k], bytes));
  TRY(p->motion.free_only(p->context, y->v));
  if (p->motion.turning.rotate && t->goes_on) TRY(stepper_turning_at(t, t->control.time)); /* all is known */
  else if (p->motion.turning.rotate) TRY(stepper_turning_start(t, dt));
  else if (y->g) TRY(stepper_support_motion(t->exec, p, t->control.time, dt, y->stiff, y->v, y->a));
  if (y->g) TRY(exec_copy(t->exec, y->g, t->u, bytes));
  const DynamicArgs args = stepper_dynamic_args(t);
  TRY(exec_rows(t->exec, &dynamic_start_kernel, &args, t->n));
  TRY(dynamic_force(t, time, 1));
  TRY(stepper_matrix(t, factor));
  const Status status = dynamic_solve(t, y->d, &report);
  if (status != OK) return status_context(status, "for the acceleration at the beginning");
  if (p->motion.turning.rotate) TRY(p->motion.turning.along(p->context, y->d));
  return vec_axpy(t->exec, t->n, 1, y->d, y->a);
}

Status stepper_dynamic_start(Stepper *t) {
  TRY(stepper_dynamic_rest(t));
  return stepper_dynamic_accelerate(t, t->control.time);
}

/* The sums of a trial, in a unit in which values can be squared where they cannot as they are. */
static Status dynamic_measure(Stepper *t, DynamicArgs *args, DynamicSums *sums) {
  static const double units[] = {1, 0x1p600, 0x1p-600};
  for (int k = 0; k < 3; ++k) {
    args->unit = units[k];
    TRY(exec_rows(t->exec, &dynamic_measure_kernel, args, t->n));
    TRY(exec_download(t->exec, sums, t->dynamic.sums, sizeof *sums));
    const bool small = sums->square < 1e-200 && k == 0, large = sums->square > 1e200 || sums->error > 1e200;
    if (!small && !large) return OK;
    if (large && k == 0) k = 1; /* on to the small unit */
  }
  return OK;
}

void stepper_dynamic_factors(const Stepper *t, double factor[3]) {
  const StepDynamic *y = &t->dynamic;
  const double dt = t->control.dt, free = 1 - y->alpha_f;
  const double rate = free * y->gamma / (y->beta * dt); /* of the velocity in the middle, by d */
  factor[0] = free + t->params.dynamic.stiffness * rate;
  factor[1] = (1 - y->alpha_m) / (y->beta * dt * dt) + t->params.dynamic.mass * rate;
  factor[2] = y->slow ? rate : 0;
}

/* The increment of one trial. */
static Status dynamic_increment(Stepper *t, StepReport *report) {
  const Problem *p = &t->problem;
  StepDynamic *y = &t->dynamic;
  DynamicArgs args = stepper_dynamic_args(t);
  double factor[3];
  stepper_dynamic_factors(t, factor);
  if (y->g) {
    TRY(exec_copy(t->exec, y->g, t->u, (size_t)t->n * sizeof *y->g));
    TRY(p->constrain(p->context, t->control.target, y->g));
  }
  TRY(stepper_update_matrix(t, factor, report));
  TRY(exec_rows(t->exec, &dynamic_predict_kernel, &args, t->n));
  TRY(p->motion.free_only(p->context, y->d));
  TRY(exec_rows(t->exec, &dynamic_balance_kernel, &args, t->n));
  const bool ends = t->params.dynamic.by_hht && y->alpha_f > 0;
  TRY(dynamic_force(t, t->control.time + (ends ? 0 : 1 - y->alpha_f) * args.dt, ends ? 1 - y->alpha_f : 1));
  const Status status = dynamic_solve(t, y->d, report);
  if (status != OK) return status_context(status, "in the step from t = %g to %g", t->control.time, t->control.target);
  return OK;
}

Status stepper_dynamic_judge(Stepper *t, DynamicArgs args, Trial *trial, StepReport *report) {
  DynamicSums sums;
  TRY(dynamic_measure(t, &args, &sums));
  StepMemory *m = &t->memory;
  const double count = (double)t->place.all;
  m->reference = fmax(m->reference, sqrt(sums.square / count) / sums.unit); /* the largest so far */
  const double one = m->reference > 0 ? m->reference : 1;
  const double error = sqrt(sums.error / count) / sums.unit / one, change = sqrt(sums.change / count) / sums.unit / one;
  report->error = error < ROUNDING * change ? 0 : error;
  trial->ratio = report->error; /* a fixed run allows all */
  if (t->params.control.adaptive && report->error != 0)
    trial->ratio = report->error / step_control_allowed(&t->control, isfinite(change) ? change : 0);
  return OK;
}

static Status dynamic_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  (void)max_steps;
  TRY(dynamic_increment(t, report));
  report->residual = report->linear.true_residual;
  return stepper_dynamic_judge(t, stepper_dynamic_args(t), trial, report);
}

static Status dynamic_accept(Stepper *t) {
  const DynamicArgs args = stepper_dynamic_args(t);
  return exec_rows(t->exec, &dynamic_accept_kernel, &args, t->n);
}

static int dynamic_history(const Stepper *t, double **vector) {
  vector[0] = t->dynamic.v;
  vector[1] = t->dynamic.a;
  return 2;
}

/* Before a motion has begun there is none, which the acceleration says. */
void stepper_motion(const Stepper *t, const double **velocity, const double **acceleration) {
  *velocity = t->method != &step_motion || t->memory.moves ? t->dynamic.v : t->dynamic.a;
  *acceleration = t->dynamic.a;
}

const StepMethod step_dynamic = {.name = "dynamic",
                                 .create = stepper_dynamic_create,
                                 .start = stepper_dynamic_start,
                                 .trial = dynamic_trial,
                                 .accept = dynamic_accept,
                                 .history = dynamic_history,
                                 .restored = stepper_restore_matrix};
