/* The row kernels of assembly/elasticity/ for the CPU. Element kernels have ranges of their own: a chunk of rows stands
 * for whole elements, so that the geometry of an element is computed once for all its nodes. */
#include "assembly/elasticity/rows.h"

/* All pairs of element e. */
HD void stiffness_element(const int n, const int dim, const ElementArgs *s, const int64_t e) {
  double x[27 * 3], G[378 * 9];
  const int square = dim * dim;
  for (int k = 0; k < pair_count(n) * square; ++k) G[k] = 0;
  element_coordinates(n, dim, s, e, x);
  const ElasticConstants c = s->constants[s->material[e]];
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], g[27 * 3];
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    for (int a = 0; a < n; ++a) element_gradient(dim, dN + a * dim, inverse, g + a * dim);
    for (int a = 0, p = 0; a < n; ++a)
      for (int b = a; b < n; ++b, ++p) add_dyad(dim, g + a * dim, g + b * dim, dV, G + p * square);
  }
  for (int p = 0; p < pair_count(n); ++p) store_block(dim, s, &c, G + p * square, p, e);
}

/* Rows [begin, end) of n_elem * chunks: the elements whose first row, counted element by element, lies there. */
#define ELEMENT_RANGE_0(name, n_node)
#define ELEMENT_RANGE_1(name, n_node)
#define ELEMENT_RANGE_2(name, n_node) ELEMENT_RANGE(name, n_node, 2)
#define ELEMENT_RANGE_3(name, n_node) ELEMENT_RANGE(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_RANGE_##dim(name, n_node)
#define ELEMENT_RANGE(name, n_node, dim)                                                                               \
  static void stiffness_##name##_range(const void *args, int64_t begin, int64_t end, double *sum) {                    \
    (void)sum;                                                                                                         \
    const ElementArgs s = *(const ElementArgs *)args;                                                                  \
    const int64_t per = pair_chunks(n_node, dim);                                                                      \
    for (int64_t e = (begin + per - 1) / per; e * per < end; ++e) stiffness_element(n_node, dim, &s, e);               \
  }                                                                                                                    \
  static void force_##name##_range(const void *args, int64_t begin, int64_t end, double *sum) {                        \
    (void)sum;                                                                                                         \
    const ElementArgs s = *(const ElementArgs *)args;                                                                  \
    const int64_t per = force_chunks(n_node);                                                                          \
    for (int64_t e = (begin + per - 1) / per; e * per < end; ++e) internal_force(n_node, dim, &s, e);                  \
  }                                                                                                                    \
  static void point_pairs_##name##_range(const void *args, int64_t begin, int64_t end, double *sum) {                  \
    (void)sum;                                                                                                         \
    const PointArgs s = *(const PointArgs *)args;                                                                      \
    double K[378 * 9];                                                                                                 \
    for (int64_t e = (begin + n_node - 1) / n_node; e * n_node < end; ++e)                                             \
      point_pairs(n_node, dim, false, &s, e, 0, n_node, K);                                                            \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT

#include "core/rows.h"
#define ROWS_OWN_RANGE(NAME, ARGS) const RowKernel NAME##_kernel = {#NAME, 0, sizeof(ARGS), NAME##_range, 0};
#include "assembly/elasticity/rows.def"
