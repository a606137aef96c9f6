/* Linear elements in time (Galerkin): theta = 2/3. */
#include "solver/time/scheme.h"
static void galerkin_factors(double dt, double h1, SchemeFactors *out) {
  (void)h1;
  out->mass = 1 / dt;
  out->theta = 2.0 / 3;
}
static double galerkin_error(double dt, double h1) { return (void)dt, (void)h1, 1.0 / 3; }
const TimeScheme galerkin_scheme = {.order = 1,
                                    .carries = SCHEME_CARRIES_RATE,
                                    .budget_linear = 1,
                                    .budget_nonlinear = 1,
                                    .factors = galerkin_factors,
                                    .error = galerkin_error};
