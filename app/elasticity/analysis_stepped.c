/* Load steps at small strains: a static case with `time:` or `steps:`, whose materials may remember. It runs as one of finite strain. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/run/run.h"

static const char *const keys[] = {"time", "steps", NULL};
const Analysis stepped_analysis = {
    .fields = FIELDS_STEPPED,
    .like = &finite_analysis,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_STEPPED | HAS_STEPS | HAS_LOAD_STEPS), .keys = keys, .check = finite_check,
                .release = case_chain_release, .sum_letters = elasticity_sum_letters,
                .cell_sums = 1u << SUM_STRAIN_ENERGY, .cell_tables = ELASTIC_CELL_TABLES, .step_unit = UNIT_NONE,
                .save_steps = finite_save, .print_steps = finite_print, .shares = true,
                .cost = {.build = 40e-6, .step = 200e-6, .launch = 0.02}, .steps = run_steps}};
