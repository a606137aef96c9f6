/* The linear solver: preconditioner, conjugate gradients, and the decisions between runs. Only the true residual,
 * formed in double after each run, says that a solution is one; when it disagrees with the recursive one the iteration
 * goes on from it (residual replacement: van der Vorst and Ye 2000). */
#include "core/comm.h"
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "core/clock.h"
#include "solver/krylov/linear_solver.h"
#include "solver/precond/precond_choice.h"

#include <math.h>
#include <string.h>

enum { MAX_RAISES = 20, MAX_TRIES = LINEAR_TRIES };
/* The true residual is looked at when the recursive one has fallen by CHECK_DROP, and CHECKS times in a window of the
 * stall. More than DRIFT apart it replaces it; SLOW is what low precision must at least gain between two looks. */
enum { CHECKS = 2 };
static const double CHECK_DROP = 1e-4, DRIFT = LINEAR_DRIFT, SLOW = 0.5;
/* An eigenvalue of M A this much beyond what the polynomial has on its interval means that the bound is too small. Less
 * would tell rounding in 8 bits from it no more, and costs no iterations worth a restart. */
static const double STEEP = 1.25;

/* Entries of a row, on all ranks the same; 0: not known. */
static double entries_of_row(const Exec *exec, const Mat *a) {
  double sum = (double)mat_entries(a);
  if (mat_whole(a) == 0) return 0;
  if (mat_whole(a) > mat_rows(a) && comm_total(exec->comm, &sum) != OK) return 0;
  return sum / (double)mat_whole(a);
}

/* Ranks that share a matrix go by what all of them have: they choose the same, and what one alone would where ranks can
 * have it. */
PrecondFacts linear_facts(const Exec *exec, const LinearParams *params, const Mat *a) {
  const bool whole = mat_whole(a) == mat_rows(a);
  const bool can = whole || precond_named(params->order > 1 ? "pmg" : "amg")->ranks;
  return (PrecondFacts){.on_gpu = !exec_is_host(exec),
                        .rows = (int64_t)exec_whole(exec, (double)mat_whole(a)),
                        .block = mat_block(a),
                        .entries = entries_of_row(exec, a),
                        .has_graph = params->pattern && !mat_numbering(a) && can,
                        .has_modes = params->has_modes && !params->degree,
                        .solves = params->solves,
                        .order = params->order};
}

const char *linear_choice(const Exec *exec, const LinearParams *params, const Mat *a) {
  if (!precond_is_auto(params->preconditioner)) return params->preconditioner;
  const PrecondFacts facts = linear_facts(exec, params, a);
  return precond_choice(&facts);
}

/* Who leaves the choice open may name a degree for what has one. Where `auto` starts in low precision a polynomial without a
 * degree has one of 16: on an H200 15 to 25 % faster than 8 on quad, hex, tet and tri (bench pcg --part marks); beyond
 * 16 the copy in 8 bits is too far from the matrix on most. */
static int32_t degree_of(const LinearParams *params, const Mat *a, const char *choice) {
  enum { FEW_BITS = 16 };
  const PrecondType *type = precond_named(choice);
  if (!type || (precond_is_auto(params->preconditioner) && !type->degree_max)) return type ? 0 : params->degree;
  const Precision first = linear_first_precision(params, a, choice);
  const bool few = linear_is_automatic(params) && first != PRECISION_DOUBLE && first != PRECISION_FLOAT;
  return params->degree == 0 && few && type->bounded ? FEW_BITS : params->degree;
}

PrecondParams linear_precond_params(const LinearParams *params, const char *choice, Precision storage) {
  return (PrecondParams){.name = choice,
                         .degree = params->degree,
                         .value = params->has_values ? params->values : NULL,
                         .storage = storage,
                         .bound_factor = params->bound_factor,
                         .pattern = params->pattern,
                         .pattern_once = params->pattern_once && !params->pattern_kept,
                         .near_null = params->near_null,
                         .n_near_null = params->n_near_null,
                         .places = params->places,
                         .lower = params->lower,
                         .may_be_indefinite = params->may_be_indefinite && !params->spare,
                         .must_be_definite = params->may_be_indefinite && params->spare,
                         .n_lower = params->n_lower};
}

LinearParams linear_params_default(void) { return (LinearParams){.rtol = 1e-8, .mixed = true}; }

