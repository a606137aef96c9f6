#include "solver/time/newton_private.h"
#include "core/clock.h"
#include "core/vec.h"

#include <math.h>
#include <stdio.h>

enum { MAX_CUTS = 16, MAX_CHANGES = 50 };
/* Forcing terms: the first; where guesses are near (NewtonParams.near), as much of |R| over what it is measured against as BESIDE says, if
 * that is less, since a Newton step leaves the square of it and another one costs a tangent; the largest, the factor of
 * (|R| / |R before|)^2, the share of the goal, and the least where multipliers turn in linear solves, since the last digits of those
 * take most turns, but for the step whose square reaches the goal: a part of it would need another tangent. */
static const double FIRST = 1e-2, BESIDE = 0.1, LARGEST = 0.1, GAIN = 0.9, OF_GOAL = 0.3, LEAST = 3e-3;
/* With multipliers: the forcing term, since the method converges linearly; and below which part of the first residual steps
 * are mixed, where the method is nearly linear, and a tangent serves all steps that follow; mixing has to gain so much. */
static const double FORCING = 5e-3, MIXED = 1e-2, SETTLED = 1e-3, GAINED = 0.98;
/* Armijo's rule, and how much shorter a step becomes at a time. */
static const double DESCENT = 1e-4, LESS_WORK = 0.9, SHORTEST_CUT = 0.1, LONGEST_CUT = 0.5;
/* Of the residual when unknowns were prescribed, and of its measure: below both they may change; of the first: beyond it it diverges. */
static const double CHOOSES = 0.05, NEAR = 0.2, FAR = 1e4;
/* A step that leaves more than this of the residual, and is shorter than this part of u, is rounding. */
static const double STAYS = 0.5, ROUNDING = 1e-11;

double *newton_room(const Newton *newton) { return newton->start; }
Status newton_length(Newton *w, const double *x, double *norm) {
  VecLength length;
  TRY(vec_length(w->exec, w->problem->n, x, w->norm, &length));
  *norm = ldexp(length.value, length.exponent);
  return OK;
}

/* |R| with the gaps of the border: `scale` is how large |R| can be where a gap is as large as what it is of. */
static Status newton_gaps(Newton *w, const NewtonStep *step, const double *u, double scale, NewtonReport *report) {
  const Problem *p = w->problem;
  if (!p->statics.n_border) return OK;
  TRY(p->statics.border(p->context, &step->stage, u, NULL, w->gap, w->size, NULL));
  if (!(scale > 0)) scale = 1; /* no force yet */
  for (int32_t k = 0; k < p->statics.n_border; ++k)
    report->residual = hypot(report->residual, scale * w->gap[k] / w->size[k]);
  return OK;
}

/* Residual at u and its norm, which is NaN where the problem has none. */
static Status newton_residual(Newton *w, const NewtonStep *step, const double *u, bool first, NewtonReport *report) {
  const double begin = clock_seconds();
  Status status = step->residual ? step->residual(step->context, &step->stage, u, first, w->r, &report->residual)
                                 : w->problem->force(w->problem->context, &step->stage, u, w->r, NULL);
  if (status == OK && !step->residual) status = newton_length(w, w->r, &report->residual);
  if (status == ERR_NUMERIC) {
    snprintf(w->why, sizeof w->why, "%s", status_message());
    status_clear();
    report->residual = NAN;
    status = OK;
  }
  if (status == OK && w->problem->statics.scale && isfinite(report->residual)) {
    double scale = step->scale ? *step->scale : 0;
    if (!step->scale) status = w->problem->statics.scale(w->problem->context, &scale);
    w->forces = scale, report->goal = fmax(step->rtol * scale, step->atol);
    if (status == OK && !isfinite(scale)) report->residual = NAN; /* nothing is small beside it */
    if (status == OK) status = newton_gaps(w, step, u, scale, report);
  }
  report->assembly_seconds += clock_seconds() - begin;
  return status;
}

/* Whoever watches hears of the residual; `iterations`: of linear solves before the Newton step. */
static Status newton_tell(Newton *w, const NewtonStep *step, int64_t iterations, const NewtonReport *report) {
  const NewtonWatch *watch = &w->params.watch;
  if (!watch->iteration) return OK;
  double length = 0;
  if (report->steps > 0) TRY(newton_length(w, w->du, &length));
  const NewtonIteration iteration = {.time = step->stage.target,
                                     .step = report->steps,
                                     .residual = report->residual,
                                     .goal = report->goal,
                                     .relative = report->goal > 0 ? report->residual / report->goal * step->rtol
                                                                  : report->residual,
                                     .correction = w->length * length,
                                     .length = w->length,
                                     .iterations = report->linear.iterations - iterations};
  watch->iteration(watch->context, &iteration);
  return OK;
}

