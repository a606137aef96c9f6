/* Nodal problems whose states go first, explicitly: a step takes R at u_n with its slope (StatePart.first), and what is then a
 * linear equation, u' = F_0 + J (u - u_n), by the stages of Runge, Kutta and Chebyshev of second order (Sommeijer, Shampine
 * and Verwer, J. Comput. Appl. Math. 88 (1998) 315), as many as the largest eigenvalue of M^(-1) K times the step needs.
 * Nothing is solved, so there is no tolerance. All stages together are Chebyshev's semi-iteration (stage_rows.h): one product
 * with K in double and a semi-step with K'' for each further stage. Steps of a run are one loop on the Exec, a turn is a step, with
 * its sample (stepper_watch) behind it.
 *
 * Bytes of a step of s stages, K'' = bytes of K in half or float, n nodes: K in double and 16 n, 84 n for the beginning,
 * (s - 1) (K'' + 24 n), 24 n for the end, and the problem's states, force and maps. */
#include "core/vec.h"
#include "core/memory.h"
#include "algebra/formats/tiled.h"
#include "solver/time/activation.h"
#include "solver/time/stage_rows.h"
#include "solver/time/stages.h"
#include "solver/time/stepper_private.h"

#include <math.h>

/* The damping of the method's authors, 2/13. */
static const double DAMPING = 2.0 / 13;
/* Most that the mass of poor elements' nodes is made larger by, over all mass: each such node is then as heavy as its neighbours or
 * lighter, and a wave is later by at most half of that of its time. */
static const double ADDED = 3e-4;
/* A step that ends at a time to be hit may be longer than the others by rounding. */
static const double SAME = 1e-6;
/* A heart that changes by so many times the reference in a step is none: stages were not stable. */
static const double ABSURD = 100;

/* T_n and its first two derivatives at w0 are in next. */
StageNumbers stage_numbers(int32_t n) {
  const double w = 1 + DAMPING / ((double)n * n);
  double T[3] = {1, 0, 0}, next[3] = {w, 1, 0};
  for (int32_t k = 2; k <= n; ++k) {
    const double after[3] = {2 * w * next[0] - T[0], 2 * next[0] + 2 * w * next[1] - T[1],
                             4 * next[1] + 2 * w * next[2] - T[2]};
    for (int d = 0; d < 3; ++d) T[d] = next[d], next[d] = after[d];
  }
  const double w1 = next[1] / next[2];
  return (StageNumbers){
      .n = n, .w0 = w, .w1 = w1, .part = next[2] / (next[1] * next[1]) * next[0], .reach = (w + 1) / w1};
}

/* Fewest stages for a step; n 0: more than there is room for. */
static StageNumbers stages_for(const Stepper *t, double dt) {
  for (int32_t n = 2; n <= EVOLUTION_INNER; ++n) {
    const StageNumbers numbers = stage_numbers(n);
    if (numbers.reach >= dt * (t->resident.stiffest + t->problem.reaction.decay)) return numbers;
  }
  return (StageNumbers){0};
}

/* What rows whose mass may be made larger would get in all for no row sum of |K| to be beyond G times the mass, over all mass. */
static Status share_added(const Stepper *t, const double *sum, const double *mass, double G, double *share) {
  double added = 0;
  for (int64_t i = 0; i < t->n; ++i)
    if (t->problem.reaction.poor[i] && sum[i] > G * mass[i]) added += sum[i] / G - mass[i];
  *share = added / t->volume;
  return comm_total(t->exec->comm, share);
}

/* The least G of a share of ADDED, up to the largest row's, but not far below what two stages reach: the largest eigenvalue is at most
 * that of all rows, those that are not poor among them, and mostly less. */
