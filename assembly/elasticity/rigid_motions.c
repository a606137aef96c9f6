#include "assembly/elasticity/rigid_motions.h"

#include <math.h>

static double rigid_motions_centre(int32_t n, const double (*x)[3], double c[3]) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
    for (int32_t i = 0; i < n; ++i) {
      low = fmin(low, x[i][k]);
      high = fmax(high, x[i][k]);
    }
    c[k] = n ? 0.5 * (low + high) : 0;
    largest = fmax(largest, n ? 0.5 * (high - low) : 0);
  }
  return largest > 0 ? largest : 1;
}

void rigid_motions(int32_t n, int32_t dim, const double (*x)[3], double *out) {
  double c[3];
  const double size = rigid_motions_centre(n, x, c);
  const int64_t each = (int64_t)n * dim;
  const int32_t n_motion = rigid_motion_count(dim);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    const double y[3] = {(x[i][0] - c[0]) / size, (x[i][1] - c[1]) / size, (x[i][2] - c[2]) / size};
    for (int32_t k = 0; k < n_motion; ++k)
      for (int32_t r = 0; r < dim; ++r) out[k * each + (int64_t)i * dim + r] = k == r;
    if (dim == 2) {
      out[2 * each + 2 * (int64_t)i] = -y[1];
      out[2 * each + 2 * (int64_t)i + 1] = y[0];
    }
    for (int32_t k = 0; dim == 3 && k < 3; ++k) { /* e_k x y */
      const int32_t p = (k + 1) % 3, q = (k + 2) % 3;
      out[(3 + k) * each + 3 * (int64_t)i + q] = y[p];
      out[(3 + k) * each + 3 * (int64_t)i + p] = -y[q];
    }
  }
}
