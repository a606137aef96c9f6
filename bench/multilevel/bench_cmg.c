/* `sinew bench cmg`: power grids of the sizes of the IBM benchmarks (netlist.c; not the same grids) by combinatorial
 * multigrid and by the diagonal, to a true residual of 1e-8, beside the thesis papers/cmg-segspmv: Table 6.3 (sizes),
 * 6.4 (levels), 6.8 (PCG with its CPU product, and with segSpMV on a Tesla C2075), 6.10 (segSpmvNew). Its
 * seconds are those of other grids, to a tolerance that it does not give. */
#include "bench/measure.h"
#include "bench/multilevel/netlist.h"
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/multigrid/cmg.h"
#include "solver/krylov/linear_solver.h"

#include <string.h>

/* The first four are easy. The others have what the benchmarks are known to have: their pads (voltage sources less
 * those that are shorts; where shorts are resistors too, at most so many), wires that conduct 10600 times better on
 * top, as those of the ninth layer of a 45 nm process do against its first (Moon 2008: 7000 x 17500 nm, 144 x 80 nm),
 * and vias like a piece of thin wire. */
static const struct {
  const char *name;
  int32_t n, n_layer, levels;         /* Tables 6.3, 6.2, 6.4 */
  double cpu, seg_spmv, seg_spmv_new; /* PCG, seconds: Tables 6.8, 6.10 */
  int32_t n_pad;
  double top, via;
} GRIDS[] = {
    {"pg1", 44943, 2, 5, 7.60, 38.5, 15.3, 0, 0, 0},         {"pg2", 127565, 5, 6, 0.78, 5.1, 2.37, 0, 0, 0},
    {"pg3", 852536, 5, 7, 7.03, 44, 18.7, 0, 0, 0},          {"pg4", 954542, 6, 7, 4.40, 21, 11.8, 0, 0, 0},
    {"hard1", 44943, 2, 5, 7.60, 38.5, 15.3, 100, 10600, 1}, {"hard2", 127565, 5, 6, 0.78, 5.1, 2.37, 330, 10600, 1},
    {"hard3", 852536, 5, 7, 7.03, 44, 18.7, 494, 10600, 1},  {"hard4", 954542, 6, 7, 4.40, 21, 11.8, 962, 10600, 1}};
static const struct {
  const char *name, *preconditioner, *precision;
  int32_t degree;
  double value[4]; /* of the preconditioner, where there is a degree */
} SOLVERS[] = {{"jacobi", "jacobi", "double", 0, {0}},
               {"thesis", "cmg", "double", 1, {0, 1, 200, 0}}, /* its recursion and its smoother */
               {"cmg", "cmg", "double", 2, {1, 0, 200, 0.7}},
               {"cmg", "cmg", "mixed", 2, {1, 0, 200, 0.7}}};
enum { N_GRIDS = 8, N_SOLVERS = 4 };

typedef struct CmgBench {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  int32_t grid;
  Netlist netlist;
  Mat *a;
  double *b, *x; /* owned, on the Exec */
} CmgBench;

static void release(CmgBench *c) {
  const int64_t n = c->netlist.pattern ? c->netlist.pattern->n : 0;
  EXEC_RELEASE(c->exec, c->b, n);
  EXEC_RELEASE(c->exec, c->x, n);
  mat_destroy(&c->a);
  netlist_release(&c->netlist);
}

static Status make_matrix(const CmgBench *c, const char *format, Mat **out) {
  const Pattern *p = c->netlist.pattern;
  double *value = NULL;
  TRY(mat_create(c->exec, &(MatParams){.format = format}, p, out));
  const SlotMap *slots = mat_slots(*out);
  TRY(slot_map_fetch(slots));
  ALLOC(value, slots->n_value, "values of the matrix");
  for (int64_t k = 0; k < p->start[p->n]; ++k) value[slots->slot[k]] = c->netlist.value[k];
  const Status status = exec_upload(c->exec, mat_values(*out), value, (size_t)slots->n_value * sizeof *value);
  FREE(value);
  return status;
}

/* For bench/rival/petsc_cg.c; the near-null vector of a scalar problem is known to everyone. */
static Status dump(const CmgBench *c) {
  Mat *csr = NULL;
  Status status = make_matrix(c, "csr", &csr);
  if (status == OK) status = petsc_dump(c->exec, c->netlist.pattern, csr, c->b, NULL, 0, c->params->dump);
  mat_destroy(&csr);
  return status;
}

static Status make_system(CmgBench *c) {
  const int32_t percent = c->params->percent > 0 ? c->params->percent : 100;
  const int64_t n = (int64_t)GRIDS[c->grid].n * percent / 100 * percent / 100; /* percent of an edge length */
  const NetlistParams params = {.n = n < 64 ? 64 : (int32_t)n,
                                .n_layer = GRIDS[c->grid].n_layer,
                                .n_pad = (int32_t)((int64_t)GRIDS[c->grid].n_pad * percent / 100 * percent / 100),
                                .top = GRIDS[c->grid].top,
                                .via = GRIDS[c->grid].via};
  TRY(netlist_create(&params, &c->netlist));
  const Pattern *p = c->netlist.pattern;
  TRY(make_matrix(c, "sell", &c->a));
  TRY(exec_alloc_upload(c->exec, p->n, sizeof(double), c->netlist.current, "currents", (void **)&c->b));
  EXEC_ALLOC(c->exec, c->x, p->n, "voltages");
  return c->params->dump ? dump(c) : OK;
}