static Status largest_row(const Stepper *t, const double *sum, const double *mass, double *G) {
  enum { HALVINGS = 30 };
  double most = 0, least, share;
  const double two = 0.5 * (stage_numbers(2).reach / t->params.control.step - t->problem.reaction.decay);
  for (int64_t i = 0; i < t->n; ++i)
    if (t->problem.reaction.poor[i] && mass[i] > 0) most = fmax(most, sum[i] / mass[i]);
  TRY(comm_most(t->exec->comm, &most));
  least = fmin(fmax(1e-6 * most, two), most);
  for (int32_t k = 0; k < HALVINGS; ++k) {
    const double middle = sqrt(least * most);
    TRY(share_added(t, sum, mass, middle, &share));
    if (share > ADDED) least = middle;
    else most = middle;
  }
  *G = most;
  return OK;
}

/* Mass in t->slope, and what part of it is the problem's own in t->resident.own. */
static Status stages_mass(Stepper *t) {
  double *sum = NULL, *mass = NULL, G = HUGE_VAL;
  float *own = NULL;
  Status status;
  EXEC_ALLOC(t->exec, t->resident.own, t->n_read, "shares of the mass");
  ALLOC_DONE(sum, t->n, "row sums of the stiffness");
  ALLOC_DONE(mass, t->n, "lumped mass");
  ALLOC_DONE(own, t->n, "shares of the mass");
  TRY_DONE(exec_download(t->exec, mass, t->problem.reaction.lumped, (size_t)t->n * sizeof *mass));
  TRY_DONE(mat_product(t->problem.stiffness, MAT_ABS, &(ProductArgs){.w = t->Ku}));
  TRY_DONE(exec_download(t->exec, sum, t->Ku, (size_t)t->n * sizeof *sum));
  if (t->problem.reaction.poor) TRY_DONE(largest_row(t, sum, mass, &G));
  double raised_rows = 0, added = 0;
  for (int64_t i = 0; i < t->n; ++i) {
    const bool raised = t->problem.reaction.poor && t->problem.reaction.poor[i] && sum[i] > G * mass[i];
    own[i] = raised ? (float)(G * mass[i] / sum[i]) : 1;
    const double heavier = mass[i] / (double)own[i];
    added += heavier - mass[i];
    mass[i] = heavier;
    raised_rows += raised;
  }
  TRY_DONE(comm_total(t->exec->comm, &raised_rows));
  TRY_DONE(comm_total(t->exec->comm, &added));
  t->resident.stages = (StepStages){.n_raised = (int64_t)raised_rows, .added = added / t->volume};
  TRY_DONE(exec_upload(t->exec, t->resident.own, own, (size_t)t->n * sizeof *own));
  status = exec_upload(t->exec, t->slope, mass, (size_t)t->n * sizeof *mass);
done:
  FREE(sum);
  FREE(mass);
  FREE(own);
  return status;
}

static Status stages_take(Stepper *t) {
  const bool lags = t->problem.reaction.consistent > 0;
  const StepVector vector[] = {{&t->past[0], "solution before the step", true},
                               {&t->Ku, "product with K", true},
                               {&t->force, "reaction", true},
                               {&t->current, "currents", true},
                               {&t->slope, "slope of the reaction", true},
                               {&t->v, "work space of a time step", lags},
                               {&t->Mv, "product with M", lags},
                               {&t->q, "balance at the nodes", lags},
                               {&t->q_before, "balance before the step", lags},
                               {&t->lag, "consistent part of the mass", lags}};
  return stepper_take(t, vector, sizeof vector / sizeof *vector);
}

/* What follows from the values of K: their spectrum, and with it how many stages the longest step takes. */
static Status stages_find(Stepper *t) {
  const double step = t->params.control.step;
  StepResident *r = &t->resident;
  TRY(chebyshev_stiffest(t, &r->stiffest));
  mat_destroy(&r->exact);
  if (!r->stages.stays && mat_precision(r->scaled) == PRECISION_HALF)
    TRY(tiled_differences(t->problem.stiffness, r->scaled, &r->exact));
  const StageNumbers most = stages_for(t, step), few = stage_numbers(EVOLUTION_INNER);
  CHECK(most.n > 0, ERR_INPUT,
        "time: a step of %g needs more than %d explicit stages on this mesh\n  remedy: 'step: %.2g' at most under "
        "'time:', or 'scheme: rush-larsen'",
        step, EVOLUTION_INNER, 0.95 * few.reach / (r->stiffest + t->problem.reaction.decay));
  r->stages.n = most.n;
  return OK;
}

