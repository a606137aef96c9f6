/* `sinew bench assembly`: what it costs to get from a mesh to matrix values. The GPU's share (element matrices and
 * gather) is timed in its stream, the host's share (DOF map, pattern, gather map: once per mesh) by the clock. */
#include "assembly/elasticity/elasticity.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"

typedef struct TangentRun {
  Elasticity *elasticity;
  const double *u;
  double *values, *r;
} TangentRun;

static Status tangent_once(void *context) {
  const TangentRun *run = context;
  return elasticity_tangent(run->elasticity, run->u, run->values);
}

static Status residual_once(void *context) {
  const TangentRun *run = context;
  return elasticity_residual(run->elasticity, run->u, run->r);
}

typedef struct Row {
  double mesh, create, bind, tangent, residual;
} Row;

static Status measure(Exec *exec, BenchProblem *problem, const BenchParams *params, const char *format, Row *row,
                      double *bytes) {
  Mat *a = NULL;
  double *u = NULL, *r = NULL;
  Status status;
  const int64_t n = elasticity_dofs(problem->elasticity);
  TRY_DONE(problem_matrix(exec, problem, format, &a, &row->bind));
  TRY_DONE(exec_alloc(exec, n, sizeof *u, "displacement", (void **)&u));
  TRY_DONE(exec_alloc(exec, n, sizeof *r, "residual", (void **)&r));
  TRY_DONE(elasticity_initial(problem->elasticity, u));
  TangentRun run = {problem->elasticity, u, mat_values(a), r};
  TRY_DONE(bench_time(exec, tangent_once, &run, params->repeat, &row->tangent));
  TRY_DONE(bench_time(exec, residual_once, &run, params->repeat, &row->residual));
  *bytes = (double)mat_slots(a)->n_value * sizeof(double);
done:
  exec_release(exec, n, sizeof *u, (void **)&u);
  exec_release(exec, n, sizeof *r, (void **)&r);
  mat_destroy(&a);
  return status;
}

static Status run_all(Exec *exec, const BenchParams *params, FILE *out, Json *json) {
  double copy;
  TRY(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s\n", exec->device, copy);
  fprintf(out, "%-5s %10s | %9s %9s %9s | %12s %12s %14s\n", "mesh", "unknowns", "mesh s", "pattern s", "gather s",
          "matrix ms", "residual ms", "writing it ms");
  json_string(json, "device", exec->device);
  json_number(json, "copy_gb_per_s", copy);
  json_array(json, "meshes");
  for (int i = 0; i < BENCH_PROBLEMS; ++i) {
    if (!bench_wants(params, problem_name(i))) continue;
    BenchProblem problem;
    Row row;
    double bytes;
    const double start = bench_now();
    TRY(problem_create(exec, i, params->percent, &problem));
    row.mesh = bench_now() - start - problem.create_seconds;
    row.create = problem.create_seconds;
    const int64_t unknowns = elasticity_unknowns(problem.elasticity);
    const Status status = measure(exec, &problem, params, "sbell", &row, &bytes);
    problem_release(&problem);
    TRY(status);
    fprintf(out, "%-5s %10lld | %9.3f %9.3f %9.3f | %12.3f %12.3f %14.3f\n", problem_name(i), (long long)unknowns,
            row.mesh, row.create, row.bind, 1e3 * row.tangent, 1e3 * row.residual, 1e-6 * bytes / copy);
    json_object(json, NULL);
    json_string(json, "mesh", problem_name(i));
    json_integer(json, "unknowns", unknowns);
    json_number(json, "mesh_s", row.mesh);
    json_number(json, "pattern_s", row.create);
    json_number(json, "gather_map_s", row.bind);
    json_number(json, "matrix_ms", 1e3 * row.tangent);
    json_number(json, "residual_ms", 1e3 * row.residual);
    json_number(json, "write_values_ms", 1e-6 * bytes / copy);
    json_end(json);
  }
  json_end(json);
  fprintf(out,
          "matrix: element matrices and their sum into SBELL slots, supports eliminated; writing it: the matrix' own "
          "bytes at the copy bandwidth\n");
  return OK;
}

Status bench_assembly(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  TRY_DONE(json_create(&json));
  json_string(json, "bench", "assembly");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  TRY_DONE(run_all(exec, params, out, json));
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
