/* The heart as a pump as the program sees it: its table, and what `sinew check` says. */
#include "app/electromechanics/case_electromechanics.h"
#include "app/elasticity/case_elasticity.h"
#include "app/electromechanics/coupled.h"
#include "app/electromechanics/pump.h"
#include "app/run/run.h"
#include "output/wording.h"

#include <stdio.h>

static const char *column_unit(const Case *c, const Units *units, int32_t i) {
  (void)c, (void)units;
  return loop_type[i % N_LOOP_QUANTITIES].unit;
}

static Status electromechanics_inspect(Inspection *k) {
  Circuit circuit;
  char n[32];
  circuit_of_case(k->c, true, &circuit);
  CircuitState state;
  circuit_start(&circuit, &state);
  if (k->quiet) return OK;
  printf("# circulation\n");
  circuit_print(&circuit);
  printf("volume       %.10g mL altogether\n", circuit_volume(&circuit, &state));
  printf("beat         %g ms, in %s steps\n", circuit.cycle,
         count_text((int64_t)(circuit.cycle / k->c->time.step.value + 0.5), n));
  return OK;
}

/* The end of a run, without what a mesh and a solver would say. */
static void print_beats(const RunReport *report, const Case *c) {
  char n[32];
  printf("beats        %g of %g ms, %s steps\n", report->time / c->circulation.cycle.value, c->circulation.cycle.value,
         count_text(report->steps, n));
  for (int32_t i = 0; i < report->columns.n; ++i) {
    const LoopType *type = &loop_type[i % N_LOOP_QUANTITIES];
    printf("%-28s %.7g%s%s\n", report->columns.name[i], report->columns.value[i], *type->unit ? " " : "", type->unit);
  }
}

static const Physics circulation_physics = {.name = "electromechanics",
                                            .region = "chamber",
                                            .regions = "chambers",
                                            .called = "circulation",
                                            .kind = HAS_CIRCULATION,
                                            .without_mesh = true,
                                            .schema = &electromechanics_schema,
                                            .check = electromechanics_check,
                                            .units = "mm ms mV kPa",
                                            .step_unit = UNIT_TIME,
                                            .column_unit = column_unit,
                                            .save_steps = report_save_steps,
                                            .print_steps = print_beats,
                                            .inspect = electromechanics_inspect,
                                            .run = run_electromechanics};

static Status pump_inspect(Inspection *k) {
  TRY(elastic_inspect(k));
  if (k->quiet || !place_given(k->c->circulation.place)) return OK;
  Circuit circuit;
  circuit_of_case(k->c, false, &circuit);
  printf("# circulation\n");
  circuit_print(&circuit);
  return OK;
}

/* A body of muscle runs as load steps at finite strain do, with the circulation in them. */
static const char *const muscle_keys[] = {"muscle", NULL};
static const Analysis muscle_analysis = {
    .fields = FIELDS_FINITE,
    .own = sizeof(PumpRun),
    .prepare = pump_prepare,
    .begin = pump_begin,
    .problem = pump_problem,
    .open = pump_open,
    .next = pump_next,
    .store = pump_store,
    .end = pump_end,
    .release = pump_release,
    .physics = {ELASTIC_PHYSICS_UNSAID(LOAD_STEPS_KIND(ANALYSIS_LARGE_STEPS | HAS_CAVITY | HAS_MUSCLE)),
                LOAD_STEPS_PARTS, .shares = true, .name = "electromechanics", .region = "entry of muscle",
                .regions = "entries of muscle", .called = "muscle", .keys = muscle_keys,
                .schema = &electromechanics_schema, .check = pump_check, .inspect = pump_inspect,
                .column_unit = pump_column_unit, .units = "mm ms mV kPa", .step_unit = UNIT_TIME,
                .save_steps = finite_save, .print_steps = finite_print}};

static const Physics *const kinds[] = {&circulation_physics, &coupled_analysis.physics, &muscle_analysis.physics, NULL};
const Physics electromechanics_physics = {.name = "electromechanics", .kinds = kinds};
