/* `sinew bench pcg`: sparse products and whole solves on the polynomial-PCG paper's matrices, against the bytes they must
 * move at the copy bandwidth of the same run, and against the vendor's product. */
#include "bench/measure.h"
#include "bench/petsc_dump.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/linear.h"

#include <string.h>

typedef struct ApplyRun {
  const Mat *a;
  const void *x;
  void *y;
} ApplyRun;

static Status apply_once(void *context) {
  const ApplyRun *run = context;
  return mat_apply(run->a, run->x, run->y);
}

/* One problem on the Exec: matrix, right-hand side, vectors. */
typedef struct Setting {
  Exec *exec;
  const BenchParams *params;
  Problem problem;
  Mat *a;
  double *x, *b; /* on the Exec, [n] */
  int64_t n;
  double copy; /* GB/s */
  FILE *out;
  Json *json;
} Setting;

static void setting_release(Setting *s) {
  EXEC_RELEASE(s->exec, s->x, s->n);
  EXEC_RELEASE(s->exec, s->b, s->n);
  mat_destroy(&s->a);
  problem_release(&s->problem);
}

static Status setting_fill(Setting *s, int i) {
  double seconds;
  TRY(problem_create(s->exec, i, s->params->percent, &s->problem));
  s->n = elasticity_dofs(s->problem.elasticity);
  TRY(problem_matrix(s->exec, &s->problem, "sbell", &s->a, &seconds));
  EXEC_ALLOC(s->exec, s->x, s->n, "solution");
  EXEC_ALLOC(s->exec, s->b, s->n, "right-hand side");
  TRY(elasticity_initial(s->problem.elasticity, s->x));
  return elasticity_residual(s->problem.elasticity, s->x, s->b);
}

static Status report_product(Setting *s, const char *what, const Mat *a, size_t scalar) {
  ApplyRun run = {a, s->b, s->x};
  double seconds;
  TRY(bench_time(s->exec, apply_once, &run, s->params->repeat, &seconds));
  const double bytes = (double)mat_bytes(a) + 2.0 * (double)s->n * (double)scalar;
  fprintf(s->out, "%-5s product %-12s %9.1f us  %7.0f GFLOP/s  %7.0f GB/s  %5.1f %% of copy\n", s->problem.name, what,
          1e6 * seconds, 2e-9 * (double)mat_entries(a) / seconds, 1e-9 * bytes / seconds,
          1e-7 * bytes / seconds / s->copy);
  json_object(s->json, NULL);
  json_string(s->json, "mesh", s->problem.name);
  json_string(s->json, "product", what);
  json_number(s->json, "us", 1e6 * seconds);
  json_number(s->json, "share_of_copy", 1e-9 * bytes / seconds / s->copy);
  json_end(s->json);
  return OK;
}

static Status report_rival(Setting *s, const Mat *csr) {
  double seconds;
  char why[160];
  TRY(rival_csr(s->exec, elasticity_pattern(s->problem.elasticity), csr, s->b, s->x, s->params->repeat, &seconds, why,
                sizeof why));
  if (seconds <= 0) {
    fprintf(s->out, "%-5s product cuSPARSE CSR: not measured: %s\n", s->problem.name, why);
    return OK;
  }
  fprintf(s->out, "%-5s product %-12s %9.1f us  (cuSPARSE, the faster of its two algorithms)\n", s->problem.name,
          "their CSR f64", 1e6 * seconds);
  json_object(s->json, NULL);
  json_string(s->json, "mesh", s->problem.name);
  json_string(s->json, "product", "cusparse csr f64");
  json_number(s->json, "us", 1e6 * seconds);
  json_end(s->json);
  return OK;
}

