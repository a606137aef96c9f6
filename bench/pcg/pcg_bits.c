/* What low precision inside the polynomial costs in outer iterations: the four meshes of the bench, then what makes systems
 * hard (slivers, contrast, a ratio near 0.5, flat elements), then the meshes of a folder, held on their last group of
 * facets. */
#include "bench/pcg/pcg.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INNERS = 6, BITS_PERCENT = 25, DEGREE = 8 };
static const char *const INNER[INNERS] = {"double", "float", "bfloat16", "half", "int8", "auto"};

typedef struct Hard {
  const char *name, *mesh;
  double poisson, contrast, flat, sliver; /* z times `flat`; every 50th node moved by `sliver` of a cell in x */
} Hard;
static const Hard HARD[] = {{"tet, slivers", "tet", 0, 0, 1, 0.999},     {"hex, contrast 1e6", "hex", 0, 1e6, 1, 0},
                            {"tet, contrast 1e6", "tet", 0, 1e6, 1, 0},  {"hex, ratio 0.499", "hex", 0.499, 0, 1, 0},
                            {"tri, ratio 0.499", "tri", 0.499, 0, 1, 0}, {"hex, 100:1", "hex", 0, 0, 0.01, 0},
                            {"tet, 100:1", "tet", 0, 0, 0.01, 0}};

/* Nodes inside a unit box. */
static void deform(Mesh *mesh, const Hard *hard) {
  const double cell = 1 / round(pow(mesh->n_node, 1.0 / mesh->dim) - 1);
  for (int32_t i = 7; i < mesh->n_node; i += 50) {
    bool inside = true;
    for (int k = 0; k < mesh->dim; ++k) inside = inside && mesh->x[i][k] > 1e-9 && mesh->x[i][k] < 1 - 1e-9;
    if (inside) mesh->x[i][0] += hard->sliver * cell;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) mesh->x[i][2] *= hard->flat;
}

static void print_row(const PcgBench *bench, const PcgPlace *p, const PcgFigure f[INNERS]) {
  const bool markdown = bench->params->markdown;
  fprintf(bench->out, markdown ? "| %s | %lld |" : "%-20s %10lld", p->problem.name,
          (long long)elasticity_unknowns(p->problem.elasticity));
  for (int k = 0; k < INNERS; ++k) {
    char text[64] = "-";
    if (pcg_converged(&f[k])) snprintf(text, sizeof text, "%lld", (long long)f[k].iterations);
    if (pcg_converged(&f[k]) && k == INNERS - 1)
      snprintf(text, sizeof text, "%lld %s", (long long)f[k].iterations, f[k].stored);
    fprintf(bench->out, markdown ? " %s |" : " %12s", text);
  }
  const double ratio =
      pcg_converged(&f[0]) && pcg_converged(&f[4]) ? (double)f[4].iterations / (double)f[0].iterations : 0;
  fprintf(bench->out, markdown ? " %.3f |\n" : " %8.3f\n", ratio);
}

static Status measure(const PcgBench *bench, BenchProblem *problem) {
  PcgPlace p;
  PcgFigure f[INNERS];
  TRY(pcg_place_on(bench->exec, problem, &p));
  p.copy = bench->copy;
  p.repeat = 1;
  Status status = OK;
  for (int k = 0; status == OK && k < INNERS; ++k) {
    const PcgWish wish = {
        .format = "sbell", .preconditioner = "least-squares", .inner = INNER[k], .degree = DEGREE, .rtol = bench->rtol};
    status = pcg_measure(&p, &wish, &f[k]);
    if (status == OK) pcg_write(bench, &p, &f[k], "bits");
  }
  if (status == OK) print_row(bench, &p, f);
  status_warnings_clear();
  pcg_place_release(&p);
  return status;
}

static Status box(const PcgBench *bench, int i, int32_t percent, const Hard *hard) {
  const ProblemParams params = {.name = hard ? hard->name : problem_name(i),
                                .held = "x0",
                                .body = "body",
                                .poisson = hard ? hard->poisson : 0,
                                .contrast = hard ? hard->contrast : 0};
  Mesh *mesh = NULL;
  BenchProblem problem;
  TRY(problem_mesh(i, percent, &mesh));
  if (hard) deform(mesh, hard);
  TRY(problem_on(bench->exec, mesh, &params, &problem));
  return measure(bench, &problem);
}

static Status file(const PcgBench *bench, const char *folder, const char *name) {
  char path[1024];
  Mesh *mesh = NULL;
  BenchProblem problem;
  ProblemParams params = {.name = name};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  TRY(mesh_load(&(MeshParams){.path = path}, &mesh));
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    if (mesh->group[g].dim == mesh->dim) params.body = mesh->group[g].name;
    if (mesh->group[g].dim == mesh->dim - 1) params.held = mesh->group[g].name;
  }
  if (!params.held || !params.body) {
    fprintf(bench->out, "%s: left out, it has no group of facets and of elements\n", name);
    mesh_destroy(&mesh);
    return OK;
  }
  TRY(problem_on(bench->exec, mesh, &params, &problem));
  return measure(bench, &problem);
}

static Status folder(const PcgBench *bench) {
  Status status = OK;
  DIR *dir = bench->params->meshes ? opendir(bench->params->meshes) : NULL;
  CHECK(dir || !bench->params->meshes, ERR_IO, "%s: no folder of meshes that can be read", bench->params->meshes);
  for (struct dirent *entry; dir && status == OK && (entry = readdir(dir));) {
    const char *end = strrchr(entry->d_name, '.');
    if (end && (!strcmp(end, ".msh") || !strcmp(end, ".h5")))
      status = file(bench, bench->params->meshes, entry->d_name);
  }
  if (dir) closedir(dir);
  return status;
}

Status pcg_bits(const PcgBench *bench) {
  const int32_t percent = bench->params->percent > 0 || bench->params->quick ? bench->percent : BITS_PERCENT;
  fprintf(bench->out, "\nOuter iterations of least squares %d by the precision inside, to %.0e; meshes at %d %%\n\n",
          DEGREE, bench->rtol, (int)percent);
  fprintf(bench->out,
          bench->params->markdown ? "| system | unknowns | double | float | bfloat16 | half | int8 | auto | int8 / "
                                    "double |\n|---|---|---|---|---|---|---|---|---|\n"
                                  : "%-20s %10s %12s %12s %12s %12s %12s %12s %8s\n",
          "system", "unknowns", "double", "float", "bfloat16", "half", "int8", "auto", "int8/dbl");
  json_array(bench->json, "bits");
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    if (bench_wants(bench->params, problem_name(i))) TRY(box(bench, i, percent, NULL));
  for (size_t k = 0; k < sizeof HARD / sizeof *HARD; ++k)
    if (bench_wants(bench->params, HARD[k].mesh)) TRY(box(bench, pcg_problem(HARD[k].mesh), percent, &HARD[k]));
  TRY(folder(bench));
  json_end(bench->json);
  return OK;
}
