/* Active tension by the potential, of Goektepe and Kuhl (Comput. Mech. 45, 2010, 227-243, equations 46 and 47 and table 4):
 *   dT/dt = e(V) (k (V - rest) - T),  e = slow + (fast - slow) exp(-exp(-steepness (V - middle)))
 * By backward Euler, in closed form. The paper's k makes 500 kPa; muscle has a fifth of that. */
#pragma once
#include "physics/tension_model.h"

enum {
  GOEKTEPE_KUHL_K,
  GOEKTEPE_KUHL_REST,
  GOEKTEPE_KUHL_MIDDLE,
  GOEKTEPE_KUHL_STEEPNESS,
  GOEKTEPE_KUHL_SLOW,
  GOEKTEPE_KUHL_FAST,
  GOEKTEPE_KUHL_PARAMS
};

HD double goektepe_kuhl_rate(const double *v, double V) {
  const double x = -v[GOEKTEPE_KUHL_STEEPNESS] * (V - v[GOEKTEPE_KUHL_MIDDLE]);
  return v[GOEKTEPE_KUHL_SLOW] + (v[GOEKTEPE_KUHL_FAST] - v[GOEKTEPE_KUHL_SLOW]) * exp(-exp(fmin(x, 700.0)));
}

HD void goektepe_kuhl_tension(const double *v, const TensionIn *in, TensionOut *out) {
  const double x = in->dt * goektepe_kuhl_rate(v, in->drive);
  const double target = v[GOEKTEPE_KUHL_K] * (in->drive - v[GOEKTEPE_KUHL_REST]);
  out->state[0] = out->tension = (in->old[0] + x * target) / (1 + x);
  out->slope = 0;
}

HD void goektepe_kuhl_tension_begin(const double *v, double V, double stretch, double *s) {
  (void)v, (void)V, (void)stretch;
  s[0] = 0;
}

#define goektepe_kuhl_states(STATE) STATE("tension", "kPa")

#ifdef TENSION_TABLES
static const Param goektepe_kuhl_param[GOEKTEPE_KUHL_PARAMS] = {
    {"k", "kPa/mV", 5, false, 0, INFINITY, true, true, "tension by the potential above `rest`"},
    {"rest", "mV", -80, false, -INFINITY, INFINITY, true, true, "potential without tension"},
    {"middle", "mV", 0, false, -INFINITY, INFINITY, true, true, "between the slow and the fast rate"},
    {"steepness", "1/mV", 1, false, 0, INFINITY, true, true, "from the one to the other"},
    {"slow", "1/ms", 0.1, false, 0, INFINITY, true, true, "rate at rest"},
    {"fast", "1/ms", 1, false, 0, INFINITY, true, true, "rate of excited cells"},
};
static const TensionPreset goektepe_kuhl_preset[] = {{"paper", "table 4 of the paper", {5, -80, 0, 1, 0.1, 1}}};
static Status goektepe_kuhl_check(const double *v) {
  (void)v;
  return OK;
}
static const TensionShape goektepe_kuhl_shape = {.drive = TENSION_BY_POTENTIAL};
static const char goektepe_kuhl_meaning[] = "by the potential, of Goektepe and Kuhl 2010";
#endif