Status linear_check_params(const LinearParams *params, const Mat *a, int64_t *max_iterations) {
  CHECK(params->rtol > 0 && params->rtol < 1, ERR_INPUT, "rtol is %g, must lie in (0, 1)", params->rtol);
  CHECK(params->max_iterations >= 0, ERR_INPUT, "max_iterations is %lld, must not be negative",
        (long long)params->max_iterations);
  *max_iterations = params->max_iterations;
  if (*max_iterations == 0) *max_iterations = (int64_t)fmax(10000, 1000 * sqrt((double)mat_whole(a)));
  return OK;
}

Status linear_create(Exec *exec, const LinearParams *params, const Mat *a, LinearSolver **out) {
  *out = NULL;
  int64_t max_iterations;
  CHECK(mat_precision(a) == PRECISION_DOUBLE, ERR_BUG, "the linear solver needs a matrix in double");
  TRY(linear_check_params(params, a, &max_iterations));
  LinearSolver *s = NULL;
  ALLOC(s, 1, "a linear solver");
  s->exec = exec;
  s->a = a;
  s->params = *params;
  s->params.preconditioner = NULL;
  s->params.pattern = s->params.spare = NULL;
  s->params.near_null = NULL;
  s->params.lower = NULL;
  s->params.max_iterations = max_iterations;
  const char *choice = linear_choice(exec, params, a);
  PrecondParams precond = linear_precond_params(params, choice, linear_first_precision(params, a, choice));
  precond.degree = degree_of(params, a, choice);
  precond.tiles = params->tiles;
  Status status = exec_alloc(exec, 1, sizeof(Krylov), "solver scalars", (void **)&s->krylov);
  if (status == OK) status = exec_zero(exec, s->krylov, sizeof(Krylov));
  if (status == OK) status = precond_create(a, &precond, s->krylov, &s->m);
  if (status == OK) status = pcg_create(a, s->m, s->krylov, &s->pcg);
  if (status == OK) status = renumbered_create(exec, a, &s->renumbered);
  s->automatic = status == OK && linear_is_automatic(params) && s->m->stored;
  s->chosen = precond_is_auto(params->preconditioner);
  const PrecondFacts facts = linear_facts(exec, params, a);
  memcpy(s->why, params->why, sizeof s->why);
  if (s->chosen) precond_choice_why(&facts, s->why);
  if (status == OK) linear_spare_create(s, params, &facts);
  if (status != OK) {
    linear_destroy(&s);
    return status_context(status, "while preparing the linear solver");
  }
  *out = s;
  return OK;
}

void linear_destroy(LinearSolver **solver) {
  LinearSolver *s = *solver;
  if (!s) return;
  EXEC_RELEASE(s->exec, s->scaled_b, s->pcg.n);
  linear_border_release(s);
  renumbered_release(s->exec, &s->renumbered);
  pcg_release(&s->pcg);
  precond_destroy(&s->m);
  EXEC_RELEASE(s->exec, s->krylov, 1);
  FREE(*solver);
}

void linear_set_poll(LinearSolver *solver, LinearPoll poll, void *context) {
  solver->poll = poll;
  solver->poll_context = context;
}

bool linear_wants_bound(const LinearSolver *solver, bool *blocks) {
  *blocks = solver->m->blocks != NULL;
  return solver->m->wants_strict && !precision_is_low(solver->m->storage);
}

void linear_set_bound(LinearSolver *solver, double bound) { solver->m->strict = isfinite(bound) ? bound : 0; }

static Precision inner_precision(const Precond *m) {
  return m->stored || m->type->graph ? m->storage : PRECISION_DOUBLE;
}

/* A hierarchy that was not requested by name and that does not come about is no reason to stop. */
static Status setup_chosen(LinearSolver *s) {
  const Status status = linear_setup_precond(s);
  if (status != ERR_NUMERIC || !s->chosen || !s->m->type->graph) return status;
  status_clear();
  return linear_fall_back(s);
}

Status linear_setup(LinearSolver *s) {
  const double begin = clock_seconds();
  s->first_precision = inner_precision(s->m);
  s->fallbacks = 0;
  TRY(setup_chosen(s));
  if (s->automatic && !s->n_bad) TRY(linear_check_stored(s));
  if (s->params.at_once && s->params.tiles && s->params.rtol >= LINEAR_NEAR) TRY(pcg_draw_near(&s->pcg));
  TRY(exec_sync(s->exec));
  s->is_set_up = true;
  s->kept = s->held = s->border.near = false;
  s->first_rate = 0;
  s->setup_seconds = clock_seconds() - begin;
  return OK;
}

