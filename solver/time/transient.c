/* Time stepping of a linear problem. A trial is: predict, one or two products for the right-hand side, conjugate
 * gradients, one kernel that measures; the host reads three sums and decides. Bytes of a trial beside its conjugate
 * gradients: the matrix K once (and M where supports move or in BDF2), and about 25 vectors. */
#include "solver/time/transient_private.h"
#include "core/memory.h"
#include "solver/time/rows.h"
#include "solver/time/transient_scheme.h"

#include <math.h>

enum { SMOOTHING = 2 };
/* Diffusion forgets errors: of those of all steps about a third is left where the error is largest, less with schemes
 * whose errors are in modes that decay sooner. By scheme; measured, docs/theory/diffusion.md. */
static const double BUDGET[] = {2.5, 5, 4};
static const double ROUNDING = 1e-8;

static Status take_vectors(Transient *t) {
  const struct {
    double **to;
    const char *what;
  } vector[] = {{&t->d, "increment"},
                {&t->predicted, "predicted increment"},
                {&t->last, "last increment"},
                {&t->older, "older increment"},
                {&t->v, "work space of a time step"},
                {&t->w, "work space of a time step"},
                {&t->Kv, "product with K"},
                {&t->Mw, "product with M"},
                {&t->r, "right-hand side"},
                {&t->f_new, "load"},
                {&t->f_old, "load"}};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k)
    TRY(exec_alloc(t->exec, t->n, sizeof(double), vector[k].what, (void **)vector[k].to));
  if (t->problem.prescribed_varies) EXEC_ALLOC(t->exec, t->g, t->n, "prescribed values");
  EXEC_ALLOC(t->exec, t->factor, 2, "factors of the matrix");
  EXEC_ALLOC(t->exec, t->sums, 1, "sums of a time step");
  return OK;
}

static Status fill(Transient *t) {
  TRY(step_control_create(&t->params.control, &t->control));
  TRY(mat_create_like(t->a, PRECISION_DOUBLE, &t->stiffness));
  TRY(mat_create_like(t->a, PRECISION_DOUBLE, &t->mass));
  TRY(take_vectors(t));
  TRY(t->problem.operators(t->problem.context, mat_values(t->stiffness), mat_values(t->mass)));
  double bound = 0;
  bool blocks;
  if (!t->problem.bound || !linear_wants_bound(t->solver, &blocks)) return OK;
  TRY(t->problem.bound(t->problem.context, &bound));
  linear_set_bound(t->solver, bound);
  return OK;
}

Status transient_create(Exec *exec, const TransientProblem *problem, const TransientParams *params, Mat *a,
                        LinearSolver *solver, Transient **out) {
  *out = NULL;
  CHECK(problem->n == mat_rows(a), ERR_BUG, "%lld unknowns and a matrix of %lld rows", (long long)problem->n,
        (long long)mat_rows(a));
  CHECK(!mat_numbering(a), ERR_INPUT,
        "steps in time multiply with their matrices in natural order, but this variant of format '%s' numbers the "
        "unknowns "
        "anew; use variant '%s'",
        mat_format(a), mat_natural_variant(a));
  CHECK(params->reference >= 0, ERR_INPUT, "the reference of the tolerance is %g, must be > 0", params->reference);
  Transient *t = NULL;
  ALLOC(t, 1, "time stepping");
  t->exec = exec;
  t->problem = *problem;
  t->params = *params;
  t->params.control.order = params->scheme == TRANSIENT_BACKWARD_EULER ? 1 : 2;
  t->params.control.budget = BUDGET[params->scheme];
  if (params->smoothing == 0) t->params.smoothing = SMOOTHING;
  t->a = a;
  t->solver = solver;
  t->n = problem->n;
  const Status status = fill(t);
  if (status != OK) transient_destroy(&t);
  *out = t;
  return status;
}

void transient_destroy(Transient **transient) {
  Transient *t = *transient;
  if (!t) return;
  step_control_release(&t->control);
  mat_destroy(&t->stiffness);
  mat_destroy(&t->mass);
  double **vector[] = {&t->d,  &t->predicted, &t->last, &t->older, &t->v,     &t->w,
                       &t->Kv, &t->Mw,        &t->r,    &t->f_new, &t->f_old, &t->g};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k) EXEC_RELEASE(t->exec, *vector[k], t->n);
  EXEC_RELEASE(t->exec, t->factor, 2);
  EXEC_RELEASE(t->exec, t->sums, 1);
  FREE(*transient);
}

bool transient_done(const Transient *t) { return step_control_done(&t->control); }
const StepControl *transient_control(const Transient *t) { return &t->control; }

