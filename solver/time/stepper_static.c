/* Static problems: Newton's method from the last solution at each load step, which has moved to the values
 * prescribed for its load. Where it fails the step is cut; an adaptive run takes longer steps again where it
 * converges quickly. */
#include "solver/time/stepper_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Newton steps of a load step that is neither too long nor too short; with multipliers. */
static const double FEW = 8, MANY = 24;
/* How exactly easier problems are solved. */
static const double OF_EASIER = 1e-4;
/* Residual on the line, of that at the last solution. */
static const double OVERSHOT = 1e4;
/* How far the line may miss the prescribed values, of their change in the step. */
static const double MISSED = 0.7;

static Status static_newton(Stepper *t) {
  const NewtonParams params = {.max_steps = t->params.max_newton,
                               .line_search = t->params.line_search,
                               .forcing = true,
                               .keep = true,
                               .near = t->params.hold > 1,
                               .by_work = true,
                               .bold = t->params.control.cuts,
                               .watch = t->params.watch};
  return newton_create(t->exec, &t->problem, &params, t->a, t->solver, &t->newton);
}

static Status static_create(Stepper *t) {
  const StepVector before = {&t->before, "solution before the step", !t->problem.linear};
  TRY(stepper_take(t, &before, 1));
  for (int k = 0; k < t->params.predictor; ++k)
    TRY(stepper_take(t, &(StepVector){&t->past[k], "solutions before the step", !t->problem.linear}, 1));
  return static_newton(t);
}

Status stepper_renew(Stepper *t, Mat *a, LinearSolver *solver) {
  CHECK(t->method->renew, ERR_BUG, "another matrix for steps of another kind");
  newton_destroy(&t->newton);
  t->a = a, t->solver = solver;
  return a ? t->method->renew(t) : OK;
}

static Status static_keep(Stepper *t) {
  const size_t bytes = (size_t)t->n * sizeof *t->u;
  StepMemory *m = &t->memory;
  for (int j = EVOLUTION_PAST; j > 0; --j) memcpy(m->factor[j], m->factor[j - 1], sizeof m->factor[j]);
  for (int32_t k = 0; k < t->problem.statics.n_border; ++k) m->factor[0][k] = t->problem.statics.factor[k];
  for (int j = EVOLUTION_PAST - 1; j >= 0; --j)
    if (t->past[j]) TRY(exec_copy(t->exec, t->past[j], j ? t->past[j - 1] : t->before, bytes));
  return t->before ? exec_copy(t->exec, t->before, t->u, bytes) : OK;
}

static Status static_start(Stepper *t) {
  for (int32_t k = 0; k < t->problem.statics.n_border; ++k) t->memory.factor[0][k] = t->problem.statics.factor[k];
  if (t->past[0]) TRY(exec_copy(t->exec, t->before, t->u, (size_t)t->n * sizeof *t->u));
  return static_keep(t);
}

static Status static_undo(Stepper *t) {
  for (int32_t k = 0; k < t->problem.statics.n_border; ++k) t->problem.statics.factor[k] = t->memory.factor[0][k];
  return t->before ? stepper_undo(t) : OK;
}

/* |values prescribed at the target - those of u|; `room`: [n] on the Exec. */
static Status static_miss(Stepper *t, const double *u, double *room, double *miss) {
  const size_t bytes = (size_t)t->n * sizeof *u;
  TRY(exec_copy(t->exec, room, u, bytes));
  TRY(t->problem.constrain(t->problem.context, t->control.target, room));
  TRY(vec_axpy(t->exec, t->n, -1, u, room));
  return newton_length(t->newton, room, miss);
}

/* Whether u, on the line through the last two solutions, is a worse start than `before`: the prescribed path turns. */
static Status static_misses(Stepper *t, bool *missed) {
  double *room = newton_room(t->newton), miss, asked;
  *missed = false;
  if (!room || !t->problem.constrain || !t->problem.constraint_varies) return OK;
  TRY(static_miss(t, t->u, room, &miss));
  TRY(static_miss(t, t->before, room, &asked));
  *missed = miss > MISSED * asked;
  return OK;
}

/* A first guess: the solutions from the last one back, times these weights. */
typedef struct Guess {
  int degree; /* of the polynomial through them; 0: it is the last solution */
  double weight[EVOLUTION_PAST + 1];
} Guess;

static Status static_last(Stepper *t, Guess *guess) {
  *guess = (Guess){.weight = {1}};
  return t->before ? static_undo(t) : OK;
}

/* Moves u, the last solution, along the polynomial through those before, so much of the way to the target; not where there are none, or
 * the prescribed path turns. */