/* A loop has as many stages as any step needed so far. */
static Status stages_stiffness(Stepper *t) {
  const bool exact = t->resident.exact != NULL;
  TRY(chebyshev_stiffness(t, t->slope));
  TRY(stages_find(t));
  if (!exact && t->resident.stages.n <= t->params.inner) return OK;
  if (t->resident.stages.n > t->params.inner) t->params.inner = t->resident.stages.n;
  exec_loop_destroy(&t->resident.loop);
  return OK;
}

static Status stages_create(Stepper *t) {
  CHECK(t->problem.reaction.nodal && t->problem.states.first, ERR_INPUT,
        "explicit stages need reactions at nodes, 'reaction: nodal'");
  CHECK(!t->params.control.adaptive, ERR_INPUT, "explicit stages take steps of one length: leave 'adaptive' out");
  TRY(stages_take(t));
  TRY(nonlinear_volume(t));
  TRY(stages_mass(t));
  TRY(chebyshev_matrix(t, t->slope));
  /* the one kernel has slices */
  t->resident.stages.stays = exec_whole(t->exec, (double)t->n) <= TILED_PROCESSORS * TILED_ROWS;
  TRY(stages_find(t));
  t->params.inner = t->resident.stages.n;
  return OK;
}

static Status stages_start(Stepper *t) {
  const size_t bytes = (size_t)t->n * sizeof(double);
  TRY(exec_zero(t->exec, t->current, (size_t)t->n_read * sizeof(double)));
  if (t->lag) {
    TRY(exec_zero(t->exec, t->q, bytes));
    TRY(exec_zero(t->exec, t->q_before, bytes));
  }
  return nonlinear_start_clock(t);
}

static EvolutionArgs stages_args(const Stepper *t) {
  EvolutionArgs args = nonlinear_args(t, EVOLUTION_START);
  args.before = t->past[0];
  return args;
}

static Status record_step(Exec *exec, void *context) {
  (void)exec;
  Stepper *t = context;
  const Problem *p = &t->problem;
  const StepResident *r = &t->resident;
  const EvolutionArgs args = stages_args(t);
  const Stage stage = nonlinear_stage(t, EVOLUTION_START);
  Stage switching = stage;
  switching.when = &t->scalars->pulses_switch;
  if (p->reaction.current) TRY(p->reaction.current(p->context, &switching, t->switches, t->current));
  TRY(p->states.first(p->context, &stage, t->u, t->current));
  TRY(resident_record_lag(t, &args));
  TRY(mat_product(r->exact ? r->exact : p->stiffness, MAT_APPLY,
                  &(ProductArgs){.v = t->u, .w = t->Ku, .stop = &t->scalars->skip_start}));
  if (!p->reaction.line) TRY(p->force(p->context, &stage, t->u, t->force, t->slope));
  TRY(exec_rows(t->exec, &stage_begin_kernel, &args, t->n));
  TRY(resident_record_semi(t));
  const StageEndArgs end = {args, activation_args(p->reaction.maps, stage.clock, stage.when)};
  TRY(exec_rows(t->exec, &stage_end_kernel, &end, t->n));
  if (p->commit) TRY(p->commit(p->context, &stage, t->u, t->past[0]));
  TRY(exec_rows(t->exec, &stage_next_kernel, &args, 1));
  if (p->reaction.follow) TRY(p->reaction.follow(p->context, &t->scalars->stop, EVOLUTION_DONE));
  if (!t->ring) return OK;
  const FunctionalRing ring = {&t->scalars->sample, &t->scalars->sample_row, t->watch.n};
  return t->watch.record(t->watch.context, &ring, t->ring);
}

