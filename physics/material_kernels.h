/* The kernels of whatever material an element has, for C and CUDA: switches made from materials.def. */
#pragma once
#include "physics/linear_law.h"

/* The list of materials; tests compile the kernels with a longer one. */
#ifndef MATERIALS_DEF
#define MATERIALS_DEF "physics/materials.def"
#endif

#define MATERIAL_HEADERS
#include MATERIALS_DEF
#undef MATERIAL_HEADERS

typedef enum MaterialKind {
#define MATERIAL(name, law) MATERIAL_KIND_##name,
#include MATERIALS_DEF
#undef MATERIAL
  N_MATERIAL_KINDS
} MaterialKind;

#define MATERIAL_OF_LINEAR(name)
#define MATERIAL_OF_POINT(name)

/* ---- materials with a pair block of their own ---- */
HD void material_stress(const ElasticConstants *c, const double strain[6], double stress[6]) {
  switch (c->kind) {
#define MATERIAL_OF_BLOCK(name)                                                                                        \
  case MATERIAL_KIND_##name:                                                                                           \
    name##_stress(c, strain, stress);                                                                                  \
    break;
#define MATERIAL(name, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_BLOCK
  default:
    for (int i = 0; i < 6; ++i) stress[i] = 0;
  }
}

/* See isotropic_block: K from G = int grad N_a (x) grad N_b dV. */
HD void material_block(const int dim, const ElasticConstants *c, const double *G, double *K) {
  switch (c->kind) {
#define MATERIAL_OF_BLOCK(name)                                                                                        \
  case MATERIAL_KIND_##name:                                                                                           \
    name##_block(dim, c, G, K);                                                                                        \
    break;
#define MATERIAL(name, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_BLOCK
  default:
    for (int i = 0; i < dim * dim; ++i) K[i] = 0;
  }
}
#undef MATERIAL_OF_POINT

/* ---- all materials ---- */
HD bool material_is_linear(const int kind) {
  bool linear = true;
  (void)kind;
#define MATERIAL_OF_BLOCK(name)
#define MATERIAL_OF_POINT(name)                                                                                        \
  if (kind == MATERIAL_KIND_##name) linear = false;
#define MATERIAL(name, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_POINT
  return linear;
}

/* The answer of a material with this law to what stands in `in`; 0, or 1 where it has none (a body turned inside out):
 * then the step is to be cut, and the rest of `out` means nothing. */
HD int material_point(const int kind, const double *law, const PointIn *in, PointOut *out) {
  switch (kind) {
#define MATERIAL_OF_POINT(name)                                                                                        \
  case MATERIAL_KIND_##name:                                                                                           \
    return name##_point(law, in, out);
#define MATERIAL(name, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_POINT
  default: return linear_point(law, in, out);
  }
}
#undef MATERIAL_OF_BLOCK
#undef MATERIAL_OF_LINEAR
