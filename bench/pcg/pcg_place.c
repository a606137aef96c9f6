/* One problem of `sinew bench pcg` on an Exec, and the measurement of one solve on it. */
#include "bench/pcg/pcg.h"
#include "bench/spmv/spmv.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MARK_SETUP = 28, MARK_SOLVE, MARK_END, RUNS_MOST = 101, RUNS_DEFAULT = 5 };
/* A solve that takes longer than this is not repeated, and all repetitions of one end after it, s. */
static const double LONG = 2;

/* "mixed" is another word for float. */
const char *pcg_inner_name(int i) {
  for (const char *const *word = linear_precision_words(); *word; ++word)
    if (strcmp(*word, "mixed") != 0 && i-- == 0) return *word;
  return NULL;
}

/* |v| of a vector on the Exec. */
static Status norm(PcgPlace *p, const double *v, double *out) {
  TRY(exec_download(p->exec, p->host, v, (size_t)p->n * sizeof *v));
  double sum = 0;
  for (int64_t i = 0; i < p->n; ++i) sum += p->host[i] * p->host[i];
  *out = sqrt(sum);
  return OK;
}

static Status fill(PcgPlace *p) {
  p->n = elasticity_dofs(p->problem.elasticity);
  EXEC_ALLOC(p->exec, p->x, p->n, "solution");
  EXEC_ALLOC(p->exec, p->b, p->n, "right-hand side");
  EXEC_ALLOC(p->exec, p->r, p->n, "residual");
  ALLOC(p->host, p->n, "vector on the host");
  TRY(elasticity_initial(p->problem.elasticity, p->x));
  TRY(elasticity_residual(p->problem.elasticity, p->x, p->b));
  return norm(p, p->b, &p->norm_b);
}

Status pcg_place_create(Exec *exec, int problem, int32_t percent, PcgPlace *out) {
  BenchProblem made;
  *out = (PcgPlace){.exec = exec};
  TRY(problem_create(exec, problem, percent, &made));
  return pcg_place_on(exec, &made, out);
}

Status pcg_place_on(Exec *exec, const BenchProblem *problem, PcgPlace *out) {
  *out = (PcgPlace){.exec = exec, .problem = *problem};
  const Status status = fill(out);
  if (status != OK) pcg_place_release(out);
  return status;
}

void pcg_place_release(PcgPlace *p) {
  EXEC_RELEASE(p->exec, p->x, p->n);
  EXEC_RELEASE(p->exec, p->b, p->n);
  EXEC_RELEASE(p->exec, p->r, p->n);
  FREE(p->host);
  mat_destroy(&p->a);
  problem_release(&p->problem);
}

Status pcg_place_format(PcgPlace *p, const char *format) {
  double seconds;
  if (p->format && !strcmp(p->format, format)) return OK;
  p->format = NULL;
  mat_destroy(&p->a);
  TRY(problem_matrix(p->exec, &p->problem, format, &p->a, &seconds));
  p->format = format;
  return OK;
}

Status pcg_check_solution(PcgPlace *p, const double *x, double *relative) {
  TRY(elasticity_residual(p->problem.elasticity, x, p->r));
  TRY(norm(p, p->r, relative));
  *relative /= p->norm_b;
  return OK;
}

static double median(double *v, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && v[k] < v[k - 1]; --k) {
      const double t = v[k];
      v[k] = v[k - 1];
      v[k - 1] = t;
    }
  return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static Status solve_once(PcgPlace *p, LinearSolver *solver, LinearReport *report, double *setup, double *seconds) {
  TRY(elasticity_initial(p->problem.elasticity, p->x));
  TRY(exec_sync(p->exec));
  TRY(exec_mark(p->exec, MARK_SETUP));
  TRY(linear_setup(solver));
  TRY(exec_mark(p->exec, MARK_SOLVE));
  TRY(linear_solve(solver, p->b, p->x, report));
  TRY(exec_mark(p->exec, MARK_END));
  TRY(exec_elapsed(p->exec, MARK_SETUP, MARK_SOLVE, setup));
  return exec_elapsed(p->exec, MARK_SOLVE, MARK_END, seconds);
}

/* The first solve records the loop and warms up; when it is a long one that does not matter, and it counts. */
static Status repeat(PcgPlace *p, LinearSolver *solver, PcgFigure *f) {
  double setup[RUNS_MOST], seconds[RUNS_MOST], spent = 0;
  LinearReport report = {0};
  const int most = p->repeat <= 0 ? RUNS_DEFAULT : p->repeat < RUNS_MOST ? p->repeat : RUNS_MOST;
  Status status = solve_once(p, solver, &report, &setup[0], &seconds[0]);
  f->runs = status == OK && seconds[0] > LONG;
  while (status == OK && f->runs < most && spent < LONG && (f->runs == 0 || seconds[0] <= LONG)) {
    status = solve_once(p, solver, &report, &setup[f->runs], &seconds[f->runs]);
    if (status == OK) spent += seconds[f->runs++];
  }
  snprintf(f->preconditioner, sizeof f->preconditioner, "%s",
           report.preconditioner ? report.preconditioner : f->wish.preconditioner);
  f->degree = report.degree;
  f->iterations = report.iterations;
  f->products = report.products;
  f->restarts = report.restarts;
  f->bytes = report.bytes_per_iteration;
  f->bound = report.bound;
  snprintf(f->stored, sizeof f->stored, "%s", precision_name(report.precision));
  f->fallbacks = report.fallbacks;
  f->true_residual = report.true_residual;
  if (status != OK) return status;
  f->setup = median(setup, f->runs);
  f->seconds = median(seconds, f->runs);
  return OK;
}

/* The solver, which is told what a case tells it. */
static Status create_solver(const PcgPlace *p, LinearParams *params, LinearSolver **out) {
  double *motions = NULL;
  Status status = problem_hints(p->exec, &p->problem, p->a, params, &motions);
  if (status == OK) status = linear_create(p->exec, params, p->a, out);
  FREE(motions);
  return status;
}

Status pcg_measure(PcgPlace *p, const PcgWish *wish, PcgFigure *f) {
  *f = (PcgFigure){.wish = *wish};
  LinearParams params = linear_params_default();
  params.rtol = wish->rtol;
  params.preconditioner = wish->preconditioner;
  params.degree = wish->degree;
  params.bound_factor = wish->bound;
  params.has_values = wish->with_value;
  memcpy(params.values, wish->value, sizeof params.values);
  TRY(linear_params_precision(&params, wish->inner));
  LinearSolver *solver = NULL;
  TRY(pcg_place_format(p, wish->format));
  Status status = create_solver(p, &params, &solver);
  if (status == OK) status = repeat(p, solver, f);
  linear_destroy(&solver);
  if (status == ERR_INPUT || status == ERR_NUMERIC) {
    spmv_why(f->cannot);
    return OK;
  }
  TRY(status);
  TRY(pcg_check_solution(p, p->x, &f->checked));
  /* twice: two ways of adding in double, 1e-10 apart on the largest meshes */
  CHECK(f->checked <= 2 * wish->rtol, ERR_NUMERIC,
        "%s: %s %d in %s on %s is wrong: the solver says %.3e, the elements leave a residual of %.3e (allowed %.1e)",
        p->problem.name, f->preconditioner, (int)f->degree, wish->inner, wish->format, f->true_residual, f->checked,
        2 * wish->rtol);
  return OK;
}

bool pcg_converged(const PcgFigure *f) { return f->runs > 0 && !*f->cannot; }

double pcg_each(const PcgFigure *f) { return f->iterations > 0 ? f->seconds / (double)f->iterations : 0; }
