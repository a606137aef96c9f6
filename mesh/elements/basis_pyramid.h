/* Rational shape functions of pyramids (G. Bedrosian, Shape functions and integration formulas for three-dimensional
 * finite element analysis, International Journal for Numerical Methods in Engineering 35, 1992), whose traces are those
 * of quad4 and tri3, quad8 and tri6. Polynomials cannot do that. Base [-1,1]^2 at zeta = 0, apex at zeta = 1.
 *
 * With s = 1 - zeta, u = xi / s, v = eta / s in [-1,1] and the signs p, q of a base vertex,
 * P = s (1 + p u) (1 + q v) / 4: linear P and zeta; quadratic (p xi + q eta - 1) P at base vertices, zeta (2 zeta - 1)
 * at the apex, 4 zeta P in the middle of the edge to the apex, s^2 (1 - u^2) (1 + q v) / 2 and
 * s^2 (1 - v^2) (1 + p u) / 2 at the base's middles. Gradients depend on the direction from the apex; there they are
 * what they are on the axis, u = v = 0. */
#pragma once
#include <stdint.h>

/* s, u, v at a point; u = v = 0 at the apex. */
typedef struct PyramidPoint {
  double s, u, v;
} PyramidPoint;

static inline PyramidPoint basis_pyramid_point(const double *xi) {
  const double s = 1.0 - xi[2];
  const PyramidPoint apex = {0.0, 0.0, 0.0}, below = {s, xi[0] / s, xi[1] / s};
  return s * s < 1e-28 ? apex : below;
}

/* P of the base vertex (p, q), and its gradient. */
static inline double basis_pyramid_vertex(PyramidPoint at, double p, double q) {
  return 0.25 * at.s * (1.0 + p * at.u) * (1.0 + q * at.v);
}
static inline void basis_pyramid_vertex_gradient(PyramidPoint at, double p, double q, double slope[3]) {
  slope[0] = 0.25 * p * (1.0 + q * at.v);
  slope[1] = 0.25 * q * (1.0 + p * at.u);
  slope[2] = 0.25 * (p * q * at.u * at.v - 1.0);
}

static inline double basis_pyramid_sign(double c) { return c > 0.25 ? 1.0 : c < -0.25 ? -1.0 : 0.0; }

static inline void basis_pyramid1(const double (*node)[3], const double *xi, double *N) {
  const PyramidPoint at = basis_pyramid_point(xi);
  for (int32_t a = 0; a < 4; a++) N[a] = basis_pyramid_vertex(at, node[a][0], node[a][1]);
  N[4] = xi[2];
}
static inline void basis_pyramid1_gradient(const double (*node)[3], const double *xi, double *dN) {
  const PyramidPoint at = basis_pyramid_point(xi);
  for (int32_t a = 0; a < 4; a++) basis_pyramid_vertex_gradient(at, node[a][0], node[a][1], dN + 3 * a);
  dN[12] = dN[13] = 0.0;
  dN[14] = 1.0;
}

static inline void basis_pyramid2(const double (*node)[3], const double *xi, double *N) {
  const PyramidPoint at = basis_pyramid_point(xi);
  for (int32_t a = 0; a < 13; a++) {
    const double p = basis_pyramid_sign(node[a][0]), q = basis_pyramid_sign(node[a][1]);
    const double P = basis_pyramid_vertex(at, p, q);
    if (p == 0.0 && q == 0.0) N[a] = xi[2] * (2.0 * xi[2] - 1.0);
    else if (p == 0.0) N[a] = 0.5 * at.s * at.s * (1.0 - at.u * at.u) * (1.0 + q * at.v);
    else if (q == 0.0) N[a] = 0.5 * at.s * at.s * (1.0 - at.v * at.v) * (1.0 + p * at.u);
    else if (node[a][2] > 0.25) N[a] = 4.0 * xi[2] * P;
    else N[a] = (p * xi[0] + q * xi[1] - 1.0) * P;
  }
}
/* s^2 (1 - u^2) (1 + q v) / 2: along u, along v, along zeta. */
static inline void basis_pyramid_middle_gradient(double s, double u, double v, double q, double slope[3]) {
  slope[0] = -s * u * (1.0 + q * v);
  slope[1] = 0.5 * q * s * (1.0 - u * u);
  slope[2] = s * (0.5 * q * v * (1.0 - u * u) - (1.0 + q * v));
}
static inline void basis_pyramid2_gradient(const double (*node)[3], const double *xi, double *dN) {
  const PyramidPoint at = basis_pyramid_point(xi);
  for (int32_t a = 0; a < 13; a++) {
    const double p = basis_pyramid_sign(node[a][0]), q = basis_pyramid_sign(node[a][1]);
    const double P = basis_pyramid_vertex(at, p, q), plane = p * xi[0] + q * xi[1] - 1.0;
    double slope[3], *out = dN + 3 * a;
    if (p == 0.0 && q == 0.0) {
      out[0] = out[1] = 0.0;
      out[2] = 4.0 * xi[2] - 1.0;
    } else if (p == 0.0) {
      basis_pyramid_middle_gradient(at.s, at.u, at.v, q, out);
    } else if (q == 0.0) {
      basis_pyramid_middle_gradient(at.s, at.v, at.u, p, slope);
      out[0] = slope[1];
      out[1] = slope[0];
      out[2] = slope[2];
    } else {
      const double factor = node[a][2] > 0.25 ? 4.0 * xi[2] : plane;
      basis_pyramid_vertex_gradient(at, p, q, slope);
      for (int32_t d = 0; d < 3; d++) out[d] = factor * slope[d];
      if (node[a][2] > 0.25) {
        out[2] += 4.0 * P;
      } else {
        out[0] += p * P;
        out[1] += q * P;
      }
    }
  }
}
