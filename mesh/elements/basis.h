/* The families of shape functions that the element headers choose from, written once for every dimension.
 * Vertices, mid-nodes and centres are told apart by the reference coordinates of the nodes, so a header holds only
 * tables. Sources: Hughes 2000, sections 3.5 to 3.7 (Lagrange), 3.7 (serendipity); Zienkiewicz and Taylor 2000,
 * chapter 8. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Lagrange polynomial of the node at c (-1 or 1; 0 too when quadratic) and its derivative, at s. */
static inline double basis_line1(double c, double s) { return 0.5 * (1.0 + c * s); }
static inline double basis_line1_slope(double c, double s) {
  (void)s;
  return 0.5 * c;
}
static inline double basis_line2(double c, double s) {
  return c * c > 0.5 ? 0.5 * c * s * (1.0 + c * s) : (1.0 - s) * (1.0 + s);
}
static inline double basis_line2_slope(double c, double s) { return c * c > 0.5 ? 0.5 * c + s : -2.0 * s; }

/* Products of 1D Lagrange polynomials: line, quad, hex of order 1 or 2. N[n], dN[n][dim]. */
static inline void basis_tensor(int32_t order, int32_t dim, int32_t n, const double (*node)[3], const double *xi,
                                double *N) {
  for (int32_t a = 0; a < n; a++) {
    N[a] = 1.0;
    for (int32_t k = 0; k < dim; k++) {
      N[a] *= order == 1 ? basis_line1(node[a][k], xi[k]) : basis_line2(node[a][k], xi[k]);
    }
  }
}
static inline void basis_tensor_gradient(int32_t order, int32_t dim, int32_t n, const double (*node)[3],
                                         const double *xi, double *dN) {
  for (int32_t a = 0; a < n; a++) {
    for (int32_t d = 0; d < dim; d++) {
      double product = 1.0;
      for (int32_t k = 0; k < dim; k++) {
        const double c = node[a][k], s = xi[k];
        if (k == d) {
          product *= order == 1 ? basis_line1_slope(c, s) : basis_line2_slope(c, s);
        } else {
          product *= order == 1 ? basis_line1(c, s) : basis_line2(c, s);
        }
      }
      dN[a * dim + d] = product;
    }
  }
}

/* Serendipity quad8 and hex20. With p = prod (1 + c_k s_k) over the non-zero c_k: a vertex has
 * p (sum c_k s_k - (dim - 1)) / 2^dim, a mid-node (the one c_m = 0) has p (1 - s_m^2) / 2^(dim-1). */
static inline void basis_serendipity(int32_t dim, int32_t n, const double (*node)[3], const double *xi, double *N) {
  const double scale = dim == 2 ? 0.25 : 0.125;
  for (int32_t a = 0; a < n; a++) {
    double product = scale, sum = (double)(1 - dim);
    int32_t middle = -1;
    for (int32_t k = 0; k < dim; k++) {
      const double cs = node[a][k] * xi[k];
      product *= 1.0 + cs;
      sum += cs;
      if (node[a][k] * node[a][k] < 0.5) middle = k;
    }
    N[a] = middle < 0 ? product * sum : 2.0 * product * (1.0 - xi[middle]) * (1.0 + xi[middle]);
  }
}
static inline void basis_serendipity_gradient(int32_t dim, int32_t n, const double (*node)[3], const double *xi,
                                              double *dN) {
  const double scale = dim == 2 ? 0.25 : 0.125;
  for (int32_t a = 0; a < n; a++) {
    double sum = (double)(1 - dim);
    int32_t middle = -1;
    for (int32_t k = 0; k < dim; k++) {
      sum += node[a][k] * xi[k];
      if (node[a][k] * node[a][k] < 0.5) middle = k;
    }
    for (int32_t d = 0; d < dim; d++) {
      double others = scale; /* the product without the factor of direction d */
      for (int32_t k = 0; k < dim; k++) {
        if (k != d) others *= 1.0 + node[a][k] * xi[k];
      }
      const double c = node[a][d];
      if (middle < 0) {
        dN[a * dim + d] = others * c * (sum + 1.0 + c * xi[d]);
      } else if (middle == d) {
        dN[a * dim + d] = -4.0 * others * xi[d];
      } else {
        dN[a * dim + d] = 2.0 * others * c * (1.0 - xi[middle]) * (1.0 + xi[middle]);
      }
    }
  }
}

/* Barycentric coordinate v of the unit simplex and its slope: L_0 = 1 - sum xi, L_v = xi_(v-1). */
static inline double basis_barycentric(int32_t dim, int32_t v, const double *xi) {
  if (v > 0) return xi[v - 1];
  double sum = 1.0;
  for (int32_t k = 0; k < dim; k++) sum -= xi[k];
  return sum;
}
static inline double basis_barycentric_slope(int32_t v, int32_t d) { return v == 0 ? -1.0 : (v - 1 == d ? 1.0 : 0.0); }

