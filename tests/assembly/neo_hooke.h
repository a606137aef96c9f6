/* Compressible neo-Hooke for tests of nonlinear materials: W = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 ln^2 J (Bonet
 * and Wood 2008, section 6.4.3). No answer where det F <= 0. */
#pragma once
#include "physics/point_material.h"

enum { NEO_HOOKE_YOUNG, NEO_HOOKE_POISSON, NEO_HOOKE_PARAMS };

HD int neo_hooke_point(const double *law, const PointIn *in, PointOut *out) {
  const double mu = law[NEO_HOOKE_YOUNG] / (2 * (1 + law[NEO_HOOKE_POISSON]));
  const double lambda = 2 * mu * law[NEO_HOOKE_POISSON] / (1 - 2 * law[NEO_HOOKE_POISSON]);
  double F[9], b[9], square = 0; /* b = F^-T = cofactors / J */
  for (int k = 0; k < 9; ++k) F[k] = in->H[k] + (k % 4 == 0 ? 1 : 0);
  for (int k = 0; k < 9; ++k) square += F[k] * F[k];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      b[3 * i + j] = F[3 * i1 + j1] * F[3 * i2 + j2] - F[3 * i1 + j2] * F[3 * i2 + j1];
    }
  const double J = F[0] * b[0] + F[1] * b[1] + F[2] * b[2];
  if (!(J > 0)) return 1;
  const double lnJ = log(J);
  for (int k = 0; k < 9; ++k) b[k] /= J;
  for (int k = 0; k < 9; ++k) out->P[k] = mu * (F[k] - b[k]) + lambda * lnJ * b[k];
  out->energy = mu / 2 * (square - 3) - mu * lnJ + lambda / 2 * lnJ * lnJ;
  for (int m = 0; out->A && m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      out->A[9 * m + n] = (m == n ? mu : 0) + lambda * b[m] * b[n] +
                          (mu - lambda * lnJ) * b[3 * (m / 3) + n % 3] * b[3 * (n / 3) + m % 3];
  return 0;
}

#ifdef MATERIAL_TABLES
static const Param neo_hooke_param[NEO_HOOKE_PARAMS] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "Young's modulus at small strains"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "Poisson's ratio at small strains"},
};
static Status neo_hooke_check(const double *value) {
  (void)value;
  return OK;
}
static const MaterialShape neo_hooke_shape = {0, false, true, false, true};
static const char neo_hooke_meaning[] = "compressible neo-Hooke, for tests";
#endif
