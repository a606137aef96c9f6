/* Load steps at small strains: a static case with `time:`, `steps:`, `contact:` or `bolts:`, whose materials may remember. It runs as one of finite strain. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/run/run.h"

static const char *const keys[] = {"time", "steps", "contact", "bolts", NULL};
const Analysis stepped_analysis = {.fields = FIELDS_STEPPED,
                                   .like = &finite_analysis,
                                   .physics = {LOAD_STEPS_PHYSICS(ANALYSIS_STEPPED | HAS_LOAD_STEPS | HAS_MEMORY),
                                               .keys = keys, .check = finite_check, .step_unit = UNIT_NONE,
                                               .save_steps = finite_save, .print_steps = finite_print}};
