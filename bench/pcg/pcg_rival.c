/* Others on the same systems: cuSPARSE and cuBLAS in the same run, PETSc on the CPU from the file of bench/petsc.sh. */
#include "bench/pcg/pcg.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

static void write_rival(const PcgBench *bench, const PcgPlace *p, const char *what, int ranks, int64_t iterations,
                        double seconds, double residual) {
  Json *json = bench->json;
  json_object(json, NULL);
  json_string(json, "mesh", p->problem.name);
  json_integer(json, "unknowns", elasticity_unknowns(p->problem.elasticity));
  json_string(json, "rival", what);
  if (ranks) json_integer(json, "ranks", ranks);
  json_integer(json, "iterations", iterations);
  json_number(json, "solve_ms", 1e3 * seconds);
  json_number(json, "us_per_iteration", 1e6 * seconds / (double)iterations);
  json_number(json, "true_residual", residual);
  json_end(json);
}

static void print_rival(const PcgBench *bench, const char *what, int64_t iterations, double seconds, double residual) {
  fprintf(bench->out,
          bench->params->markdown ? "| %s | csr | double | %lld | | %.3f | %.1f | | | %.1e | |\n"
                                  : "%-42s %6lld           %10.3f %9.1f                  %9.1e\n",
          what, (long long)iterations, 1e3 * seconds, 1e6 * seconds / (double)iterations, residual);
}

/* The vendor's product alone, of which the solve below makes one per iteration. */
static Status product(const PcgBench *bench, PcgPlace *p) {
  double seconds;
  char why[PCG_TEXT];
  TRY(rival_csr(p->exec, elasticity_pattern(p->problem.elasticity), p->a, p->b, p->x, bench->params->repeat, &seconds,
                why, sizeof why));
  if (seconds <= 0) return OK;
  fprintf(bench->out,
          bench->params->markdown ? "| cuSPARSE CSR, one product | csr | double | | | | %.1f | | | | |\n"
                                  : "cuSPARSE CSR, one product: %.1f us\n",
          1e6 * seconds);
  json_object(bench->json, NULL);
  json_string(bench->json, "mesh", p->problem.name);
  json_string(bench->json, "rival", "cuSPARSE CSR product");
  json_number(bench->json, "us", 1e6 * seconds);
  json_end(bench->json);
  return OK;
}

static Status library(const PcgBench *bench, PcgPlace *p) {
  RivalSolve r;
  double residual;
  TRY(pcg_place_format(p, "csr"));
  TRY(product(bench, p));
  TRY(rival_pcg(p->exec, elasticity_pattern(p->problem.elasticity), p->a, p->b, p->x, bench->rtol, &r));
  if (*r.why) {
    fprintf(bench->out,
            bench->params->markdown
                ? "| cuSPARSE + cuBLAS Jacobi-PCG | csr | double | not measured: %s | | | | | | | |\n"
                : "cuSPARSE + cuBLAS Jacobi-PCG: not measured: %s\n",
            r.why);
    return OK;
  }
  TRY(pcg_check_solution(p, p->x, &residual));
  const char *what = r.on_device ? "cuSPARSE + cuBLAS Jacobi-PCG, device scalars" : "cuSPARSE + cuBLAS Jacobi-PCG";
  print_rival(bench, what, r.iterations, r.seconds, residual);
  write_rival(bench, p, what, 0, r.iterations, r.seconds, residual);
  return OK;
}

/* A line of the file of petsc.sh: one object, keys in this order. */
static bool petsc_line(const char *line, char mesh[PCG_NAME], long long *rows, int *ranks, long long *iterations,
                       double *ms, double *residual) {
  return sscanf(line,
                " {\"mesh\": \"%31[^\"]\", \"rows\": %lld, \"ranks\": %d, \"iterations\": %lld, \"solve_ms\": %lf, "
                "\"true_residual\": %lf",
                mesh, rows, ranks, iterations, ms, residual) == 6;
}

static Status petsc(const PcgBench *bench, PcgPlace *p) {
  char line[512], mesh[PCG_NAME];
  long long rows, iterations;
  int ranks, found = 0;
  double ms, residual;
  if (!bench->params->petsc) return OK;
  FILE *f = fopen(bench->params->petsc, "r");
  CHECK(f, ERR_IO, "%s: cannot be read; bench/petsc.sh writes it", bench->params->petsc);
  while (fgets(line, sizeof line, f)) {
    if (!petsc_line(line, mesh, &rows, &ranks, &iterations, &ms, &residual)) continue;
    if (strcmp(mesh, p->problem.name) != 0 || rows != p->n || iterations < 1) continue;
    char what[64];
    snprintf(what, sizeof what, "PETSc CG + Jacobi, %d rank%s (its own run)", ranks, ranks == 1 ? "" : "s");
    print_rival(bench, what, iterations, 1e-3 * ms, residual);
    write_rival(bench, p, "PETSc CG + Jacobi", ranks, iterations, 1e-3 * ms, residual);
    found += 1;
  }
  fclose(f);
  if (!found)
    fprintf(bench->out, "PETSc: %s has no figures of %s with %lld rows\n", bench->params->petsc, p->problem.name,
            (long long)p->n);
  return OK;
}

Status pcg_rivals(const PcgBench *bench, PcgPlace *p) {
  TRY(library(bench, p));
  return petsc(bench, p);
}
