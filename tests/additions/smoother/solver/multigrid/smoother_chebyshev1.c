/* Chebyshev polynomials of the first kind on [bound / 4, bound] (Adams, Brezina, Hu and Tuminaro 2003). */
#include "solver/multigrid/smoother.h"

static void chebyshev1_find(int32_t degree, double bound, SmootherSteps *out) {
  const double theta = 0.625 * bound, delta = 0.375 * bound;
  double rho = delta / theta;
  out->a[0] = 0;
  out->b[0] = 1 / theta;
  for (int32_t k = 1; k < degree; ++k) {
    const double last = rho;
    rho = 1 / (2 * theta / delta - last);
    out->a[k] = rho * last;
    out->b[k] = 2 * rho / delta;
  }
}

const Smoother smoother_chebyshev1 = {.find = chebyshev1_find};
