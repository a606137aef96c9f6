/* The trapezoidal rule. */
#include "solver/time/scheme.h"

static void crank_nicolson_factors(double dt, double h1, SchemeFactors *out) {
  (void)h1;
  out->mass = 1 / dt;
  out->theta = 0.5;
}
static double crank_nicolson_error(double dt, double h1) {
  (void)h1;
  return dt * dt * dt / 12;
}

const TimeScheme crank_nicolson_scheme = {.order = 2,
                                          .rings = 1,
                                          .carries = SCHEME_CARRIES_RATE,
                                          .budget_linear = 5,
                                          .budget_nonlinear = 4,
                                          .factors = crank_nicolson_factors,
                                          .error = crank_nicolson_error};