bool linear_keep(LinearSolver *s) {
  static const double SLOWER = 2;
  if (!s->m->type->graph || s->m->refines || !s->is_set_up || s->n_bad || s->raised || s->fallbacks) return false;
  if (!(s->first_rate > 0) || s->last_rate > SLOWER * s->first_rate) return false;
  return s->kept = true;
}

void linear_hold(LinearSolver *s) { s->kept = s->held = true; }

static void note_rate(LinearSolver *s, const LinearReport *report) {
  s->last_rate = (double)report->iterations / -log10(s->params.rtol);
  if (!(s->first_rate > 0)) s->first_rate = s->last_rate;
}

static void call_poll(void *context) {
  const LinearSolver *s = context;
  const double bb = s->pcg.host.sum[1];
  const KrylovMirror *mirror = s->pcg.mirror;
  s->poll(s->poll_context, mirror->iteration, bb > 0 ? sqrt(mirror->rr / bb) : 0);
}

double linear_relative(double rr, double bb) { return bb > 0 ? sqrt(rr / bb) : rr > 0 ? HUGE_VAL : 0; }

Status linear_true_residual(LinearSolver *s, const double *b, const double *x, double *relative, double *norm_b) {
  TRY(pcg_residual(&s->pcg, b, x));
  const double rr = s->pcg.host.sum[0], bb = s->pcg.host.sum[1];
  *norm_b = sqrt(bb);
  *relative = linear_relative(rr, bb);
  return OK;
}

/* What depends on the preconditioner, which may change within a solve. */
static void report_precond(const LinearSolver *s, LinearReport *report) {
  report->bytes_per_iteration = pcg_bytes(&s->pcg);
  report->factor_entries = s->m->factor_entries;
  report->factor_bytes = s->m->factor_bytes;
  report->bound = s->m->bound;
  report->lanczos = s->m->estimate;
  report->strict_bound = s->m->strict;
  memcpy(report->why, s->why, sizeof report->why);
  report->precision = inner_precision(s->m);
  report->fallbacks = s->fallbacks;
  report->stored_error = s->stored_error;
}

void linear_begin_report(const LinearSolver *s, LinearReport *report) {
  *report = (LinearReport){.reason = LINEAR_MAX_ITERATIONS,
                           .setup_seconds = s->setup_seconds,
                           .equation = -1,
                           .preconditioner = s->m->name,
                           .degree = s->m->degree,
                           .products = 1,
                           .first_precision = s->first_precision};
  report_precond(s, report);
}

/* What is known between runs. */
typedef struct Progress {
  double last_true, limit; /* relative: when the recursion last said converged, and what it goes to */
  int32_t tries, raises;
  bool slow;    /* the run was ended for a higher precision */
  bool went_up; /* x is from low precision, and goes on in double */
} Progress;

static void linear_forget(const LinearSolver *s, Progress *p) {
  p->raises = p->tries = 0;
  p->last_true = HUGE_VAL;
  p->limit = s->params.rtol;
}

/* A run with low precision inside ended badly: higher precision from where x is. What the stored matrix can cause is tried
 * with the next precision, all else comes from vectors in float. An x that is worse than none is given up. */
static Status raise_precision_or_fail(LinearSolver *s, const double *b, double *x, Progress *p, LinearReport *report) {
  const int32_t stop = s->pcg.host.stop;
  const bool matrix = stop == KRYLOV_NEGATIVE || stop == KRYLOV_STEEP;
  const Precision to = matrix ? precision_above(s->m->storage) : PRECISION_DOUBLE;
  const char *why = matrix                     ? "the preconditioner is not positive or its bound does not hold"
                    : stop == KRYLOV_CONVERGED ? "the recursive residual converged but the true residual did not"
                    : stop == KRYLOV_STALL     ? "the residual stalls"
                    : stop == KRYLOV_CHECK     ? "the residual falls too slowly"
                                               : "conjugate gradients break down";
  TRY(linear_raise_precision(s, to, why));
  report_precond(s, report);
  linear_forget(s, p);
  p->went_up = true;
  if (!(report->true_residual <= 1)) TRY(exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x));
  /* the setup worked in the vector of the residual */
  return linear_true_residual(s, b, x, &report->true_residual, &report->norm_b);
}

