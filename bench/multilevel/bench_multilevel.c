/* `sinew bench multilevel`: elasticity on generated meshes of growing size by every preconditioner that may be the best
 * one, setup and solve apart, to a true 1e-8; what `auto` takes among them, and its regret: how much longer that takes
 * than the fastest. Part `growth`: smoothed aggregation alone, up to --percent, with memory per unknown. Part `large`:
 * the same on hex of just that size, made without a mesh (large_box.h): 10, 50 and 100 M unknowns are --percent 273,
 * 466 and 597. Part `cycle`: where an iteration of it goes (cycle_phases.c). Times are those of a
 * solver made from nothing, graphs and formats included, on a GPU the second of two, because the first loads
 * kernels. */
#include "bench/multilevel/cycle_phases.h"
#include "bench/multilevel/large_box.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/multigrid/amg.h"
#include "solver/krylov/linear_solver.h"
#include "solver/precond/precond_choice.h"

#include <string.h>

static const struct {
  const char *preconditioner, *precision;
  double most; /* unknowns; beyond that it takes too long to be of interest */
} CANDIDATES[] = {{"jacobi", "double", 3e5}, {"least-squares", "auto", 2e7}, {"amg", "mixed", 1e10}};
enum { N_CANDIDATE = 3, SIZES_MOST = 8 };
/* In per cent of the paper's edge lengths. */
static const int32_t CHOICE_SIZES[] = {8, 15, 30, 50, 100}, QUICK_SIZES[] = {8, 15},
                     GROWTH_SIZES[] = {60, 127, 190, 273, 466, 588};
static const char *const PARTS[] = {"choice", "growth", "large", "cycle"};
enum { LARGE_ONCE = 30000000 /* unknowns from which one run must do, after a small one */, WARM_UP = 20 };

typedef struct MultilevelBench {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  bool growth;
  /* the problem at hand */
  BenchProblem problem;
  const char *name;
  Mat *a;
  double *b, *x; /* owned, on the Exec */
  int64_t n, unknowns;
} MultilevelBench;

typedef struct Figure {
  bool converged;
  double create, setup, solve; /* s; the first is part of the second */
  int64_t iterations;
  double complexity; /* entries of all levels over those of the first; 0: no levels */
  double kept, most; /* bytes of the preconditioner and of PCG, most of them during the setup */
  double all;        /* most of all that was there, matrix and vectors included */
} Figure;

static void release(MultilevelBench *c) {
  EXEC_RELEASE(c->exec, c->b, c->n);
  EXEC_RELEASE(c->exec, c->x, c->n);
  mat_destroy(&c->a);
  problem_release(&c->problem);
  c->problem = (BenchProblem){0};
}

static Status make_problem(MultilevelBench *c, int i, int32_t percent) {
  double seconds;
  TRY(problem_create(c->exec, i, percent, &c->problem));
  c->n = elasticity_dofs(c->problem.elasticity);
  c->name = c->problem.name;
  c->unknowns = elasticity_unknowns(c->problem.elasticity);
  TRY(problem_matrix(c->exec, &c->problem, "sbell", &c->a, &seconds));
  EXEC_ALLOC(c->exec, c->b, c->n, "loads");
  EXEC_ALLOC(c->exec, c->x, c->n, "displacement");
  TRY(elasticity_initial(c->problem.elasticity, c->x));
  return elasticity_residual(c->problem.elasticity, c->x, c->b);
}

/* From nothing to a solution; a solver that gives up is a figure too. */
static Status solve_once(MultilevelBench *c, LinearParams *params, Figure *f) {
  LinearSolver *solver = NULL;
  LinearReport report = {0};
  Exec *exec = c->exec;
  const size_t before = exec->in_use;
  Status status;
  exec->peak = exec->in_use;
  const double begin = bench_now();
  TRY_DONE(linear_create(exec, params, c->a, &solver));
  const double created = bench_now();
  TRY_DONE(linear_setup(solver));
  const double middle = bench_now();
  TRY_DONE(exec_zero(exec, c->x, (size_t)c->n * sizeof *c->x));
  TRY_DONE(linear_solve(solver, c->b, c->x, &report));
  *f = (Figure){.converged = true,
                .create = created - begin,
                .setup = middle - begin,
                .solve = bench_now() - middle,
                .iterations = report.iterations,
                .kept = (double)(exec->in_use - before),
                .most = (double)(exec->peak - before),
                .all = (double)exec->peak};
  if (!strcmp(report.preconditioner, "amg")) f->complexity = amg_complexity(solver->m);
done:
  linear_destroy(&solver);
  if (status != ERR_NUMERIC) return status;
  status_clear();
  return OK;
}

