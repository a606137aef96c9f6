/* The registry of materials: one header of pure functions each (physics/NAME.h) and one line in materials.def. */
#pragma once
#include "core/param.h"
#include "core/status.h"
#include "physics/elastic_model.h"

typedef struct MaterialType {
  const char *name; /* "isotropic" */
  const char *meaning;
  int n_param;
  const Param *param; /* young, poisson, thickness, density, in the order of MaterialValues.value */
  /* Host entries to the same inline functions that the element kernels use. */
  ElasticConstants (*constants)(ElasticModel model, const double *value);
  void (*stress)(const ElasticConstants *c, const double strain[6], double stress[6]);
  double (*energy)(const ElasticConstants *c, const double strain[6]);
  void (*block)(int dim, const ElasticConstants *c, const double *G, double *K);
} MaterialType;

int material_count(void);
const MaterialType *material_type(int kind); /* NULL outside 0 .. material_count() - 1 */
int material_by_name(const char *name);      /* -1 when unknown */
/* Index of a named parameter in param[] and value[]; -1 when the material has none of that name. */
int material_parameter(int kind, const char *name);
/* Checks value[n_param] against the ranges of the table. ERR_INPUT names parameter, value and range; for a Poisson's
 * ratio at the incompressible end it says what to do. */
Status material_check(int kind, const double *value);
/* What the kernels need of a checked material. */
ElasticConstants material_constants(int kind, ElasticModel model, const double *value);
