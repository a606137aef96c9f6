/* Backward Euler. */
#include "solver/time/scheme.h"

void backward_euler_factors(double dt, double h1, SchemeFactors *out) {
  (void)h1;
  out->mass = 1 / dt;
  out->theta = 1;
}
static double backward_euler_error(double dt, double h1) {
  (void)dt, (void)h1;
  return 1;
}

const TimeScheme backward_euler_scheme = {.order = 1,
                                          .carries = SCHEME_CARRIES_NOTHING,
                                          .budget_linear = 2.5,
                                          .budget_nonlinear = 0.6,
                                          .factors = backward_euler_factors,
                                          .error = backward_euler_error};
