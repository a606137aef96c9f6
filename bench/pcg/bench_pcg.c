/* `sinew bench pcg`: the polynomial-PCG paper's tables beside ours, and every preconditioner, precision and format on
 * its matrices, beside the bytes that an iteration must move at the copy bandwidth of the same run and beside others'
 * solvers. pcg.h says which file does what. */
#include "bench/pcg/pcg.h"
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"

#include <string.h>

enum { QUICK_PERCENT = 6, QUICK_REPEAT = 1 };

static const char *const PARTS[] = {"table3", "cpu", "solves", "rivals", "small", "marks", "bits", "many"};
enum { N_PART = (int)(sizeof PARTS / sizeof *PARTS) };
static const char *const LOADS =
    "unit square or cube, E 210, nu 0.3 (plane stress in 2D), face x = 0 held, its own weight (density 1, acceleration "
    "1 in "
    "-y or -z) on every free node, from zero; the paper does not give its loads and supports";

static Status check_part(const char *list) {
  for (const char *at = list; at && *at;) {
    const size_t n = strcspn(at, ",");
    bool found = false;
    for (int i = 0; i < N_PART; ++i) found |= strlen(PARTS[i]) == n && !strncmp(PARTS[i], at, n);
    CHECK(found, ERR_USAGE,
          "'pcg' has no part '%.*s'\n  allowed, with commas between: table3, cpu, solves, rivals, small, marks, bits, "
          "many",
          (int)(n < 40 ? n : 40), at);
    at += n + (at[n] == ',');
  }
  return OK;
}

static Status check_only(const BenchParams *params) {
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    if (bench_wants(params, problem_name(i))) return OK;
  return FAIL(ERR_USAGE, "no problem of 'pcg' is called '%.40s'\n  allowed: quad, hex, tet, tri", params->only);
}

/* Only when it is asked for: the marks repeat rows of the other parts, several right-hand sides take their time. */
static bool part_named(const PcgBench *bench, const char *part) {
  return bench->params->part && pcg_wants(bench, part);
}

static Status dump(const PcgBench *bench, PcgPlace *p) {
  const Elasticity *e = p->problem.elasticity;
  const int32_t n = elasticity_rigid_count(e);
  double *motions = NULL;
  TRY(pcg_place_format(p, "csr"));
  ALLOC(motions, n * elasticity_dofs(e), "rigid motions");
  Status status = elasticity_rigid_motions(e, motions);
  if (status == OK) status = petsc_dump(p->exec, elasticity_pattern(e), p->a, p->b, motions, n, bench->params->dump);
  FREE(motions);
  return status;
}

static Status mesh_fill(const PcgBench *bench, PcgPlace *p) {
  TRY(pcg_place_format(p, "sbell"));
  fprintf(bench->out, "\n%s: %lld unknowns, %lld entries, to a true residual of %.0e\n", p->problem.name,
          (long long)elasticity_unknowns(p->problem.elasticity), (long long)mat_entries(p->a), bench->rtol);
  json_string(bench->json, "mesh", p->problem.name);
  json_integer(bench->json, "unknowns", elasticity_unknowns(p->problem.elasticity));
  json_integer(bench->json, "entries", mat_entries(p->a));
  if (pcg_wants(bench, "solves")) TRY(pcg_bounds(bench, p));
  pcg_header(bench);
  json_array(bench->json, "solves");
  if (pcg_wants(bench, "solves")) TRY(pcg_sweep(bench, p));
  json_end(bench->json);
  json_array(bench->json, "rivals");
  if (pcg_wants(bench, "rivals")) TRY(pcg_rivals(bench, p));
  json_end(bench->json);
  if (part_named(bench, "marks")) {
    json_array(bench->json, "marks");
    TRY(pcg_marks(bench, p));
    json_end(bench->json);
  }
  if (part_named(bench, "many")) {
    json_array(bench->json, "many");
    TRY(pcg_many(bench, p));
    json_end(bench->json);
  }
  return bench->params->dump ? dump(bench, p) : OK;
}

static Status meshes(const PcgBench *bench) {
  json_array(bench->json, "meshes");
  for (int i = 0; i < BENCH_PROBLEMS; ++i) {
    PcgPlace p;
    if (!bench_wants(bench->params, problem_name(i))) continue;
    TRY(pcg_place_create(bench->exec, i, bench->percent, &p));
    p.copy = bench->copy;
    p.repeat = bench->params->repeat > 0 ? bench->params->repeat : bench->params->quick ? QUICK_REPEAT : 0;
    json_object(bench->json, NULL);
    const Status status = mesh_fill(bench, &p);
    json_end(bench->json);
    pcg_place_release(&p);
    TRY(status);
  }
  json_end(bench->json);
  return OK;
}

static void head(const PcgBench *bench) {
  Json *json = bench->json;
  fprintf(bench->out, "%s: copy %.0f GB/s; meshes at %d %% of the paper's edge lengths\nProblem: %s.\n",
          bench->exec->device, bench->copy, (int)bench->percent, LOADS);
  json_string(json, "bench", "pcg");
  json_string(json, "version", bench->params->version);
  json_string(json, "commit", bench->params->commit);
  json_string(json, "device", bench->exec->device);
  json_number(json, "copy_gb_per_s", bench->copy);
  json_integer(json, "percent", bench->percent);
  json_number(json, "rtol", bench->rtol);
  json_string(json, "problem", LOADS);
}

static Status pcg_run_parts(const PcgBench *bench) {
  head(bench);
  TRY(pcg_paper(bench));
  if (pcg_wants(bench, "solves") || pcg_wants(bench, "rivals") || pcg_wants(bench, "marks") ||
      pcg_wants(bench, "many") || bench->params->dump)
    TRY(meshes(bench));
  if (pcg_wants(bench, "small") && bench_wants(bench->params, "hex")) TRY(pcg_small(bench));
  if (part_named(bench, "bits")) TRY(pcg_bits(bench));
  if (part_named(bench, "marks") && bench_wants(bench->params, "hex")) {
    pcg_header(bench);
    json_array(bench->json, "marks of small systems");
    TRY(pcg_marks_small(bench));
    json_end(bench->json);
  }
  return OK;
}

Status bench_pcg(Exec *exec, const BenchParams *params, FILE *out) {
  TRY(check_part(params->part));
  TRY(check_only(params));
  PcgBench bench = {.exec = exec,
                    .params = params,
                    .out = out,
                    .percent = params->percent > 0 ? params->percent
                               : params->quick     ? QUICK_PERCENT
                                                   : 100,
                    .rtol = params->rtol > 0 ? params->rtol : 1e-8};
  Status status;
  TRY_DONE(json_create(&bench.json));
  TRY_DONE(bench_copy(exec, &bench.copy));
  TRY_DONE(pcg_run_parts(&bench));
  if (params->json) TRY_DONE(json_save(bench.json, params->json));
done:
  json_destroy(&bench.json);
  return status;
}
