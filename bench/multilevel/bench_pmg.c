/* `sinew bench pmg`: elasticity of quadratic and cubic elements with p-multigrid, after
 * papers/multilevel-pcg-sliced-ellr-t. Its Table I: memory of the matrix in Sliced ELLR-T against ELLPACK-R, unknowns
 * of all orders and of the linear one. Its Figure 2: time against the same conjugate gradients without it, in double
 * and with float inside, with the paper's weighted Jacobi and with our polynomial, and on a CPU with a direct solve
 * below as in the paper, two levels (tet10, hex20) and three (tet20). Its Figures 3 and 4: time to smaller and smaller
 * residuals. Sizes are those of its real problems, about 1.1 million unknowns; elements and boundary conditions are
 * ours. */
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/krylov/linear.h"
#include "algebra/graph/sparse_direct.h"

#include <string.h>

static const struct {
  const char *element;
  int32_t cells;
} MESHES[] = {{"tet10", 36}, {"tet20", 24}, {"hex20", 44}};
enum { N_MESH = 3, QUICK_PERCENT = 12 };

static const struct {
  const char *preconditioner, *meaning, *precision;
  double smoother, below;
} WAYS[] = {{"jacobi", "diagonal", "double", 0, 0},
            {"amg", "amg", "mixed", 0, 0},
            {"pmg", "weighted Jacobi, double", "double", 1, 0},
            {"pmg", "weighted Jacobi, float", "mixed", 1, 0},
            {"pmg", "polynomial, double", "double", 0, 0},
            {"pmg", "polynomial, float", "mixed", 0, 0},
            {"pmg", "polynomial, low precision", "auto", 0, 0},
            {"pmg", "weighted Jacobi, double, CHOLMOD", "double", 1, 1},
            {"pmg", "weighted Jacobi, float, CHOLMOD", "mixed", 1, 1},
            {"pmg", "polynomial, float, CHOLMOD", "mixed", 0, 1}};
enum { N_WAY = 10, FIRST_PMG = 2, FEW_BITS = 6 };
static const double RESIDUALS[] = {1e-4, 1e-5, 1e-6, 1e-7};
enum { N_RESIDUAL = 4 };
static const char *const PAPER =
    "paper, Table I, real: 1,157,456 rows, 2 levels, 209,432 at the bottom: ELLPACK-R 1.72 GB, Sliced "
    "ELLR-T 0.80, 2.15 times less\n                      1,102,824 rows, 3 levels,  66,353 at the bottom: "
    "ELLPACK-R 3.75 GB, Sliced ELLR-T 1.29, 2.90 times less\n";

typedef struct PmgBench {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  BenchProblem problem;
  OrderTransfers lower;
  Mat *a;
  double *b, *x, *motions; /* owned; b and x on the Exec */
  int64_t n;
  double diagonal_seconds; /* solve of the first way */
} PmgBench;

static void release(PmgBench *c) {
  EXEC_RELEASE(c->exec, c->b, c->n);
  EXEC_RELEASE(c->exec, c->x, c->n);
  FREE(c->motions);
  mat_destroy(&c->a);
  order_transfers_release(&c->lower);
  problem_release(&c->problem);
}

static Status make_problem(PmgBench *c, int i, int32_t percent) {
  const int32_t wanted = (int32_t)((int64_t)MESHES[i].cells * percent / 100), cells = wanted < 2 ? 2 : wanted;
  const BoxParams box = {element_by_name(MESHES[i].element)->kind, {cells, cells, cells}, {1, 1, 1}, 0};
  const ProblemParams params = {.name = MESHES[i].element, .held = "x0", .body = "body"};
  Mesh *mesh = NULL;
  double seconds;
  TRY(mesh_box(&box, &mesh));
  TRY(problem_on(c->exec, mesh, &params, &c->problem));
  Elasticity *e = c->problem.elasticity;
  c->n = elasticity_dofs(e);
  TRY(elasticity_order_transfers(e, &c->lower));
  ALLOC(c->motions, elasticity_rigid_count(e) * c->n, "rigid motions");
  TRY(elasticity_rigid_motions(e, c->motions));
  TRY(problem_matrix(c->exec, &c->problem, "sbell", &c->a, &seconds));
  EXEC_ALLOC(c->exec, c->b, c->n, "loads");
  EXEC_ALLOC(c->exec, c->x, c->n, "displacement");
  TRY(elasticity_initial(e, c->x));
  return elasticity_residual(e, c->x, c->b);
}

