/* Heart muscle at rest at finite strain, of Guccione, McCulloch and Waldman (J. Biomech. Eng. 113, 1991):
 * c/2 (e^Q - 1) + U(J), Q = bf Eff^2 + bt (Ess^2 + Enn^2 + 2 Esn^2) + 2 bfs (Efs^2 + Efn^2), where axis 1 is the fibre. */
#pragma once
#include "physics/linear_law.h"
#include "physics/volumetric.h"

enum {
  GUCCIONE_C,
  GUCCIONE_FIBRE,
  GUCCIONE_ACROSS,
  GUCCIONE_SHEAR,
  GUCCIONE_TAIL,
  GUCCIONE_PARAMS = GUCCIONE_TAIL + TAIL_PARAMS
};

HD int guccione_point(const double *law, const PointIn *in, PointOut *out) {
  const double bf = law[GUCCIONE_FIBRE], bt = law[GUCCIONE_ACROSS], bfs = law[GUCCIONE_SHEAR];
  const double weight[6] = {bf, bt, bt, bfs, bt, bfs}; /* xx yy zz xy yz xz */
  FiniteStrain s;
  double Q[6][6], half[6], stress[6], D[LAW_MODULI], exponent = 0;
  if (finite_strain(in->H, &s)) return 1;
  point_clear(out);
  out->fibres = true;
  if (in->part != PART_FIBRES) volumetric_add_tail(law + GUCCIONE_TAIL, law[GUCCIONE_C] * bt / 2, &s, out);
  if (in->part == PART_MATRIX) return 0;
  linear_frame(in->axes, Q);
  const double strain[6] = {s.G[0] / 2, s.G[4] / 2, s.G[8] / 2, s.G[1], s.G[5], s.G[2]};
  for (int I = 0; I < 6; ++I) { /* weight times the tensor's component */
    double own = 0;
    for (int K = 0; K < 6; ++K) own += Q[I][K] * strain[K];
    half[I] = weight[I] * own * (I < 3 ? 1 : 0.5);
    exponent += half[I] * own;
  }
  const double size = law[GUCCIONE_C] * exp(exponent);
  if (!(size <= 1e300)) return 1;
  for (int I = 0; I < 6; ++I) stress[I] = size * half[I];
  for (int I = 0; out->A && I < 6; ++I)
    for (int K = I; K < 6; ++K)
      D[linear_index(I, K)] = size * (2 * half[I] * half[K] + (I == K ? weight[I] * (I < 3 ? 1 : 0.5) : 0));
  out->energy += law[GUCCIONE_C] / 2 * expm1(exponent);
  linear_push_from(s.F, Q, stress, D, out);
  return 0;
}

#define guccione_states(STATE) /* none */
#ifdef MATERIAL_TABLES
#define GUCCIONE_WEIGHT(name, meaning)                                                                                 \
  { name, "1", 0, true, 0, INFINITY, true, true, meaning }
static const Param guccione_param[GUCCIONE_PARAMS] = {
    {"c", "stress", 0, true, 0, INFINITY, true, true, "factor of the energy c/2 (e^Q - 1)"},
    GUCCIONE_WEIGHT("bf", "weight of the strain along the fibre, which is axis 1"),
    GUCCIONE_WEIGHT("bt", "weight of strains across it"),
    GUCCIONE_WEIGHT("bfs", "weight of the shear between the two"),
    VOLUMETRIC_TAIL};
static Status guccione_check(const double *v) {
  return volumetric_check_tail("guccione", v[GUCCIONE_C] * v[GUCCIONE_ACROSS] / 2, v + GUCCIONE_TAIL);
}
static const MaterialShape guccione_shape = {NO_STATES, .symmetric = true, .axes = true, .finite = true,
                                             .across = true};
static const char guccione_meaning[] =
    "heart muscle at finite strain, an exponential of the strains along and across fibres";
#endif
