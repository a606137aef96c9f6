/* A solid whose shear relaxes in time, by a Prony series of at most four terms, and whose pressure is elastic, under small strains:
 *   s(t) = integral of 2 G (1 - sum g_i + sum g_i exp(-(t - r)/tau_i)) d dev eps(r)
 * The stresses h_i of the terms go from step to step exactly where the strain is straight between them (Taylor, Pister and Goudreau,
 * Int. J. Numer. Methods Eng. 2, 1970, 45-59; Simo and Hughes, Computational Inelasticity, 1998, chapter 10):
 *   h_i := exp(-x) h_i + g_i (1 - exp(-x))/x (s0 - s0 before),  x = dt/tau_i,  s = (1 - sum g_i) s0 + sum h_i,  s0 = 2 G dev eps */
#pragma once
#include "physics/curve.h"
#include "physics/finite_strain.h"
#include "physics/linear_law.h"

enum {
  VISCOELASTIC_TERMS = 4,
  VISCOELASTIC_YOUNG = 0,
  VISCOELASTIC_POISSON,
  VISCOELASTIC_PRONY, /* pairs of g and tau */
  VISCOELASTIC_EXPANSION,
  VISCOELASTIC_THICKNESS,
  VISCOELASTIC_DENSITY,
  VISCOELASTIC_PARAMS
};

/* s0, what has been dissipated, then the h_i, tensors in the order xx yy zz xy yz xz. */
#define VISCOELASTIC_SIX(STATE, word, meaning)                                                                         \
  STATE(word "-xx", meaning, STRESS, 0)                                                                                \
  STATE(word "-yy", meaning, STRESS, 0)                                                                                \
  STATE(word "-zz", meaning, STRESS, 0)                                                                                \
  STATE(word "-xy", meaning, STRESS, 0)                                                                                \
  STATE(word "-yz", meaning, STRESS, 0)                                                                                \
  STATE(word "-xz", meaning, STRESS, 0)
#define viscoelastic_states(STATE)                                                                                     \
  VISCOELASTIC_SIX(STATE, "instant", "deviator of the stress without relaxation")                                      \
  STATE("relaxation-work", "energy that relaxation has taken, per volume", STRESS, 0)                                  \
  VISCOELASTIC_SIX(STATE, "relaxing-1", "stress that relaxes, of term 1")                                              \
  VISCOELASTIC_SIX(STATE, "relaxing-2", "stress that relaxes, of term 2")                                              \
  VISCOELASTIC_SIX(STATE, "relaxing-3", "stress that relaxes, of term 3")                                              \
  VISCOELASTIC_SIX(STATE, "relaxing-4", "stress that relaxes, of term 4")

enum { VISCOELASTIC_WORK = 6, VISCOELASTIC_H };

/* How many terms there are, and g and tau of each. */
HD int viscoelastic_terms(const double *law, const double **pairs) {
  *pairs = law + (int64_t)law[VISCOELASTIC_PRONY] + 1;
  return (int)(*pairs)[-1];
}