/* Whether a run in low precision that ended so is not continued in the same precision. */
static bool precision_exhausted(const LinearSolver *s, const Progress *p, const LinearReport *report) {
  enum { RAISES_IN_FEW_BITS = 2 };
  const int32_t stop = s->pcg.host.stop;
  if (!s->automatic || s->m->storage == PRECISION_DOUBLE || (stop == KRYLOV_MAX && s->spare)) return false;
  if (stop == KRYLOV_NEGATIVE || stop == KRYLOV_STEEP) return p->raises >= RAISES_IN_FEW_BITS;
  if (stop == KRYLOV_CONVERGED) return report->true_residual > 0.5 * p->last_true;
  if (stop == KRYLOV_CHECK) return p->slow;
  return stop != KRYLOV_MAX || report->iterations < s->params.max_iterations;
}

/* A residual that is no more than what rounding leaves of x cannot fall: x solves a system whose entries differ in the
 * last digits. That is as good as double gets, and enough for who asks for no more than the default (slender bodies:
 * 1e-8 is at their limit); not for who asks for less. A factorisation leaves an error in x that is far smaller than its residual
 * says: deflections of a clamped plate of hex20r, 1/200 thick, at a Poisson's ratio of 0.49999 are right to 5e-5 where that is 2e-4. */
Status linear_stagnated(LinearSolver *s, const double *b, const double *x, LinearReport *report) {
  static const double ASKED_LEAST = 1e-8, ACCEPTED_MOST = 1e-6, ACCEPTED_DIRECT = 1e-3, ROUNDINGS = 16;
  double level = 0;
  const double most = s->m->factor_entries > 0 ? ACCEPTED_DIRECT : ACCEPTED_MOST;
  if (s->params.rtol >= ASKED_LEAST && report->true_residual <= most)
    TRY(linear_rounding(s, b, x, report->norm_b, &level));
  if (report->true_residual > ROUNDINGS * level) return linear_failure(s, LINEAR_STAGNATED, b, report);
  report->reason = LINEAR_CONVERGED;
  if (!s->told_rounding)
    status_warn("the true relative residual stays at %.2e, asked for %.2e: rounding in double precision leaves about "
                "%.1e here, so that "
                "nothing can make it smaller\n  a slender or nearly incompressible body does that, and so does a part "
                "that can nearly "
                "move freely: see 'sinew check'",
                report->true_residual, s->params.rtol, level);
  s->told_rounding = true;
  return OK;
}

/* A direct solver goes on from where x is; *taken: it does. */
static Status spare_goes_on(LinearSolver *s, const double *b, double *x, Progress *p, LinearReport *report,
                            bool *taken) {
  TRY(linear_rescue(s, report, taken));
  if (!*taken) return OK;
  report->preconditioner = s->m->name;
  report->degree = s->m->degree;
  report_precond(s, report);
  linear_forget(s, p);
  if (!(report->true_residual <= 1)) TRY(exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x));
  TRY(linear_true_residual(s, b, x, &report->true_residual, &report->norm_b)); /* the setup worked in its vector */
  return s->m->refines ? linear_refine(s, b, x, report) : OK;
}

/* Near the end of what double resolves it is luck which x rounds well enough, and one that low precision left behind is not
 * the one that double alone comes to: before such a solve is given up it starts again as double would have, which
 * reaches what double reaches. */
static Status linear_stagnate(LinearSolver *s, const double *b, double *x, Progress *p, LinearReport *report) {
  bool taken;
  if (!p->went_up || s->m->storage != PRECISION_DOUBLE) {
    TRY(spare_goes_on(s, b, x, p, report, &taken));
    return taken ? OK : linear_stagnated(s, b, x, report);
  }
  p->went_up = false;
  linear_forget(s, p);
  if (s->raised) TRY(linear_setup_precond(s));
  report_precond(s, report);
  TRY(exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x));
  return linear_true_residual(s, b, x, &report->true_residual, &report->norm_b);
}