static Status static_line(Stepper *t, double share, Guess *guess) {
  bool missed = false;
  *guess = (Guess){.weight = {1}};
  if (!t->past[0] || !(share > 0)) return OK;
  guess->degree = stepper_extrapolate(t, share * t->control.dt, guess->weight);
  if (guess->degree == 0) return OK;
  TRY(vec_axpy(t->exec, t->n, guess->weight[0] - 1, t->before, t->u));
  for (int k = 0; k < guess->degree; ++k) TRY(vec_axpy(t->exec, t->n, guess->weight[k + 1], t->past[k], t->u));
  TRY(static_misses(t, &missed));
  return missed ? static_last(t, guess) : OK;
}

/* What a line looked at is prescribed at its end; it is that of where u is again. */
static Status static_back(Stepper *t) {
  const Problem *p = &t->problem;
  double *room = newton_room(t->newton);
  if (!room || !p->constrain || !p->constraint_varies) return OK;
  TRY(exec_copy(t->exec, room, t->u, (size_t)t->n * sizeof *room));
  return p->constrain(p->context, t->control.time, room);
}

Status stepper_line(Stepper *t, double *factor) {
  const StepControl now = t->control;
  Guess guess = {0};
  *factor = 0;
  if (t->method != &step_static) return OK;
  CHECK(t->params.predictor <= 1, ERR_BUG, "surfaces slide along a line");
  (void)step_control_next(&t->control);
  Status status = static_line(t, 1, &guess);
  if (guess.degree > 0) *factor = guess.weight[0] - 1;
  if (status == OK && guess.degree > 0) status = static_undo(t);
  t->control = now;
  return status == OK ? static_back(t) : status;
}

/* |F| of this step at u; NAN where that is no state of the problem. */
static Status static_residual(Stepper *t, const double *u, double *room, double *length) {
  const Status status = t->problem.force(t->problem.context, &t->stage, u, room, NULL);
  *length = (double)NAN;
  if (status == OK) return newton_length(t->newton, room, length);
  if (status == ERR_NUMERIC) status_clear();
  return status == ERR_NUMERIC ? OK : status;
}

/* Where the residual at u, on that line, is out of all proportion to that at `before`, u goes back there: what stiffens as soft
 * tissue does is not found on a line. */
static Status static_overshoots(Stepper *t, Guess *guess) {
  const Problem *p = &t->problem;
  double *room = newton_room(t->newton), there, here;
  if (guess->degree == 0 || !room || p->statics.n_border || p->statics.choose || (p->constrain && p->constraint_varies))
    return OK;
  TRY(static_residual(t, t->before, room, &here));
  TRY(static_residual(t, t->u, room, &there));
  return there > 0 && here > 0 && there > OVERSHOT * here ? static_last(t, guess) : OK;
}

/* Moves u, the last solution, to where Newton's method starts: so much of the way along the line through those before, or, before there
 * are two or where that is not a state of the problem or the prescribed path turns, by the tangent, as where `share` is 0. */
static Status static_predict(Stepper *t, const NewtonStep *step, double share) {
  const Problem *p = &t->problem;
  const double *const at[EVOLUTION_PAST + 1] = {t->before, t->past[0], t->past[1], t->past[2], t->past[3]};
  double asked;
  Guess guess;
  TRY(static_line(t, share, &guess));
  TRY(static_overshoots(t, &guess));
  for (int32_t k = 0; guess.degree > 0 && k < p->statics.n_border; ++k) {
    p->statics.factor[k] = 0;
    for (int j = 0; j <= guess.degree; ++j) p->statics.factor[k] += guess.weight[j] * t->memory.factor[j][k];
  }
  if (p->multipliers.begin) TRY(p->multipliers.begin(p->context, guess.degree + 1, at, guess.weight));
  if (p->constrain) TRY(p->constrain(p->context, t->control.target, t->u));
  if (guess.degree > 0 || !t->past[0] || (!(p->constrain && p->constraint_varies) && !p->statics.n_border)) return OK;
  TRY(newton_predict(t->newton, step, t->before, t->u, &asked));
  if (isfinite(asked)) t->memory.reference = fmax(t->memory.reference, asked);
  return OK;
}

/* A body that is moved without being strained has no forces that its residual could be small beside: what the motion of
 * its supports alone would take is what rounding is of. */
static double static_atol(const Stepper *t) {
  return t->params.atol * (t->params.reference > 0 ? t->params.reference : t->memory.reference);
}

void stepper_count_newton(const NewtonReport *newton, StepReport *report) {
  report->newton += newton->steps;
  report->cuts += newton->cuts;
  report->residual = newton->residual;
  report->assembly_seconds += newton->assembly_seconds;
  linear_report_add(&report->linear, &newton->linear);
  report->indefinite |= newton->linear.reason == LINEAR_INDEFINITE;
}

