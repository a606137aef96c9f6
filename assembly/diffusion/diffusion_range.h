/* CPU loops of the diffusion kernels whose rows are (node, element): a chunk of rows stands for whole elements, so that
 * the geometry of an element is computed once for all its pairs. Included by assembly/diffusion/rows.c alone. */
#pragma once
#include "assembly/diffusion/diffusion_rows.h"

/* G[pair] += dV (D g_a) . g_b at each point, pairs a <= b row by row. */
HD void diffusion_stiffness_element(const int n, const int dim, const int space, const DiffusionArgs *s,
                                    const double *x, const int64_t e, double *G) {
  const double factor = s->stiffness * diffusion_thickness(s, e);
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim, *D = diffusion_tensor(s, e, q);
    double inverse[9], g[27 * 3], flux[3];
    const double dV = diffusion_measure(n, dim, space, s, x, q, inverse) * factor;
    for (int a = 0; a < n; ++a) tangent_gradient(dim, space, dN + a * dim, inverse, g + a * space);
    for (int a = 0, p = 0; a < n; ++a) {
      diffusion_times(space, D, g + a * space, flux);
      for (int b = a; b < n; ++b, ++p)
        for (int i = 0; i < space; ++i) G[p] += dV * flux[i] * g[b * space + i];
    }
  }
}
HD void diffusion_mass_element(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                               const int64_t e, double *G) {
  if (s->lumping) {
    double m[27];
    const double factor = s->mass * diffusion_lump(n, dim, space, s, x, e, m);
    for (int a = 0, p = 0; a < n; p += n - a++) G[p] += factor * m[a];
    return;
  }
  const double c = s->mass * diffusion_capacity(s, e);
  for (int q = 0; q < s->n_m; ++q) {
    const double *N = s->mass_N + (int64_t)q * n, dV = c * diffusion_mass_measure(n, dim, space, s, x, q);
    for (int a = 0, p = 0; a < n; ++a)
      for (int b = a; b < n; ++b, ++p) G[p] += dV * N[a] * N[b];
  }
}
HD void diffusion_pairs_element(const int n, const int dim, const int space, const DiffusionArgs *s, const int64_t e) {
  double x[27 * 3], G[378];
  for (int p = 0; p < pair_count(n); ++p) G[p] = 0;
  diffusion_coordinates(n, space, s, e, x);
  if (s->stiffness != 0) diffusion_stiffness_element(n, dim, space, s, x, e, G);
  if (s->mass != 0) diffusion_mass_element(n, dim, space, s, x, e, G);
  for (int p = 0; p < pair_count(n); ++p) s->K[s->pair_first + p * s->pair_p + e * s->pair_e] = G[p];
}

/* Rows [begin, end) of n_elem * n_node: the elements whose first row, counted element by element, lies there. */
#define DIFFUSION_RANGE_0(name, n_node)
#define DIFFUSION_RANGE_1(name, n_node)
#define DIFFUSION_RANGE_2(name, n_node)                                                                                \
  DIFFUSION_RANGE(name, n_node, 2, 2)                                                                                  \
  DIFFUSION_RANGE(surface_##name, n_node, 2, 3)
#define DIFFUSION_RANGE_3(name, n_node) DIFFUSION_RANGE(name, n_node, 3, 3)
#define ELEMENT(KIND, name, dim, n_node) DIFFUSION_RANGE_##dim(name, n_node)
#define DIFFUSION_RANGE(name, n_node, dim, space)                                                                      \
  static void diffusion_pairs_##name##_range(const void *args, int64_t begin, int64_t end, double *sum) {              \
    (void)sum;                                                                                                         \
    const DiffusionArgs s = *(const DiffusionArgs *)args;                                                              \
    for (int64_t e = (begin + n_node - 1) / n_node; e * n_node < end; ++e)                                             \
      diffusion_pairs_element(n_node, dim, space, &s, e);                                                              \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
