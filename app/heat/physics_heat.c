/* Heat as the program sees it: its table, and what `sinew check` says. */
#include "app/heat/heat_columns.h"
#include "app/run/run.h"
#include "output/wording.h"
#include "assembly/diffusion/diffusion.h"

#include <math.h>
#include <stdio.h>

static void problem_print(const Case *c, const Diffusion *diffusion) {
  char n[32], unit[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  const CaseTime *time = &c->time;
  printf("# heat\nunknowns: %s\n", count_text(diffusion_unknowns(diffusion), n));
  printf("total heat load at time 0: %.10g%s\n", diffusion_total_load(diffusion),
         unit_behind(&units, UNIT_POWER, unit));
  if (place_given(time->place) && !place_given(time->adaptive.place))
    printf("steps in time: %s\n", count_text((int64_t)ceil(time->end.value / time->step.value - 1e-9), n));
  printf("\n");
}

static Status heat_inspect(Inspection *k) {
  Diffusion *diffusion = NULL;
  DiffusionParams params = heat_setup(k->setup)->diffusion;
  params.inspect_only = true;
  TRY(diffusion_create(k->exec, &params, &diffusion));
  if (!k->quiet) problem_print(k->c, diffusion);
  diffusion_destroy(&diffusion);
  return OK;
}

static UnitKind column_kind(const Case *c, int32_t i) {
  if (i < c->output.probes.n) return heat_field[heat_probe(c, i).row].unit;
  i -= c->output.probes.n;
  if (i >= c->output.sums.n) return UNIT_NONE;
  return case_sum(c, i)->field.value == HEAT_SUM_FLOW ? UNIT_POWER : UNIT_ENERGY;
}

static const char *column_unit(const Case *c, const Units *units, int32_t i) {
  return units_text(units, column_kind(c, i));
}

const Physics heat_physics = {.name = "heat",
                              .region = "material",
                              .regions = "materials",
                              .schema = &heat_schema,
                              .check = heat_check,
                              .n_component = 1,
                              .bind = setup_heat,
                              .cell_sums = 1u << HEAT_SUM_CONTENT,
                              .cell_tables = 1u << HEAT_TABLE_FLUX,
                              .step_unit = UNIT_TIME,
                              .column_unit = column_unit,
                              .save_steps = report_save_steps,
                              .print_steps = report_print_steps,
                              .inspect = heat_inspect,
                              .cut = heat_cut,
                              .shares = true,
                              .cost = {.build = 40e-6, .step = 0.25e-6, .launch = 3e-4},
                              .steps = run_steps,
                              .run = run_heat};
