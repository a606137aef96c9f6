/* The cell of the verification problems of Pathmanathan and Gray (2014, Verification of computational models of cardiac
 * electro-physiology, Int. J. Numer. Meth. Biomed. Engng 30, 525-544): no cell of any heart, but one for which the
 * monodomain equation has a solution in closed form. With three states u and w = u1 + u3 - V:
 *   dV/dt  = w u2^2 (V - u3) / 2 - beta (V - u3) + div(D grad V)
 *   du1/dt = w^2 u2^2 + w u2^2 (V - u3) / 2      du2/dt = -w u2^3      du3/dt = 0
 * beta is the authors' divided by capacitance and surface-to-volume ratio. For any function G > 0 and F with
 * div(D grad F) = beta F and no flux through the boundary:
 *   V = sqrt(1 + t) F      u1 = (1 + t) G + V      u2 = 1 / ((1 + t) sqrt(G))      u3 = 0
 * docs/theory/monodomain.md has F, G and D of the problems in one, two and three dimensions. */
#pragma once
#include "physics/ionic_newton.h"

#define pathmanathan_gray_states(STATE)                                                                                \
  STATE("u1", "(1 + t) G + V, G any function > 0")                                                                     \
  STATE("u2", "1 / ((1 + t) sqrt(G))")                                                                                 \
  STATE("u3", "0, and stays what it is")

enum { PATHMANATHAN_GRAY_BETA, PATHMANATHAN_GRAY_PARAMS };

HD void pathmanathan_gray_rate(const IonicConstants *c, const double V, const double *s, double *g) {
  const double w = s[0] + s[2] - V, square = s[1] * s[1];
  (void)c;
  g[0] = w * square * (w + 0.5 * (V - s[2]));
  g[1] = -w * square * s[1];
  g[2] = 0;
}

HD void pathmanathan_gray_jacobian(const IonicConstants *c, const double V, const double *s, double *by_s,
                                   double *by_V) {
  const double w = s[0] + s[2] - V, u2 = s[1], square = u2 * u2, half = 0.5 * (V - s[2]);
  (void)c;
  by_s[0] = square * (2 * w + half);
  by_s[1] = 2 * w * u2 * (w + half);
  by_s[2] = square * (2 * w + half - 0.5 * w);
  by_s[3] = -square * u2;
  by_s[4] = -3 * w * square;
  by_s[5] = -square * u2;
  by_s[6] = by_s[7] = by_s[8] = 0;
  by_V[0] = square * (0.5 * w - 2 * w - half);
  by_V[1] = square * u2;
  by_V[2] = 0;
}
IONIC_NEWTON(pathmanathan_gray, 3)

HD double pathmanathan_gray_reaction(const IonicConstants *c, const double V, const double *s, double *by_V,
                                     double *by_s) {
  const double beta = c->value[PATHMANATHAN_GRAY_BETA], w = s[0] + s[2] - V, u2 = s[1], above = V - s[2];
  *by_V = 0.5 * u2 * u2 * (w - above) - beta;
  by_s[0] = 0.5 * u2 * u2 * above;
  by_s[1] = w * u2 * above;
  by_s[2] = 0.5 * u2 * u2 * (above - w) + beta;
  return (0.5 * w * u2 * u2 - beta) * above;
}

/* Nothing moves where all states are 0; the problems begin elsewhere. */
HD double pathmanathan_gray_rest(const IonicConstants *c, double *s) {
  (void)c;
  s[0] = s[1] = s[2] = 0;
  return 0;
}

/* In the solutions above with |F| <= 1 <= G: w u2^2 = 1/(1 + t) and u2^2 |V| <= (1 + t)^(-3/2). */
HD double pathmanathan_gray_max_slope(const IonicConstants *c) {
  const double most = 1 - c->value[PATHMANATHAN_GRAY_BETA];
  return most > 0 ? most : 0;
}

#ifdef IONIC_TABLES
static const Param pathmanathan_gray_param[PATHMANATHAN_GRAY_PARAMS] = {
    {"beta", "1/ms", -1.1 / 6, false, -INFINITY, INFINITY, true, true,
     "makes good what diffusion takes: div(D grad F) / F"},
};
static const IonicPreset pathmanathan_gray_preset[] = {
    {"1d", "F = cos(pi x)", {-1.1 / 6}},
    {"2d", "F = cos(pi x) cos(2 pi y)", {-5.9 / 6}},
    {"3d", "F = cos(pi x) cos(2 pi y) cos(3 pi z)", {-8.6 / 6}},
};
static const char pathmanathan_gray_meaning[] =
    "Pathmanathan and Gray 2014: verification problems with known solutions; needs 'initial:'; no heart";
#endif
