/* States first as in rush_larsen.c, and u by stages of Runge, Kutta and Chebyshev with the force on its line
 * (stepper_stages.c): of second order, nothing is solved. */
#include "solver/time/scheme.h"

static double rush_larsen_chebyshev_error(double dt, double h1) { return rush_larsen_scheme.error(dt, h1); }

const TimeScheme rush_larsen_chebyshev_scheme = {.order = 2,
                                                 .carries = SCHEME_STATES_FIRST,
                                                 .stages = 1,
                                                 .budget_linear = 5,
                                                 .budget_nonlinear = 4, /* Crank-Nicolson's; steps are fixed */
                                                 .factors = backward_euler_factors,
                                                 .error = rush_larsen_chebyshev_error};
