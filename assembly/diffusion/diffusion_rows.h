/* Element kernels of diffusion for C and CUDA, instantiated for each line of mesh/elements/elements.def:
 *   K_ab = int grad N_a . D grad N_b dV,  M_ab = int c N_a N_b dV  (Zienkiewicz and Taylor, The Finite Element Method,
 * volume 1, chapter on field problems), K by the stiffness rule of the element, M by its mass rule. Lumped mass: row
 * sums in linear elements, else the diagonal scaled to the element's total (Hinton, Rock and Zienkiewicz 1976), which
 * keeps it positive where row sums are not.
 * A matrix is built once per run or per change of the time step, so these kernels are plain: on a GPU a row is (node a,
 * element), elements consecutive; on the CPU a row belongs to its element (assembly/diffusion/diffusion_range.h). */
#pragma once
#include "assembly/space/tangent_rows.h"
#include "physics/diffusion.h"

typedef enum DiffusionLumping { LUMPING_NONE, LUMPING_ROW_SUM, LUMPING_SCALED } DiffusionLumping;

/* In what follows `dim` is the dimension of elements, `space` that of the gradients: 3 of surfaces in space, else the same. */
typedef struct DiffusionArgs {
  int32_t n_elem, n_q, n_m; /* points of the stiffness and of the mass rule */
  int32_t lumping;
  const int32_t *nodes; /* node a of element e: nodes[a * node_a + e * node_e] */
  int64_t node_a, node_e;
  const double *x;                              /* [n_node][3] */
  const double *dN, *weight;                    /* [n_q][n][dim], [n_q] */
  const double *mass_N, *mass_dN, *mass_weight; /* [n_m][n], [n_m][n][dim], [n_m] */
  const double *tensor;                         /* [n_elem][6]; by_point: [n_elem][n_q][6], of pairs only */
  const double *capacity, *thickness;           /* [n_elem]; NULL: 1 */
  /* pairs: stiffness K_ab + mass M_ab to K[pair_first + p pair_p + e pair_e] */
  double stiffness, mass;
  double *K;
  int64_t pair_first, pair_p, pair_e;
  /* forces: K u + M rate to f[force_first + a force_a + e force_e]; u, rate [n_node], NULL: 0; unit_rate: rate is 1 */
  const double *u, *rate;
  int32_t unit_rate;
  double *f;
  int64_t force_first, force_a, force_e;
  double *flux;           /* [n_elem][3], of element e at its number in the mesh's block: */
  const int32_t *element; /* [n_elem]; NULL: e */
  const double *N;        /* [n_q][n]; NULL unless axisymmetric */
  int32_t by_point;
} DiffusionArgs;

HD void diffusion_coordinates(const int n, const int space, const DiffusionArgs *s, const int64_t e, double *x) {
  for (int a = 0; a < n; ++a) {
    const double *p = s->x + 3 * (int64_t)s->nodes[a * s->node_a + e * s->node_e];
    for (int i = 0; i < space; ++i) x[a * space + i] = p[i];
  }
}
HD const double *diffusion_tensor(const DiffusionArgs *s, const int64_t e, const int q) {
  return s->tensor + 6 * (s->by_point ? e * s->n_q + q : e);
}
HD double diffusion_thickness(const DiffusionArgs *s, const int64_t e) { return s->thickness ? s->thickness[e] : 1; }
/* Capacity times thickness. */
HD double diffusion_capacity(const DiffusionArgs *s, const int64_t e) {
  return (s->capacity ? s->capacity[e] : 1) * diffusion_thickness(s, e);
}
/* det J times weight at point q of the mass rule, times the circle around an axis. */
HD double diffusion_mass_measure(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                                 const int q) {
  double inverse[9];
  const double dA = tangent_inverse(n, dim, space, x, s->mass_dN + (int64_t)q * n * dim, inverse) * s->mass_weight[q];
  return space == 2 && s->N ? dA * element_circle(n, dim, x, s->mass_N + (int64_t)q * n) : dA;
}
/* The same of the stiffness rule, and 1/J. */
HD double diffusion_measure(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                            const int q, double *inverse) {
  const double dA = tangent_inverse(n, dim, space, x, s->dN + (int64_t)q * n * dim, inverse) * s->weight[q];
  return space == 2 && s->N ? dA * element_circle(n, dim, x, s->N + (int64_t)q * n) : dA;
}

/* int N_a dV or int N_a^2 dV of the nodes to m[n] by the lumping, and what they must be multiplied with. */
HD double diffusion_lump(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                         const int64_t e, double *m) {
  double volume = 0, total = 0;
  for (int a = 0; a < n; ++a) m[a] = 0;
  for (int q = 0; q < s->n_m; ++q) {
    const double dV = diffusion_mass_measure(n, dim, space, s, x, q), *N = s->mass_N + (int64_t)q * n;
    volume += dV;
    for (int a = 0; a < n; ++a) m[a] += dV * N[a] * (s->lumping == LUMPING_SCALED ? N[a] : 1);
  }
  for (int a = 0; a < n; ++a) total += m[a];
  return diffusion_capacity(s, e) * volume / total;
}

