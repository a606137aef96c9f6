/* Geometry of an element at a quadrature point, for the element kernels of all physics, in C and CUDA. */
#pragma once
#include "core/hd.h"

#ifdef __CUDACC__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

/* Pairs a <= b of n nodes. */
HD int pair_count(const int n) { return n * (n + 1) / 2; }

/* G += factor ga (x) gb */
HD void add_dyad(const int dim, const double *ga, const double *gb, const double factor, double *G) {
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) G[i * dim + j] += factor * ga[i] * gb[j];
}

/* Inverse of J[dim][dim]; returns det J. */
HD double invert(const int dim, const double *J, double *inverse) {
  if (dim == 2) {
    const double det = J[0] * J[3] - J[1] * J[2], r = 1 / det;
    inverse[0] = J[3] * r;
    inverse[1] = -J[1] * r;
    inverse[2] = -J[2] * r;
    inverse[3] = J[0] * r;
    return det;
  }
  const double c0 = J[4] * J[8] - J[5] * J[7], c1 = J[5] * J[6] - J[3] * J[8], c2 = J[3] * J[7] - J[4] * J[6];
  const double det = J[0] * c0 + J[1] * c1 + J[2] * c2, r = 1 / det;
  inverse[0] = c0 * r;
  inverse[1] = (J[2] * J[7] - J[1] * J[8]) * r;
  inverse[2] = (J[1] * J[5] - J[2] * J[4]) * r;
  inverse[3] = c1 * r;
  inverse[4] = (J[0] * J[8] - J[2] * J[6]) * r;
  inverse[5] = (J[2] * J[3] - J[0] * J[5]) * r;
  inverse[6] = c2 * r;
  inverse[7] = (J[1] * J[6] - J[0] * J[7]) * r;
  inverse[8] = (J[0] * J[4] - J[1] * J[3]) * r;
  return det;
}

/* Inverse of the Jacobian J_ij = dx_i / dxi_j = sum_a x_a (x) dN_a from x[n][dim] and dN[n][dim]; returns det J. */
HD double element_inverse(const int n, const int dim, const double *x, const double *dN, double *inverse) {
  double J[9] = {0};
  UNROLL
  for (int a = 0; a < n; ++a) add_dyad(dim, x + a * dim, dN + a * dim, 1, J);
  return invert(dim, J, inverse);
}

/* Gradient in x of a shape function: g_i = sum_k dN_k dxi_k / dx_i. */
HD void element_gradient(const int dim, const double *dN, const double *inverse, double *g) {
  for (int i = 0; i < dim; ++i) {
    double s = 0;
    for (int k = 0; k < dim; ++k) s += dN[k] * inverse[k * dim + i];
    g[i] = s;
  }
}

/* The circle through a point with shape functions N[n] around the axis x = 0, 2 pi r: what it stands for where the model is
 * axisymmetric. */
HD double element_circle(const int n, const int dim, const double *x, const double *N) {
  double r = 0;
  for (int a = 0; a < n; ++a) r += N[a] * x[a * dim];
  return 6.283185307179586476925286766559 * r;
}