static Status measure(MultilevelBench *c, int candidate, Figure *f) {
  LinearParams params = linear_params_default();
  double *motions = NULL;
  Status status;
  *f = (Figure){0};
  params.rtol = c->params->rtol > 0 ? c->params->rtol : 1e-8;
  params.preconditioner = CANDIDATES[candidate].preconditioner;
  TRY(linear_params_precision(&params, CANDIDATES[candidate].precision));
  TRY_DONE(problem_hints(c->exec, &c->problem, c->a, &params, &motions));
  const int runs = exec_is_host(c->exec) ? 1 : 2;
  for (int k = 0; k < runs; ++k) TRY_DONE(solve_once(c, &params, f));
done:
  FREE(motions);
  return status;
}

static void report(const MultilevelBench *c, int candidate, const Figure *f) {
  const double n = (double)c->unknowns, seconds = f->setup + f->solve;
  Json *json = c->json;
  fprintf(c->out, "%-5s %9.0f  %-14s %-6s", c->name, n, CANDIDATES[candidate].preconditioner,
          CANDIDATES[candidate].precision);
  if (f->converged)
    fprintf(c->out, " %5lld %10.2f %10.2f %10.2f %6.2f %8.0f %8.0f\n", (long long)f->iterations, 1e3 * f->setup,
            1e3 * f->solve, 1e3 * seconds, f->complexity, f->kept / n, f->most / n);
  else fprintf(c->out, " no solution\n");
  json_object(json, NULL);
  json_string(json, "mesh", c->name);
  json_number(json, "unknowns", n);
  json_string(json, "preconditioner", CANDIDATES[candidate].preconditioner);
  json_string(json, "precision", CANDIDATES[candidate].precision);
  json_bool(json, "converged", f->converged);
  json_integer(json, "iterations", f->iterations);
  json_number(json, "create_ms", 1e3 * f->create);
  json_number(json, "setup_ms", 1e3 * f->setup);
  json_number(json, "solve_ms", 1e3 * f->solve);
  json_number(json, "operator_complexity", f->complexity);
  json_number(json, "bytes_per_unknown", f->kept / n);
  json_number(json, "bytes_per_unknown_in_setup", f->most / n);
  json_number(json, "matrix_bytes_per_unknown", (double)mat_bytes(c->a) / n);
  json_number(json, "all_bytes_per_unknown", f->all / n);
  json_end(json);
}

/* What `auto` takes for one solve, and how much longer that is than the best. */
static void report_choice(const MultilevelBench *c, const Figure *f, double *worst) {
  const char *chosen = precond_choice(&(PrecondFacts){.on_gpu = !exec_is_host(c->exec),
                                                      .rows = mat_rows(c->a),
                                                      .block = mat_block(c->a),
                                                      .entries = (double)mat_entries(c->a) / (double)mat_rows(c->a),
                                                      .has_graph = true,
                                                      .has_modes = true});
  double best = 0, taken = 0;
  const char *name = "";
  for (int k = 0; k < N_CANDIDATE; ++k) {
    const double seconds = f[k].setup + f[k].solve;
    if (!f[k].converged) continue;
    if (best <= 0 || seconds < best) best = seconds, name = CANDIDATES[k].preconditioner;
    if (!strcmp(CANDIDATES[k].preconditioner, chosen)) taken = seconds;
  }
  const double regret = best > 0 && taken > 0 ? taken / best - 1 : 0;
  fprintf(c->out, "      auto: %s; best: %s; regret %.0f %%\n", chosen, name, 100 * regret);
  json_object(c->json, NULL);
  json_string(c->json, "mesh", c->problem.name);
  json_integer(c->json, "unknowns", elasticity_unknowns(c->problem.elasticity));
  json_string(c->json, "auto", chosen);
  json_string(c->json, "best", name);
  json_number(c->json, "regret", regret);
  json_end(c->json);
  if (regret > *worst) *worst = regret;
}

static Status run_size(MultilevelBench *c, int i, int32_t percent, double *worst) {
  Figure figure[N_CANDIDATE] = {{0}};
  Status status = make_problem(c, i, percent);
  for (int k = 0; status == OK && k < N_CANDIDATE; ++k) {
    const bool is_amg = !strcmp(CANDIDATES[k].preconditioner, "amg");
    if ((c->growth && !is_amg) || (double)c->n > CANDIDATES[k].most) continue;
    status = measure(c, k, &figure[k]);
    if (status == OK) report(c, k, &figure[k]);
  }
  if (status == OK && !c->growth) report_choice(c, figure, worst);
  release(c);
  return status;
}