/* Pairs (a, a), (a, a + 1) ... of element e to G[n], the first at G[a]. */
HD void diffusion_stiffness_of(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                               const int a, const int64_t e, double *G) {
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim, *D = diffusion_tensor(s, e, q);
    double inverse[9], ga[3], flux[3], gb[3];
    const double dV = diffusion_measure(n, dim, space, s, x, q, inverse) * diffusion_thickness(s, e) * s->stiffness;
    tangent_gradient(dim, space, dN + a * dim, inverse, ga);
    diffusion_times(space, D, ga, flux);
    for (int b = 0; b < n; ++b) {
      tangent_gradient(dim, space, dN + b * dim, inverse, gb);
      for (int i = 0; i < space; ++i) G[b] += dV * flux[i] * gb[i];
    }
  }
}
HD void diffusion_mass_of(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                          const int a, const int64_t e, double *G) {
  if (s->lumping) {
    double m[27];
    const double factor = diffusion_lump(n, dim, space, s, x, e, m);
    G[a] += s->mass * factor * m[a];
    return;
  }
  const double c = s->mass * diffusion_capacity(s, e);
  for (int q = 0; q < s->n_m; ++q) {
    const double *N = s->mass_N + (int64_t)q * n;
    const double dV = c * diffusion_mass_measure(n, dim, space, s, x, q) * N[a];
    for (int b = 0; b < n; ++b) G[b] += dV * N[b];
  }
}
HD void diffusion_store(const int n, const DiffusionArgs *s, const int a, const int64_t e, const double *G) {
  const int64_t row = (int64_t)a * n - (int64_t)a * (a - 1) / 2; /* number of the pair (a, a) */
  for (int b = a; b < n; ++b) s->K[s->pair_first + (row + b - a) * s->pair_p + e * s->pair_e] = G[b];
}

/* Row i = a * n_elem + e. */
HD void diffusion_pairs_row(const int n, const int dim, const int space, const DiffusionArgs *s, const int64_t i) {
  const int a = (int)(i / s->n_elem);
  const int64_t e = i % s->n_elem;
  double x[27 * 3], G[27];
  for (int b = 0; b < n; ++b) G[b] = 0;
  diffusion_coordinates(n, space, s, e, x);
  if (s->stiffness != 0) diffusion_stiffness_of(n, dim, space, s, x, a, e, G);
  if (s->mass != 0) diffusion_mass_of(n, dim, space, s, x, a, e, G);
  diffusion_store(n, s, a, e, G);
}

/* Gradient of u in element e at stiffness point q, also 1/J in `inverse`; returns dV without thickness. */
HD double diffusion_gradient_at(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                                const double *u, const int q, double *inverse, double *gradient) {
  const double *dN = s->dN + (int64_t)q * n * dim;
  const double dV = diffusion_measure(n, dim, space, s, x, q, inverse);
  double reference[3] = {0, 0, 0};
  for (int a = 0; a < n; ++a)
    for (int k = 0; k < dim; ++k) reference[k] += u[a] * dN[a * dim + k];
  tangent_gradient(dim, space, reference, inverse, gradient);
  return dV;
}

HD void diffusion_add_conduction(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                                 const int64_t e, double *f) {
  double u[27];
  for (int a = 0; a < n; ++a) u[a] = s->u[s->nodes[a * s->node_a + e * s->node_e]];
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], gradient[3], flux[3], reference[3] = {0, 0, 0};
    const double dV = diffusion_gradient_at(n, dim, space, s, x, u, q, inverse, gradient) * diffusion_thickness(s, e);
    diffusion_times(space, s->tensor + 6 * e, gradient, flux);
    for (int k = 0; k < dim; ++k)
      for (int i = 0; i < space; ++i) reference[k] += dV * inverse[k * space + i] * flux[i];
    for (int a = 0; a < n; ++a)
      for (int k = 0; k < dim; ++k) f[a] += reference[k] * dN[a * dim + k];
  }
}
HD void diffusion_add_storage(const int n, const int dim, const int space, const DiffusionArgs *s, const double *x,
                              const int64_t e, double *f) {
  double rate[27];
  for (int a = 0; a < n; ++a) rate[a] = s->unit_rate ? 1 : s->rate[s->nodes[a * s->node_a + e * s->node_e]];
  if (s->lumping) {
    double m[27];
    const double factor = diffusion_lump(n, dim, space, s, x, e, m);
    for (int a = 0; a < n; ++a) f[a] += factor * m[a] * rate[a];
    return;
  }
  const double c = diffusion_capacity(s, e);
  for (int q = 0; q < s->n_m; ++q) {
    const double *N = s->mass_N + (int64_t)q * n;
    double here = 0;
    for (int a = 0; a < n; ++a) here += N[a] * rate[a];
    here *= c * diffusion_mass_measure(n, dim, space, s, x, q);
    for (int a = 0; a < n; ++a) f[a] += here * N[a];
  }
}

