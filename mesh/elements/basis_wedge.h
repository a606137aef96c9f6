/* Shape functions of wedges: triangle (barycentric coordinates L of xi, eta) times line (zeta in [-1,1]).
 * Linear: L (1 + c zeta) / 2. Serendipity with 15 nodes (Zienkiewicz and Taylor 2000, section 8.12): vertices
 * L (2 L - 1) (1 + c zeta) / 2 - L (1 - zeta^2) / 2, middles of the triangles' edges 2 L_a L_b (1 + c zeta), middles of
 * the upright edges L (1 - zeta^2). The traces are those of tri3, tri6, quad4 and quad8. */
#pragma once
#include "mesh/elements/basis.h"

/* The barycentric coordinates that a node's function is made of: one at upright edges, two in the middle between
 * them. */
static inline int32_t basis_wedge_edges(const double *node, int32_t v[2]) {
  int32_t n = 0;
  for (int32_t k = 0; k < 3; k++) {
    if (basis_barycentric(2, k, node) > 0.25) v[n++] = k;
  }
  return n;
}

static inline void basis_wedge1(const double (*node)[3], const double *xi, double *N) {
  int32_t v[2];
  for (int32_t a = 0; a < 6; a++) {
    basis_wedge_edges(node[a], v);
    N[a] = basis_barycentric(2, v[0], xi) * basis_line1(node[a][2], xi[2]);
  }
}
static inline void basis_wedge1_gradient(const double (*node)[3], const double *xi, double *dN) {
  int32_t v[2];
  for (int32_t a = 0; a < 6; a++) {
    const double c = node[a][2];
    basis_wedge_edges(node[a], v);
    for (int32_t d = 0; d < 2; d++) dN[a * 3 + d] = basis_barycentric_slope(v[0], d) * basis_line1(c, xi[2]);
    dN[a * 3 + 2] = basis_barycentric(2, v[0], xi) * basis_line1_slope(c, xi[2]);
  }
}

static inline void basis_wedge2(const double (*node)[3], const double *xi, double *N) {
  const double bubble = (1.0 - xi[2]) * (1.0 + xi[2]);
  for (int32_t a = 0; a < 15; a++) {
    int32_t v[2];
    const int32_t n = basis_wedge_edges(node[a], v);
    const double L = basis_barycentric(2, v[0], xi), end = 1.0 + node[a][2] * xi[2];
    if (n == 2) N[a] = 2.0 * L * basis_barycentric(2, v[1], xi) * end;
    else if (node[a][2] * node[a][2] < 0.5) N[a] = L * bubble;
    else N[a] = 0.5 * L * ((2.0 * L - 1.0) * end - bubble);
  }
}
static inline void basis_wedge2_gradient(const double (*node)[3], const double *xi, double *dN) {
  const double bubble = (1.0 - xi[2]) * (1.0 + xi[2]);
  for (int32_t a = 0; a < 15; a++) {
    int32_t v[2];
    const int32_t n = basis_wedge_edges(node[a], v);
    const double L = basis_barycentric(2, v[0], xi), c = node[a][2], end = 1.0 + c * xi[2];
    const double M = n == 2 ? basis_barycentric(2, v[1], xi) : 0.0;
    for (int32_t d = 0; d < 2; d++) {
      const double slope = basis_barycentric_slope(v[0], d);
      if (n == 2) dN[a * 3 + d] = 2.0 * (slope * M + L * basis_barycentric_slope(v[1], d)) * end;
      else if (c * c < 0.5) dN[a * 3 + d] = slope * bubble;
      else dN[a * 3 + d] = 0.5 * slope * ((4.0 * L - 1.0) * end - bubble);
    }
    if (n == 2) dN[a * 3 + 2] = 2.0 * L * M * c;
    else if (c * c < 0.5) dN[a * 3 + 2] = -2.0 * L * xi[2];
    else dN[a * 3 + 2] = 0.5 * L * ((2.0 * L - 1.0) * c + 2.0 * xi[2]);
  }
}
