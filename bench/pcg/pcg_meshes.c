/* Table 5 and Figure 10 of the polynomial-PCG paper: least squares of order 6 on its four meshes, on the CPU in CSR and
 * double, and the speed-up over that. The paper's GPU is a GeForce GT 430; of Figure 10 its text gives the ranges over
 * the meshes. */
#include "bench/pcg/pcg.h"

#include <stdio.h>
#include <string.h>

enum { ORDER_CHOSEN = 6, VARIANTS = 4 };
static const struct {
  const char *mesh;
  double jacobi, least_squares; /* s */
} PAPER_MESH[BENCH_PROBLEMS] = {
    {"tri", 666.88, 650.86}, {"quad", 64.92, 65.33}, {"tet", 243.11, 327.22}, {"hex", 43.98, 63.38}};
static const struct {
  const char *format, *inner;
  double low, high;
} PAPER_SPEEDUP[VARIANTS] = {{"csr", "double", 1.2, 3.8},
                             {"csr", "float", 1.8, 4.5},
                             {"sbell", "double", 5.5, 6.9},
                             {"sbell", "float", 7.2, 9.1}};

int pcg_problem(const char *name) {
  int i = 0;
  while (i < BENCH_PROBLEMS - 1 && strcmp(problem_name(i), name) != 0) ++i;
  return i;
}

/* A mesh of Table 5 and Figure 10. */
typedef struct MeshFigures {
  PcgFigure jacobi, least_squares; /* on the CPU, CSR, double */
  PcgFigure variant[VARIANTS];     /* on the Exec */
  int64_t unknowns;
} MeshFigures;

static Status mesh_measure(const PcgBench *bench, Exec *cpu, int index, MeshFigures *f) {
  PcgPlace p;
  PcgWish wish = {.format = "csr", .preconditioner = "jacobi", .inner = "double", .rtol = PCG_PAPER_RTOL};
  TRY(pcg_place_create(cpu, index, bench->percent, &p));
  f->unknowns = elasticity_unknowns(p.problem.elasticity);
  p.repeat = 1;
  Status status;
  TRY_DONE(pcg_measure(&p, &wish, &f->jacobi));
  wish.preconditioner = "least-squares";
  wish.degree = ORDER_CHOSEN + 1;
  TRY_DONE(pcg_measure(&p, &wish, &f->least_squares));
  if (cpu != bench->exec) {
    pcg_place_release(&p);
    TRY(pcg_place_create(bench->exec, index, bench->percent, &p));
  }
  p.repeat = bench->params->repeat;
  for (int v = 0; v < VARIANTS; ++v) {
    wish.format = PAPER_SPEEDUP[v].format;
    wish.inner = PAPER_SPEEDUP[v].inner;
    TRY_DONE(pcg_measure(&p, &wish, &f->variant[v]));
  }
done:
  pcg_place_release(&p);
  return status;
}

