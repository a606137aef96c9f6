/* A cell of 19 states for tests, no cell of any heart. Its current is that of Aliev and Panfilov and a leak through 17
 * gates, which follow the potential alone, so that their course at a constant potential is known:
 *   s_j(t) = target_j + (s_j(0) - target_j) exp(-rate_j t)
 * State r is Aliev and Panfilov's; charge sums what has flowed, stimulus included: d charge/dt = f + stimulus, mV. The
 * leak goes to the resting potential, so the cell rests where Aliev and Panfilov's does. */
#pragma once
#include "physics/aliev_panfilov.h"

#define nineteen_states(STATE)                                                                                         \
  STATE("g1", "a gate, 0 to 1")                                                                                        \
  STATE("g2", "a gate, 0 to 1")                                                                                        \
  STATE("g3", "a gate, 0 to 1")                                                                                        \
  STATE("g4", "a gate, 0 to 1")                                                                                        \
  STATE("g5", "a gate, 0 to 1")                                                                                        \
  STATE("g6", "a gate, 0 to 1")                                                                                        \
  STATE("g7", "a gate, 0 to 1")                                                                                        \
  STATE("g8", "a gate, 0 to 1")                                                                                        \
  STATE("g9", "a gate, 0 to 1")                                                                                        \
  STATE("g10", "a gate, 0 to 1")                                                                                       \
  STATE("g11", "a gate, 0 to 1")                                                                                       \
  STATE("g12", "a gate, 0 to 1")                                                                                       \
  STATE("g13", "a gate, 0 to 1")                                                                                       \
  STATE("g14", "a gate, 0 to 1")                                                                                       \
  STATE("g15", "a gate, 0 to 1")                                                                                       \
  STATE("g16", "a gate, 0 to 1")                                                                                       \
  STATE("g17", "a gate, 0 to 1")                                                                                       \
  STATE("recovery", "r of Aliev and Panfilov")                                                                         \
  STATE("charge", "what has flowed, mV")

enum { NINETEEN_LEAK = ALIEV_PANFILOV_PARAMS, NINETEEN_PARAMS, NINETEEN_GATES = 17 };

HD double nineteen_rate_of(const IonicConstants *c, const double V, const int j) {
  const double phi = aliev_panfilov_phi(c, V);
  return (0.02 + 0.3 * j) / (1 + phi * phi);
}
HD double nineteen_target_of(const IonicConstants *c, const double V, const int j) {
  return 1 / (1 + exp(-8 * (aliev_panfilov_phi(c, V) - 0.05 * j)));
}

HD void nineteen_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {
  (void)s;
  for (int j = 0; j < NINETEEN_GATES; ++j) {
    rate[j] = nineteen_rate_of(c, V, j);
    target[j] = nineteen_target_of(c, V, j);
  }
}

HD double nineteen_currents(const IonicConstants *c, const double V, const double stimulus, const double *s,
                            double *by_V, double *g, double *decay) {
  const double *p = c->value, r = s[NINETEEN_GATES];
  double open = 0, by_r, by_phi;
  for (int j = 0; j < NINETEEN_GATES; ++j) open += s[j] / NINETEEN_GATES;
  const double leak = p[NINETEEN_LEAK] * open;
  const double f = aliev_panfilov_reaction(c, V, s + NINETEEN_GATES, by_V, &by_r) - leak * (V - p[ALIEV_PANFILOV_REST]);
  *by_V -= leak;
  aliev_panfilov_rate(c, V, s + NINETEEN_GATES, g + NINETEEN_GATES);
  const double phi = aliev_panfilov_phi(c, V), a = p[ALIEV_PANFILOV_MU1] / aliev_panfilov_gap(c, phi, &by_phi);
  const double B = p[ALIEV_PANFILOV_C] * phi * (phi - p[ALIEV_PANFILOV_B] - 1);
  const double fall = (p[ALIEV_PANFILOV_GAMMA] + a * (2 * r + B)) / p[ALIEV_PANFILOV_TIME];
  decay[NINETEEN_GATES] = fall > 0 ? fall : 0;
  g[NINETEEN_GATES + 1] = f + stimulus;
  decay[NINETEEN_GATES + 1] = 0;
  return f;
}

HD double nineteen_rest(const IonicConstants *c, double *s) {
  const double V = aliev_panfilov_rest(c, s + NINETEEN_GATES);
  for (int j = 0; j < NINETEEN_GATES; ++j) s[j] = nineteen_target_of(c, V, j);
  s[NINETEEN_GATES + 1] = 0;
  return V;
}

HD double nineteen_front_slope(const IonicConstants *c) { return aliev_panfilov_max_slope(c); }
HD double nineteen_max_slope(const IonicConstants *c) { return aliev_panfilov_max_slope(c); }

#ifdef IONIC_TABLES
static const Param nineteen_param[NINETEEN_PARAMS] = {
    {"alpha", "1", 0.01, false, 0, 0.5, true, true, "as in aliev-panfilov"},
    {"gamma", "1", 0.002, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"b", "1", 0.15, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"c", "1", 8, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"mu1", "1", 0.2, false, 0, INFINITY, false, true, "as in aliev-panfilov"},
    {"mu2", "1", 0.3, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"rest", "mV", -80, false, -INFINITY, INFINITY, true, true, "as in aliev-panfilov"},
    {"amplitude", "mV", 100, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"time", "ms", 12.9, false, 0, INFINITY, true, true, "as in aliev-panfilov"},
    {"leak", "1/ms", 0.01, false, 0, INFINITY, false, true, "through the gates"},
};
static const IonicPreset nineteen_preset[] = {
    {"epi", "leaks", {0.01, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9, 0.01}},
    {"endo", "leaks less", {0.01, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9, 0.005}},
    {"mid", "does not leak", {0.01, 0.002, 0.15, 8, 0.2, 0.3, -80, 100, 12.9, 0}},
};
static const char nineteen_meaning[] = "for tests: Aliev and Panfilov's current and a leak through 17 gates";
#endif