/* The strict bound of the tangent's spectrum, if requested; *seconds that it took. */
static Status newton_bound(Newton *w, const Stage *stage, double *seconds) {
  const double begin = clock_seconds();
  double bound = 0;
  bool blocks;
  *seconds = 0;
  if (!w->problem->bound || !linear_wants_bound(w->solver, &blocks)) return OK;
  TRY(w->problem->bound(w->problem->context, stage, blocks, &bound));
  linear_set_bound(w->solver, bound);
  *seconds = clock_seconds() - begin;
  return OK;
}

/* What the preconditioner is made of: the tangent without the factors, which stays positive definite. */
static Status newton_hierarchy(Newton *w, const NewtonStep *step, const double *u, NewtonReport *report) {
  const Problem *p = w->problem;
  const double begin = clock_seconds();
  double factor[LINEAR_BORDER];
  for (int32_t k = 0; k < p->statics.n_border; ++k) factor[k] = p->statics.factor[k], p->statics.factor[k] = 0;
  Status status = p->tangent(p->context, &step->stage, u, w->a);
  if (status == OK) status = linear_setup(w->solver);
  for (int32_t k = 0; k < p->statics.n_border; ++k) p->statics.factor[k] = factor[k];
  report->assembly_seconds += clock_seconds() - begin;
  w->has_hierarchy = true;
  return status;
}

/* The tangent of a problem with a border, and the border. */
static Status newton_bordered(Newton *w, const NewtonStep *step, const double *u, NewtonReport *report) {
  const Problem *p = w->problem;
  double slope[LINEAR_BORDER * LINEAR_BORDER] = {0};
  Stage stage = step->stage;
  stage.again = !(w->params.keep && w->has_hierarchy && linear_keep(w->solver));
  if (stage.again) TRY(newton_hierarchy(w, step, u, report));
  const double begin = clock_seconds();
  TRY(p->tangent(p->context, &stage, u, w->a));
  TRY(p->statics.border(p->context, &step->stage, u, w->g, w->gap, w->size, slope));
  linear_hold(w->solver);
  report->assembly_seconds += clock_seconds() - begin;
  return linear_set_border(w->solver, p->statics.n_border, (const double *const *)w->g, slope);
}

static Status newton_tangent(Newton *w, const NewtonStep *step, const double *u, NewtonReport *report) {
  if (w->settled) return OK;
  w->settled = w->mixing && report->first > 0 && report->residual <= SETTLED * report->first;
  if (w->problem->statics.n_border) return newton_bordered(w, step, u, report);
  const double begin = clock_seconds();
  double bound_seconds;
  TRY(w->problem->tangent(w->problem->context, &step->stage, u, w->a));
  if (!step->residual) TRY(exec_sync(w->exec)); /* for the clock */
  report->assembly_seconds += clock_seconds() - begin;
  TRY(newton_bound(w, &step->stage, &bound_seconds));
  report->linear.setup_seconds += bound_seconds;
  if (w->params.keep && w->has_hierarchy && linear_keep(w->solver)) return OK;
  w->has_hierarchy = true;
  return linear_setup(w->solver);
}

static double newton_forcing(const Newton *w, const NewtonReport *report, double last) {
  if (w->mixing) return FORCING;
  const double gained = report->residual / last;
  const double first = w->params.near && w->forces > 0 ? fmin(FIRST, BESIDE * report->residual / w->forces) : FIRST;
  const double left = report->goal / report->residual, square = gained * gained;
  const bool last_one = report->residual != w->chosen && square <= left;
  const double wanted = report->residual == w->chosen ? first : fmax(GAIN * square, w->follow && !last_one ? LEAST : 0);
  return fmax(fmin(wanted, LARGEST), fmin(0.5, OF_GOAL * left));
}

/* du = A^-1 r at u, with multipliers from du as it is on; where the solver of a nonlinear problem fails, so has Newton's method. */
static Status newton_increment(Newton *w, const double *u, NewtonReport *report) {
  LinearReport linear = {0};
  Status status;
  for (int32_t k = 0; k < w->problem->statics.n_border; ++k) w->change[k] = 0;
  if (w->follow) status = multipliers_increment(w->follow, w->forcing, u, w->r, w->gap, w->du, w->change, &linear);
  else if (!w->problem->statics.n_border) status = linear_solve(w->solver, w->r, w->du, &linear);
  else status = linear_solve_border(w->solver, w->r, w->gap, w->du, w->change, &linear);
  linear_report_add(&report->linear, &linear);
  if (w->problem->linear || status != ERR_NUMERIC) return status;
  if (linear.reason != LINEAR_UNDERFLOW) { /* what changes so little is exact to the last digit */
    report->reason = linear.reason == LINEAR_NAN ? NEWTON_NAN : NEWTON_UNSOLVABLE;
    snprintf(w->why, sizeof w->why, "%s", status_message());
  }
  status_clear();
  return OK;
}

