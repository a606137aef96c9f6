/* The kernels of whatever material an element has, for C and CUDA: switches made from materials.def. */
#pragma once
#include "physics/curve.h"
#include "physics/linear_law.h"

/* The list of materials; tests compile the kernels with a longer one. */
#ifndef MATERIALS_DEF
#define MATERIALS_DEF "physics/materials.def"
#endif

#define MATERIAL_HEADERS
#include MATERIALS_DEF
#undef MATERIAL_HEADERS

typedef enum MaterialKind {
#define MATERIAL(name, word, law) MATERIAL_KIND_##name,
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
#define MATERIAL(name, word, law) MATERIAL_OF_##law(name)
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
#define MATERIAL(name, word, law) MATERIAL_OF_##law(name)
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
#define MATERIAL(name, word, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_POINT
  return linear;
}

/* Compiled once, not into every element kernel. */
#ifdef __CUDACC__
#define MATERIAL_CALL static __host__ __device__ __noinline__
#else
#define MATERIAL_CALL static __attribute__((noinline, unused))
#endif
/* Each apart: a function of all of them takes ptxas minutes. */
#define MATERIAL_OF_POINT(name)                                                                                        \
  MATERIAL_CALL int name##_apart(const double *law, const PointIn *in, PointOut *out) {                                \
    return name##_point(law, in, out);                                                                                 \
  }
#define MATERIAL(name, word, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_POINT
MATERIAL_CALL int material_nonlinear(const int kind, const double *law, const PointIn *in, PointOut *out) {
  switch (kind) {
#define MATERIAL_OF_POINT(name)                                                                                        \
  case MATERIAL_KIND_##name:                                                                                           \
    return name##_apart(law, in, out);
#define MATERIAL(name, word, law) MATERIAL_OF_##law(name)
#include MATERIALS_DEF
#undef MATERIAL
#undef MATERIAL_OF_POINT
  default: return linear_finite_point(law, in, out);
  }
}
#undef MATERIAL_OF_BLOCK
#undef MATERIAL_OF_LINEAR

/* What a material answers under plane stress: H33 by Newton's method on P33 = 0, and A without it. Begun at a constant
 * volume. At finite strain a step that would turn the body inside out is shortened; small strains have no bound. */
MATERIAL_CALL int material_plane_stress(const int kind, const double *law, const PointIn *in, PointOut *out) {
  double H[9], A[81], *const wanted = out->A, before = INFINITY, most = 0;
  PointIn at = *in;
  int done = 0;
  for (int k = 0; k < 9; ++k) H[k] = in->H[k], most = fmax(most, fabs(H[k]));
  for (int k = 0; k < 6; ++k) most = fmax(most, fabs(law[LAW_INITIAL + k])); /* rounding is of this size at rest */
  const double flat = H[0] + H[4] + (in->finite ? H[0] * H[4] - H[1] * H[3] : 0);
  if (in->finite && !(flat > -1)) return 1;
  H[8] = in->finite ? -flat / (1 + flat) : -flat;
  at.H = H;
  out->A = A;
  for (int step = 0; step < 60 && !done; ++step) {
    if (material_nonlinear(kind, law, &at, out) || !(A[80] > 0)) {
      if (step == 0) H[8] = 0; /* at a constant volume there is no answer: at a constant thickness, then */
      else return 1;
      continue;
    }
    const double size = fabs(out->P[8]), move = -out->P[8] / A[80];
    done = fabs(move) <= 1e-16 * fabs(H[8]) || (size >= before && fabs(move) <= 1e-12 * fmax(most, fabs(H[8])));
    before = size;
    if (!done) H[8] = !in->finite || 1 + H[8] + move > 0.3 * (1 + H[8]) ? H[8] + move : -1 + 0.3 * (1 + H[8]);
  }
  out->A = wanted;
  out->P[8] = 0;
  out->H33 = H[8];
  for (int m = 0; wanted && m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      wanted[9 * m + n] = m == 8 || n == 8 ? 0 : A[9 * m + n] - A[9 * m + 8] * A[72 + n] / A[80];
  return !done;
}

/* A material that is not linear and has swollen by `swell` in all directions: under small strains it meets H - swell, at finite strain
 * F_e = F / (1 + swell), and its energy is that of what its reference volume has become (Lu and Pister, Int. J. Solids
 * Structures 11, 1975, 927-934). */
MATERIAL_CALL int material_swollen(const int kind, const double *law, const double swell, const PointIn *in,
                                   PointOut *out) {
  const double g = 1 + swell, scale = in->finite ? 1 / g : 1, area = in->finite ? g * g : 1;
  PointIn at = *in;
  double H[9];
  if (!(scale > 0)) return 1;
  for (int k = 0; k < 9; ++k) H[k] = scale * (k % 4 == 0 ? in->H[k] - swell : in->H[k]);
  at.H = H;
  if (in->plane_stress ? material_plane_stress(kind, law, &at, out) : material_nonlinear(kind, law, &at, out)) return 1;
  if (in->plane_stress) out->H33 = swell + out->H33 / scale;
  out->energy *= area / scale;
  for (int k = 0; k < 9; ++k) out->P[k] *= area;
  for (int k = 0; out->A && k < 81; ++k) out->A[k] *= area * scale;
  return 0;
}

/* The answer of a material with this law to what stands in `in`; 0, or 1 where it has none (a body turned inside out):
 * then the step is to be cut, and the rest of `out` means nothing. */
HD int material_point(const int kind, const double *law, const PointIn *in, PointOut *out) {
  out->H33 = in->H[8];
  const bool linear = material_is_linear(kind);
  if (!in->finite && linear) return linear_point(law, in, out);
  const double swell =
      linear || in->temperature == 0 ? 0 : property_at(law, LAW_SWELL, in->temperature) * in->temperature;
  if (swell != 0) return material_swollen(kind, law, swell, in, out);
  return in->plane_stress ? material_plane_stress(kind, law, in, out) : material_nonlinear(kind, law, in, out);
}
