/* A point of a metal: its law, states and the last tangent. */
#pragma once
#include "physics/material_kernels.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE = 40, BACKS = 50, NUMBERS = 128 };
static inline double draw(void) { return rand() / (RAND_MAX + 1.0); }
static double law[NUMBERS], old[PLASTIC_STATES], state[PLASTIC_STATES], A[81];

/* A law whose curve goes from (0, yield) with the slope `hard`; backs: C and gamma of n backstresses. */
static inline void law_of(double young, double poisson, double yield, double hard, int n_back, const double *backs) {
  memset(law, 0, sizeof law), memset(old, 0, sizeof old);
  law[PLASTIC_YOUNG] = young, law[PLASTIC_POISSON] = poisson, law[PLASTIC_YIELD] = CURVE;
  const double curve[] = {hard > 0 ? 2 : 1, 0, yield, 10, yield + 10 * hard};
  memcpy(law + CURVE, curve, sizeof curve);
  law[PLASTIC_BACK] = n_back ? BACKS : 0, law[BACKS] = n_back;
  for (int k = 0; k < 2 * n_back; ++k) law[BACKS + 1 + k] = backs[k];
}

static double lasts = 1, heat; /* a step; its temperature */
static inline PointOut ask(const double *H, bool finite, bool flat, double *to, double *tangent) {
  const PointIn in = {.H = H, .old = old, .dt = lasts, .finite = finite, .plane_stress = flat, .temperature = heat};
  PointOut out = {.state = to, .A = tangent};
  const int none = flat ? material_plane_stress(MATERIAL_KIND_plastic, law, &in, &out) : plastic_point(law, &in, &out);
  assert_int_equal(none, 0);
  return out;
}
static inline void accept(void) { memcpy(old, state, sizeof old); }

static inline double mises(const double *P) {
  const double mean = (P[0] + P[4] + P[8]) / 3;
  double square = 0;
  for (int k = 0; k < 9; ++k) square += (P[k] - (k % 4 == 0 ? mean : 0)) * (P[k] - (k % 4 == 0 ? mean : 0));
  return sqrt(1.5 * square);
}