/* A step begins; and u, factors and multipliers at this length of it. */
static Status newton_depart(Newton *w, const double *u) {
  for (int32_t k = 0; k < w->problem->statics.n_border; ++k) w->start_factor[k] = w->problem->statics.factor[k];
  if (w->start) TRY(exec_copy(w->exec, w->start, u, (size_t)w->problem->n * sizeof *u));
  return w->follow ? multipliers_start(w->follow) : OK;
}
static Status newton_go(const Newton *w, double length, double *u) {
  for (int32_t k = 0; k < w->problem->statics.n_border; ++k)
    w->problem->statics.factor[k] = w->start_factor[k] + length * w->change[k];
  TRY(vec_axpy(w->exec, w->problem->n, length, w->du, u));
  return w->follow ? multipliers_go(w->follow, length) : OK;
}

/* du . r, positive at the start of a step that goes down. */
static Status newton_work(const Newton *w, double *work) {
  *work = 0;
  if (!w->params.by_work) return OK;
  TRY(vec_dot(w->exec, w->problem->n, w->du, w->r, w->norm));
  return exec_download(w->exec, work, w->norm, sizeof *work);
}

/* How much shorter a step of this length is to be: to the least of a parabola through |R|^2 or, by work, to where a line
 * through it is 0. */
static double newton_shorter(const Newton *w, double length, double grown, double first, double work) {
  const double least = length * length / (grown * grown - 1 + 2 * length);
  if (!isfinite(grown)) return 0.5 * (SHORTEST_CUT + LONGEST_CUT);
  return fmin(fmax(w->params.by_work ? first / (first - work) : least / length, SHORTEST_CUT), LONGEST_CUT);
}

/* Does the length stand? `last`, `first`: residual and work at the start, `work` now. */
static bool newton_falls(const Newton *w, double length, double last, double first, double work,
                         const NewtonReport *report) {
  const double most = w->params.bold && report->steps == 1 ? FAR : 1 - DESCENT * length;
  if (report->residual <= fmax(most * last, report->goal)) return true;
  return w->params.by_work && isfinite(report->residual) && fabs(work) <= LESS_WORK * fabs(first);
}

/* u = start + length du until the residual falls; `last` and `first` are residual and work of start. */
static Status newton_line_search(Newton *w, const NewtonStep *step, double last, double first, double *u,
                                 NewtonReport *report) {
  const size_t bytes = (size_t)w->problem->n * sizeof *u;
  double length = 1, work;
  TRY(newton_work(w, &work));
  for (int k = 0; !newton_falls(w, length, last, first, work, report); ++k) {
    if (k == MAX_CUTS) {
      report->reason = isfinite(report->residual) ? NEWTON_ASCENT : NEWTON_NAN;
      return OK;
    }
    length *= newton_shorter(w, length, report->residual / last, first, work);
    report->cuts += 1;
    w->length = length;
    TRY(exec_copy(w->exec, u, w->start, bytes));
    TRY(newton_go(w, length, u));
    TRY(newton_residual(w, step, u, false, report));
    TRY(newton_work(w, &work));
  }
  return OK;
}

static MixState newton_state(const Newton *w, double *u) {
  return (MixState){u, w->problem->multipliers.value, w->r, w->problem->statics.factor};
}

/* Multipliers follow u, and both go on to where the residual is least, if that is less than before the step, too. */
static Status newton_follow(Newton *w, const NewtonStep *step, double last, double *u, NewtonReport *report) {
  const MixState at = newton_state(w, u);
  TRY(w->problem->multipliers.update(w->problem->context, u));
  TRY(newton_residual(w, step, u, false, report));
  const double plain = report->residual;
  if (!w->mixing) return OK;
  if (plain <= report->goal || !isfinite(plain)) return OK;
  if (plain > MIXED * report->first) return mixing_begin(w->mixing, &at);
  TRY(mixing_go(w->mixing, &at));
  TRY(newton_residual(w, step, u, false, report));
  if (report->residual < fmin(plain, GAINED * last)) return mixing_accept(w->mixing, &at);
  TRY(mixing_refuse(w->mixing, &at));
  return newton_residual(w, step, u, false, report);
}