static void report(const CmgBench *c, int32_t solver, const LinearReport *r, int32_t n_level, double complexity) {
  Json *json = c->json;
  const Pattern *p = c->netlist.pattern;
  fprintf(c->out, "%-5s %8d %9lld  %-7s %-7s %6lld %11.2f %10.2f  %9.1e", GRIDS[c->grid].name, p->n,
          (long long)p->start[p->n], SOLVERS[solver].name, SOLVERS[solver].precision, (long long)r->iterations,
          1e3 * r->setup_seconds, 1e3 * r->solve_seconds, r->true_residual);
  if (n_level) fprintf(c->out, "  %d levels (thesis %d), complexity %.2f", n_level, GRIDS[c->grid].levels, complexity);
  fprintf(c->out, "\n");
  json_object(json, NULL);
  json_string(json, "grid", GRIDS[c->grid].name);
  json_integer(json, "unknowns", p->n);
  json_integer(json, "entries", p->start[p->n]);
  json_string(json, "preconditioner", SOLVERS[solver].name);
  json_string(json, "precision", SOLVERS[solver].precision);
  json_integer(json, "iterations", r->iterations);
  json_number(json, "setup_ms", 1e3 * r->setup_seconds);
  json_number(json, "solve_ms", 1e3 * r->solve_seconds);
  json_number(json, "true_residual", r->true_residual);
  if (n_level) {
    json_integer(json, "levels", n_level);
    json_number(json, "operator_complexity", complexity);
    json_integer(json, "thesis_levels", GRIDS[c->grid].levels);
    json_number(json, "thesis_cpu_seconds", GRIDS[c->grid].cpu);
    json_number(json, "thesis_seg_spmv_seconds", GRIDS[c->grid].seg_spmv);
    json_number(json, "thesis_seg_spmv_new_seconds", GRIDS[c->grid].seg_spmv_new);
  }
  json_end(json);
}

/* On a GPU the second solve counts: the first one also records the loop. */
static Status run_solver(CmgBench *c, int32_t solver) {
  LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  LinearReport r;
  int32_t n_level = 0;
  double complexity = 0;
  Status status;
  params.preconditioner = SOLVERS[solver].preconditioner;
  params.degree = SOLVERS[solver].degree;
  for (int32_t k = 0; params.degree && k < 4; ++k) params.values[k] = SOLVERS[solver].value[k];
  params.has_values = params.degree > 0;
  params.pattern = c->netlist.pattern;
  params.rtol = c->params->rtol > 0 ? c->params->rtol : 1e-8;
  TRY(linear_params_precision(&params, SOLVERS[solver].precision));
  TRY(linear_create(c->exec, &params, c->a, &s));
  TRY_DONE(linear_setup(s));
  for (int k = exec_is_host(c->exec); k < 2; ++k) {
    TRY_DONE(exec_zero(c->exec, c->x, (size_t)c->netlist.pattern->n * sizeof *c->x));
    TRY_DONE(linear_solve(s, c->b, c->x, &r));
  }
  if (s->m->type->dominant) cmg_size(s->m, &n_level, &complexity);
  report(c, solver, &r, n_level, complexity);
done:
  linear_destroy(&s);
  return status;
}

static Status run_grid(Exec *exec, const BenchParams *params, int32_t grid, FILE *out, Json *json) {
  CmgBench c = {.exec = exec, .params = params, .out = out, .json = json, .grid = grid};
  Status status = make_system(&c);
  for (int32_t i = 0; status == OK && i < N_SOLVERS; ++i)
    if (!params->part || !strcmp(params->part, SOLVERS[i].name)) status = run_solver(&c, i);
  if (status == OK)
    fprintf(out, "     thesis, ibmpg%d: CPU %.2f s, segSpMV %.1f s, segSpmvNew %.2f s\n", grid % 4 + 1, GRIDS[grid].cpu,
            GRIDS[grid].seg_spmv, GRIDS[grid].seg_spmv_new);
  release(&c);
  return status;
}

static Status check(const BenchParams *params) {
  bool part = !params->part, grid = !params->only;
  for (int32_t i = 0; i < N_SOLVERS; ++i) part = part || !strcmp(params->part, SOLVERS[i].name);
  CHECK(part, ERR_USAGE, "'cmg' has no part '%.40s'\n  allowed: jacobi, thesis, cmg", params->part);
  for (int32_t i = 0; i < N_GRIDS; ++i) grid = grid || bench_wants(params, GRIDS[i].name);
  CHECK(grid, ERR_USAGE, "no grid of 'cmg' is called '%.40s'\n  allowed: pg1 to pg4, hard1 to hard4", params->only);
  return OK;
}

Status bench_cmg(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  double copy;
  TRY(check(params));
  TRY_DONE(json_create(&json));
  TRY_DONE(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s; power grids, generated\n", exec->device, copy);
  fprintf(out, "grid  unknowns   entries  solver  vectors  its    setup ms   solve ms   residual\n");
  json_string(json, "bench", "cmg");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_number(json, "copy_gb_per_s", copy);
  json_array(json, "figures");
  for (int32_t i = 0; i < N_GRIDS; ++i)
    if (bench_wants(params, GRIDS[i].name)) TRY_DONE(run_grid(exec, params, i, out, json));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
