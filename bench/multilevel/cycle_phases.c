#include "bench/multilevel/cycle_phases.h"
#include "bench/measure.h"
#include "bench/heart/profile.h"
#include "core/memory.h"
#include "output/json.h"

static const char *const INSIDE[] = {"float", "half", "int8"}; /* of the hierarchy */
enum { N_INSIDE = 3 };

typedef struct CyclePhases {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  BenchProblem problem;
  Mat *a;
  double *b, *x, *motions; /* owned; b and x on the Exec */
  int64_t n;
  LinearSolver *solver;
  const char *inside;
} CyclePhases;

static void release(CyclePhases *c) {
  linear_destroy(&c->solver);
  EXEC_RELEASE(c->exec, c->b, c->n);
  EXEC_RELEASE(c->exec, c->x, c->n);
  FREE(c->motions);
  mat_destroy(&c->a);
  problem_release(&c->problem);
}

static Status make_solver(CyclePhases *c) {
  LinearParams params = linear_params_default();
  params.rtol = c->params->rtol > 0 ? c->params->rtol : 1e-8;
  params.preconditioner = "amg";
  TRY(linear_params_precision(&params, c->inside));
  TRY(problem_hints(c->exec, &c->problem, c->a, &params, &c->motions));
  TRY(linear_create(c->exec, &params, c->a, &c->solver));
  return linear_setup(c->solver);
}

static Status solve(CyclePhases *c, LinearReport *report) {
  TRY(exec_zero(c->exec, c->x, (size_t)c->n * sizeof *c->x));
  return linear_solve(c->solver, c->b, c->x, report);
}

static Status print(CyclePhases *c, Profile *profile, const LinearReport *report, double seconds) {
  const ProfileRow *row;
  const double each = 1e6 / (double)report->iterations;
  double sum = 0, launches = 0;
  int n;
  TRY(profile_rows(profile, &row, &n));
  for (int k = 0; k < n; ++k) sum += row[k].seconds, launches += (double)row[k].launches;
  fprintf(c->out,
          "\n%s, %s: %lld unknowns, %lld iterations, %.2f us each in a loop, %.3f ms; launch by launch %.2f us, %.1f "
          "launches\n",
          c->problem.name, precision_name(report->precision), (long long)c->n, (long long)report->iterations,
          each * seconds, 1e3 * seconds, each * sum, launches / (double)report->iterations);
  fprintf(c->out, "  kernel                          rows  launches  us each  us an iteration\n");
  json_object(c->json, NULL);
  json_string(c->json, "mesh", c->problem.name);
  json_string(c->json, "inside", precision_name(report->precision));
  json_integer(c->json, "unknowns", c->n);
  json_integer(c->json, "iterations", report->iterations);
  json_number(c->json, "iteration_us", each * seconds);
  json_array(c->json, "kernels");
  for (int k = 0; k < n; ++k) {
    fprintf(c->out, "  %-28s %9lld %9.2f %8.2f %8.2f\n", row[k].name, (long long)row[k].n,
            (double)row[k].launches / (double)report->iterations, 1e6 * row[k].seconds / (double)row[k].launches,
            each * row[k].seconds);
    json_object(c->json, NULL);
    json_string(c->json, "kernel", row[k].name);
    json_integer(c->json, "rows", row[k].n);
    json_integer(c->json, "launches", row[k].launches);
    json_number(c->json, "us", 1e6 * row[k].seconds);
    json_end(c->json);
  }
  json_end(c->json);
  json_end(c->json);
  return OK;
}

/* First as users run it, then launch by launch. */
static Status measure(CyclePhases *c) {
  LinearReport report = {0};
  Profile *profile = NULL;
  TRY(make_solver(c));
  for (int again = 0; again < 3; ++again) TRY(solve(c, &report));
  const double seconds = report.solve_seconds;
  linear_destroy(&c->solver);
  FREE(c->motions);
  TRY(profile_begin(c->exec, &profile));
  profile_by_rows(profile);
  Status status = make_solver(c);
  for (int again = 0; again < 2 && status == OK; ++again) {
    status = profile_reset(profile);
    if (status == OK) status = solve(c, &report);
  }
  if (status == OK) status = print(c, profile, &report, seconds);
  linear_destroy(&c->solver);
  FREE(c->motions);
  profile_end(&profile);
  return status;
}

static Status run(CyclePhases *c, int i) {
  double seconds;
  Status status;
  TRY_DONE(problem_create(c->exec, i, c->params->percent > 0 ? c->params->percent : 100, &c->problem));
  c->n = elasticity_dofs(c->problem.elasticity);
  TRY_DONE(problem_matrix(c->exec, &c->problem, "sbell", &c->a, &seconds));
  TRY_DONE(exec_alloc(c->exec, c->n, sizeof *c->b, "loads", (void **)&c->b));
  TRY_DONE(exec_alloc(c->exec, c->n, sizeof *c->x, "displacement", (void **)&c->x));
  TRY_DONE(elasticity_initial(c->problem.elasticity, c->x));
  TRY_DONE(elasticity_residual(c->problem.elasticity, c->x, c->b));
  status = OK;
  for (int k = 0; k < N_INSIDE && status == OK; ++k) {
    c->inside = INSIDE[k];
    status = measure(c);
  }
done:
  release(c);
  return status;
}

Status cycle_phases(Exec *exec, const BenchParams *params, FILE *out) {
  CyclePhases c = {.exec = exec, .params = params, .out = out};
  Status status;
  TRY_DONE(json_create(&c.json));
  fprintf(out, "%s: an iteration of conjugate gradients with amg\n", exec->device);
  json_string(c.json, "bench", "multilevel");
  json_string(c.json, "part", "cycle");
  json_string(c.json, "version", params->version);
  json_string(c.json, "commit", params->commit);
  json_string(c.json, "device", exec->device);
  json_array(c.json, "meshes");
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    if (bench_wants(params, problem_name(i))) {
      const CyclePhases fresh = {.exec = exec, .params = params, .out = out, .json = c.json};
      c = fresh;
      TRY_DONE(run(&c, i));
    }
  json_end(c.json);
  if (params->json) status = json_save(c.json, params->json);
done:
  json_destroy(&c.json);
  return status;
}
