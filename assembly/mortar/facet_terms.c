/* Coefficients are those with which functions are 1 at their own node and 0 at others. */
#include "assembly/mortar/facet_terms.h"
#include "assembly/space/facet.h"

#include <math.h>
#include <string.h>

static bool has_term(const ElementType *t, int m) {
  const int u = facet_power_u(m), v = facet_power_v(m);
  if (t->dim == 1) return v == 0 && u <= t->order;
  if (t->shape == SHAPE_TRIANGLE) return u + v <= t->order;
  return u <= t->order && v <= t->order && (t->n_node != 8 || u + v < 4);
}

/* A = A^-1 by Gauss and Jordan, rows exchanged for the largest pivot. */
static bool invert(int32_t n, double A[FACET_NODES][2 * FACET_NODES]) {
  for (int32_t i = 0; i < n; ++i)
    for (int32_t k = 0; k < n; ++k) A[i][n + k] = i == k;
  for (int32_t j = 0; j < n; ++j) {
    int32_t best = j;
    double row[2 * FACET_NODES];
    for (int32_t i = j; i < n; ++i)
      if (fabs(A[i][j]) > fabs(A[best][j])) best = i;
    if (!(fabs(A[best][j]) > 1e-9)) return false;
    memcpy(row, A[best], sizeof row), memcpy(A[best], A[j], sizeof row), memcpy(A[j], row, sizeof row);
    for (int32_t k = 0; k < 2 * n; ++k) A[j][k] = row[k] / row[j];
    for (int32_t i = 0; i < n; ++i) {
      const double by = A[i][j];
      for (int32_t k = 0; k < 2 * n && i != j; ++k) A[i][k] -= by * A[j][k];
    }
  }
  return true;
}

/* Coefficients of all kinds are multiples of 1/16, to which they are rounded. */
static bool fit(const ElementType *t, FacetTerms *out) {
  double A[FACET_NODES][2 * FACET_NODES], p[FACET_TERMS], N[ELEMENT_MAX_NODES];
  int term[FACET_TERMS], n = 0;
  for (int m = 0; m < FACET_TERMS; ++m)
    if (has_term(t, m)) term[n++] = m;
  if (n != t->n_node) return false;
  out->n_term = term[n - 1] < 3   ? 3
                : term[n - 1] < 4 ? 4
                : term[n - 1] < 6 ? 6
                : term[n - 1] < 8 ? 8
                : term[n - 1] < 9 ? 9
                                  : 11;
  for (int32_t a = 0; a < n; ++a) {
    facet_powers(FACET_TERMS, t->node[a][0], t->dim == 2 ? t->node[a][1] : 0, p);
    for (int32_t k = 0; k < n; ++k) A[a][k] = p[term[k]];
  }
  if (!invert(n, A)) return false;
  for (int32_t a = 0; a < n; ++a)
    for (int32_t k = 0; k < n; ++k) out->N[a][term[k]] = nearbyint(16 * A[k][n + a]) / 16;
  const double at[3] = {0.21, t->dim == 2 ? 0.34 : 0, 0};
  t->values(at, N);
  facet_powers(FACET_TERMS, at[0], at[1], p);
  for (int32_t a = 0; a < n; ++a)
    if (!(fabs(facet_sum(FACET_TERMS, out->N[a], p) - N[a]) < 1e-13)) return false;
  return true;
}

Status facet_terms_create(const ElementType *t, bool axisymmetric, FacetTerms *out) {
  const int32_t *edge;
  *out = (FacetTerms){.n_node = t->n_node, .dim = t->dim, .triangle = t->shape == SHAPE_TRIANGLE, .n_edge = t->n_face};
  out->degree = t->shape == SHAPE_QUAD ? (t->n_node == 8 ? 3 : 2 * t->order) : t->order;
  CHECK(t->n_node <= FACET_NODES && t->n_face <= FACET_EDGES && fit(t, out), ERR_BUG,
        "functions of %s are no sums of the products of facets", t->name);
  for (int32_t e = 0; e < t->n_face; ++e) out->edge[e] = t->dim == 2 && t->order == 2 ? t->face[e].nodes[2] : -1;
  for (int32_t a = 0; a < t->n_node; ++a)
    out->node[a][0] = t->node[a][0], out->node[a][1] = t->dim == 2 ? t->node[a][1] : 0;
  memcpy(out->dual, out->N, sizeof out->dual);
  for (; (edge = facet_edge(t, axisymmetric, out->n_share)); ++out->n_share) {
    double *middle = out->dual[edge[2]];
    memcpy(out->share[out->n_share], edge, sizeof *out->share);
    for (int m = 0; m < FACET_TERMS; ++m) {
      out->dual[edge[0]][m] += FACET_SHARE * middle[m];
      out->dual[edge[1]][m] += FACET_SHARE * middle[m];
      middle[m] *= 1 - 2 * FACET_SHARE;
    }
  }
  return OK;
}
