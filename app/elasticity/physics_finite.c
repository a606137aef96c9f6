/* Elasticity at finite strain, as the program sees it. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/finite.h"
#include "output/wording.h"

#include <stdio.h>

static void finite_save(const RunReport *report, Json *json) {
  json_number(json, "time", report->time);
  json_integer(json, "steps", report->steps);
  json_integer(json, "failed_steps", report->rejected);
  json_integer(json, "newton_iterations", report->heart.newton);
  json_integer(json, "linear_solves", report->linear.solves);
  json_array(json, "load_steps");
  for (int32_t k = 0; k < report->n_load_step; ++k) {
    const RunLoadStep *row = &report->load_step[k];
    json_object(json, NULL);
    json_number(json, "time", row->time);
    json_integer(json, "newton", row->newton);
    json_integer(json, "iterations", row->iterations);
    json_integer(json, "failed", row->failed);
    json_number(json, "residual", row->residual);
    json_end(json);
  }
  json_end(json);
}

static void finite_print(const RunReport *report, const Case *c) {
  char a[32], b[32], d[32];
  (void)c;
  printf("time         %g after %s steps, %s Newton steps", report->time, count_text(report->steps, a),
         count_text(report->heart.newton, b));
  if (report->rejected) printf(", %s cut", count_text(report->rejected, d));
  printf("; %.3g iterations each",
         report->heart.newton ? (double)report->linear.iterations / (double)report->heart.newton : 0.0);
  if (report->linear.solves > report->heart.newton)
    printf(", in %s linear solves", count_text(report->linear.solves, d));
  printf("\n");
}

const Analysis finite_analysis = {
    .fields = FIELDS_FINITE,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_FINITE | HAS_STEPS | HAS_LARGE_STRAIN), .strain = "finite",
                .schema = &elasticity_schema, .check = finite_check, .sum_letters = elasticity_sum_letters,
                .cell_sums = 1u << SUM_STRAIN_ENERGY, .cell_tables = ELASTIC_CELL_TABLES, .step_unit = UNIT_NONE,
                .column_unit = elastic_column_unit, .save_steps = finite_save, .print_steps = finite_print,
                .shares = true, .inspect = elastic_inspect, .cost = {.build = 40e-6, .step = 200e-6, .launch = 0.02},
                .steps = run_steps, .run = run_finite}};