/* One cube of the part `large`, solved `runs` times. */
static Status run_box(MultilevelBench *c, int32_t cells, int runs, Figure *f) {
  LargeBox box;
  LinearParams params = linear_params_default();
  params.rtol = c->params->rtol > 0 ? c->params->rtol : 1e-8;
  params.preconditioner = "amg";
  TRY(large_box_create(c->exec, cells, &box));
  params.pattern = box.pattern;
  params.near_null = box.motions;
  params.n_near_null = 6;
  c->name = "hex";
  c->a = box.a, c->b = box.b, c->x = box.x, c->n = box.n, c->unknowns = box.unknowns;
  Status status = OK;
  *f = (Figure){0};
  for (int k = 0; status == OK && k < runs; ++k) status = solve_once(c, &params, f);
  if (status == OK && cells != WARM_UP) report(c, N_CANDIDATE - 1, f);
  c->a = NULL, c->b = c->x = NULL; /* the box has them */
  large_box_release(&box);
  return status;
}

static Status run_large(MultilevelBench *c) {
  const double percent = c->params->percent > 0 ? c->params->percent : 100, begin = bench_now();
  const int32_t cells = (int32_t)(54 * percent / 100);
  const bool once = exec_is_host(c->exec) || 3.0 * cells * cells * cells > LARGE_ONCE;
  Figure f;
  if (!exec_is_host(c->exec)) TRY(run_box(c, WARM_UP, 1, &f));
  TRY(run_box(c, cells, once ? 1 : 2, &f));
  const double n = (double)c->unknowns;
  fprintf(c->out,
          "      of the setup %.2f ms to create the solver; %.0f B/unknown all in all at most, %.1f GB; %.1f s with "
          "making the matrix\n",
          1e3 * f.create, f.all / n, 1e-9 * f.all, bench_now() - begin);
  return OK;
}

static Status run_sizes(MultilevelBench *c, double *worst) {
  const bool quick = c->params->quick && !c->growth;
  const int32_t *size = c->growth ? GROWTH_SIZES : quick ? QUICK_SIZES : CHOICE_SIZES;
  const int n = (int)(c->growth ? sizeof GROWTH_SIZES
                      : quick   ? sizeof QUICK_SIZES
                                : sizeof CHOICE_SIZES) /
                (int)sizeof *size;
  const int32_t most = c->params->percent > 0 ? c->params->percent : 100;
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    for (int k = 0; k < n && bench_wants(c->params, problem_name(i)); ++k)
      if (size[k] <= most) TRY(run_size(c, i, size[k], worst));
  return OK;
}

static bool is_part(const BenchParams *params, int i) { return params->part && !strcmp(params->part, PARTS[i]); }

static Status check(const BenchParams *params) {
  if (params->part)
    CHECK(is_part(params, 0) || is_part(params, 1) || is_part(params, 2) || is_part(params, 3), ERR_USAGE,
          "'multilevel' has no part '%.40s'\n  allowed: choice, growth, large, cycle", params->part);
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    if (bench_wants(params, problem_name(i))) return OK;
  if (is_part(params, 3) && bench_wants(params, CYCLE_POTENTIAL)) return OK;
  return FAIL(ERR_USAGE, "no problem of 'multilevel' is called '%.40s'\n  allowed: quad, hex, tet, tri%s", params->only,
              is_part(params, 3) ? ", " CYCLE_POTENTIAL : "");
}

Status bench_multilevel(Exec *exec, const BenchParams *params, FILE *out) {
  MultilevelBench c = {.exec = exec, .params = params, .out = out};
  double copy, worst = 0;
  Status status;
  TRY(check(params));
  if (is_part(params, 3)) return cycle_phases(exec, params, out);
  c.growth = is_part(params, 1);
  const bool large = is_part(params, 2);
  TRY_DONE(json_create(&c.json));
  TRY_DONE(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s; unit square or cube held on one face under its weight, E 210, nu 0.3\n",
          exec->device, copy);
  fprintf(out,
          "mesh   unknowns  solver         inside   its   setup ms   solve ms     sum ms  compl. B/unkn.  in setup\n");
  json_string(c.json, "bench", "multilevel");
  json_string(c.json, "version", params->version);
  json_string(c.json, "commit", params->commit);
  json_string(c.json, "device", exec->device);
  json_number(c.json, "copy_gb_per_s", copy);
  json_array(c.json, "figures");
  status = large ? run_large(&c) : run_sizes(&c, &worst);
  json_end(c.json);
  if (status == OK && !c.growth && !large) {
    fprintf(out, "worst regret of auto: %.0f %%\n", 100 * worst);
    json_number(c.json, "worst_regret", worst);
  }
  if (status == OK && params->json) status = json_save(c.json, params->json);
done:
  json_destroy(&c.json);
  return status;
}
