/* The model of Aliev and Panfilov (1996, Chaos, Solitons and Fractals 7, 293-301) in the form of Goktepe and Kuhl
 * (2009, Int. J. Numer. Meth. Engng 79, 156-178). With phi = (V - rest) / amplitude, tau = t / T and the state r:
 *   dphi/dtau = c phi (phi - alpha) (1 - phi) - r phi      dr/dtau = (gamma + mu1 r / (mu2 + phi)) (-r - c phi (phi - b
 *   - 1))
 * Backward Euler for r is a quadratic with one root that continues the last state (docs/theory/monodomain.md). */
#pragma once
#include "physics/ionic_model.h"

#include <math.h>

#define aliev_panfilov_states(STATE) STATE("recovery", "r, 0 at rest, up to about 2.4")

enum {
  ALIEV_PANFILOV_ALPHA,
  ALIEV_PANFILOV_GAMMA,
  ALIEV_PANFILOV_B,
  ALIEV_PANFILOV_C,
  ALIEV_PANFILOV_MU1,
  ALIEV_PANFILOV_MU2,
  ALIEV_PANFILOV_REST,
  ALIEV_PANFILOV_AMPLITUDE,
  ALIEV_PANFILOV_TIME,
  ALIEV_PANFILOV_PARAMS
};

HD double aliev_panfilov_phi(const IonicConstants *c, const double V) {
  return (V - c->value[ALIEV_PANFILOV_REST]) / c->value[ALIEV_PANFILOV_AMPLITUDE];
}
/* mu2 + phi, held above mu2/10: the equation is singular at phi = -mu2, where only a bad iterate of Newton's method or
 * a current against the cell gets. *by_phi: its derivative. */
HD double aliev_panfilov_gap(const IonicConstants *c, const double phi, double *by_phi) {
  const double mu2 = c->value[ALIEV_PANFILOV_MU2], gap = mu2 + phi;
  *by_phi = gap > 0.1 * mu2 ? 1 : 0;
  return gap > 0.1 * mu2 ? gap : 0.1 * mu2;
}

HD void aliev_panfilov_rate(const IonicConstants *c, const double V, const double *s, double *g) {
  const double r = s[0], *p = c->value, phi = aliev_panfilov_phi(c, V);
  double one;
  const double gap = aliev_panfilov_gap(c, phi, &one);
  const double B = p[ALIEV_PANFILOV_C] * phi * (phi - p[ALIEV_PANFILOV_B] - 1);
  g[0] = (p[ALIEV_PANFILOV_GAMMA] + p[ALIEV_PANFILOV_MU1] * r / gap) * (-r - B) / p[ALIEV_PANFILOV_TIME];
}

/* A d r^2 + q r - (known - d gamma B) = 0 with d = step / T, A = mu1 / (mu2 + phi), B = c phi (phi - b - 1) and
 * q = 1 + d (gamma + A B); the square root is the derivative of the left side. It is held above q/10, which only states
 * far below zero reach. */
HD void aliev_panfilov_state(const IonicConstants *c, const double V, const double *known, const double step, double *s,
                             double *by_V) {
  const double *p = c->value, phi = aliev_panfilov_phi(c, V), d = step / p[ALIEV_PANFILOV_TIME];
  const double gamma = p[ALIEV_PANFILOV_GAMMA], b = p[ALIEV_PANFILOV_B];
  double by_phi;
  const double gap = aliev_panfilov_gap(c, phi, &by_phi);
  const double A = p[ALIEV_PANFILOV_MU1] / gap, B = p[ALIEV_PANFILOV_C] * phi * (phi - b - 1);
  const double q = 1 + d * (gamma + A * B), x = known[0] - d * gamma * B, square = q * q + 4 * d * A * x;
  const double root = sqrt(square > 0.01 * q * q ? square : 0.01 * q * q);
  const double r = 2 * x / (q + root);
  const double residual_by_phi =
      d * ((gamma + A * r) * p[ALIEV_PANFILOV_C] * (2 * phi - b - 1) - A * r * (r + B) / gap * by_phi);
  s[0] = r;
  by_V[0] = -residual_by_phi / (root * p[ALIEV_PANFILOV_AMPLITUDE]);
}

HD double aliev_panfilov_reaction(const IonicConstants *c, const double V, const double *s, double *by_V,
                                  double *by_s) {
  const double r = s[0], *p = c->value, phi = aliev_panfilov_phi(c, V), alpha = p[ALIEV_PANFILOV_ALPHA];
  const double per_time = 1 / p[ALIEV_PANFILOV_TIME], per_ms = p[ALIEV_PANFILOV_AMPLITUDE] * per_time;
  *by_V = per_time * (p[ALIEV_PANFILOV_C] * ((2 * (1 + alpha) - 3 * phi) * phi - alpha) - r);
  by_s[0] = -per_ms * phi;
  return per_ms * phi * (p[ALIEV_PANFILOV_C] * (phi - alpha) * (1 - phi) - r);
}

HD double aliev_panfilov_rest(const IonicConstants *c, double *state) {
  *state = 0;
  return c->value[ALIEV_PANFILOV_REST];
}

/* Largest df/dV, 1/ms: at r = 0 and phi = (1 + alpha) / 3. */
HD double aliev_panfilov_max_slope(const IonicConstants *c) {
  const double alpha = c->value[ALIEV_PANFILOV_ALPHA];
  return c->value[ALIEV_PANFILOV_C] * ((1 + alpha) * (1 + alpha) / 3 - alpha) / c->value[ALIEV_PANFILOV_TIME];
}

#ifdef IONIC_TABLES
static const Param aliev_panfilov_param[ALIEV_PANFILOV_PARAMS] = {
    {"alpha", "1", 0.01, false, 0, 0.5, true, true, "threshold of excitation"},
    {"gamma", "1", 0.002, false, 0, INFINITY, true, true, "slowest rate of recovery"},
    {"b", "1", 0.15, false, 0, INFINITY, true, true, "shape of the recovery's rest curve"},
    {"c", "1", 8, false, 0, INFINITY, true, true, "strength of the reaction"},
    {"mu1", "1", 0.2, false, 0, INFINITY, false, true, "restitution: how much the state speeds recovery up"},
    {"mu2", "1", 0.3, false, 0, INFINITY, true, true, "restitution: potential above which it does so less"},
    {"rest", "mV", -80, false, -INFINITY, INFINITY, true, true, "resting potential, phi = 0"},
    {"amplitude", "mV", 100, false, 0, INFINITY, true, true, "from phi = 0 to phi = 1"},
    {"time", "ms", 12.9, false, 0, INFINITY, true, true, "of one unit of the dimensionless time"},
};
static const IonicPreset aliev_panfilov_preset[] = {
    {"goktepe-kuhl", "alpha 0.01: fast waves", {0.01, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9}},
    {"alpha-0.05", "as goktepe-kuhl with a higher threshold", {0.05, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9}},
    {"aliev-panfilov", "the authors' own: alpha 0.15", {0.15, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9}},
};
static const char aliev_panfilov_meaning[] =
    "Aliev and Panfilov 1996: cubic reaction and one recovery variable, with realistic restitution";
#endif
