/* The registry of materials: one header of pure functions each (physics/NAME.h) and one line in materials.def. */
#pragma once
#include "core/param.h"
#include "core/status.h"

typedef struct MaterialType {
  const char *name;      /* "isotropic" */
  const char *meaning;
  int n_param;
  const Param *param;    /* young, poisson, thickness, density, in the order of MaterialValues.value */
} MaterialType;

int material_count(void);
const MaterialType *material_type(int kind);
int material_by_name(const char *name); /* -1 when unknown */