/* The one step of a linear problem with multipliers. */
static Status newton_outer(Newton *w, const NewtonStep *step, double *u, NewtonReport *report) {
  LinearReport linear;
  TRY(newton_tangent(w, step, u, report));
  report->steps += 1, w->stage = &step->stage;
  const Status status = outer_solve(w->outer, step->rtol, NULL, u, NULL, w->r, &linear);
  linear_report_add(&report->linear, &linear);
  return status;
}

/* The tangent; *there: a solver could be made of it. */
static Status newton_try_tangent(Newton *w, const NewtonStep *step, const double *u, NewtonReport *report,
                                 bool *there) {
  const Status status = newton_tangent(w, step, u, report);
  *there = status == OK;
  if (status != ERR_NUMERIC || w->problem->linear) return status;
  snprintf(w->why, sizeof w->why, "%s", status_message());
  status_clear();
  report->reason = NEWTON_UNSOLVABLE;
  report->linear.reason = LINEAR_INDEFINITE;
  return OK;
}

/* One Newton step; `last`: the residual before the one before it, 0 at first. */
static Status newton_advance(Newton *w, const NewtonStep *step, double last, double *u, NewtonReport *report) {
  const double now = report->residual;
  w->length = 1;
  bool there;
  if (w->outer) return newton_outer(w, step, u, report);
  TRY(newton_try_tangent(w, step, u, report, &there));
  if (!there) return OK;
  w->forcing = w->params.forcing ? newton_forcing(w, report, last) : step->rtol;
  if (w->params.forcing) linear_set_rtol(w->solver, w->forcing);
  TRY(exec_zero(w->exec, w->du, (size_t)w->problem->n * sizeof *u));
  TRY(newton_increment(w, u, report));
  report->steps += 1;
  if (report->reason != NEWTON_CONVERGED) return OK;
  double work = 0;
  if (w->start) TRY(newton_work(w, &work));
  TRY(newton_depart(w, u));
  TRY(newton_go(w, 1, u));
  TRY(newton_residual(w, step, u, false, report));
  if (w->start) TRY(newton_line_search(w, step, now, work, u, report));
  if (!w->problem->multipliers.update || report->reason != NEWTON_CONVERGED || !isfinite(report->residual)) return OK;
  return newton_follow(w, step, now, u, report);
}

/* Whether the iteration ends here. */
static bool newton_ends(const Newton *w, NewtonReport *report) {
  if (report->reason != NEWTON_CONVERGED) return true;
  if (!isfinite(report->residual)) report->reason = NEWTON_NAN;
  else if (w->problem->linear) return report->steps == 1 || report->residual == 0;
  else if (report->residual <= report->goal) return true;
  else if (report->steps == w->params.max_steps) report->reason = NEWTON_STUCK;
  else if (report->steps > 1 && report->residual > FAR * report->first) report->reason = NEWTON_DIVERGED;
  return report->reason != NEWTON_CONVERGED;
}

/* r = the change of the residual at `from` along d, by a difference so short that it is the derivative, and what is
 * unbalanced there. False: there is no residual. */
static Status predict_residual(Newton *w, const NewtonStep *step, const double *from, NewtonReport *report,
                               bool *there) {
  static const double SHORT = 1e-6;
  const int64_t n = w->problem->n;
  const size_t bytes = (size_t)n * sizeof *from;
  *there = false;
  TRY(exec_copy(w->exec, w->start, from, bytes));
  TRY(vec_axpy(w->exec, n, SHORT, w->du, w->start));
  TRY(newton_residual(w, step, w->start, true, report));
  if (!isfinite(report->residual)) return OK;
  TRY(exec_copy(w->exec, w->start, w->r, bytes));
  TRY(newton_residual(w, step, from, true, report));
  if (!isfinite(report->residual)) return OK;
  TRY(vec_axpy(w->exec, n, -1, w->r, w->start));
  *there = true;
  return vec_axpy(w->exec, n, 1 / SHORT, w->start, w->r);
}

Status newton_predict(Newton *w, const NewtonStep *step, const double *from, double *u, double *asked) {
  NewtonReport report = {.linear = {.equation = -1}};
  const int64_t n = w->problem->n;
  bool there;
  *asked = 0;
  if (!w->start) return OK;
  TRY(exec_copy(w->exec, w->du, u, (size_t)n * sizeof *u));
  TRY(vec_axpy(w->exec, n, -1, from, w->du));
  TRY(predict_residual(w, step, from, &report, &there));
  if (!there) return OK;
  TRY(newton_length(w, w->r, asked));
  w->has_hierarchy = w->settled = false;
  TRY(newton_try_tangent(w, step, from, &report, &there));
  if (!there) return OK;
  w->forcing = FIRST;
  linear_set_rtol(w->solver, FIRST);
  if (!w->follow) TRY(exec_zero(w->exec, w->du, (size_t)n * sizeof *u));
  TRY(newton_increment(w, from, &report));
  report.steps = 1;
  w->before = report;
  if (report.reason != NEWTON_CONVERGED) return OK;
  TRY(newton_depart(w, from));
  if (w->follow) TRY(exec_copy(w->exec, u, from, (size_t)n * sizeof *u)); /* all of the way is in du */
  return newton_go(w, 1, u);
}

