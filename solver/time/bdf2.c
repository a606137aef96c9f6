/* BDF2 with steps of any length (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, III.5). */
#include "solver/time/scheme.h"

static void bdf2_factors(double dt, double h1, SchemeFactors *out) {
  const double ratio = dt / h1;
  out->mass = (1 + 2 * ratio) / (1 + ratio) / dt;
  out->history = ratio * ratio / (1 + ratio) / dt;
  out->theta = 1;
}
static double bdf2_error(double dt, double h1) {
  const double ratio = dt / h1, wide = dt * (dt + h1);
  return dt * wide * (1 + ratio) / (6 * (1 + 2 * ratio));
}

const TimeScheme bdf2_scheme = {.order = 2,
                                .n_history = 1,
                                .carries = SCHEME_CARRIES_INCREMENT,
                                .budget_linear = 4,
                                .budget_nonlinear = 2,
                                .factors = bdf2_factors,
                                .error = bdf2_error};
