/* Metals that flow: von Mises' yield condition with a curve of hardening, by radial return (Simo and Hughes, Computational
 * Inelasticity, 1998, box 3.1), and a stress that grows with the rate of flow (Perzyna). Of the strain of Green and Lagrange at finite strain. P is the derivative of the
 * incremental energy, that of elastic strain and hardening with what the step dissipates. */
#pragma once
#include "physics/curve.h"

enum { J2_YOUNG, J2_POISSON, J2_YIELD, J2_HARDENING, J2_VISCOSITY, J2_PARAMS };

#define j2_states(STATE)                                                                                               \
  STATE("plastic-xx", "strain", NONE, 0)                                                                               \
  STATE("plastic-yy", "strain", NONE, 0)                                                                               \
  STATE("plastic-zz", "strain", NONE, 0)                                                                               \
  STATE("plastic-xy", "strain", NONE, 0)                                                                               \
  STATE("plastic-yz", "strain", NONE, 0)                                                                               \
  STATE("plastic-xz", "strain", NONE, 0)                                                                               \
  STATE("plastic-strain", "equivalent", NONE, 0)

/* dp of a step from p, q - 3 G dp = yield(p + dp) + hardening (p + dp) + viscosity dp / dt, along the straight parts of the
 * curve; how much more the right side rises for more of it, and what it works. Without time a viscous metal does not flow. */
HD double j2_flow(const double *law, const double G, const double dt, const double q, const double p, double *rise,
                  double *work) {
  const double h = law[J2_HARDENING], drag = law[J2_VISCOSITY] > 0 ? law[J2_VISCOSITY] / dt : 0;
  double at = p, slope, y = curve_at(law, J2_YIELD, p, &slope), left = q - y - h * p;
  *rise = *work = 0;
  if (left <= 1e-14 * q || (law[J2_VISCOSITY] > 0 && !(dt > 0))) return 0;
  for (;;) {
    const double end = curve_next(law, J2_YIELD, at), all = left / (3 * G + h + drag + slope);
    const double part = at + all <= end ? all : end - at;
    *work += part * (y + slope * part / 2);
    at += part;
    *rise = h + drag + slope;
    if (part == all) break;
    left -= part * (3 * G + *rise);
    y = curve_at(law, J2_YIELD, at, &slope);
  }
  *work += h * (at * at - p * p) / 2 + drag * (at - p) * (at - p) / 2;
  return at - p;
}

/* Stress S and, in D, its derivative of a strain E; tensors row by row. */
HD void j2_return(const double *law, const PointIn *in, const double *E, double *S, double *D, PointOut *out) {
  const int voigt[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2}, first[6] = {0, 4, 8, 1, 5, 2};
  const double G = law[J2_YOUNG] / (2 * (1 + law[J2_POISSON])), K = law[J2_YOUNG] / (3 - 6 * law[J2_POISSON]);
  const double trace = E[0] + E[4] + E[8], p = in->old[6];
  double s[9], square = 0;
  for (int k = 0; k < 9; ++k) {
    s[k] = 2 * G * (E[k] - in->old[voigt[k]] - (k % 4 == 0 ? trace / 3 : 0));
    square += s[k] * s[k];
  }
  double rise, work;
  const double q = sqrt(1.5 * square), dp = j2_flow(law, G, in->dt, q, p, &rise, &work);
  const double back = q > 0 ? 3 * G * dp / q : 0, c = dp > 0 ? 3 * G / (3 * G + rise) - back : 0;
  out->energy = K / 2 * trace * trace + (1 - back) * (1 - back) * square / (4 * G) + work;
  for (int k = 0; k < 9; ++k) {
    S[k] = (1 - back) * s[k] + (k % 4 == 0 ? K * trace : 0);
    for (int l = 0; D && l < 9; ++l)
      D[9 * k + l] = (k % 4 == 0 && l % 4 == 0 ? K - 2 * G * (1 - back) / 3 : 0) +
                     G * (1 - back) * ((k == l) + (k == l % 3 * 3 + l / 3)) -
                     (square > 0 ? 2 * G * c * s[k] * s[l] / square : 0);
  }
  for (int k = 0; k < 6; ++k) out->state[k] = in->old[k] + (q > 0 ? 1.5 * dp / q * s[first[k]] : 0);
  out->state[6] = p + dp;
}

HD int j2_point(const double *law, const PointIn *in, PointOut *out) {
  double F[9], E[9], S[9], D[81];
  for (int k = 0; k < 9; ++k) F[k] = in->H[k] + (k % 4 == 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      E[3 * i + j] = 0.5 * (in->H[3 * i + j] + in->H[3 * j + i]);
      for (int k = 0; in->finite && k < 3; ++k) E[3 * i + j] += 0.5 * in->H[3 * k + i] * in->H[3 * k + j];
    }
  j2_return(law, in, E, in->finite ? S : out->P, out->A && in->finite ? D : out->A, out);
  if (!in->finite) return 0;
  for (int k = 0; k < 9; ++k) out->P[k] = 0;
  for (int k = 0; k < 27; ++k) out->P[k / 3] += F[k / 9 * 3 + k % 3] * S[3 * (k % 3) + k / 3 % 3]; /* F S */
  for (int m = 0; out->A && m < 9; ++m)
    for (int n = 0; n < 9; ++n) {
      double sum = m / 3 == n / 3 ? S[3 * (m % 3) + n % 3] : 0;
      for (int k = 0; k < 9; ++k)
        sum += F[m / 3 * 3 + k / 3] * D[9 * (3 * (k / 3) + m % 3) + 3 * (k % 3) + n % 3] * F[n / 3 * 3 + k % 3];
      out->A[9 * m + n] = sum;
    }
  return 0;
}

#ifdef MATERIAL_TABLES
static const Param j2_param[J2_PARAMS] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "Young's modulus"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "Poisson's ratio"},
    {"yield", "stress over plastic strain", 0, true, 0, INFINITY, true, true, "stress where it flows"},
    {"hardening", "stress", 0, false, 0, INFINITY, false, true, "further rise of that over the plastic strain"},
    {"viscosity", "stress time", 0, false, 0, INFINITY, false, true,
     "further stress over the rate of the plastic strain"},
};
static Status j2_check(const double *value) {
  const double *curve = value + (int)value[J2_YIELD];
  CHECK(curve[1] == 0, ERR_INPUT, "yield begins over the plastic strain %g, must begin over 0", curve[1]);
  for (int k = 1; k < (int)*curve; ++k)
    CHECK(curve[2 * k + 2] >= curve[2 * k], ERR_INPUT, "yield falls from %g to %g", curve[2 * k], curve[2 * k + 2]);
  return OK;
}
static const MaterialState j2_state[] = {j2_states(MATERIAL_STATE)};
static const MaterialShape j2_shape = {MATERIAL_STATES(j2), .symmetric = true};
static const char j2_meaning[] = "metal that flows at its yield stress and hardens, for tests";
#endif