/* Newton's method could not begin where it was to: a state that the problem cannot be in, or one whose matrix is not positive definite, there
 * or soon, as of soft tissue that a line through the last two solutions has compressed. */
static bool no_begin(const Stepper *t, const NewtonReport *newton) {
  enum { SOON = 2 };
  const bool indefinite = newton->reason == NEWTON_UNSOLVABLE && newton->linear.reason == LINEAR_INDEFINITE;
  return t->past[0] && t->memory.n_history > 0 &&
         ((newton->reason == NEWTON_NAN && newton->steps == 0) || (indefinite && newton->steps <= SOON));
}

/* From the first guess; from the middle of the way there; by the tangent. */
static Status static_solve(Stepper *t, NewtonStep *step, NewtonReport *newton, StepReport *report) {
  static const double SHARE[] = {1, 0.5, 0};
  for (size_t k = 0; k < sizeof SHARE / sizeof *SHARE; ++k) {
    if (k > 0 && !no_begin(t, newton)) return OK;
    t->anew |= k > 0;
    if (k > 0) TRY(static_undo(t));
    TRY(static_predict(t, step, SHARE[k]));
    step->atol = static_atol(t);
    step->keeps = !stepper_is_anew(t);
    t->anew = false;
    const Status status = newton_solve(t->newton, step, t->u, newton);
    stepper_count_newton(newton, report);
    TRY(status);
  }
  return OK;
}

/* By way of easier problems. */
static Status static_ease(Stepper *t, const NewtonStep *step, NewtonReport *newton, StepReport *report) {
  const Problem *p = &t->problem;
  NewtonStep way = {.stage = step->stage, .rtol = fmax(step->rtol, OF_EASIER), .atol = step->atol};
  TRY(static_undo(t));
  for (int32_t k = p->statics.n_ease; k >= 0; --k) {
    TRY(p->statics.ease(p->context, k));
    if (k == p->statics.n_ease) {
      TRY(static_solve(t, &way, newton, report));
    } else {
      const Status status = newton_solve(t->newton, k ? &way : step, t->u, newton);
      stepper_count_newton(newton, report);
      TRY(status);
    }
    if (newton->reason != NEWTON_CONVERGED) break;
  }
  return p->statics.ease(p->context, 0);
}

static Status static_trial(Stepper *t, int64_t max_steps, Trial *trial, StepReport *report) {
  (void)max_steps;
  StepMemory *m = &t->memory;
  NewtonStep step = {.stage = t->stage, .rtol = t->params.rtol, .atol = static_atol(t)};
  NewtonReport newton;
  TRY(static_solve(t, &step, &newton, report));
  if (newton.reason != NEWTON_CONVERGED && t->problem.statics.n_ease) TRY(static_ease(t, &step, &newton, report));
  if (isfinite(newton.first)) m->reference = fmax(m->reference, newton.first);
  if (newton.reason != NEWTON_CONVERGED) {
    t->anew = true;
    trial->end = TRIAL_FAILED;
    newton_failure(t->newton, &newton, 1, trial->why);
  } else {
    double ratio = 0;
    trial->ratio = fmin(1, fmax(newton.steps, 1) /
                               (t->problem.multipliers.update && !t->problem.multipliers.eliminate ? MANY : FEW));
    if (t->problem.statics.judge) TRY(t->problem.statics.judge(t->problem.context, &t->stage, t->u, t->before, &ratio));
    trial->ratio = fmax(trial->ratio, ratio);
  }
  return OK;
}

static Status static_accept(Stepper *t) {
  const Problem *p = &t->problem;
  if (p->commit) TRY(p->commit(p->context, &t->stage, t->u, t->before));
  return static_keep(t);
}

bool stepper_is_anew(const Stepper *t) {
  return t->anew || t->params.hold <= 1 || t->control.n_accepted % t->params.hold == 0;
}

void stepper_begin_anew(Stepper *t) { t->anew = true; }

static Status static_restored(Stepper *t) {
  for (int32_t k = 0; k < t->problem.statics.n_border; ++k) t->problem.statics.factor[k] = t->memory.factor[0][k];
  return linear_restore_spare(t->solver, &t->memory.solver);
}

static int static_history(const Stepper *t, double **vector) {
  int n = 0;
  while (n < EVOLUTION_PAST && t->past[n]) vector[n] = t->past[n], ++n;
  return n;
}

const StepMethod step_static = {.name = "static",
                                .create = static_create,
                                .start = static_start,
                                .trial = static_trial,
                                .accept = static_accept,
                                .undo = static_undo,
                                .history = static_history,
                                .restored = static_restored,
                                .renew = static_newton};
