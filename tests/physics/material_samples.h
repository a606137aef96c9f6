/* Parameters of materials for tests of elements and of digits: rows of materials at finite strain, and all linear ones. What
 * every material must do, with or without a row, is in material_paths.c. */
#pragma once
#include "physics/linear_law.h"
#include "physics/material.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

typedef struct MaterialSample {
  const char *type, *name[16];   /* and the values that differ from the table's */
  double value[16], shear, bulk; /* at small strains; 0: not told */
} MaterialSample;

static const MaterialSample material_samples[] = {
    {"neo-hooke", {"young", "poisson"}, {100, 0.3}, 100 / 2.6, 100 / 1.2},
    {"neo-hooke", {"shear", "bulk", "volumetric"}, {40, 200, 1}, 40, 200},
    {"neo-hooke", {"shear", "bulk", "volumetric"}, {40, 200, 2}, 40, 200},
    {"neo-hooke", {"shear", "bulk", "volumetric"}, {40, 200, 3}, 40, 200},
    {"neo-hooke", {"shear", "bulk", "volumetric"}, {40, 200, 4}, 40, 200},
    {"neo-hooke", {"shear", "lambda", "volumetric"}, {40, 170, 5}, 40, 170 + 80 / 3.0},
    {"mooney-rivlin", {"c10", "c01", "bulk", "volumetric"}, {12, 8, 200, 2}, 40, 200},
    {"yeoh", {"c10", "c20", "c30", "poisson"}, {20, -2, 3, 0.4}, 40, 40 * 14 / 3.0},
    {"polynomial",
     {"c10", "c01", "c20", "c11", "c02", "c30", "c21", "c12", "c03", "bulk"},
     {12, 8, 3, -2, 4, 2, 1, -1, 3, 200},
     40,
     200},
    {"ogden", {"mu1", "alpha1", "bulk"}, {40, 2, 200}, 40, 200},
    {"ogden",
     {"mu1", "alpha1", "mu2", "alpha2", "mu3", "alpha3", "bulk", "volumetric"},
     {37, 1.3, 0.5, 5, 2.5, -2, 200, 3},
     40,
     200},
    {"guccione", {"c", "bf", "bt", "bfs", "bulk"}, {2, 8, 2, 4, 100}, 0, 0},
    {"holzapfel-ogden", {"a", "b", "bulk"}, {40, 8.023, 200}, 40, 200},
    {"holzapfel-ogden",
     {"a", "b", "af", "bf", "as", "bs", "afs", "bfs", "tension", "bulk"},
     {0.59, 8.023, 18.472, 16.026, 2.481, 11.12, 0.216, 11.436, 2, 20},
     0,
     0},
    {"holzapfel-ogden",
     {"a", "b", "af", "bf", "as", "bs", "afs", "bfs", "tension", "poisson"},
     {5.9, 8.023, 18.472, 16.026, 2.481, 0, 0.216, 11.436, 1, 0.45},
     0,
     0},
    {"holzapfel-ogden", {"a", "b", "af", "bf", "tension", "bulk"}, {0.59, 0, 1.8, 16.026, 0, 20}, 0, 0},
};
enum { N_MATERIAL_SAMPLES = sizeof material_samples / sizeof *material_samples };

/* Values of sample k, or, from N_MATERIAL_SAMPLES on, of the linear materials in turn; false: there are no more. */
static bool material_sample(int k, int *kind, double *value) {
  for (int i = 0; i < 32; ++i) value[i] = 0;
  const MaterialType *type = NULL;
  if (k < N_MATERIAL_SAMPLES) *kind = material_by_name(material_samples[k].type);
  else
    for (int m = 0, n = N_MATERIAL_SAMPLES; m < material_count(); ++m)
      if (material_type(m)->moduli && n++ == k) *kind = m, type = material_type(m);
  if (k < N_MATERIAL_SAMPLES) type = material_type(*kind);
  if (!type) return false;
  for (int i = 0, row = 0; i < type->n_param; ++i) {
    const char *name = type->param[i].name;
    row = i > 0 && strcmp(name, type->param[i - 1].name) == 0 ? row + 1 : 0;
    value[i] = type->param[i].value;
    for (int n = 0; k < N_MATERIAL_SAMPLES && n < 16 && material_samples[k].name[n]; ++n)
      if (strcmp(material_samples[k].name[n], name) == 0) value[i] = material_samples[k].value[n];
    if (!type->moduli) continue;
    if (strcmp(name, "young") == 0) value[i] = 100 + 37 * row;
    if (strcmp(name, "poisson") == 0) value[i] = 0.3 - 0.07 * row;
    if (strcmp(name, "shear") == 0) value[i] = 40 + 9 * row;
    if (strcmp(name, "moduli") == 0) value[i] = sin(7.0 * row) * 5;
    for (int d = 0; strcmp(name, "moduli") == 0 && d < 6; ++d)
      if (row == linear_index(d, d)) value[i] = 60 + 11 * d;
  }
  return true;
}
