/* Extrapolation matrices: node values of a least-squares fit over the integration points. */
#include "assembly/space/extrapolate.h"
#include "assembly/space/small_matrix.h"

/* The terms of the fit at a reference point; returns their number: linear on simplices, with products of two coordinates
 * on cubic ones; (multi)linear on the others, on pyramids linear and x y. */
static int extrapolate_terms(const ElementType *type, const double xi[3], double *phi) {
  const bool simplex = shape_is_simplex(type->shape);
  phi[0] = 1;
  phi[1] = xi[0];
  phi[2] = xi[1];
  if (simplex && type->order > 2) {
    int n = 1;
    for (int d = 0; d < type->dim; ++d) phi[n++] = xi[d];
    for (int d = 0; d < type->dim; ++d)
      for (int e = 0; e <= d; ++e) phi[n++] = xi[d] * xi[e];
    return n;
  }
  if (type->dim == 2) {
    phi[3] = xi[0] * xi[1];
    return simplex ? 3 : 4;
  }
  phi[3] = xi[2];
  if (type->shape == SHAPE_WEDGE) {
    phi[4] = xi[0] * xi[2];
    phi[5] = xi[1] * xi[2];
    return 6;
  }
  phi[4] = xi[0] * xi[1];
  phi[5] = xi[1] * xi[2];
  phi[6] = xi[0] * xi[2];
  phi[7] = xi[0] * xi[1] * xi[2];
  return simplex ? 4 : type->shape == SHAPE_PYRAMID ? 5 : 8;
}

Status extrapolation_matrix(const ElementType *type, const Quadrature *rule, double *E) {
  double A[SMALL][SMALL] = {{0}}, B[SMALL * ELEMENT_MAX_QUADRATURE], phi[SMALL];
  int n = extrapolate_terms(type, rule->xi[0], phi);
  if (rule->n < n) n = 1;
  for (int32_t q = 0; q < rule->n; ++q) {
    extrapolate_terms(type, rule->xi[q], phi);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) A[i][j] += rule->weight[q] * phi[i] * phi[j];
      B[i * rule->n + q] = rule->weight[q] * phi[i];
    }
  }
  CHECK(cholesky_solve(n, A, rule->n, B), ERR_BUG, "the integration points of %s do not determine a fit", type->name);
  for (int32_t a = 0; a < type->n_node; ++a) {
    extrapolate_terms(type, type->node[a], phi);
    for (int32_t q = 0; q < rule->n; ++q) {
      double *e = &E[a * rule->n + q];
      *e = 0;
      for (int i = 0; i < n; ++i) *e += phi[i] * B[i * rule->n + q];
    }
  }
  return OK;
}