static void table5_row(const PcgBench *bench, int i, const MeshFigures *f) {
  Json *json = bench->json;
  fprintf(bench->out,
          bench->params->markdown ? "| %s | %lld | %.2f | %.3f | %.2f | %.3f | %.2f | %.2f |\n"
                                  : "%-5s %10lld %12.2f %12.3f %12.2f %12.3f %9.2f %9.2f\n",
          PAPER_MESH[i].mesh, (long long)f->unknowns, PAPER_MESH[i].jacobi, f->jacobi.seconds,
          PAPER_MESH[i].least_squares, f->least_squares.seconds, PAPER_MESH[i].least_squares / PAPER_MESH[i].jacobi,
          f->jacobi.seconds > 0 ? f->least_squares.seconds / f->jacobi.seconds : 0);
  json_object(json, NULL);
  json_string(json, "mesh", PAPER_MESH[i].mesh);
  json_integer(json, "unknowns", f->unknowns);
  json_number(json, "paper_jacobi_seconds", PAPER_MESH[i].jacobi);
  json_number(json, "paper_least_squares_seconds", PAPER_MESH[i].least_squares);
  json_bool(json, "converged", pcg_converged(&f->jacobi) && pcg_converged(&f->least_squares));
  json_integer(json, "jacobi_iterations", f->jacobi.iterations);
  json_integer(json, "least_squares_iterations", f->least_squares.iterations);
  json_number(json, "jacobi_seconds", f->jacobi.seconds);
  json_number(json, "least_squares_seconds", f->least_squares.seconds);
  json_array(json, "figure10");
  for (int v = 0; v < VARIANTS; ++v) {
    const PcgFigure *g = &f->variant[v];
    json_object(json, NULL);
    json_string(json, "format", PAPER_SPEEDUP[v].format);
    json_string(json, "precision", PAPER_SPEEDUP[v].inner);
    json_number(json, "paper_lowest", PAPER_SPEEDUP[v].low);
    json_number(json, "paper_highest", PAPER_SPEEDUP[v].high);
    json_bool(json, "converged", pcg_converged(g));
    json_number(json, "seconds", g->seconds);
    json_number(json, "speedup", g->seconds > 0 ? f->least_squares.seconds / g->seconds : 0);
    json_end(json);
  }
  json_end(json);
  json_end(json);
}

static void figure10(const PcgBench *bench, const MeshFigures *mesh, const bool *has) {
  fprintf(bench->out, "\nFigure 10: least squares of order 6 on %s, over the CPU in CSR and double%s\n\n",
          bench->exec->device, exec_is_host(bench->exec) ? " (here both are the CPU)" : "");
  fprintf(bench->out,
          bench->params->markdown ? "| | paper | tri | quad | tet | hex |\n|---|---|---|---|---|---|\n"
                                  : "%-16s %12s %9s %9s %9s %9s\n",
          "", "paper", "tri", "quad", "tet", "hex");
  for (int v = 0; v < VARIANTS; ++v) {
    fprintf(bench->out, bench->params->markdown ? "| %s %s | %.1f to %.1f |" : "%-6s %-9s %4.1f to %4.1f",
            PAPER_SPEEDUP[v].format, strcmp(PAPER_SPEEDUP[v].inner, "double") ? "mixed" : "double",
            PAPER_SPEEDUP[v].low, PAPER_SPEEDUP[v].high);
    for (int i = 0; i < BENCH_PROBLEMS; ++i) {
      const double seconds = has[i] ? mesh[i].variant[v].seconds : 0;
      char text[32] = "-";
      if (seconds > 0) snprintf(text, sizeof text, "%.2f", mesh[i].least_squares.seconds / seconds);
      fprintf(bench->out, bench->params->markdown ? " %s |" : " %9s", text);
    }
    fputc('\n', bench->out);
  }
}

Status pcg_paper_meshes(const PcgBench *bench, Exec *cpu) {
  MeshFigures mesh[BENCH_PROBLEMS];
  bool has[BENCH_PROBLEMS] = {false};
  for (int i = 0; i < BENCH_PROBLEMS; ++i) {
    has[i] = bench_wants(bench->params, PAPER_MESH[i].mesh);
    if (has[i]) TRY(mesh_measure(bench, cpu, pcg_problem(PAPER_MESH[i].mesh), &mesh[i]));
  }
  fprintf(bench->out, "\nTable 5: seconds on the CPU, CSR, double, to 1e-7; least squares of order 6; ours: %s\n\n",
          cpu->device);
  fprintf(bench->out,
          bench->params->markdown
              ? "| mesh | unknowns | Jacobi, paper | ours | least squares, paper | ours | over Jacobi, paper | ours |\n"
                "|---|---|---|---|---|---|---|---|\n"
              : "mesh    unknowns paper Jacobi  ours Jacobi   paper L-S     ours L-S  L-S / Jacobi: paper, ours\n");
  json_array(bench->json, "table5");
  for (int i = 0; i < BENCH_PROBLEMS; ++i)
    if (has[i]) table5_row(bench, i, &mesh[i]);
  json_end(bench->json);
  figure10(bench, mesh, has);
  return OK;
}
