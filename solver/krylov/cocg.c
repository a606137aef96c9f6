/* The solver of complex symmetric systems: what it is made of, and the decisions between runs. The recursion is
 * replaced by the true residual where they disagree, as in solver/krylov/linear.c. */
#include "core/memory.h"
#include "core/clock.h"
#include "solver/krylov/cocg_solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RAISES = 20, MAX_TRIES = 3 };
static const double RAISE = 1.1;

static Status create_parts(CocgSolver *s, const LinearParams *params) {
  Exec *exec = s->exec;
  LinearParams known = *params;
  const char *choice = linear_choice(exec, params, s->positive);
  if (linear_is_automatic(params) && !exec_is_host(exec)) known.inner = LINEAR_INNER_FLOAT;
  if (known.inner == LINEAR_INNER_LOWEST) known.inner = LINEAR_INNER_FLOAT;
  const PrecondParams precond =
      linear_precond_params(params, choice, linear_first_precision(&known, s->positive, choice));
  EXEC_ALLOC(exec, s->scalars, 1, "solver scalars");
  TRY(exec_zero(exec, s->scalars, sizeof *s->scalars));
  EXEC_ALLOC(exec, s->inner, 1, "solver scalars");
  TRY(exec_zero(exec, s->inner, sizeof *s->inner));
  TRY(precond_create(s->positive, &precond, s->inner, &s->m));
  const PrecondFacts facts = linear_facts(exec, params, s->positive);
  if (exec_is_host(exec) && linear_can_factor(params, s->positive)) s->spare = params->spare;
  s->spare_after = precond_choice_worth(&facts);
  CHECK(exec_is_host(exec) || !s->m->type->host, ERR_INPUT,
        "a harmonic response takes a sparse factorisation ('%s') on the CPU only\n  remedy: --backend cpu, or another "
        "preconditioner",
        s->m->name);
  for (int part = 0; part < 2; ++part) {
    EXEC_ALLOC(exec, s->p[part], mat_columns(s->real), "search direction");
    EXEC_ALLOC(exec, s->q[part], s->n, "matrix times search direction");
    EXEC_ALLOC(exec, s->r[part], s->n, "residual");
    EXEC_ALLOC(exec, s->z[part], s->n, "preconditioned residual");
    TRY(renumbered_create(exec, s->real, &s->renumbered[part]));
  }
  return exec_mirror_alloc(exec, sizeof(KrylovMirror), (void **)&s->mirror, (void **)&s->mirror_device);
}

Status cocg_create(Exec *exec, const LinearParams *params, const Mat *real, const Mat *imaginary, const Mat *positive,
                   CocgSolver **out) {
  int64_t max_iterations;
  *out = NULL;
  CHECK(mat_precision(real) == PRECISION_DOUBLE && mat_precision(positive) == PRECISION_DOUBLE, ERR_BUG,
        "the complex solver needs matrices in double");
  TRY(linear_check_params(params, real, &max_iterations));
  CocgSolver *s = NULL;
  ALLOC(s, 1, "a complex linear solver");
  *s = (CocgSolver){.exec = exec,
                    .real = real,
                    .imaginary = imaginary,
                    .positive = positive,
                    .rtol = params->rtol,
                    .n = mat_rows(real),
                    .max_iterations = max_iterations};
  const Status status = create_parts(s, params);
  if (status != OK) {
    cocg_destroy(&s);
    return status_context(status, "while preparing the complex linear solver");
  }
  *out = s;
  return OK;
}

void cocg_destroy(CocgSolver **solver) {
  CocgSolver *s = *solver;
  if (!s) return;
  exec_loop_destroy(&s->loop);
  for (int part = 0; part < 2; ++part) {
    renumbered_release(s->exec, &s->renumbered[part]);
    EXEC_RELEASE(s->exec, s->scaled_b[part], s->n);
    EXEC_RELEASE(s->exec, s->p[part], mat_columns(s->real));
    EXEC_RELEASE(s->exec, s->q[part], s->n);
    EXEC_RELEASE(s->exec, s->r[part], s->n);
    EXEC_RELEASE(s->exec, s->z[part], s->n);
  }
  exec_mirror_release(s->exec, (void **)&s->mirror);
  precond_destroy(&s->m);
  EXEC_RELEASE(s->exec, s->inner, 1);
  EXEC_RELEASE(s->exec, s->scalars, 1);
  FREE(*solver);
}

void cocg_set_poll(CocgSolver *solver, LinearPoll poll, void *context) {
  solver->poll = poll;
  solver->poll_context = context;
}

void cocg_poll(void *context) {
  const CocgSolver *s = context;
  s->poll(s->poll_context, s->mirror->iteration, s->host.bb > 0 ? sqrt(s->mirror->rr / s->host.bb) : 0);
}

