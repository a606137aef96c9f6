/* Motion at small strains by Newton's method: a transient case whose materials remember, that goes on in `steps:`, or that is heated. It runs as
 * one of finite strain. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/run/run.h"
#include "physics/material.h"

static const char *const keys[] = {"steps", "thermal", NULL};
static bool is_nonlinear(const char *word) {
  const MaterialType *type = material_type(material_by_name(word));
  return type && !type->shape.linear && !type->shape.finite;
}
const Analysis moving_analysis = {.fields = FIELDS_MOVING,
                                  .like = &motion_analysis,
                                  .physics = {LOAD_STEPS_PHYSICS(ANALYSIS_MOVING | HAS_MEMORY | HAS_INERTIA),
                                              .analysis = "transient", .keys = keys, .claims = is_nonlinear,
                                              .check = motion_check, .step_unit = UNIT_TIME, .save_steps = motion_save,
                                              .print_steps = motion_print}};
