/* How far the spectrum of the scaled matrix reaches on a mesh of `sinew bench pcg`: the Lanczos estimate, the bound
 * that the polynomials take, and the strict one of the elements; scaled by points (csr) and by diagonal blocks
 * (sbell). */
#include "bench/pcg/pcg.h"
#include "bench/spmv/spmv.h"

#include <stdio.h>

/* Setup alone: a solve of 0 = 0 fills in the report. */
static Status measure_bounds(PcgPlace *p, const char *format, LinearReport *report, double *seconds) {
  LinearParams params = linear_params_default();
  LinearSolver *solver = NULL;
  double bound;
  bool blocks;
  Status status;
  params.preconditioner = "least-squares";
  params.inner = LINEAR_INNER_DOUBLE;
  TRY(pcg_place_format(p, format));
  TRY_DONE(linear_create(p->exec, &params, p->a, &solver));
  linear_wants_bound(solver, &blocks);
  TRY_DONE(elasticity_spectrum_bound(p->problem.elasticity, blocks, &bound)); /* warm */
  const double begin = bench_now();
  TRY_DONE(elasticity_spectrum_bound(p->problem.elasticity, blocks, &bound));
  *seconds = bench_now() - begin;
  linear_set_bound(solver, bound);
  TRY_DONE(linear_setup(solver));
  TRY_DONE(exec_zero(p->exec, p->x, (size_t)p->n * sizeof *p->x));
  TRY_DONE(exec_zero(p->exec, p->r, (size_t)p->n * sizeof *p->r));
  TRY_DONE(linear_solve(solver, p->r, p->x, report));
done:
  linear_destroy(&solver);
  return status;
}

Status pcg_bounds(const PcgBench *bench, PcgPlace *p) {
  static const char *const FORMAT[] = {"sbell", "csr"}, *const SCALED[] = {"blocks", "points"};
  Json *json = bench->json;
  json_array(json, "spectrum");
  for (int i = 0; i < 2; ++i) {
    LinearReport report;
    double seconds;
    TRY(measure_bounds(p, FORMAT[i], &report, &seconds));
    fprintf(bench->out, "%sspectrum scaled by %s: Lanczos %.4f, bound taken %.4f, elements %.4f (in %.3f ms)\n",
            bench->params->markdown ? "\n" : "", SCALED[i], report.lanczos, report.bound, report.strict_bound,
            1e3 * seconds);
    json_object(json, NULL);
    json_string(json, "scaled_by", SCALED[i]);
    json_number(json, "lanczos", report.lanczos);
    json_number(json, "bound", report.bound);
    json_number(json, "element_bound", report.strict_bound);
    json_number(json, "element_bound_ms", 1e3 * seconds);
    json_end(json);
  }
  json_end(json);
  return OK;
}