Status cocg_setup(CocgSolver *s) {
  const double begin = clock_seconds();
  TRY_CONTEXT(precond_setup(s->m, s->q[0], &s->n_bad, &s->mean_scale), "while setting up preconditioner '%s'",
              s->m->name);
  CHECK(!s->m->flexible, ERR_INPUT,
        "'cycle: k' is not a linear preconditioner, which the solver of complex systems needs; take 'cycle: v' or 'w'");
  TRY(exec_sync(s->exec));
  s->is_set_up = true;
  s->setup_seconds = clock_seconds() - begin;
  return OK;
}

/* What is known between runs. */
typedef struct Progress {
  double last_true; /* relative, after the run before */
  double limit;     /* relative, of the recursion */
  int32_t tries, raises;
} Progress;

/* After a run that did not reach rtol: prepares the next one, or says why there is none. */
static Status continue_or_fail(CocgSolver *s, Progress *p, LinearReport *report) {
  const int32_t stop = s->host.k.stop;
  const bool gained = report->true_residual <= 0.5 * p->last_true;
  if (stop == KRYLOV_MAX) return cocg_failure(s, LINEAR_MAX_ITERATIONS, report);
  if (stop == KRYLOV_NAN) return cocg_failure(s, LINEAR_NAN, report);
  if (stop == KRYLOV_DIVERGED || stop == KRYLOV_STALL) return cocg_failure(s, LINEAR_STAGNATED, report);
  report->restarts += 1;
  if (stop == KRYLOV_NEGATIVE) {
    if (!s->m->type->raise || ++p->raises > MAX_RAISES) return cocg_failure(s, LINEAR_INDEFINITE, report);
    TRY(s->m->type->raise(s->m, RAISE));
    report->bound = s->m->bound;
    return OK;
  }
  /* a new start from the true residual, as long as that leads on */
  if (!gained && ++p->tries >= (stop == KRYLOV_INDEFINITE ? 1 : MAX_TRIES))
    return cocg_failure(s, stop == KRYLOV_INDEFINITE ? LINEAR_BREAKDOWN : LINEAR_STAGNATED, report);
  p->last_true = report->true_residual;
  if (stop == KRYLOV_CONVERGED) p->limit = 0.5 * s->rtol;
  return OK;
}

static Status cocg_check(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  TRY(cocg_residual(s, b, x));
  report->norm_b = sqrt(s->host.bb);
  report->true_residual = linear_relative(s->host.k.sum[0], s->host.bb);
  report->products += s->imaginary ? 4 : 2;
  return OK;
}

static Status cocg_iterate(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  Progress progress = {.last_true = report->true_residual, .limit = s->rtol};
  const int64_t window = linear_window(s->m, s->real);
  s->most = s->spare && s->spare_after < s->max_iterations ? s->spare_after : s->max_iterations;
  for (;;) {
    const int64_t before = s->host.k.iteration;
    TRY(cocg_run(s, x, progress.limit * progress.limit * s->host.bb, window));
    const int64_t done = s->host.k.iteration - before;
    report->iterations = s->host.k.iteration;
    report->products += done * cocg_products_each(s) + 2 * s->m->products;
    report->recursive_residual = sqrt(s->host.k.rr / s->host.bb);
    TRY(cocg_check(s, b, x, report));
    if (report->true_residual <= s->rtol) {
      report->reason = LINEAR_CONVERGED;
      return OK;
    }
    TRY(continue_or_fail(s, &progress, report));
  }
}

/* A factor of P takes the place of its preconditioner for the rest of the solver's life, where it finds room. */
static Status take_factor(CocgSolver *s, const LinearReport *report, bool *taken) {
  const PrecondParams params = {.name = "direct", .pattern = s->spare};
  Precond *next = NULL;
  *taken = false;
  if (!s->spare) return OK;
  snprintf(s->why, sizeof s->why, "%lld iterations of %s came to a residual of %.1e only",
           (long long)report->iterations, s->m->name, report->true_residual);
  status_clear();
  s->spare = NULL;
  const Status status = precond_create(s->positive, &params, s->inner, &next);
  if (status != OK) return status;
  exec_loop_destroy(&s->loop);
  precond_destroy(&s->m);
  s->m = next;
  *taken = true;
  return cocg_setup(s);
}

/* What the iteration said stays what is said where there is no factor either. */
static Status iterate_or_factor(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  bool taken;
  const Status status = cocg_iterate(s, b, x, report);
  if (status != ERR_NUMERIC || report->reason == LINEAR_NAN) return status;
  TRY(take_factor(s, report, &taken));
  if (!taken) return status;
  for (int part = 0; part < 2; ++part) TRY(exec_zero(s->exec, x[part], (size_t)s->n * sizeof(double)));
  TRY(cocg_check(s, b, x, report));
  report->setup_seconds += s->setup_seconds;
  return cocg_iterate(s, b, x, report);
}

