/* The table of materials, made from materials.def. */
#include "physics/material.h"

#include <math.h>
#include <string.h>

#define MATERIAL_TABLES
#include "physics/material_kernels.h"

/* The inline kernels as functions with an address. */
#define MATERIAL(name)                                                                                                 \
  static ElasticConstants name##_constants_host(ElasticModel model, const double *value) {                             \
    return name##_constants(model, value);                                                                             \
  }                                                                                                                    \
  static void name##_stress_host(const ElasticConstants *c, const double strain[6], double stress[6]) {                \
    name##_stress(c, strain, stress);                                                                                  \
  }                                                                                                                    \
  static double name##_energy_host(const ElasticConstants *c, const double strain[6]) {                                \
    return name##_energy(c, strain);                                                                                   \
  }                                                                                                                    \
  static void name##_block_host(int dim, const ElasticConstants *c, const double *G, double *K) {                      \
    name##_block(dim, c, G, K);                                                                                        \
  }
#include "physics/materials.def"
#undef MATERIAL

#define PARAMETERS(name) ((int)(sizeof name##_param / sizeof name##_param[0]))
#define MATERIAL(name)                                                                                                 \
  {#name,                                                                                                              \
   name##_meaning,                                                                                                     \
   PARAMETERS(name),                                                                                                   \
   name##_param,                                                                                                       \
   name##_constants_host,                                                                                              \
   name##_stress_host,                                                                                                 \
   name##_energy_host,                                                                                                 \
   name##_block_host},
static const MaterialType materials[] = {
#include "physics/materials.def"
};
#undef MATERIAL

int material_count(void) { return (int)(sizeof materials / sizeof materials[0]); }

const MaterialType *material_type(int kind) { return kind >= 0 && kind < material_count() ? &materials[kind] : NULL; }

int material_by_name(const char *name) {
  for (int i = 0; i < material_count(); ++i)
    if (!strcmp(materials[i].name, name)) return i;
  return -1;
}

int material_parameter(int kind, const char *name) {
  const MaterialType *type = material_type(kind);
  for (int i = 0; type && i < type->n_param; ++i)
    if (!strcmp(type->param[i].name, name)) return i;
  return -1;
}

Status material_check(int kind, const double *value) {
  const MaterialType *type = material_type(kind);
  CHECK(type, ERR_BUG, "material %d is not in the registry of %d", kind, material_count());
  for (int i = 0; i < type->n_param; ++i) {
    const Status status = param_check(&type->param[i], value[i]);
    if (status == OK) continue;
    if (!strcmp(type->param[i].name, "poisson") && value[i] >= 0.5 && value[i] < 0.51)
      return status_context(status, "for a nearly incompressible material use 0.49 to 0.499 with elements of order 2 "
                                    "(mesh: {order: 2}); linear elements lock");
    return status;
  }
  return OK;
}

ElasticConstants material_constants(int kind, ElasticModel model, const double *value) {
  ElasticConstants c = materials[kind].constants(model, value);
  c.kind = kind;
  return c;
}
