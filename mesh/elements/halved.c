#include "mesh/elements/halved.h"

#include <math.h>

bool element_halves(const ElementType *type) {
  static const int32_t n_node[N_ELEMENT_SHAPES] = {
      [SHAPE_LINE] = 3, [SHAPE_TRIANGLE] = 6, [SHAPE_QUAD] = 9, [SHAPE_TETRAHEDRON] = 10, [SHAPE_HEXAHEDRON] = 27};
  return type->order == 2 && type->n_node == n_node[type->shape];
}

/* Of the node at distance d, in units of the distance of nodes: a hat along each axis. */
static double tensor_hat(int32_t dim, const double d[3]) {
  double hat = 1;
  for (int32_t k = 0; k < dim; ++k) hat *= fmax(0, 1 - fabs(d[k]));
  return hat;
}

/* With s_k = x_k + x_k+1 + ... the reference simplex is s_1 >= s_2 >= ..., in which cubes are cut along their diagonals. */
static double simplex_hat(int32_t dim, const double d[3]) {
  double s = 0, most = 0, least = 0;
  for (int32_t k = dim - 1; k >= 0; --k) {
    s += 2 * d[k];
    most = fmax(most, s), least = fmin(least, s);
  }
  return fmax(0, 1 - (most - least));
}

void element_halved_values(const ElementType *type, const double xi[3], double *N) {
  if (!element_halves(type)) {
    type->values(xi, N);
    return;
  }
  for (int32_t a = 0; a < type->n_node; ++a) {
    double d[3] = {0};
    for (int32_t k = 0; k < type->dim; ++k) d[k] = xi[k] - type->node[a][k];
    N[a] = shape_is_simplex(type->shape) ? simplex_hat(type->dim, d) : tensor_hat(type->dim, d);
  }
}
