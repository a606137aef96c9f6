/* Elasticity in time with inertia, as the program sees it. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/transient.h"
#include "app/run/run.h"

static Status transient_inspect(Inspection *k) {
  Elasticity *e = NULL;
  const Status status = elastic_inspect_free(k, &e);
  elasticity_destroy(&e);
  return status;
}

const Analysis transient_analysis = {
    .fields = FIELDS_TRANSIENT,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_TRANSIENT | HAS_STEPS | HAS_INERTIA), .analysis = "transient",
                .schema = &elasticity_schema, .check = transient_check, .cell_tables = ELASTIC_CELL_TABLES,
                .step_unit = UNIT_TIME, .column_unit = elastic_column_unit, .save_steps = report_save_steps,
                .print_steps = report_print_steps, .inspect = transient_inspect, .shares = true,
                .cost = {.build = 40e-6, .step = 20e-6, .launch = 0.003}, .steps = run_steps, .run = run_transient}};