/* Everything that a row kernel of this file may need; numbers of the step as they are now. */
static TransientArgs args_of(const Transient *t, const TransientNumbers *n) {
  return (TransientArgs){.fixed = t->problem.fixed,
                         .u = t->u,
                         .g = t->g,
                         .last = t->last,
                         .older = t->older,
                         .a1 = n->a1,
                         .a2 = n->a2,
                         .theta = n->theta,
                         .mass = n->mass,
                         .history = n->history,
                         .f_new = t->f_new,
                         .f_old = t->f_old,
                         .Kv = t->Kv,
                         .Mw = t->g || n->history != 0 ? t->Mw : NULL,
                         .d = t->d,
                         .predicted = t->predicted,
                         .v = t->v,
                         .w = t->w,
                         .r = t->r,
                         .u_new = t->u,
                         .last_new = t->older,
                         .sums = t->sums};
}

/* Standard deviation of the field over the nodes. */
static double spread_of(const TransientSums *sums, double count) {
  const double mean = sums->sum / count * sums->unit;
  return sqrt(fmax(0, sums->square / count - mean * mean)) / sums->unit;
}

/* The sums of a trial, in a unit in which the field can be squared where it cannot as it is. */
static Status measure(Transient *t, TransientArgs *args, TransientSums *sums) {
  static const double units[] = {1, 0x1p600, 0x1p-600};
  for (int k = 0; k < 3; ++k) {
    args->unit = units[k];
    TRY(exec_rows(t->exec, &transient_measure_kernel, args, t->n));
    TRY(exec_download(t->exec, sums, t->sums, sizeof *sums));
    const bool small = sums->square < 1e-200 && k == 0, large = sums->square > 1e200 || sums->error > 1e200;
    if (!small && !large) return OK;
    if (large && k == 0) k = 1; /* on to the small unit */
  }
  return OK;
}

/* Sums of u at the start, where d and what was predicted are zero. */
static Status first_sums(Transient *t) {
  const TransientNumbers none = {0};
  TransientArgs args = args_of(t, &none);
  TransientSums sums;
  TRY(measure(t, &args, &sums));
  t->mean_start = sums.sum / (double)t->n;
  t->reference = spread_of(&sums, (double)t->n);
  CHECK(isfinite(t->mean_start), ERR_NUMERIC, "the initial values are not finite");
  return OK;
}

Status transient_start(Transient *t, double *u) {
  const size_t bytes = (size_t)t->n * sizeof *u;
  t->u = u;
  t->n_history = 0;
  t->h1 = t->h2 = 1;
  t->n_smooth = 0;
  t->made_with[0] = t->made_with[1] = t->first_with[0] = t->first_with[1] = NAN;
  double *clear[] = {t->d, t->predicted, t->last, t->older};
  for (int k = 0; k < 4; ++k) TRY(exec_zero(t->exec, clear[k], bytes));
  const double time = t->control.time;
  TRY(t->problem.prescribed(t->problem.context, time, u));
  TRY(t->problem.load(t->problem.context, time, t->f_old));
  TRY(exec_copy(t->exec, t->f_new, t->f_old, bytes));
  if (t->g) TRY(exec_copy(t->exec, t->g, u, bytes));
  return first_sums(t);
}

Status transient_matrix(Transient *t, const double factor[2]) {
  t->made_with[0] = t->made_with[1] = NAN;
  TRY(exec_upload(t->exec, t->factor, factor, 2 * sizeof *factor));
  TRY(t->problem.combine(t->problem.context, mat_values(t->stiffness), mat_values(t->mass), t->factor,
                         mat_values(t->a)));
  TRY(linear_setup(t->solver));
  for (int k = 0; k < 2; ++k) {
    t->made_with[k] = factor[k];
    if (isnan(t->first_with[k])) t->first_with[k] = factor[k];
  }
  return OK;
}

/* The matrix theta K + mass M, built only when it is another one. */
static Status make_matrix(Transient *t, const TransientNumbers *n, TransientStep *report) {
  const double factor[2] = {n->theta, n->mass};
  if (factor[0] == t->made_with[0] && factor[1] == t->made_with[1]) return OK;
  report->matrix_rebuilt = true;
  return transient_matrix(t, factor);
}

/* f(target), g(target) where they change. */
static Status go_to_target(Transient *t) {
  const double time = t->control.target;
  if (t->problem.load_varies) TRY(t->problem.load(t->problem.context, time, t->f_new));
  if (!t->g) return OK;
  TRY(exec_copy(t->exec, t->g, t->u, (size_t)t->n * sizeof *t->g)); /* for those that no support writes */
  return t->problem.prescribed(t->problem.context, time, t->g);
}

