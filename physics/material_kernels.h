/* The kernels of whatever material an element has, for C and CUDA: a switch made from materials.def. */
#pragma once
#include "physics/elastic_model.h"

#define MATERIAL_HEADERS
#include "physics/materials.def"
#undef MATERIAL_HEADERS

typedef enum MaterialKind {
#define MATERIAL(name) MATERIAL_KIND_##name,
#include "physics/materials.def"
#undef MATERIAL
  N_MATERIAL_KINDS
} MaterialKind;

HD void material_stress(const ElasticConstants *c, const double strain[6], double stress[6]) {
  switch (c->kind) {
#define MATERIAL(name)                                                                                                 \
  case MATERIAL_KIND_##name:                                                                                           \
    name##_stress(c, strain, stress);                                                                                  \
    break;
#include "physics/materials.def"
#undef MATERIAL
  default:
    for (int i = 0; i < 6; ++i) stress[i] = 0;
  }
}

/* See isotropic_block: K from G = int grad N_a (x) grad N_b dV. */
HD void material_block(const int dim, const ElasticConstants *c, const double *G, double *K) {
  switch (c->kind) {
#define MATERIAL(name)                                                                                                 \
  case MATERIAL_KIND_##name:                                                                                           \
    name##_block(dim, c, G, K);                                                                                        \
    break;
#include "physics/materials.def"
#undef MATERIAL
  default:
    for (int i = 0; i < dim * dim; ++i) K[i] = 0;
  }
}
