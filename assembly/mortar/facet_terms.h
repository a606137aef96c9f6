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

/* ERR_BUG: its functions are no sums of these products. */
Status facet_terms_create(const ElementType *type, bool axisymmetric, FacetTerms *out);

HD void facet_powers(const int32_t n, const double u, const double v, double p[]) {
  p[0] = 1, p[1] = u, p[2] = v;
  if (n > 3) p[3] = u * v;
  if (n > 4) p[4] = u * u, p[5] = v * v;
  if (n > 6) p[6] = p[4] * v, p[7] = u * p[5];
  if (n > 8) p[8] = p[4] * p[5];
  if (n > 9) p[9] = u * p[4], p[10] = v * p[5];
}

/* Their derivatives by u and by v. */
HD void facet_slopes(const int32_t n, const double u, const double v, double by_u[], double by_v[]) {
  by_u[0] = 0, by_u[1] = 1, by_u[2] = 0;
  by_v[0] = 0, by_v[1] = 0, by_v[2] = 1;
  if (n > 3) by_u[3] = v, by_v[3] = u;
  if (n > 4) by_u[4] = 2 * u, by_u[5] = 0, by_v[4] = 0, by_v[5] = 2 * v;
  if (n > 6) by_u[6] = 2 * u * v, by_u[7] = v * v, by_v[6] = u * u, by_v[7] = 2 * u * v;
  if (n > 8) by_u[8] = 2 * u * v * v, by_v[8] = 2 * u * u * v;
  if (n > 9) by_u[9] = 3 * u * u, by_u[10] = 0, by_v[9] = 0, by_v[10] = 3 * v * v;
}

HD double facet_sum(const int32_t n, const double c[], const double p[]) {
  double sum = c[0] * p[0];
  for (int32_t m = 1; m < n; ++m) sum += c[m] * p[m];
  return sum;
}
