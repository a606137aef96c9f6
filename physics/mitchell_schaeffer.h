/* The model of Mitchell and Schaeffer (2003, Bull. Math. Biol. 65, 767-793). With v = (V - rest) / amplitude and the
 * state h (the gate of the inward current):
 *   dv/dt = h v^2 (1 - v) / tau_in - v / tau_out      dh/dt = open (1 - h) / tau_open - (1 - open) h / tau_close
 * The authors' gate switches at v_gate: open is 1 below and 0 above. Here it is a cubic step over v_gate -+ gate_width,
 * so that the implicit equations have derivatives everywhere. Linear in h, therefore the implicit state is one
 * division. */
#pragma once
#include "physics/ionic_model.h"

#define mitchell_schaeffer_states(STATE) STATE("recovery", "h, 1 at rest (gate open), towards 0 while excited")

enum {
  MITCHELL_SCHAEFFER_IN,
  MITCHELL_SCHAEFFER_OUT,
  MITCHELL_SCHAEFFER_OPEN,
  MITCHELL_SCHAEFFER_CLOSE,
  MITCHELL_SCHAEFFER_GATE,
  MITCHELL_SCHAEFFER_WIDTH,
  MITCHELL_SCHAEFFER_REST,
  MITCHELL_SCHAEFFER_AMPLITUDE,
  MITCHELL_SCHAEFFER_PARAMS
};

HD double mitchell_schaeffer_v(const IonicConstants *c, const double V) {
  return (V - c->value[MITCHELL_SCHAEFFER_REST]) / c->value[MITCHELL_SCHAEFFER_AMPLITUDE];
}
/* 1 below the gate, 0 above; *by_v: its derivative. */
HD double mitchell_schaeffer_open(const IonicConstants *c, const double v, double *by_v) {
  const double width = 2 * c->value[MITCHELL_SCHAEFFER_WIDTH];
  double z = (v - c->value[MITCHELL_SCHAEFFER_GATE]) / width + 0.5;
  z = z < 0 ? 0 : z > 1 ? 1 : z;
  *by_v = -6 * z * (1 - z) / width;
  return 1 - z * z * (3 - 2 * z);
}

HD void mitchell_schaeffer_rate(const IonicConstants *c, const double V, const double *s, double *g) {
  const double h = s[0];
  double by_v;
  const double open = mitchell_schaeffer_open(c, mitchell_schaeffer_v(c, V), &by_v);
  g[0] = open * (1 - h) / c->value[MITCHELL_SCHAEFFER_OPEN] - (1 - open) * h / c->value[MITCHELL_SCHAEFFER_CLOSE];
}

HD void mitchell_schaeffer_state(const IonicConstants *c, const double V, const double *known, const double step,
                                 double *s, double *by_V) {
  double by_v;
  const double open = mitchell_schaeffer_open(c, mitchell_schaeffer_v(c, V), &by_v);
  const double up = step / c->value[MITCHELL_SCHAEFFER_OPEN], down = step / c->value[MITCHELL_SCHAEFFER_CLOSE];
  const double below = 1 / (1 + open * up + (1 - open) * down);
  s[0] = (known[0] + open * up) * below;
  by_V[0] = by_v * (up - s[0] * (up - down)) * below / c->value[MITCHELL_SCHAEFFER_AMPLITUDE];
}

HD double mitchell_schaeffer_reaction(const IonicConstants *c, const double V, const double *s, double *by_V,
                                      double *by_s) {
  const double h = s[0], v = mitchell_schaeffer_v(c, V), amplitude = c->value[MITCHELL_SCHAEFFER_AMPLITUDE];
  const double in = 1 / c->value[MITCHELL_SCHAEFFER_IN], out = 1 / c->value[MITCHELL_SCHAEFFER_OUT];
  *by_V = h * v * (2 - 3 * v) * in - out;
  by_s[0] = amplitude * v * v * (1 - v) * in;
  return amplitude * v * (h * v * (1 - v) * in - out);
}

HD double mitchell_schaeffer_rest(const IonicConstants *c, double *state) {
  *state = 1;
  return c->value[MITCHELL_SCHAEFFER_REST];
}

/* Largest df/dV, 1/ms: at h = 1 and v = 1/3; 0 where the outward current always wins. */
HD double mitchell_schaeffer_max_slope(const IonicConstants *c) {
  const double steep = 1 / (3 * c->value[MITCHELL_SCHAEFFER_IN]) - 1 / c->value[MITCHELL_SCHAEFFER_OUT];
  return steep > 0 ? steep : 0;
}

#ifdef IONIC_TABLES
static const Param mitchell_schaeffer_param[MITCHELL_SCHAEFFER_PARAMS] = {
    {"tau-in", "ms", 0.3, false, 0, INFINITY, true, true, "of the inward current: upstroke"},
    {"tau-out", "ms", 6, false, 0, INFINITY, true, true, "of the outward current: repolarisation"},
    {"tau-open", "ms", 120, false, 0, INFINITY, true, true, "in which the gate opens: recovery"},
    {"tau-close", "ms", 150, false, 0, INFINITY, true, true, "in which the gate closes: duration"},
    {"v-gate", "1", 0.13, false, 0, 1, true, true, "at which the gate switches"},
    {"gate-width", "1", 0.01, false, 1e-4, 0.1, false, false, "half the width of the switch; the authors' is 0"},
    {"rest", "mV", -80, false, -INFINITY, INFINITY, true, true, "resting potential, v = 0"},
    {"amplitude", "mV", 100, false, 0, INFINITY, true, true, "from v = 0 to v = 1"},
};
static const IonicPreset mitchell_schaeffer_preset[] = {
    {"mitchell-schaeffer", "the authors' own, a human ventricle", {0.3, 6, 120, 150, 0.13, 0.01, -80, 100}},
};
static const char mitchell_schaeffer_meaning[] =
    "Mitchell and Schaeffer 2003: an inward current with one gate and an outward current";
#endif
