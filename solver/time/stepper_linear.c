/* Linear problems in time. A trial is: predict, one or two products for the right-hand side, conjugate gradients, one
 * kernel that measures; the host reads a few sums and decides. Bytes of a trial beside its conjugate gradients: the
 * matrix K once (and M where supports move or the scheme has history), and about 25 vectors. */
#include "solver/time/stepper_private.h"

#include <math.h>

static const double ROUNDING = 1e-8;

static Status linear_create_vectors(Stepper *t) {
  StepLinear *l = &t->linear;
  const StepVector vector[] = {{&l->d, "increment", true},
                               {&l->predicted, "predicted increment", true},
                               {&l->last, "last increment", true},
                               {&l->older, "older increment", true},
                               {&l->v, "work space of a time step", true},
                               {&l->w, "work space of a time step", true},
                               {&l->Kv, "product with K", true},
                               {&l->Mw, "product with M", true},
                               {&l->r, "right-hand side", true},
                               {&l->f_new, "load", true},
                               {&l->f_old, "load", true},
                               {&l->g, "prescribed values", t->problem.constraint_varies}};
  TRY(stepper_take(t, vector, sizeof vector / sizeof *vector));
  EXEC_ALLOC(t->exec, l->sums, 1, "sums of a time step");
  return OK;
}

static Status linear_create_steps(Stepper *t) {
  TRY(linear_create_vectors(t));
  double bound = 0;
  bool blocks;
  if (!t->problem.bound || !linear_wants_bound(t->solver, &blocks)) return OK;
  TRY(t->problem.bound(t->problem.context, NULL, blocks, &bound));
  linear_set_bound(t->solver, bound);
  return OK;
}

/* Everything that a row kernel of this file may need; factors of the step as they are now. */
static TransientArgs linear_args(const Stepper *t, const SchemeFactors *n) {
  const StepLinear *l = &t->linear;
  return (TransientArgs){.fixed = t->problem.fixed,
                         .u = t->u,
                         .g = l->g,
                         .last = l->last,
                         .older = l->older,
                         .a1 = n->a1,
                         .a2 = n->a2,
                         .theta = n->theta,
                         .mass = n->mass,
                         .history = n->history,
                         .f_new = l->f_new,
                         .f_old = l->f_old,
                         .Kv = l->Kv,
                         .Mw = l->g || n->history != 0 ? l->Mw : NULL,
                         .d = l->d,
                         .predicted = l->predicted,
                         .v = l->v,
                         .w = l->w,
                         .r = l->r,
                         .u_new = t->u,
                         .last_new = l->older,
                         .sums = l->sums};
}

/* Standard deviation of the field over the nodes. */
static double linear_spread(const TransientSums *sums, double count) {
  const double mean = sums->sum / count * sums->unit;
  return sqrt(fmax(0, sums->square / count - mean * mean)) / sums->unit;
}

/* The sums of a trial, in a unit in which the field can be squared where it cannot as it is. */
static Status linear_measure(Stepper *t, TransientArgs *args, TransientSums *sums) {
  static const double units[] = {1, 0x1p600, 0x1p-600};
  for (int k = 0; k < 3; ++k) {
    args->unit = units[k];
    TRY(exec_rows(t->exec, &transient_measure_kernel, args, t->n));
    TRY(exec_download(t->exec, sums, t->linear.sums, sizeof *sums));
    const bool small = sums->square < 1e-200 && k == 0, large = sums->square > 1e200 || sums->error > 1e200;
    if (!small && !large) return OK;
    if (large && k == 0) k = 1; /* on to the small unit */
  }
  return OK;
}

/* Load of the start, and sums of u there, where d and what was predicted are zero. */
static Status linear_start(Stepper *t) {
  const Problem *p = &t->problem;
  StepLinear *l = &t->linear;
  const size_t bytes = (size_t)t->n * sizeof(double);
  double *clear[] = {l->d, l->predicted, l->last, l->older, l->f_old};
  for (int k = 0; k < 5; ++k) TRY(exec_zero(t->exec, clear[k], bytes));
  if (p->load) TRY(p->load(p->context, t->control.time, l->f_old));
  TRY(exec_copy(t->exec, l->f_new, l->f_old, bytes));
  if (l->g) TRY(exec_copy(t->exec, l->g, t->u, bytes));
  const SchemeFactors none = {0};
  TransientArgs args = linear_args(t, &none);
  TransientSums sums;
  TRY(linear_measure(t, &args, &sums));
  t->memory.mean_start = sums.sum / (double)t->place.all;
  t->memory.reference = linear_spread(&sums, (double)t->place.all);
  CHECK(isfinite(t->memory.mean_start), ERR_NUMERIC, "the initial values are not finite");
  return OK;
}

/* a <- theta K + mass M + viscous C and the solver's setup. */
Status stepper_matrix(Stepper *t, const double factor[3]) {
  StepMemory *m = &t->memory;
  const EvolutionClock clock = {.theta = factor[0], .mass = factor[1]};
  Stage stage = t->stage;
  stage.theta = clock.theta;
  stage.mass = clock.mass;
  stage.viscous = factor[2];
  stage.clock = &t->scalars->clock;
  m->made_with[0] = m->made_with[1] = m->made_with[2] = NAN;
  TRY(exec_upload(t->exec, &t->scalars->clock, &clock, sizeof clock));
  TRY(t->problem.tangent(t->problem.context, &stage, t->u, t->a));
  TRY(linear_setup(t->solver));
  for (int k = 0; k < 3; ++k) {
    m->made_with[k] = factor[k];
    if (isnan(m->first_with[k])) m->first_with[k] = factor[k];
  }
  return OK;
}