/* Bytes of the matrix in a format, in double; 0 where it cannot hold it. */
static Status bytes_of(const PmgBench *c, const char *format, double *out) {
  Mat *a = NULL;
  const MatParams params = {.format = format};
  const Status status = mat_create(c->exec, &params, elasticity_pattern(c->problem.elasticity), &a);
  *out = status == OK ? (double)mat_bytes(a) : 0;
  mat_destroy(&a);
  if (status != ERR_INPUT) return status;
  status_clear();
  return OK;
}

static Status table_1(PmgBench *c) {
  double ellr, sliced, sbell;
  const int32_t B = mat_block(c->a), last = c->lower.n - 1;
  const int64_t lowest = (int64_t)c->lower.level[last].up.n_column * B;
  TRY(bytes_of(c, "ellr", &ellr));
  TRY(bytes_of(c, "sliced-ellr-t", &sliced));
  TRY(bytes_of(c, "sbell", &sbell));
  const double ratio = sliced > 0 ? ellr / sliced : 0;
  fprintf(c->out, "\n%s: %lld rows, %lld entries, %d orders, %lld rows of linear elements (1 in %.2f)\n",
          c->problem.name, (long long)c->n, (long long)mat_entries(c->a), c->lower.n + 1, (long long)lowest,
          (double)c->n / (double)lowest);
  fprintf(c->out, "  matrix in double: ELLPACK-R %.3f GB, Sliced ELLR-T %.3f GB, %.2f times less; sbell %.3f GB\n",
          1e-9 * ellr, 1e-9 * sliced, ratio, 1e-9 * sbell);
  json_string(c->json, "mesh", c->problem.name);
  json_integer(c->json, "rows", c->n);
  json_integer(c->json, "entries", mat_entries(c->a));
  json_integer(c->json, "orders", c->lower.n + 1);
  json_integer(c->json, "linear_rows", lowest);
  json_number(c->json, "ellpack_r_bytes", ellr);
  json_number(c->json, "sliced_ellr_t_bytes", sliced);
  json_number(c->json, "sbell_bytes", sbell);
  json_number(c->json, "compression", ratio);
  return OK;
}

static Status create_solver(const PmgBench *c, int way, double rtol, LinearSolver **out) {
  LinearParams params = linear_params_default();
  params.rtol = rtol;
  params.preconditioner = WAYS[way].preconditioner;
  TRY(linear_params_precision(&params, WAYS[way].precision));
  params.pattern = elasticity_pattern(c->problem.elasticity);
  params.near_null = c->motions;
  params.n_near_null = elasticity_rigid_count(c->problem.elasticity);
  params.lower = c->lower.level;
  params.n_lower = c->lower.n;
  params.has_values = way >= FIRST_PMG;
  params.values[0] = WAYS[way].smoother; /* then cycle and bottom, as by default */
  params.values[1] = 1;
  params.values[2] = 800;
  params.values[3] = WAYS[way].below;
  return linear_create(c->exec, &params, c->a, out);
}

/* Low precision are for GPUs, CHOLMOD is on CPUs, where it is there. */
static bool is_possible(const PmgBench *c, int way) {
  const bool host = exec_is_host(c->exec);
  return (way != FEW_BITS || !host) && (WAYS[way].below <= 0 || (host && sparse_direct_there()));
}

/* Setup and solve from nothing; on a GPU the second of two, which has its kernels loaded. */
static Status solve(const PmgBench *c, int way, double rtol, double *setup, LinearReport *report) {
  LinearSolver *solver = NULL;
  Status status = OK;
  const int runs = exec_is_host(c->exec) ? 1 : 2;
  for (int k = 0; k < runs; ++k) {
    const double begin = bench_now();
    TRY_DONE(create_solver(c, way, rtol, &solver));
    TRY_DONE(linear_setup(solver));
    *setup = bench_now() - begin;
    for (int again = 0; again < runs; ++again) {
      TRY_DONE(exec_zero(c->exec, c->x, (size_t)c->n * sizeof *c->x));
      TRY_DONE(linear_solve(solver, c->b, c->x, report));
    }
    linear_destroy(&solver);
  }
done:
  linear_destroy(&solver);
  return status;
}

