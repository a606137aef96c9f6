#include "assembly/elasticity/rigid_motions.h"

#include <math.h>

RigidReach rigid_reach(int32_t n, const double (*x)[3]) {
  RigidReach reach;
  for (int k = 0; k < 3; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
    for (int32_t i = 0; i < n; ++i) {
      low = fmin(low, x[i][k]);
      high = fmax(high, x[i][k]);
    }
    reach.most[k] = -low;
    reach.most[3 + k] = high;
  }
  return reach;
}

RigidPlaces rigid_places(const RigidReach *reach) {
  RigidPlaces p = {.size = 0};
  for (int k = 0; k < 3; ++k) {
    const double low = -reach->most[k], high = reach->most[3 + k];
    p.centre[k] = high >= low ? 0.5 * (low + high) : 0;
    p.size = fmax(p.size, high >= low ? 0.5 * (high - low) : 0);
  }
  if (!(p.size > 0)) p.size = 1;
  return p;
}

void rigid_motions_at(const RigidPlaces *places, int32_t n, int32_t dim, double *out) {
  const int64_t each = (int64_t)n * dim;
  const int32_t n_motion = rigid_motion_count(dim);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; ++i)
    for (int32_t k = 0; k < n_motion; ++k)
      for (int32_t r = 0; r < dim; ++r) out[k * each + (int64_t)i * dim + r] = rigid_motion(places, i, dim, k, r);
}

void rigid_motions(int32_t n, int32_t dim, const double (*x)[3], double *out) {
  const RigidReach reach = rigid_reach(n, x);
  RigidPlaces places = rigid_places(&reach);
  places.x = &x[0][0];
  rigid_motions_at(&places, n, dim, out);
}
