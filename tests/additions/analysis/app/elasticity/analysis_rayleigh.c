/* Rayleigh's quotient of a static deflection, omega^2 = u.K u / u.M u: no less than the lowest natural frequency, and near it
 * where the loads bend the body much as that mode does. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <stdio.h>

static void rayleigh_check(Case *c, Diagnostics *out) {
  elasticity_check(c, out);
  case_check_density(c, "rayleigh", out);
  if (c->load_cases.n) report_error(out, c->analysis.place, "rayleigh is of one deflection, and there are load cases");
}

/* u.M u, by the parts of all ranks. */
static Status mass_form(ElasticRun *r, ElasticityMass *mass, double *form) {
  Exec *exec = r->run->device.exec;
  const int64_t n = elasticity_rows(r->elasticity);
  double *force = NULL;
  EXEC_ALLOC(exec, force, r->n + 1, "inertia");
  const SumParts *before = exec_sum_over(exec, r->parts);
  Status status = elasticity_mass_residual(mass, r->u, force);
  if (status == OK) status = vec_dot(exec, n, r->u, force, force + r->n);
  exec_sum_over(exec, before);
  if (status == OK) status = exec_download(exec, form, force + r->n, sizeof *form);
  EXEC_RELEASE(exec, force, r->n + 1);
  *form = fabs(*form);
  return status;
}

static Status rayleigh_end(ElasticRun *r) {
  RunReport *report = r->run->report;
  ElasticityMass *mass = NULL;
  double form = 0;
  TRY(elastic_mass(r->run->c, r->elasticity, false, &mass));
  const Status status = mass_form(r, mass, &form);
  elasticity_mass_destroy(&mass);
  report->steps = 1;
  report->time = form > 0 ? sqrt(2 * report->energy / form) / (2 * acos(-1)) : 0;
  return status;
}

static void rayleigh_save(const RunReport *report, Json *json) { json_number(json, "frequency", report->time); }
static void rayleigh_print(const RunReport *report, const Case *c) {
  (void)c;
  printf("frequency    %g Hz or less, by Rayleigh's quotient\n", report->time);
}

const Analysis rayleigh_analysis = {
    .fields = FIELDS_STATIC,
    .like = &static_analysis,
    .end = rayleigh_end,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_RAYLEIGH | ANALYSIS_STATIC | HAS_INERTIA), .analysis = "rayleigh",
                .check = rayleigh_check, .sum_letters = elasticity_sum_letters, .cell_sums = 1u << SUM_STRAIN_ENERGY,
                .cell_tables = ELASTIC_CELL_TABLES, .step_unit = UNIT_TIME, .save_steps = rayleigh_save,
                .print_steps = rayleigh_print, .shares = true, .cost = {.build = 55e-6}}};
