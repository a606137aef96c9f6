/* Wood that swells by its moisture, which points are told, and is isotropic else: linear in H, or at finite strain in that of Green
 * and Lagrange. */
#pragma once
#include "physics/point_material.h"

enum { WOOD_YOUNG, WOOD_POISSON, WOOD_SWELLING, WOOD_PARAMS };

HD int wood_point(const double *law, const PointIn *in, PointOut *out) {
  const double G = law[WOOD_YOUNG] / (2 * (1 + law[WOOD_POISSON]));
  const double lame = law[WOOD_YOUNG] / (3 - 6 * law[WOOD_POISSON]) - 2 * G / 3;
  double F[9], E[9], S[9], b[9], trace = 0;
  point_clear(out);
  for (int k = 0; k < 9; ++k) {
    const double *i = in->H + k / 3, *j = in->H + k % 3;
    F[k] = (k % 4 == 0) + (in->finite ? in->H[k] : 0);
    E[k] = 0.5 * (in->H[k] + in->H[k % 3 * 3 + k / 3]) - (k % 4 == 0 ? law[WOOD_SWELLING] * in->moisture : 0);
    if (in->finite) E[k] += 0.5 * (i[0] * j[0] + i[3] * j[3] + i[6] * j[6]);
    if (k % 4 == 0) trace += E[k];
  }
  for (int k = 0; k < 9; ++k) {
    S[k] = 2 * G * E[k] + (k % 4 == 0 ? lame * trace : 0);
    out->energy += 0.5 * S[k] * E[k];
  }
  for (int k = 0; k < 9; ++k) {
    const double *i = F + k / 3 * 3, *j = F + k % 3 * 3;
    b[k] = i[0] * j[0] + i[1] * j[1] + i[2] * j[2];
    out->P[k] = i[0] * S[k % 3] + i[1] * S[3 + k % 3] + i[2] * S[6 + k % 3];
  }
  for (int m = 0; out->A && m < 81; ++m) {
    const int i = m / 27, j = m / 9 % 3, k = m / 3 % 3, l = m % 3;
    out->A[m] = lame * F[3 * i + j] * F[3 * k + l] + G * F[3 * i + l] * F[3 * k + j] + (j == l ? G * b[3 * i + k] : 0);
    if (in->finite && i == k) out->A[m] += S[3 * j + l];
  }
  return 0;
}

#define wood_states(STATE) /* none */
#ifdef MATERIAL_TABLES
static const Param wood_param[WOOD_PARAMS] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "Young's modulus"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "Poisson's ratio"},
    {"swelling", "1", 0, true, -INFINITY, INFINITY, true, true, "strain of moisture 1"},
};
static Status wood_check(const double *value) {
  (void)value;
  return OK;
}
static const MaterialShape wood_shape = {NO_STATES, .symmetric = true, .reads = POINT_INPUT_BIT(MOISTURE)};
static const char wood_meaning[] = "swells by its moisture";
#endif