static Status products(Setting *s) {
  Mat *csr = NULL, *low = NULL;
  double seconds;
  Status status;
  TRY_DONE(report_product(s, "SBELL f64", s->a, sizeof(double)));
  TRY_DONE(mat_create_like(s->a, PRECISION_FLOAT, &low));
  TRY_DONE(report_product(s, "SBELL f32", low, sizeof(float)));
  TRY_DONE(problem_matrix(s->exec, &s->problem, "csr", &csr, &seconds));
  TRY_DONE(report_product(s, "CSR f64", csr, sizeof(double)));
  TRY_DONE(report_rival(s, csr));
  if (s->params->dump) TRY_DONE(petsc_dump(s->exec, elasticity_pattern(s->problem.elasticity), csr, s->b, s->params->dump));
done:
  mat_destroy(&csr);
  mat_destroy(&low);
  return status;
}

static Status report_solve(Setting *s, const char *preconditioner, bool mixed) {
  LinearParams params = linear_params_default();
  params.rtol = 1e-8;
  params.preconditioner = preconditioner;
  params.mixed = mixed;
  params.pattern = elasticity_pattern(s->problem.elasticity);
  LinearSolver *solver = NULL;
  LinearReport r = {0};
  Status status;
  TRY_DONE(linear_create(s->exec, &params, s->a, &solver));
  for (int run = 0; run < 2; ++run) { /* the second one has everything in place */
    TRY_DONE(linear_setup(solver));
    TRY_DONE(elasticity_initial(s->problem.elasticity, s->x));
    TRY_DONE(linear_solve(solver, s->b, s->x, &r));
  }
  const double each = r.solve_seconds / (double)r.iterations, least = 1e-9 * r.bytes_per_iteration / s->copy;
  fprintf(s->out,
          "%-5s solve %-13s %2d %-6s %5lld its  setup %8.3f ms  solve %9.3f ms  %8.1f us/it = %.2f x its bytes  true %.1e\n",
          s->problem.name, r.preconditioner, r.degree, mixed ? "mixed" : "double", (long long)r.iterations,
          1e3 * r.setup_seconds, 1e3 * r.solve_seconds, 1e6 * each, each / least, r.true_residual);
  json_object(s->json, NULL);
  json_string(s->json, "mesh", s->problem.name);
  json_string(s->json, "preconditioner", r.preconditioner);
  json_integer(s->json, "degree", r.degree);
  json_string(s->json, "precision", mixed ? "mixed" : "double");
  json_integer(s->json, "unknowns", elasticity_unknowns(s->problem.elasticity));
  json_integer(s->json, "iterations", r.iterations);
  json_number(s->json, "setup_ms", 1e3 * r.setup_seconds);
  json_number(s->json, "solve_ms", 1e3 * r.solve_seconds);
  json_number(s->json, "us_per_iteration", 1e6 * each);
  json_number(s->json, "bytes_per_iteration", r.bytes_per_iteration);
  json_number(s->json, "times_its_bytes", each / least);
  json_number(s->json, "true_residual", r.true_residual);
  json_end(s->json);
done:
  linear_destroy(&solver);
  return status;
}

static Status run_one(Setting *s, int i) {
  TRY(setting_fill(s, i));
  fprintf(s->out, "%-5s %lld unknowns, %lld entries\n", s->problem.name,
          (long long)elasticity_unknowns(s->problem.elasticity), (long long)mat_entries(s->a));
  TRY(products(s));
  TRY(report_solve(s, "jacobi", false));
  TRY(report_solve(s, "least-squares", false));
  return report_solve(s, "least-squares", true);
}

Status bench_pcg(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  double copy;
  TRY_DONE(json_create(&json));
  TRY_DONE(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s\n", exec->device, copy);
  json_string(json, "bench", "pcg");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_number(json, "copy_gb_per_s", copy);
  json_array(json, "figures");
  for (int i = 0; i < BENCH_PROBLEMS; ++i) {
    if (!bench_wants(params, problem_name(i))) continue;
    Setting s = {.exec = exec, .params = params, .copy = copy, .out = out, .json = json};
    status = run_one(&s, i);
    setting_release(&s);
    TRY_DONE(status);
  }
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
