/* Rubber of Ogden at finite strain (Ogden, Proc. R. Soc. A 326, 1972): sum over up to three terms of
 * 2 mu_p / alpha_p^2 (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3) + U(J), where l_i = J^-1/3 lambda_i are the stretches
 * without the change of volume. Shear modulus sum mu_p.
 *
 * In the frame of the stretches, by their logarithms x_i = ln l_i, which come from the eigenvalues g_i of G = C - 1. The
 * quotient (S_i - S_j) / (g_i - g_j) that shear needs is one of sinh over its argument: it has no difference in it, so
 * equal stretches are not a case of their own. */
#pragma once
#include "physics/isochoric.h"
#include "physics/linear_law.h"

enum { OGDEN_TERMS = 3, OGDEN_TAIL = 2 * OGDEN_TERMS, OGDEN_PARAMS = OGDEN_TAIL + TAIL_PARAMS };

HD double ogden_shear(const double *law) { return law[0] + law[2] + law[4]; }

/* sinh(x) / x */
HD double ogden_sinhc(const double x) {
  const double z = x * x;
  if (z > 0.01) return sinh(x) / x;
  return 1 + z / 6 * (1 + z / 20 * (1 + z / 42 * (1 + z / 72 * (1 + z / 110))));
}

/* Of stretches with logarithms l: the principal stresses of Kirchhoff, their derivatives by l, and for pair k of axes
 * (12, 23, 13) (tau_i - tau_j) / (g_i - g_j). */
typedef struct OgdenStress {
  double energy, tau[3], by[3][3], quotient[3];
} OgdenStress;

HD void ogden_add_term(const double mu, const double alpha, const double *l, OgdenStress *t) {
  const int first[3] = {0, 1, 0}, second[3] = {1, 2, 2};
  const double middle = (l[0] + l[1] + l[2]) / 3;
  double x[3], more[3]; /* l^alpha - 1 */
  for (int i = 0; i < 3; ++i) {
    x[i] = alpha * (l[i] - middle);
    more[i] = expm1(x[i]);
    t->energy += 2 * mu / (alpha * alpha) * finite_exp_rest(x[i]); /* the x add up to 0 */
  }
  const double mean = (more[0] + more[1] + more[2]) / 3;
  for (int i = 0; i < 3; ++i) {
    t->tau[i] += 2 * mu / alpha * (more[i] - mean);
    for (int j = 0; j < 3; ++j)
      t->by[i][j] += 2 * mu * ((i == j ? 1 + more[i] : 0) - (1 + more[i] + more[j] - mean) / 3);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = first[k], j = second[k];
    const double d = l[i] - l[j];
    t->quotient[k] += mu * exp((x[i] + x[j]) / 2 - l[i] - l[j]) * ogden_sinhc(alpha * d / 2) / ogden_sinhc(d);
  }
}

HD void ogden_moduli(const OgdenStress *t, const double *g, double *D) {
  const int first[3] = {0, 1, 0}, second[3] = {1, 2, 2};
  for (int k = 0; k < LAW_MODULI; ++k) D[k] = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      D[linear_index(i, j)] = (t->by[i][j] - (i == j ? 2 * t->tau[i] : 0)) / ((1 + g[i]) * (1 + g[j]));
  for (int k = 0; k < 3; ++k) {
    const int i = first[k], j = second[k];
    D[linear_index(3 + k, 3 + k)] = t->quotient[k] / (1 + g[i]) - t->tau[j] / ((1 + g[i]) * (1 + g[j]));
  }
}

HD int ogden_point(const double *law, const PointIn *in, PointOut *out) {
  FiniteStrain s;
  OgdenStress t = {0, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
  double g[3], axis[9], l[3], D[LAW_MODULI], Q[6][6], stress[6] = {0, 0, 0, 0, 0, 0};
  if (finite_strain(in->H, &s)) return 1;
  const double strain[6] = {s.G[0], s.G[4], s.G[8], s.G[1], s.G[5], s.G[2]};
  elastic_eigen(strain, g, axis);
  for (int i = 0; i < 3; ++i) {
    if (!(g[i] > -1)) return 1;
    l[i] = 0.5 * log1p(g[i]);
  }
  for (int p = 0; p < OGDEN_TERMS; ++p)
    if (law[2 * p] != 0) ogden_add_term(law[2 * p], law[2 * p + 1], l, &t);
  for (int i = 0; i < 3; ++i) stress[i] = t.tau[i] / (1 + g[i]);
  if (out->A) ogden_moduli(&t, g, D);
  linear_frame(axis, Q);
  point_clear(out);
  out->energy = t.energy;
  linear_push_from(s.F, Q, stress, D, out);
  volumetric_add_tail(law + OGDEN_TAIL, ogden_shear(law), &s, out);
  return 0;
}

#define ogden_states(STATE) /* none */
#ifdef MATERIAL_TABLES
#define OGDEN_FACTOR(name, required, meaning)                                                                          \
  { name, "stress", 0, required, -INFINITY, INFINITY, true, true, meaning }
#define OGDEN_POWER(name, required, meaning)                                                                           \
  { name, "1", 2, required, -INFINITY, INFINITY, true, true, meaning }
static const Param ogden_param[OGDEN_PARAMS] = {
    OGDEN_FACTOR("mu1", true, "modulus of term 1; all add up to the shear modulus"),
    OGDEN_POWER("alpha1", true, "power of the stretches in term 1"),
    OGDEN_FACTOR("mu2", false, "modulus of term 2"),
    OGDEN_POWER("alpha2", false, "power of the stretches in term 2"),
    OGDEN_FACTOR("mu3", false, "modulus of term 3"),
    OGDEN_POWER("alpha3", false, "power of the stretches in term 3"),
    VOLUMETRIC_TAIL};
static Status ogden_check(const double *v) {
  for (int p = 0; p < OGDEN_TERMS; ++p)
    CHECK(v[2 * p] == 0 || v[2 * p + 1] != 0, ERR_INPUT,
          "alpha%d is 0, must be another number: the energy divides by it", p + 1);
  return volumetric_check_tail("ogden", ogden_shear(v), v + OGDEN_TAIL);
}
static const MaterialShape ogden_shape = {NO_STATES, .symmetric = true, .finite = true};
static const char ogden_meaning[] = "rubber at finite strain, powers of the stretches";
#endif