/* F is another from now on; so where what is prescribed follows u (StaticPart.choose). */
static Status newton_anew(Newton *w, const NewtonStep *step, double *u, NewtonReport *report, bool *ends) {
  const MixState at = newton_state(w, u);
  TRY(newton_residual(w, step, u, false, report));
  report->first = fmax(report->first, report->residual);
  w->chosen = report->residual;
  w->settled = w->has_hierarchy = false;
  if (w->mixing) TRY(mixing_begin(w->mixing, &at));
  TRY(newton_tell(w, step, report->linear.iterations, report));
  *ends = newton_ends(w, report);
  return OK;
}

/* The last step changed u by rounding alone, so that the residual falls no more: a stiff body that a weak spring holds far away. */
static Status newton_rounds(Newton *w, const double *u, const NewtonReport *report, bool *rounds) {
  double step, whole;
  *rounds = report->residual != w->chosen && report->residual > STAYS * w->last;
  if (!*rounds) return OK;
  TRY(newton_length(w, w->du, &step));
  TRY(newton_length(w, u, &whole));
  *rounds = w->length * step <= ROUNDING * whole;
  return OK;
}

static Status newton_choose(Newton *w, const NewtonStep *step, double *u, NewtonReport *report, bool *ends) {
  const Problem *p = w->problem;
  bool changed = p->statics.choose != NULL;
  for (int k = 0; changed && k < MAX_CHANGES; ++k) {
    const double scale = w->forces; /* never, where all forces are rounding */
    const bool ready = *ends || report->residual <= fmin(CHOOSES * w->chosen, NEAR * scale);
    if (report->reason != NEWTON_CONVERGED) return OK;
    bool least = *ends;
    if (!ready && report->residual <= NEAR * scale) TRY(newton_rounds(w, u, report, &least));
    if (!ready && !least) return OK;
    TRY(p->statics.choose(p->context, &step->stage, least ? 0 : report->residual, u, &changed));
    if (changed) TRY(newton_anew(w, step, u, report, ends));
  }
  if (changed && *ends) report->reason = NEWTON_STUCK;
  return OK;
}

/* Whether it ends here with multipliers and what is prescribed looked at too. */
static Status newton_settles(Newton *w, const NewtonStep *step, double *u, NewtonReport *report, bool *ends) {
  const Problem *p = w->problem;
  bool again = false;
  *ends = newton_ends(w, report);
  if (*ends && report->reason == NEWTON_CONVERGED && p->multipliers.agree)
    TRY(p->multipliers.agree(p->context, u, report->goal, &again));
  if (again) TRY(newton_anew(w, step, u, report, ends));
  return newton_choose(w, step, u, report, ends);
}

Status newton_solve(Newton *w, const NewtonStep *step, double *u, NewtonReport *report) {
  bool ends;
  *report = (NewtonReport){.linear = {.equation = -1}};
  if (w->before.steps > 0) linear_report_add(&report->linear, &w->before.linear);
  else w->has_hierarchy &= step->keeps;
  report->assembly_seconds = w->before.assembly_seconds;
  w->before = (NewtonReport){0};
  w->why[0] = 0, w->length = 1, w->settled = false;
  TRY(newton_residual(w, step, u, true, report));
  report->first = w->chosen = report->residual;
  if (!w->problem->statics.scale) w->forces = report->first, report->goal = fmax(step->rtol * w->forces, step->atol);
  TRY(newton_tell(w, step, 0, report));
  const MixState first = newton_state(w, u);
  if (w->mixing) TRY(mixing_begin(w->mixing, &first));
  TRY(newton_settles(w, step, u, report, &ends));
  for (double last = 0, now; !ends; last = now) {
    const int64_t before = report->linear.iterations;
    now = w->last = report->residual;
    TRY(newton_advance(w, step, last, u, report));
    TRY(newton_tell(w, step, before, report));
    TRY(newton_settles(w, step, u, report, &ends));
  }
  return OK;
}

const char *newton_why(const Newton *w) { return w ? w->why : ""; }