/* Linear simplex: N_v = L_v. */
static inline void basis_simplex1(int32_t dim, const double *xi, double *N) {
  for (int32_t v = 0; v <= dim; v++) N[v] = basis_barycentric(dim, v, xi);
}
static inline void basis_simplex1_gradient(int32_t dim, double *dN) {
  for (int32_t v = 0; v <= dim; v++) {
    for (int32_t d = 0; d < dim; d++) dN[v * dim + d] = basis_barycentric_slope(v, d);
  }
}
/* Quadratic simplex: L (2 L - 1) at vertices, 4 L_a L_b in the middle of edge (a, b). */
static inline void basis_simplex2(int32_t dim, int32_t n_edge, const int32_t (*edge)[2], const double *xi, double *N) {
  for (int32_t v = 0; v <= dim; v++) {
    const double L = basis_barycentric(dim, v, xi);
    N[v] = L * (2.0 * L - 1.0);
  }
  for (int32_t e = 0; e < n_edge; e++) {
    N[dim + 1 + e] = 4.0 * basis_barycentric(dim, edge[e][0], xi) * basis_barycentric(dim, edge[e][1], xi);
  }
}
static inline void basis_simplex2_gradient(int32_t dim, int32_t n_edge, const int32_t (*edge)[2], const double *xi,
                                           double *dN) {
  for (int32_t v = 0; v <= dim; v++) {
    const double L = basis_barycentric(dim, v, xi);
    for (int32_t d = 0; d < dim; d++) dN[v * dim + d] = (4.0 * L - 1.0) * basis_barycentric_slope(v, d);
  }
  for (int32_t e = 0; e < n_edge; e++) {
    const int32_t a = edge[e][0], b = edge[e][1];
    const double La = basis_barycentric(dim, a, xi), Lb = basis_barycentric(dim, b, xi);
    for (int32_t d = 0; d < dim; d++) {
      dN[(dim + 1 + e) * dim + d] = 4.0 * (La * basis_barycentric_slope(b, d) + Lb * basis_barycentric_slope(a, d));
    }
  }
}

/* Cubic simplex: node (i, j, k, ..) / 3 in barycentric coordinates has P_i(L_0) P_j(L_1) .., P_0 = 1, P_1 = 3 L,
 * P_2 = 3 L (3 L - 1) / 2, P_3 = 3 L (3 L - 1) (3 L - 2) / 6 (Zienkiewicz and Taylor 2000, section 8.8). `p` is i of
 * the node. */
static inline double basis_cubic(int32_t p, double L) {
  const double t = 3.0 * L;
  return p == 0 ? 1.0 : p == 1 ? t : p == 2 ? 0.5 * t * (t - 1.0) : t * (t - 1.0) * (t - 2.0) / 6.0;
}
static inline double basis_cubic_slope(int32_t p, double L) {
  const double t = 3.0 * L;
  return p == 0 ? 0.0 : p == 1 ? 3.0 : p == 2 ? 1.5 * (2.0 * t - 1.0) : 0.5 * ((3.0 * t - 6.0) * t + 2.0);
}
static inline int32_t basis_thirds(int32_t dim, int32_t v, const double *node) {
  return (int32_t)(3.0 * basis_barycentric(dim, v, node) + 0.5);
}
static inline void basis_simplex3(int32_t dim, int32_t n, const double (*node)[3], const double *xi, double *N) {
  for (int32_t a = 0; a < n; a++) {
    N[a] = 1.0;
    for (int32_t v = 0; v <= dim; v++)
      N[a] *= basis_cubic(basis_thirds(dim, v, node[a]), basis_barycentric(dim, v, xi));
  }
}
static inline void basis_simplex3_gradient(int32_t dim, int32_t n, const double (*node)[3], const double *xi,
                                           double *dN) {
  for (int32_t a = 0; a < n; a++) {
    for (int32_t d = 0; d < dim; d++) dN[a * dim + d] = 0.0;
    for (int32_t v = 0; v <= dim; v++) {
      double product = basis_cubic_slope(basis_thirds(dim, v, node[a]), basis_barycentric(dim, v, xi));
      for (int32_t w = 0; w <= dim; w++) {
        if (w != v) product *= basis_cubic(basis_thirds(dim, w, node[a]), basis_barycentric(dim, w, xi));
      }
      for (int32_t d = 0; d < dim; d++) dN[a * dim + d] += product * basis_barycentric_slope(v, d);
    }
  }
}
