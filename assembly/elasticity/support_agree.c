/* When two prescribed values at one node are the same. */
#include "assembly/elasticity/support.h"

#include <math.h>

/* Of the two values; of the largest in the case; coordinates of a mesh. */
static const double AGREE = 1e-9, OF_LARGEST = 1e-12, COORDINATES = 1e-12;
static const double SAFETY = 4; /* on first-order bounds of round-off */

bool support_values_agree(double difference, double size, double largest, double error) {
  const double off = fabs(difference);
  return off <= AGREE * size || off <= OF_LARGEST * largest || off <= SAFETY * error;
}

double support_place_error(const Mesh *mesh) {
  double most = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs(mesh->x[i][k]));
  return COORDINATES * most;
}
