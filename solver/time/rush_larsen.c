/* Crank-Nicolson for u, of problems whose states go first (StatePart.first): those of a step are found from u_n alone, by
 * states_dt from the middle of the last step to the middle of this one, so that with them
 *   M (u - u_n)/dt + K (u + u_n)/2 = F(u_n, s) + (dF/du)(u_n, s) (u - u_n)/2 + M I
 * is of second order too (docs/theory/monodomain.md). Without such states it is Crank-Nicolson. */
#include "solver/time/scheme.h"

static void rush_larsen_factors(double dt, double h1, SchemeFactors *out) {
  crank_nicolson_scheme.factors(dt, h1, out);
}
static double rush_larsen_error(double dt, double h1) { return crank_nicolson_scheme.error(dt, h1); }

const TimeScheme rush_larsen_scheme = {.order = 2,
                                       .rings = 1,
                                       .carries = SCHEME_STATES_FIRST,
                                       .budget_linear = 5,
                                       .budget_nonlinear = 4, /* Crank-Nicolson's */
                                       .factors = rush_larsen_factors,
                                       .error = rush_larsen_error};