/* From the true residual on, which has just been formed. */
static Status solve_on(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  s->host.k.iteration = 0;
  report->reason = linear_check_start(report, s->rtol);
  if (report->reason == LINEAR_NAN) return cocg_failure(s, LINEAR_NAN, report);
  if (report->reason == LINEAR_MAX_ITERATIONS) return iterate_or_factor(s, b, x, report);
  for (int part = 0; part < 2 && report->norm_b == 0; ++part)
    TRY(exec_zero(s->exec, x[part], (size_t)s->n * sizeof(double)));
  return OK;
}

static Status scale_parts(CocgSolver *s, int exponent, double *const x[2]) {
  for (int part = 0; part < 2; ++part) TRY(vec_scale(s->exec, s->n, exponent, x[part], x[part]));
  return OK;
}

/* As linear_solve_scaled. */
static Status solve_scaled(CocgSolver *s, const LinearScale *scale, const double *const b[2], double *const x[2],
                           LinearReport *report) {
  for (int part = 0; part < 2; ++part) {
    if (!s->scaled_b[part]) EXEC_ALLOC(s->exec, s->scaled_b[part], s->n, "scaled right-hand side");
    TRY(vec_scale(s->exec, s->n, scale->exponent, b[part], s->scaled_b[part]));
  }
  const double *const scaled[2] = {s->scaled_b[0], s->scaled_b[1]};
  TRY(scale_parts(s, scale->exponent, x));
  TRY(cocg_check(s, scaled, x, report));
  for (int part = 0; part < 2 && !(report->true_residual <= 1); ++part)
    TRY(exec_zero(s->exec, x[part], (size_t)s->n * sizeof(double)));
  TRY(cocg_check(s, scaled, x, report));
  Status status = solve_on(s, scaled, x, report);
  if (status != OK && status != ERR_NUMERIC) return status;
  TRY(scale_parts(s, -scale->exponent, x));
  if (status == OK) {
    TRY(scale_parts(s, scale->exponent, x));
    TRY(cocg_check(s, scaled, x, report));
    TRY(scale_parts(s, -scale->exponent, x));
    status = linear_judge_scaled(report->true_residual, s->rtol, report);
  }
  report->norm_b = scale->norm;
  return status;
}

static Status solve_cocg(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  if (s->n_bad) return cocg_failure(s, LINEAR_INDEFINITE, report);
  TRY(cocg_check(s, b, x, report));
  if (linear_in_range(s->host.bb, s->mean_scale)) return solve_on(s, b, x, report);
  VecLength length[2];
  for (int part = 0; part < 2; ++part) TRY(vec_length(s->exec, s->n, b[part], s->inner->sum, &length[part]));
  const LinearScale scale = linear_scale_of(vec_length_join(length[0], length[1]), s->mean_scale);
  return scale.exponent ? solve_scaled(s, &scale, b, x, report) : solve_on(s, b, x, report);
}

static Status solve_renumbered(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  const Renumbered *r = s->renumbered;
  for (int part = 0; part < 2; ++part) TRY(renumbered_enter(s->exec, &r[part], b[part], x[part]));
  const Status status =
      solve_cocg(s, (const double *const[2]){r[0].b, r[1].b}, (double *const[2]){r[0].x, r[1].x}, report);
  for (int part = 0; part < 2 && (status == OK || status == ERR_NUMERIC); ++part)
    TRY(renumbered_leave(s->exec, &r[part], x[part]));
  return status;
}

Status cocg_solve(CocgSolver *s, const double *const b[2], double *const x[2], LinearReport *report) {
  CHECK(s->is_set_up, ERR_BUG, "cocg_solve before cocg_setup");
  const Precision stored = s->m->stored ? s->m->storage : PRECISION_DOUBLE;
  *report = (LinearReport){.reason = LINEAR_MAX_ITERATIONS,
                           .setup_seconds = s->setup_seconds,
                           .equation = -1,
                           .preconditioner = s->m->name,
                           .degree = s->m->degree,
                           .bound = s->m->bound,
                           .bytes_per_iteration = cocg_bytes(s),
                           .precision = stored,
                           .first_precision = stored};
  const double begin = clock_seconds();
  Status status = s->renumbered[0].place ? solve_renumbered(s, b, x, report) : solve_cocg(s, b, x, report);
  if (status == OK) status = exec_sync(s->exec);
  report->preconditioner = s->m->name; /* which may be another one now */
  report->factor_entries = s->m->factor_entries, report->factor_bytes = s->m->factor_bytes;
  memcpy(report->why, s->why, sizeof report->why);
  report->solve_seconds = clock_seconds() - begin;
  return status;
}
