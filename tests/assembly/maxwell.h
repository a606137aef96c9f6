/* A material with two states, for tests: its age, and elastic in shear, its volume part a Maxwell element with the viscous strain s,
 *   sigma = lambda (tr eps - s) I + 2 mu eps,   tau ds/dt = tr eps - s   (backward Euler),
 * which is the derivative of lambda/2 (tr eps - s)^2 + lambda tau/(2 dt) (s - s_old)^2 + mu eps:eps at its minimum in
 * s. No answer where |tr eps| exceeds `limit`. */
#pragma once
#include "physics/point_material.h"

enum { MAXWELL_LAMBDA, MAXWELL_MU, MAXWELL_TAU, MAXWELL_LIMIT, MAXWELL_PARAMS };

#define maxwell_states(STATE)                                                                                          \
  STATE("viscous-strain", "s: change of volume of the dashpot", NONE, 0)                                               \
  STATE("age", "since it was made", TIME, 2.5)

HD int maxwell_point(const double *law, const PointIn *in, PointOut *out) {
  const double lambda = law[MAXWELL_LAMBDA], mu = law[MAXWELL_MU], share = in->dt / (law[MAXWELL_TAU] + in->dt);
  const double trace = in->H[0] + in->H[4] + in->H[8], s = in->old[0] + share * (trace - in->old[0]);
  if (!(fabs(trace) <= law[MAXWELL_LIMIT])) return 1;
  out->state[0] = s;
  out->state[1] = in->old[1] + in->dt;
  out->energy = lambda / 2 * (trace - s) * (trace - s);
  if (in->dt > 0) out->energy += lambda * law[MAXWELL_TAU] / (2 * in->dt) * (s - in->old[0]) * (s - in->old[0]);
  for (int m = 0; m < 9; ++m) {
    const double strain = (in->H[m] + in->H[m % 3 * 3 + m / 3]) / 2;
    out->P[m] = 2 * mu * strain + (m % 4 == 0 ? lambda * (trace - s) : 0);
    out->energy += mu * strain * strain;
    for (int n = 0; out->A && n < 9; ++n)
      out->A[9 * m + n] = mu * ((m == n ? 1 : 0) + (n == m % 3 * 3 + m / 3 ? 1 : 0)) +
                          (m % 4 == 0 && n % 4 == 0 ? lambda * (1 - share) : 0);
  }
  return 0;
}

#ifdef MATERIAL_TABLES
static const Param maxwell_param[MAXWELL_PARAMS] = {
    {"lambda", "stress", 0, true, 0, INFINITY, true, true, "modulus that relaxes"},
    {"mu", "stress", 0, true, 0, INFINITY, true, true, "shear modulus"},
    {"tau", "time", 0, true, 0, INFINITY, true, true, "time of relaxation"},
    {"limit", "1", 0, true, 0, INFINITY, true, true, "change of volume that it bears"},
};
static Status maxwell_check(const double *value) {
  (void)value;
  return OK;
}
static const MaterialState maxwell_state[] = {maxwell_states(MATERIAL_STATE)};
static const MaterialShape maxwell_shape = {MATERIAL_STATES(maxwell), .symmetric = true};
static const char maxwell_meaning[] = "elastic in shear, its pressure relaxes, for tests";
#endif