/* After a run that did not reach rtol: prepares the next one, or says why there is none. */
static Status continue_or_fail(LinearSolver *s, const double *b, double *x, Progress *p, LinearReport *report) {
  const int32_t stop = s->pcg.host.stop;
  bool taken = false;
  if (stop == KRYLOV_MAX) TRY(spare_goes_on(s, b, x, p, report, &taken));
  if (taken || (stop == KRYLOV_MAX && report->iterations < s->params.max_iterations)) return OK;
  if (stop == KRYLOV_MAX) return linear_failure(s, LINEAR_MAX_ITERATIONS, b, report);
  if (stop == KRYLOV_INDEFINITE || stop == KRYLOV_DIVERGED) return linear_failure(s, LINEAR_INDEFINITE, b, report);
  if (stop == KRYLOV_NAN) return linear_failure(s, LINEAR_NAN, b, report);
  report->restarts += 1;
  if (stop == KRYLOV_NEGATIVE || stop == KRYLOV_STALL || stop == KRYLOV_STEEP) {
    if (s->m->type->raise && p->raises < MAX_RAISES && (stop != KRYLOV_STALL || p->raises < MAX_TRIES)) {
      p->raises += 1;
      TRY(linear_raise(s));
      report_precond(s, report);
      return OK;
    }
    /* r.z = |S r|^2 of a diagonal cannot be negative, so this is a stall, or a polynomial that stays negative */
    if (stop == KRYLOV_STALL) return linear_stagnate(s, b, x, p, report);
    /* a preconditioner whose rounding is larger than the lowest eigenvalue, as of a body on soft springs */
    TRY(spare_goes_on(s, b, x, p, report, &taken));
    return taken ? OK : linear_failure(s, LINEAR_INDEFINITE, b, report);
  }
  /* the recursive residual has converged and the true residual has not: that replaces it */
  if (report->true_residual > 0.5 * p->last_true && ++p->tries >= MAX_TRIES) return linear_stagnate(s, b, x, p, report);
  p->last_true = report->true_residual;
  if (stop == KRYLOV_CONVERGED) p->limit = 0.5 * s->params.rtol;
  return OK;
}

/* True where rebuilding the hierarchy for this matrix may mend the failure. */
static bool kept_too_long(const LinearSolver *s) {
  const int32_t stop = s->pcg.host.stop;
  return s->kept && !s->held &&
         (stop == KRYLOV_NEGATIVE || stop == KRYLOV_STALL || stop == KRYLOV_STEEP || stop == KRYLOV_CHECK);
}

/* Sets it up, and starts again from where x is. */
static Status kept_renew(LinearSolver *s, const double *b, double *x, Progress *p, LinearReport *report) {
  TRY(linear_setup(s));
  report->setup_seconds += s->setup_seconds;
  report->restarts += 1;
  report_precond(s, report);
  linear_forget(s, p);
  if (!(report->true_residual <= 1)) TRY(exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x));
  return linear_true_residual(s, b, x, &report->true_residual, &report->norm_b);
}

/* A run with looks at the true residual on the way; it ends early where the two are far apart, or too slow. */
static Status run_with_checks(LinearSolver *s, const PcgRun *run, const double *b, double *x, Progress *p,
                              LinearReport *report) {
  Pcg *pcg = &s->pcg;
  const LoopPoll poll = s->poll ? call_poll : NULL;
  const bool low_precision = s->automatic && s->m->storage != PRECISION_DOUBLE;
  double best = HUGE_VAL;
  int64_t since = pcg->host.iteration;
  p->slow = false;
  TRY(pcg_run(pcg, x, run, poll, s));
  while (pcg->host.stop == KRYLOV_CHECK) {
    TRY(pcg_check(pcg, b, x));
    report->products += 1;
    if (pcg->host.sum[0] > DRIFT * DRIFT * pcg->host.rr) return OK;
    if (pcg->host.iteration - since >= run->check_every) {
      p->slow = low_precision && pcg->host.best > SLOW * SLOW * best;
      if (p->slow) return OK;
      best = pcg->host.best;
      since = pcg->host.iteration;
    }
    TRY(pcg_continue(pcg, run, poll, s));
  }
  return OK;
}

int64_t linear_window(const Precond *m, const Mat *a) {
  const double scale = m->type->diagonal ? 8 : 1; /* a plain iteration carries information that much less far */
  return (int64_t)(scale * (1000 + 10 * sqrt((double)mat_whole(a))));
}

PcgRun linear_run(const LinearSolver *s, double limit, double bb, bool may_raise) {
  const int64_t window = linear_window(s->m, s->a);
  return (PcgRun){.limit = limit * limit * bb,
                  .mean_scale = s->mean_scale,
                  .max_iteration = linear_most_iterations(s),
                  .max_eigenvalue = s->m->type->raise && may_raise && !s->kept ? STEEP * s->m->max_eigenvalue : 0,
                  .window = window,
                  .check_drop = CHECK_DROP,
                  .check_every = window / CHECKS};
}

