/* Wood that swells by its moisture, which points are told, and is isotropic else, under small strains. */
#pragma once
#include "physics/point_material.h"

enum { WOOD_YOUNG, WOOD_POISSON, WOOD_SWELLING, WOOD_PARAMS };

HD int wood_point(const double *law, const PointIn *in, PointOut *out) {
  const double G = law[WOOD_YOUNG] / (2 * (1 + law[WOOD_POISSON])), K = law[WOOD_YOUNG] / (3 - 6 * law[WOOD_POISSON]);
  double strain[9], trace = -3 * law[WOOD_SWELLING] * in->moisture;
  for (int k = 0; k < 9; k += 4) trace += in->H[k];
  point_clear(out);
  for (int k = 0; k < 9; ++k) {
    strain[k] = 0.5 * (in->H[k] + in->H[k % 3 * 3 + k / 3]) - (k % 4 == 0 ? law[WOOD_SWELLING] * in->moisture : 0);
    out->P[k] = 2 * G * strain[k] + (k % 4 == 0 ? (K - 2 * G / 3) * trace : 0);
    out->energy += 0.5 * out->P[k] * strain[k];
    for (int l = 0; out->A && l < 9; ++l)
      out->A[9 * k + l] = G * ((k == l) + (k == l % 3 * 3 + l / 3)) + (k % 4 == 0 && l % 4 == 0 ? K - 2 * G / 3 : 0);
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
