/* Shape functions of facets as sums of products of powers of the reference's coordinates u and v, which row kernels add up: one table in
 * place of a function for each kind. */
#pragma once
#include "core/hd.h"
#include "core/status.h"
#include "mesh/elements/element.h"

enum { FACET_KINDS = N_ELEMENT_KINDS, FACET_TERMS = 11, FACET_NODES = ELEMENT_MAX_FACE_NODES, FACET_EDGES = 4 };

/* Of one kind. The first n_term of the products 1, u, v, uv, u^2, v^2, u^2 v, u v^2, u^2 v^2, u^3, v^3 are in use, of lines (v = 0)
 * those of u alone. */
typedef struct FacetTerms {
  int32_t n_node, n_term, dim, triangle;  /* 0: no facet; triangle: the reference is the unit simplex */
  int32_t degree;                         /* of its functions in a product, for rules of quadrature */
  int32_t n_edge, edge[FACET_EDGES];      /* around it, edge e from vertex e; the node in its middle, -1: none counts */
  int32_t n_share, share[FACET_EDGES][3]; /* ends and middle of edges whose functions have shares (facet_edge) */
  double node[FACET_NODES][2];            /* reference coordinates */
  double N[FACET_NODES][FACET_TERMS];     /* N_a = sum of N[a][m] times product m */
  double dual[FACET_NODES][FACET_TERMS];  /* and N' (FACET_SHARE) */
} FacetTerms;

/* Numbers of a kind, which compilers may know. Two of its products make u^i v^j with i <= most, j <= across and i + j <= sum. */
typedef struct FacetShape {
  int32_t dim, n, n_term, n_edge, triangle;
  int32_t most, across, sum;
} FacetShape;

/* ERR_BUG: its functions are no sums of these products. */
Status facet_terms_create(const ElementType *type, bool axisymmetric, FacetTerms *out);

/* Of a kind; n > 0: one of so many nodes whose products are as many. */
HD FacetShape facet_shape(const FacetTerms *t, const int32_t dim, const int32_t n) {
  FacetShape s;
  s.dim = dim, s.n = n ? n : t->n_node, s.n_term = n ? n : t->n_term, s.n_edge = n ? (n % 4 ? 3 : 4) : t->n_edge;
  s.triangle = n ? n % 4 != 0 : t->triangle;
  s.most = s.n_term > 9 ? 6 : s.n_term > 4 ? 4 : 2;
  s.across = dim == 1 ? 0 : s.most;
  s.sum = s.n_term > 9 ? 2 * s.most : s.n_term > 8 ? 8 : s.n_term > 6 ? 6 : s.n_term == 3 ? 2 : 4;
  return s;
}

/* Powers of u and v in product m. */
HD int32_t facet_power_u(const int32_t m) { return (int32_t)(UINT64_C(0x03212021010) >> 4 * m & 15); }
HD int32_t facet_power_v(const int32_t m) { return (int32_t)(UINT64_C(0x30221201100) >> 4 * m & 15); }

HD void facet_powers(const int32_t n, const double u, const double v, double p[]) {
  p[0] = 1, p[1] = u, p[2] = v;
  if (n > 3) p[3] = u * v;
  if (n > 4) p[4] = u * u, p[5] = v * v;
  if (n > 6) p[6] = p[4] * v, p[7] = u * p[5];
  if (n > 8) p[8] = p[4] * p[5];
  if (n > 9) p[9] = u * p[4], p[10] = v * p[5];
}

HD double facet_sum(const int32_t n, const double c[], const double p[]) {
  double sum = c[0] * p[0];
  for (int32_t m = 1; m < n; ++m) sum += c[m] * p[m];
  return sum;
}

/* Derivatives of that sum by u and by v. */
HD void facet_slope(const int32_t n, const double c[], const double u, const double v, double by[2]) {
  by[0] = c[1], by[1] = c[2];
  if (n > 3) by[0] += c[3] * v, by[1] += c[3] * u;
  if (n > 4) by[0] += 2 * c[4] * u, by[1] += 2 * c[5] * v;
  if (n > 6) by[0] += (2 * c[6] * u + c[7] * v) * v, by[1] += (c[6] * u + 2 * c[7] * v) * u;
  if (n > 8) by[0] += 2 * c[8] * u * v * v, by[1] += 2 * c[8] * u * u * v;
  if (n > 9) by[0] += 3 * c[9] * u * u, by[1] += 3 * c[10] * v * v;
}