static Status figure_2(PmgBench *c) {
  const double rtol = c->params->rtol > 0 ? c->params->rtol : 1e-8;
  fprintf(c->out, "  to %.0e                                  its   setup ms   solve ms  against the diagonal\n", rtol);
  json_array(c->json, "ways");
  for (int k = 0; k < N_WAY; ++k) {
    LinearReport report = {0};
    double setup = 0;
    if (!is_possible(c, k)) continue;
    TRY(solve(c, k, rtol, &setup, &report));
    if (k == 0) c->diagonal_seconds = report.solve_seconds;
    const double faster = c->diagonal_seconds / report.solve_seconds;
    fprintf(c->out, "  %-8s %-33s %5lld %10.2f %10.2f %8.2f\n", k >= FIRST_PMG ? WAYS[k].preconditioner : "",
            WAYS[k].meaning, (long long)report.iterations, 1e3 * setup, 1e3 * report.solve_seconds, faster);
    json_object(c->json, NULL);
    json_string(c->json, "preconditioner", WAYS[k].preconditioner);
    json_string(c->json, "way", WAYS[k].meaning);
    json_integer(c->json, "iterations", report.iterations);
    json_number(c->json, "setup_ms", 1e3 * setup);
    json_number(c->json, "solve_ms", 1e3 * report.solve_seconds);
    json_number(c->json, "true_residual", report.true_residual);
    json_number(c->json, "faster_than_diagonal", faster);
    json_end(c->json);
  }
  json_end(c->json);
  return OK;
}

static Status figures_3_and_4(PmgBench *c) {
  fprintf(c->out, "  solve in ms to                    ");
  for (int r = 0; r < N_RESIDUAL; ++r) fprintf(c->out, " %9.0e", RESIDUALS[r]);
  fprintf(c->out, "\n");
  json_array(c->json, "residuals");
  for (int k = FIRST_PMG; k < N_WAY; ++k) {
    if (!is_possible(c, k)) continue;
    fprintf(c->out, "  %-34s", WAYS[k].meaning);
    for (int r = 0; r < N_RESIDUAL; ++r) {
      LinearReport report = {0};
      double setup = 0;
      TRY(solve(c, k, RESIDUALS[r], &setup, &report));
      fprintf(c->out, " %9.2f", 1e3 * report.solve_seconds);
      json_object(c->json, NULL);
      json_string(c->json, "way", WAYS[k].meaning);
      json_number(c->json, "rtol", RESIDUALS[r]);
      json_integer(c->json, "iterations", report.iterations);
      json_number(c->json, "solve_ms", 1e3 * report.solve_seconds);
      json_end(c->json);
    }
    fprintf(c->out, "\n");
  }
  json_end(c->json);
  return OK;
}

static Status pmg_run_mesh(PmgBench *c, int i, int32_t percent) {
  Status status;
  json_object(c->json, NULL);
  TRY_DONE(make_problem(c, i, percent));
  TRY_DONE(table_1(c));
  TRY_DONE(figure_2(c));
  TRY_DONE(figures_3_and_4(c));
done:
  json_end(c->json);
  release(c);
  return status;
}

Status bench_pmg(Exec *exec, const BenchParams *params, FILE *out) {
  PmgBench c = {.exec = exec, .params = params, .out = out};
  const int32_t percent = params->percent > 0 ? params->percent : params->quick ? QUICK_PERCENT : 100;
  double copy;
  bool any = false;
  Status status;
  for (int i = 0; i < N_MESH; ++i) any = any || bench_wants(params, MESHES[i].element);
  CHECK(any, ERR_USAGE, "no mesh of 'pmg' is called '%.40s'\n  allowed: tet10, tet20, hex20", params->only);
  TRY_DONE(json_create(&c.json));
  TRY_DONE(bench_copy(exec, &copy));
  if (exec_is_host(exec) && !sparse_direct_there())
    fprintf(out, "without a direct solve: %s\n", sparse_direct_why_not());
  fprintf(out, "%s: copy %.0f GB/s; unit cube held on one face under its weight, E 210, nu 0.3\n%s", exec->device, copy,
          PAPER);
  json_string(c.json, "bench", "pmg");
  json_string(c.json, "version", params->version);
  json_string(c.json, "commit", params->commit);
  json_string(c.json, "device", exec->device);
  json_number(c.json, "copy_gb_per_s", copy);
  json_array(c.json, "meshes");
  for (int i = 0; i < N_MESH; ++i)
    if (bench_wants(params, MESHES[i].element)) TRY_DONE(pmg_run_mesh(&c, i, percent));
  json_end(c.json);
  if (params->json) status = json_save(c.json, params->json);
done:
  json_destroy(&c.json);
  return status;
}