static Status stages_begin(Stepper *t, int64_t max_steps) {
  enum { LAST = 2 }; /* lengths of steps before that this one depends on */
  EvolutionScalars *s = &t->host;
  const double dt = t->control.dt, absurd = ABSURD * t->params.reference;
  StageNumbers n = stages_for(t, dt);
  CHECK(dt <= t->params.control.step * (1 + SAME), ERR_BUG, "a step of %g is longer than the longest", dt);
  if (n.n == 0 || n.n > t->params.inner) n = stage_numbers(t->params.inner); /* longer by rounding */
  *s = (EvolutionScalars){.n_inner = n.n, .max_inner = t->params.inner, .pulses_switch = 1, .stage_part = n.part};
  nonlinear_clock(t, &s->clock);
  s->lead = nonlinear_lead(t);
  s->stage_slope = n.reach - dt * t->resident.stiffest;
  s->limit = t->volume * absurd * absurd;
  s->max_steps = nonlinear_count_steps(t, max_steps, LAST, s);
  evolution_semi_numbers(s, n.n, n.w0 / n.w1, 1 / n.w1); /* on [(w0 - 1)/w1, (w0 + 1)/w1] */
  for (int32_t k = 0; k < n.n; ++k) s->semi[k][2] = dt / t->resident.tau;
  for (int32_t k = 0; k < EVOLUTION_INNER; ++k) s->skip_inner[k] = k + 1 >= n.n;
  const StageStartArgs args = {stages_args(t), *s};
  return exec_rows(t->exec, &stage_start_kernel, &args, 1);
}

static Status stages_undo(Stepper *t) { return exec_copy(t->exec, t->u, t->past[0], (size_t)t->n * sizeof *t->u); }

static Status stages_run(Stepper *t) {
  StepResident *r = &t->resident;
  EvolutionScalars *s = &t->host;
  const int64_t n = s->max_steps;
  if (!r->loop) TRY(exec_loop_create(t->exec, record_step, t, &t->scalars->stop, &r->loop));
  exec_loop_idles(r->loop, &r->history);
  loop_history_add(&r->history, n);
  TRY(exec_loop_run(r->loop, n, NULL, NULL));
  TRY(exec_download(t->exec, s, t->scalars, sizeof *s));
  CHECK(s->stop != EVOLUTION_GOES_ON, ERR_BUG, "a loop of time steps ended without a reason");
  return OK;
}

/* Nothing was done behind the step that went wrong. */
static Status stages_fail(Stepper *t) {
  const EvolutionScalars *s = &t->host;
  TRY(stages_undo(t));
  return FAIL(ERR_NUMERIC, "the step from t = %g: %s\n  remedy: a smaller step, or 'scheme: rush-larsen'",
              s->clock.time,
              s->stop == EVOLUTION_NAN
                  ? "the solution is not finite; explicit stages are not stable, or a state of a cell is not finite"
                  : "the solution grows without bound; explicit stages are not stable");
}

static Status stages_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  const EvolutionScalars *s = &t->host;
  TRY(stages_begin(t, max_steps));
  TRY(stages_run(t));
  report->linear.products += s->products;
  report->linear.iterations += s->products;
  report->dt = t->control.dt;
  report->residual = 0;
  for (int64_t k = 0; k < s->steps; ++k) {
    if (k) step_control_next(&t->control);
    TRY(stepper_advance(t, NAN));
    if (s->samples[k]) t->sample_time[t->n_sampled++] = t->control.time;
  }
  report->steps += s->steps;
  if (s->stop != EVOLUTION_DONE) return stages_fail(t);
  trial->end = TRIAL_TAKEN;
  return OK;
}

static Status stages_accept(Stepper *t) {
  (void)t;
  return FAIL(ERR_BUG, "a step by stages is accepted twice");
}

static int stages_history(const Stepper *t, double **vector) {
  int n = 0;
  if (t->lag) vector[n++] = t->q, vector[n++] = t->q_before;
  return n;
}

const StepMethod step_stages = {.name = "stages",
                                .create = stages_create,
                                .start = stages_start,
                                .trial = stages_trial,
                                .accept = stages_accept,
                                .undo = stages_undo,
                                .history = stages_history,
                                .stiffness = stages_stiffness,
                                .watches = true};