/* Rows are elements. */
HD void diffusion_force_row(const int n, const int dim, const int space, const DiffusionArgs *s, const int64_t e) {
  double x[27 * 3], f[27];
  for (int a = 0; a < n; ++a) f[a] = 0;
  diffusion_coordinates(n, space, s, e, x);
  if (s->u) diffusion_add_conduction(n, dim, space, s, x, e, f);
  if (s->rate || s->unit_rate) diffusion_add_storage(n, dim, space, s, x, e, f);
  for (int a = 0; a < n; ++a) s->f[s->force_first + a * s->force_a + e * s->force_e] = f[a];
}

/* Mean of -D grad u over the stiffness points by volume; z is 0 in a plane. */
HD void diffusion_flux_row(const int n, const int dim, const int space, const DiffusionArgs *s, const int64_t e) {
  double x[27 * 3], u[27], inverse[9], gradient[3], flux[3] = {0, 0, 0}, mean[3] = {0, 0, 0}, volume = 0;
  diffusion_coordinates(n, space, s, e, x);
  for (int a = 0; a < n; ++a) u[a] = s->u[s->nodes[a * s->node_a + e * s->node_e]];
  for (int q = 0; q < s->n_q; ++q) {
    const double dV = diffusion_gradient_at(n, dim, space, s, x, u, q, inverse, gradient);
    volume += dV;
    for (int i = 0; i < space; ++i) mean[i] += dV * gradient[i];
  }
  diffusion_times(space, s->tensor + 6 * e, mean, flux);
  const int64_t at = s->element ? s->element[e] : e;
  for (int i = 0; i < 3; ++i) s->flux[3 * at + i] = -flux[i] / volume;
}

/* values = factor[0] K + factor[1] M in slots. */
typedef struct DiffusionCombineArgs {
  const double *factor, *stiffness, *mass;
  double *values;
} DiffusionCombineArgs;
HD void diffusion_combine_body(const DiffusionCombineArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->values[i] = s->factor[0] * s->stiffness[i] + s->factor[1] * s->mass[i];
}

/* Nodes in the mesh's order: out[to[i]] = v[i], or where `fixed` is given -v[i] at those that are and 0 elsewhere. */
typedef struct DiffusionArrangeArgs {
  const int32_t *to; /* NULL: i */
  const uint8_t *fixed;
  const double *v;
  double *out;
} DiffusionArrangeArgs;
HD void diffusion_arrange_body(const DiffusionArrangeArgs *s, int64_t i, double *sum) {
  (void)sum;
  const double v = !s->fixed ? s->v[i] : s->fixed[i] ? -s->v[i] + 0.0 : 0;
  s->out[s->to ? s->to[i] : i] = v;
}

/* v = -v */
typedef struct DiffusionNegateArgs {
  double *v;
} DiffusionNegateArgs;
HD void diffusion_negate_body(const DiffusionNegateArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->v[i] = -s->v[i];
}

/* diffusion_pairs_hex8_body, diffusion_force_hex8_body, diffusion_flux_hex8_body, ... Surfaces have two of each: in a
 * plane z = constant, and diffusion_pairs_surface_tri3_body in space. */
#define DIFFUSION_KERNELS_0(name, n_node)
#define DIFFUSION_KERNELS_1(name, n_node)
#define DIFFUSION_KERNELS_2(name, n_node)                                                                              \
  DIFFUSION_KERNELS(name, n_node, 2, 2)                                                                                \
  DIFFUSION_KERNELS(surface_##name, n_node, 2, 3)
#define DIFFUSION_KERNELS_3(name, n_node) DIFFUSION_KERNELS(name, n_node, 3, 3)
#define ELEMENT(KIND, name, dim, n_node) DIFFUSION_KERNELS_##dim(name, n_node)
#define DIFFUSION_KERNELS(name, n_node, dim, space)                                                                    \
  HD void diffusion_pairs_##name##_body(const DiffusionArgs *s, int64_t i, double *sum) {                              \
    (void)sum;                                                                                                         \
    diffusion_pairs_row(n_node, dim, space, s, i);                                                                     \
  }                                                                                                                    \
  HD void diffusion_force_##name##_body(const DiffusionArgs *s, int64_t i, double *sum) {                              \
    (void)sum;                                                                                                         \
    diffusion_force_row(n_node, dim, space, s, i);                                                                     \
  }                                                                                                                    \
  HD void diffusion_flux_##name##_body(const DiffusionArgs *s, int64_t i, double *sum) {                               \
    (void)sum;                                                                                                         \
    diffusion_flux_row(n_node, dim, space, s, i);                                                                      \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef DIFFUSION_KERNELS
