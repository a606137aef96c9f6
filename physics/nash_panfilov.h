/* Active tension by the potential, of Nash and Panfilov (Prog. Biophys. Mol. Biol. 85, 2004, 501-522, equations 22 and 23):
 *   dT/dt = e(u) (k u - T),  u = (V - rest)/range,  e = rate, ten times that where u >= 0.05
 * By backward Euler, in closed form. Their time unit is that of Aliev and Panfilov's cells, 12.9 ms. */
#pragma once
#include "physics/tension_model.h"

enum { NASH_PANFILOV_K, NASH_PANFILOV_REST, NASH_PANFILOV_RANGE, NASH_PANFILOV_RATE, NASH_PANFILOV_PARAMS };

HD void nash_panfilov_tension(const double *v, const TensionIn *in, TensionOut *out) {
  const double excited = 0.05, faster = 10, u = (in->drive - v[NASH_PANFILOV_REST]) / v[NASH_PANFILOV_RANGE];
  const double x = in->dt * v[NASH_PANFILOV_RATE] * (u < excited ? 1 : faster);
  out->state[0] = out->tension = (in->old[0] + x * v[NASH_PANFILOV_K] * u) / (1 + x);
  out->slope = 0;
}

HD void nash_panfilov_tension_begin(const double *v, double V, double stretch, double *s) {
  (void)v, (void)V, (void)stretch;
  s[0] = 0;
}

#define nash_panfilov_states(STATE) STATE("tension", "kPa")

#ifdef TENSION_TABLES
#define NASH_PANFILOV_RATE_DEFAULT (1 / 12.9)
static const Param nash_panfilov_param[NASH_PANFILOV_PARAMS] = {
    {"k", "kPa", 47.9, false, 0, INFINITY, true, true, "tension of cells at `rest` + `range`"},
    {"rest", "mV", -80, false, -INFINITY, INFINITY, true, true, "potential without tension"},
    {"range", "mV", 100, false, 0, INFINITY, true, true, "from rest to the height of excited cells"},
    {"rate", "1/ms", NASH_PANFILOV_RATE_DEFAULT, false, 0, INFINITY, true, true, "of cells at rest"},
};
static const TensionPreset nash_panfilov_preset[] = {
    {"paper", "as published", {47.9, -80, 100, NASH_PANFILOV_RATE_DEFAULT}}};
static Status nash_panfilov_check(const double *v) {
  (void)v;
  return OK;
}
static const TensionShape nash_panfilov_shape = {.drive = TENSION_BY_POTENTIAL};
static const char nash_panfilov_meaning[] = "by the potential, of Nash and Panfilov 2004";
#endif
