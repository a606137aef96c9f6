/* Weighted Jacobi with weight 4 / (3 bound), which reduces the upper half of the spectrum most (Saad, Iterative
 * Methods, 13.2). */
#include "solver/multigrid/smoother.h"

static void smoother_jacobi_find(int32_t degree, double bound, SmootherSteps *out) {
  for (int32_t k = 0; k < degree; ++k) {
    out->a[k] = 0;
    out->b[k] = 4 / (3 * bound);
  }
}

const Smoother smoother_jacobi = {.find = smoother_jacobi_find};