/* The matrix, built only when it is another one. */
Status stepper_update_matrix(Stepper *t, const double factor[3], StepReport *report) {
  const double *made = t->memory.made_with;
  if (factor[0] == made[0] && factor[1] == made[1] && factor[2] == made[2]) return OK;
  report->rebuilt += 1;
  return stepper_matrix(t, factor);
}

/* f(target), g(target) where they change. */
static Status linear_loads(Stepper *t) {
  const Problem *p = &t->problem;
  StepLinear *l = &t->linear;
  if (p->load_varies) TRY(p->load(p->context, t->control.target, l->f_new));
  if (!l->g) return OK;
  TRY(exec_copy(t->exec, l->g, t->u, (size_t)t->n * sizeof *l->g)); /* for those that no support writes */
  return p->constrain(p->context, t->control.target, l->g);
}

/* d of one trial, and its sums. */
static Status linear_increment(Stepper *t, StepReport *report, TransientSums *sums) {
  StepLinear *l = &t->linear;
  TransientArgs args = linear_args(t, &t->factors);
  TRY(stepper_update_matrix(t, (const double[3]){t->factors.theta, t->factors.mass, 0}, report));
  TRY(linear_loads(t));
  TRY(exec_rows(t->exec, &transient_predict_kernel, &args, t->n));
  TRY(mat_apply(t->problem.stiffness, l->v, l->Kv));
  if (args.Mw) TRY(mat_apply(t->problem.mass, l->w, l->Mw));
  TRY(exec_rows(t->exec, &transient_rhs_kernel, &args, t->n));
  LinearReport linear = {0};
  Status status = linear_solve(t->solver, l->r, l->d, &linear);
  if (status == ERR_NUMERIC &&
      linear.reason == LINEAR_UNDERFLOW) { /* what changes so little is exact to the last digit */
    status_clear();
    status = OK;
  }
  linear_report_add(&report->linear, &linear);
  if (status != OK) return status_context(status, "in the step from t = %g to %g", t->control.time, t->control.target);
  return linear_measure(t, &args, sums);
}

/* Local error relative to the reference, which the trial may raise; NaN when unknown. */
static double linear_error(Stepper *t, const TransientSums *sums) {
  StepMemory *m = &t->memory;
  const double count = (double)t->place.all, mean = sums->sum / count, share = t->factors.share;
  if (t->params.reference > 0) {
    m->reference = t->params.reference;
  } else {
    const double floor =
        ROUNDING * sqrt(sums->square / count) / sums->unit; /* where nothing happens, rounding is no error */
    m->reference = fmax(fmax(m->reference, floor), fmax(linear_spread(sums, count), fabs(mean - m->mean_start)));
  }
  if (!isfinite(sums->sum) || !isfinite(sums->square)) return INFINITY;
  if (isnan(share)) return NAN;
  const double error = share * sqrt(sums->error / count) / sums->unit;
  return error == 0 ? 0 : error / m->reference;
}

static Status linear_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  (void)max_steps;
  TransientSums sums;
  TRY(linear_increment(t, report, &sums));
  const double error = linear_error(t, &sums);
  const double change = sqrt(sums.change / (double)t->place.all) / sums.unit / t->memory.reference;
  report->error = error;
  report->residual = report->linear.true_residual;
  trial->ratio = error; /* a fixed run allows all */
  if (t->params.control.adaptive && error != 0)
    trial->ratio = error / step_control_allowed(&t->control, isfinite(change) ? change : 0);
  return OK;
}

static Status linear_accept(Stepper *t) {
  StepLinear *l = &t->linear;
  const SchemeFactors none = {0};
  const TransientArgs args = linear_args(t, &none); /* writes the increment over the older one */
  TRY(exec_rows(t->exec, &transient_accept_kernel, &args, t->n));
  double *swap = l->older;
  l->older = l->last;
  l->last = swap;
  if (!t->problem.load_varies) return OK;
  swap = l->f_old;
  l->f_old = l->f_new;
  l->f_new = swap;
  return OK;
}

static int linear_history(const Stepper *t, double **vector) {
  vector[0] = t->linear.last;
  vector[1] = t->linear.older;
  return 2;
}

/* The matrix as it was, with the solver's way to it: first the one that its preconditioner began with. */
Status stepper_restore_matrix(Stepper *t) {
  StepMemory *m = &t->memory;
  double made[3], first[3];
  for (int k = 0; k < 3; ++k) made[k] = m->made_with[k], first[k] = m->first_with[k];
  TRY(linear_restore_spare(t->solver, &m->solver));
  if (isnan(made[0])) return OK;
  TRY(stepper_matrix(t, first));
  if (first[0] != made[0] || first[1] != made[1] || first[2] != made[2]) TRY(stepper_matrix(t, made));
  return linear_restore(t->solver, &m->solver);
}

Status stepper_rate(Stepper *t, double *rate) {
  const StepMemory *m = &t->memory;
  CHECK(t->method == &step_linear && m->n_history > 0, ERR_BUG, "the rate is known after a step of a linear problem");
  TransientRateArgs args = {t->linear.last, t->linear.older, 1 / m->h[0], 0, rate};
  if (m->n_history > 1 && t->params.scheme->order > 1) {
    const SchemeFactors parabola = scheme_factors(&bdf2_scheme, 2, m->h[0], m->h[1], m->h[1]);
    args.last_factor = parabola.mass;
    args.older_factor = -parabola.history;
  }
  return exec_rows(t->exec, &transient_rate_kernel, &args, t->n);
}

const StepMethod step_linear = {.name = "linear",
                                .create = linear_create_steps,
                                .start = linear_start,
                                .trial = linear_trial,
                                .accept = linear_accept,
                                .history = linear_history,
                                .restored = stepper_restore_matrix};
