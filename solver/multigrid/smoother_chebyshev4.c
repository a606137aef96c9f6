/* Chebyshev polynomials of the 4th kind (Lottes 2023, "Optimal polynomial smoothers for multigrid V-cycles"):
 *   d_1 = 4 / (3 bound) r;  x += d;  r -= A d;  d <- (2k-1)/(2k+3) d + (8k+4)/((2k+3) bound) r
 * They need no lower end of an interval. */
#include "solver/multigrid/smoother.h"

static void smoother_chebyshev4_find(int32_t degree, double bound, SmootherSteps *out) {
  for (int32_t k = 0; k < degree; ++k) {
    out->a[k] = k ? (2.0 * k - 1) / (2.0 * k + 3) : 0;
    out->b[k] = (8.0 * k + 4) / ((2.0 * k + 3) * bound);
  }
}

const Smoother smoother_chebyshev4 = {.find = smoother_chebyshev4_find};