static Status linear_iterate(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  Pcg *pcg = &s->pcg;
  Progress progress = {.last_true = HUGE_VAL, .limit = s->params.rtol};
  const double bound = s->m->bound;
  for (;;) {
    const int64_t before = pcg->host.iteration;
    const double bb = pcg->host.sum[1];
    const PcgRun run = linear_run(s, progress.limit, bb, progress.raises < MAX_RAISES);
    TRY(run_with_checks(s, &run, b, x, &progress, report));
    const int64_t done = pcg->host.iteration - before;
    report->iterations = pcg->host.iteration;
    report->products += done * (1 + s->m->products) + s->m->products + 1;
    report->recursive_residual = sqrt(pcg->host.rr / bb);
    TRY(linear_true_residual(s, b, x, &report->true_residual, &report->norm_b));
    if (report->true_residual <= s->params.rtol) {
      report->reason = LINEAR_CONVERGED;
      if (progress.raises && s->m->bound > bound) /* a factor has none, and is taken again as it is */
        status_warn("the bound of the spectrum was too small for preconditioner '%s': raised %d times, to %g",
                    s->m->name, progress.raises, s->m->bound);
      return OK;
    }
    if (kept_too_long(s)) TRY(kept_renew(s, b, x, &progress, report));
    else if (precision_exhausted(s, &progress, report)) TRY(raise_precision_or_fail(s, b, x, &progress, report));
    else TRY(continue_or_fail(s, b, x, &progress, report));
    if (report->reason == LINEAR_CONVERGED) return OK;
  }
}

LinearReason linear_check_start(LinearReport *report, double rtol) {
  if (report->norm_b == 0) report->true_residual = 0;
  report->recursive_residual = report->true_residual;
  if (!isfinite(report->norm_b) || !isfinite(report->true_residual)) return LINEAR_NAN;
  return report->true_residual <= rtol ? LINEAR_CONVERGED : LINEAR_MAX_ITERATIONS;
}

Status linear_solve_on(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  s->pcg.host.iteration = s->iterations_before;
  s->pcg.host.stop = KRYLOV_RUNS;
  report->reason = linear_check_start(report, s->params.rtol);
  if (report->reason == LINEAR_NAN) return linear_failure(s, LINEAR_NAN, b, report);
  if (report->reason == LINEAR_MAX_ITERATIONS)
    return s->m->refines ? linear_refine(s, b, x, report) : linear_iterate(s, b, x, report);
  return report->norm_b == 0 ? exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x) : OK;
}

static Status solve_linear(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  if (s->n_bad) return linear_failure(s, LINEAR_INDEFINITE, b, report);
  TRY(linear_true_residual(s, b, x, &report->true_residual, &report->norm_b));
  LinearScale scale;
  TRY(linear_find_scale(s->exec, s->pcg.n, b, s->pcg.host.sum[1], s->mean_scale, s->krylov->sum, &scale));
  return scale.exponent ? linear_solve_scaled(s, &scale, b, x, report) : linear_solve_on(s, b, x, report);
}

static Status solve_renumbered(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  const Renumbered *r = &s->renumbered;
  TRY(renumbered_enter(s->exec, r, b, x));
  const Status status = solve_linear(s, r->b, r->x, report);
  if (status == OK || status == ERR_NUMERIC) TRY(renumbered_leave(s->exec, r, x));
  return status;
}

Status linear_solve(LinearSolver *s, const double *b, double *x, LinearReport *report) {
  CHECK(s->is_set_up, ERR_BUG, "linear_solve before linear_setup");
  linear_begin_report(s, report);
  const double begin = clock_seconds();
  Status status = linear_once(s, b, x, report);
  if (status == OK && s->tried >= 0) status = (s->renumbered.place ? solve_renumbered : solve_linear)(s, b, x, report);
  if (s->tried > 0) report->iterations += s->tried;
  if (status == OK) status = exec_sync(s->exec);
  if (status == OK) note_rate(s, report);
  report->solve_seconds = clock_seconds() - begin;
  s->setup_seconds = 0; /* this report has them */
  return status;
}

void linear_set_rtol(LinearSolver *s, double rtol) { s->params.rtol = rtol; }
