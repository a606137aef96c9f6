/* Buckling: modes of the stiffness of a load, whose factors take the place of frequencies (analysis_modal.c). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/modal.h"

#include <stdio.h>

static void factors_save(const RunReport *report, Json *json) {
  json_array(json, "modes");
  for (int32_t k = 0; k < report->modes.n; ++k) {
    json_object(json, NULL);
    json_number(json, "load_factor", report->modes.row[k].frequency);
    json_number(json, "residual", report->modes.row[k].residual);
    json_end(json);
  }
  json_end(json);
}

static void factors_print(const RunReport *report, const Case *c) {
  (void)c;
  printf("mode         load factor     residual\n");
  for (int32_t k = 0; k < report->modes.n; ++k)
    printf("%-12d %-14.9g  %.1e\n", (int)k + 1, report->modes.row[k].frequency, report->modes.row[k].residual);
}

const Analysis buckling_analysis = {
    .fields = FIELDS_VIBRATION,
    .like = &modal_analysis,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_BUCKLING | HAS_MODES), .analysis = "buckling", .check = modal_check,
                .step_unit = UNIT_NONE, .save_steps = factors_save, .print_steps = factors_print, .shares = true,
                .cost = {.build = 80e-6, .step = 30e-6, .launch = 0.02}, .steps = modal_iterations}};