HD int viscoelastic_point(const double *law, const PointIn *in, PointOut *out) {
  const double G = law[VISCOELASTIC_YOUNG] / (2 * (1 + law[VISCOELASTIC_POISSON]));
  const double K = law[VISCOELASTIC_YOUNG] / (3 - 6 * law[VISCOELASTIC_POISSON]);
  const double trace = in->H[0] + in->H[4] + in->H[8], *pair;
  const int terms = viscoelastic_terms(law, &pair);
  if (in->finite) return 1; /* refused: 'small' of the shape */
  double left = 1, stays, energy = K * trace * trace / 2,
         taken = 0; /* left: without the terms; stays: of the tangent */
  for (int i = 0; i < terms; ++i) left -= pair[2 * i];
  stays = left;
  for (int k = 0; k < 9; ++k) {
    const int v = linear_voigt(k / 3, k % 3);
    const double s0 = 2 * G * (0.5 * (in->H[k] + in->H[k % 3 * 3 + k / 3]) - (k % 4 == 0 ? trace / 3 : 0));
    out->P[k] = left * s0 + (k % 4 == 0 ? K * trace : 0);
    energy += left * s0 * s0 / (4 * G);
    out->state[v] = s0;
  }
  for (int i = 0; i < terms; ++i) {
    const double g = pair[2 * i], x = in->dt / pair[2 * i + 1], share = g * (x > 0 ? -expm1(-x) / x : 1);
    stays += share;
    for (int k = 0; k < 9; ++k) {
      const int v = linear_voigt(k / 3, k % 3), at = VISCOELASTIC_H + 6 * i + v;
      const double change = out->state[v] - in->old[v], h = exp(-x) * in->old[at] + share * change;
      out->P[k] += h;
      energy += h * h / (4 * G * g);
      if (x > 0) /* the integral of h:dh/(2 G g tau), where the integral of h over the step is tau (g change - rise) */
        taken +=
            change * (g * change - h + in->old[at]) / (2 * G * x) - (h * h - in->old[at] * in->old[at]) / (4 * G * g);
      out->state[at] = h;
    }
  }
  out->energy = energy;
  out->state[VISCOELASTIC_WORK] = in->old[VISCOELASTIC_WORK] + taken;
  for (int k = 0; k < 9; ++k)
    for (int l = 0; out->A && l < 9; ++l) {
      const double both = k % 4 == 0 && l % 4 == 0;
      out->A[9 * k + l] = K * both + 2 * G * stays * (0.5 * ((k == l) + (k == l % 3 * 3 + l / 3)) - both / 3);
    }
  return 0;
}

#ifdef MATERIAL_TABLES
static const Param viscoelastic_param[VISCOELASTIC_PARAMS] = {
    {"young", "stress", 0, true, 0, INFINITY, true, true, "Young's modulus, of what is strained at once"},
    {"poisson", "1", 0, true, -1, 0.5, true, true, "Poisson's ratio, of what is strained at once"},
    {"prony", "time with 1", 0, true, 0, INFINITY, true, true,
     "up to four [g, tau]: the part g of the shear modulus relaxes with the time tau"},
    POINT_EXPANSION,
    {"thickness", "length", 1, false, 0, INFINITY, true, true, "thickness of a plane model"},
    {"density", "mass density", 0, false, 0, INFINITY, false, true, "mass per volume"},
};
static Status viscoelastic_check(const double *value) {
  const double *pair;
  const int terms = viscoelastic_terms(value, &pair);
  double sum = 0;
  CHECK(terms <= VISCOELASTIC_TERMS, ERR_INPUT, "prony has %d terms; at most %d are allowed", terms,
        VISCOELASTIC_TERMS);
  for (int i = 0; i < terms; ++i) {
    CHECK(pair[2 * i] > 0, ERR_INPUT, "prony: g of pair %d is %g, must be > 0", i + 1, pair[2 * i]);
    sum += pair[2 * i];
  }
  CHECK(
      sum < 1, ERR_INPUT,
      "prony: the g add up to %g, and nothing would be left of the shear modulus\n  allowed: a sum below 1, since each "
      "is a part of the modulus at once",
      sum);
  return OK;
}
static int32_t viscoelastic_remembers(const double *value) {
  const double *pair;
  return VISCOELASTIC_H + 6 * viscoelastic_terms(value, &pair);
}
static double viscoelastic_dissipated(const double *value, const double *state, int64_t stride) {
  (void)value;
  return state[VISCOELASTIC_WORK * stride];
}
static const MaterialState viscoelastic_state[] = {viscoelastic_states(MATERIAL_STATE)};
static const MaterialShape viscoelastic_shape = {MATERIAL_STATES(viscoelastic),
                                                 .symmetric = true,
                                                 .flows = true,
                                                 .small = "prony",
                                                 .remembers = viscoelastic_remembers,
                                                 .dissipated = viscoelastic_dissipated};
static const char viscoelastic_meaning[] = "solid whose shear relaxes in time, by a Prony series";
#endif