/* d of one trial, and its sums. */
static Status trial(Transient *t, const TransientNumbers *n, TransientStep *report, TransientSums *sums) {
  TransientArgs args = args_of(t, n);
  TRY(make_matrix(t, n, report));
  TRY(go_to_target(t));
  TRY(exec_rows(t->exec, &transient_predict_kernel, &args, t->n));
  TRY(mat_apply(t->stiffness, t->v, t->Kv));
  if (args.Mw) TRY(mat_apply(t->mass, t->w, t->Mw));
  TRY(exec_rows(t->exec, &transient_rhs_kernel, &args, t->n));
  LinearReport linear = {0};
  Status status = linear_solve(t->solver, t->r, t->d, &linear);
  if (status == ERR_NUMERIC &&
      linear.reason == LINEAR_UNDERFLOW) { /* what changes so little is there to the last digit */
    status_clear();
    status = OK;
  }
  if (!report->matrix_rebuilt) linear.setup_seconds = 0;
  linear_report_add(&report->linear, &linear);
  if (status != OK) return status_context(status, "in the step from t = %g to %g", t->control.time, t->control.target);
  return measure(t, &args, sums);
}

/* Local error relative to the reference, which the trial may raise; NaN when unknown. */
static double relative_error(Transient *t, const TransientNumbers *n, const TransientSums *sums) {
  const double count = (double)t->n, mean = sums->sum / count;
  if (t->params.reference > 0) {
    t->reference = t->params.reference;
  } else {
    const double spread = spread_of(sums, count);
    const double floor =
        ROUNDING * sqrt(sums->square / count) / sums->unit; /* where nothing happens, rounding is no error */
    t->reference = fmax(fmax(t->reference, floor), fmax(spread, fabs(mean - t->mean_start)));
  }
  if (!isfinite(sums->sum) || !isfinite(sums->square)) return INFINITY;
  if (isnan(n->share)) return NAN;
  const double error = n->share * sqrt(sums->error / count) / sums->unit;
  return error == 0 ? 0 : error / t->reference;
}

/* Error over what is allowed; a fixed run allows all. */
static double ratio_of(const Transient *t, double error, double change) {
  if (!t->params.control.adaptive || error == 0) return error;
  return error / step_control_allowed(&t->control, isfinite(change) ? change : 0);
}

static Status accept(Transient *t) {
  const TransientNumbers none = {0};
  const TransientArgs args = args_of(t, &none); /* writes the increment over the older one */
  TRY(exec_rows(t->exec, &transient_accept_kernel, &args, t->n));
  double *swap = t->older;
  t->older = t->last;
  t->last = swap;
  if (t->problem.load_varies) {
    swap = t->f_old;
    t->f_old = t->f_new;
    t->f_new = swap;
  }
  t->h2 = t->h1;
  t->h1 = t->control.dt;
  if (t->n_history < 2) t->n_history += 1;
  if (t->n_smooth > 0) t->n_smooth -= 1;
  return OK;
}

/* What stands behind an edge says nothing about what follows. */
static void begin_after_edge(Transient *t) {
  t->n_history = 0;
  t->n_smooth = t->params.scheme == TRANSIENT_CRANK_NICOLSON && t->params.smoothing > 0 ? t->params.smoothing : 0;
}

Status transient_step(Transient *t, TransientStep *report) {
  *report = (TransientStep){.linear = {.equation = -1}};
  CHECK(t->u, ERR_BUG, "transient_step before transient_start");
  CHECK(!transient_done(t), ERR_BUG, "transient_step after the end");
  if (t->control.edge) begin_after_edge(t);
  for (bool accepted = false; !accepted;) {
    const double dt = step_control_next(&t->control);
    TransientScheme scheme = t->params.scheme;
    if ((scheme == TRANSIENT_BDF2 && t->n_history == 0) || t->n_smooth > 0) scheme = TRANSIENT_BACKWARD_EULER;
    const TransientNumbers numbers = transient_numbers(scheme, t->n_history, dt, t->h1, t->h2);
    TransientSums sums;
    TRY(trial(t, &numbers, report, &sums));
    report->error = relative_error(t, &numbers, &sums);
    const double change = sqrt(sums.change / (double)t->n) / sums.unit / t->reference;
    report->dt = dt;
    report->sum = sums.sum;
    TRY(step_control_judge(&t->control, ratio_of(t, report->error, change), &accepted));
    report->rejected += !accepted;
  }
  report->time = t->control.time;
  return accept(t);
}

Status transient_rate(Transient *t, double *rate) {
  CHECK(t->n_history > 0, ERR_BUG, "transient_rate before the first step");
  TransientRateArgs args = {t->last, t->older, 1 / t->h1, 0, rate};
  if (t->n_history > 1 && t->params.scheme != TRANSIENT_BACKWARD_EULER) {
    const TransientNumbers parabola = transient_numbers(TRANSIENT_BDF2, 2, t->h1, t->h2, t->h2);
    args.last_factor = parabola.mass;
    args.older_factor = -parabola.history;
  }
  return exec_rows(t->exec, &transient_rate_kernel, &args, t->n);
}
