/* Element kernels of elasticity for C and CUDA: stiffness blocks and internal forces of one element block.
 *
 * Every kernel is one always-inlined body that assembly/elasticity/rows.def instantiates for each element of
 * mesh/elements/elements.def, so that node count and dimension are constants. K_ab = int B_a^T C B_b dV and f_a = int
 * B_a^T sigma dV (Hughes, The Finite Element Method, 2000, section 3.10). Moduli are constant in an element, so the
 * quadrature loop sums the dyads G_ab = int grad N_a (x) grad N_b dV and the material turns each sum into K_ab once.
 *
 * On a GPU a row is (chunk of node pairs or of nodes, element), elements consecutive: loads and stores of a warp lie
 * side by side. On the CPU a row belongs to the element (rows.c), so that geometry is computed once. */
#pragma once
#include "assembly/space/geometry_rows.h"
#include "physics/material_kernels.h"

typedef struct ElementArgs {
  int32_t n_elem, n_q;
  const int32_t *nodes; /* node a of element e: nodes[a * node_a + e * node_e] */
  int64_t node_a, node_e;
  const double *x;         /* [n_node][3] */
  const double *dN;        /* [n_q][nodes per element][dim] reference gradients */
  const double *weight;    /* [n_q] */
  const int32_t *material; /* [n_elem], index into constants */
  const ElasticConstants *constants;
  /* stiffness: scalar c of pair p (a <= b, row by row of the upper triangle) of element e lies at
   * K[(pair_first + p * pair_p + e * pair_e) * block_step + c * scalar_step] */
  double *K;
  int64_t pair_first, pair_p, pair_e, block_step, scalar_step;
  /* internal force: component c at node a of element e lies at
   * f[(force_first + a * force_a + e * force_e) * entry_step + c * component_step] */
  const double *u; /* [n_node][dim], global frame */
  double *f;
  int64_t force_first, force_a, force_e, entry_step, component_step;
} ElementArgs;

/* Pairs per row: 2D 60 sums; 3D 54, which with the geometry just fit 255 registers, tet4 with its one integration point
 * 90. On an H200 hex8 took 0.301 ms with 6 pairs (no spills) and 0.317 with 9, tet10 0.114 and 0.128, and tet4 0.100
 * with 10 and 0.114 with 5. LARGE: elements of more nodes do not unroll. Forces of large elements are made 5 nodes a
 * row, so that small meshes keep the device busy. */
enum { PAIR_CHUNK_2D = 15, PAIR_CHUNK_3D = 6, PAIR_CHUNK_TET4 = 10, PAIR_SCALARS = 90, LARGE = 10, FORCE_CHUNK = 5 };

HD int pair_chunks(const int n, const int dim) {
  const int most = dim == 2 ? PAIR_CHUNK_2D : n == 4 ? PAIR_CHUNK_TET4 : PAIR_CHUNK_3D;
  return (pair_count(n) + most - 1) / most;
}
HD int pair_chunk_size(const int n, const int dim) {
  return (pair_count(n) + pair_chunks(n, dim) - 1) / pair_chunks(n, dim);
}

HD void element_coordinates(const int n, const int dim, const ElementArgs *s, const int64_t e, double *x) {
  UNROLL
  for (int a = 0; a < n; ++a) {
    const double *p = s->x + 3 * (int64_t)s->nodes[a * s->node_a + e * s->node_e];
    for (int i = 0; i < dim; ++i) x[a * dim + i] = p[i];
  }
}

HD void store_block(const int dim, const ElementArgs *s, const ElasticConstants *c, const double *G, const int64_t pair,
                    const int64_t e) {
  double block[9];
  material_block(dim, c, G, block);
  double *K = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step;
  for (int k = 0; k < dim * dim; ++k) K[k * s->scalar_step] = block[k];
}

/* Pairs [first, first + size) of element e; `first` a constant, so that only what they need is computed. */
HD void stiffness_chunk(const int n, const int dim, const ElementArgs *s, const int first, const int64_t e) {
  const int size = pair_chunk_size(n, dim), square = dim * dim;
  double x[10 * 3], G[PAIR_SCALARS] = {0};
  element_coordinates(n, dim, s, e, x);
  const ElasticConstants c = s->constants[s->material[e]];
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], g[10 * 3];
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    UNROLL
    for (int a = 0; a < n; ++a) element_gradient(dim, dN + a * dim, inverse, g + a * dim);
    int p = 0;
    UNROLL
    for (int a = 0; a < n; ++a) {
      UNROLL
      for (int b = a; b < n; ++b, ++p)
        if (p >= first && p < first + size) add_dyad(dim, g + a * dim, g + b * dim, dV, G + (p - first) * square);
    }
  }
  UNROLL
  for (int k = 0; k < size; ++k)
    if (first + k < pair_count(n)) store_block(dim, s, &c, G + k * square, first + k, e);
}

/* The same for elements with many nodes, where unrolling every chunk would be too much code. */
HD void stiffness_chunk_large(const int n, const int dim, const ElementArgs *s, const int first, const int64_t e) {
  const int size = pair_chunk_size(n, dim), square = dim * dim;
  double x[27 * 3], G[PAIR_SCALARS] = {0};
  int node_a[PAIR_CHUNK_2D], node_b[PAIR_CHUNK_2D];
  element_coordinates(n, dim, s, e, x);
  const ElasticConstants c = s->constants[s->material[e]];
  int a = 0, b = first;
  while (b >= n - a) b -= n - a++;
  b += a;
  UNROLL
  for (int k = 0; k < size; ++k) {
    node_a[k] = a < n ? a : 0;
    node_b[k] = a < n ? b : 0;
    if (++b == n) b = ++a;
  }
  for (int q = 0; q < s->n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], ga[3], gb[3];
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    UNROLL
    for (int k = 0; k < size; ++k) {
      element_gradient(dim, dN + node_a[k] * dim, inverse, ga);
      element_gradient(dim, dN + node_b[k] * dim, inverse, gb);
      add_dyad(dim, ga, gb, dV, G + k * square);
    }
  }
  UNROLL
  for (int k = 0; k < size; ++k)
    if (first + k < pair_count(n)) store_block(dim, s, &c, G + k * square, first + k, e);
}

/* Row i = chunk * n_elem + e. */
HD void stiffness_row(const int n, const int dim, const ElementArgs *s, const int64_t i) {
  const uint32_t chunk = (uint32_t)i / (uint32_t)s->n_elem;
  const int64_t e = (uint32_t)i - chunk * (uint32_t)s->n_elem;
  const int n_chunk = pair_chunks(n, dim), size = pair_chunk_size(n, dim);
  if (n > LARGE) {
    stiffness_chunk_large(n, dim, s, (int)chunk * size, e);
    return;
  }
  if (chunk == 0) stiffness_chunk(n, dim, s, 0, e);
  if (n_chunk > 1 && chunk == 1) stiffness_chunk(n, dim, s, size, e);
  if (n_chunk > 2 && chunk == 2) stiffness_chunk(n, dim, s, 2 * size, e);
  if (n_chunk > 3 && chunk == 3) stiffness_chunk(n, dim, s, 3 * size, e);
  if (n_chunk > 4 && chunk == 4) stiffness_chunk(n, dim, s, 4 * size, e);
  if (n_chunk > 5 && chunk == 5) stiffness_chunk(n, dim, s, 5 * size, e);
  if (n_chunk > 6 && chunk == 6) stiffness_chunk(n, dim, s, 6 * size, e);
  if (n_chunk > 7 && chunk == 7) stiffness_chunk(n, dim, s, 7 * size, e);
  if (n_chunk > 8 && chunk == 8) stiffness_chunk(n, dim, s, 8 * size, e);
  if (n_chunk > 9 && chunk == 9) stiffness_chunk(n, dim, s, 9 * size, e);
}

HD int force_chunks(const int n) { return n > LARGE ? (n + FORCE_CHUNK - 1) / FORCE_CHUNK : 1; }

/* Whether no node of element e has moved: without a strain of its own it has no force then, as most have where a linear solve begins. */
HD bool element_rests(const int n, const int dim, const ElementArgs *s, const int64_t e) {
  bool rests = true;
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) rests &= s->u[(int64_t)s->nodes[a * s->node_a + e * s->node_e] * dim + i] == 0;
  return rests;
}

HD void element_put_force(const int n, const int dim, const ElementArgs *s, const int64_t e, const double *f) {
  UNROLL
  for (int a = 0; a < n; ++a) {
    double *to = s->f + (s->force_first + a * s->force_a + e * s->force_e) * s->entry_step;
    for (int i = 0; i < dim; ++i) to[i * s->component_step] = f[a * dim + i];
  }
}

/* Internal force of element e, f_a = sum_q B_a^T sigma dV. */
HD void internal_force(const int n, const int dim, const ElementArgs *s, const int64_t e) {
  double x[27 * 3], u[27 * 3], f[27 * 3] = {0};
  element_coordinates(n, dim, s, e, x);
  UNROLL
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) u[a * dim + i] = s->u[(int64_t)s->nodes[a * s->node_a + e * s->node_e] * dim + i];
  const ElasticConstants c = s->constants[s->material[e]];
  const int n_q = element_rests(n, dim, s, e) ? 0 : s->n_q;
  for (int q = 0; q < n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double inverse[9], g[3], H[9] = {0}, strain[6], stress[6];
    const double dV = element_inverse(n, dim, x, dN, inverse) * s->weight[q] * c.thickness;
    UNROLL
    for (int a = 0; a < n; ++a) {
      element_gradient(dim, dN + a * dim, inverse, g);
      add_dyad(dim, u + a * dim, g, 1, H);
    }
    elastic_strain(dim, H, strain);
    material_stress(&c, strain, stress);
    UNROLL
    for (int a = 0; a < n; ++a) {
      element_gradient(dim, dN + a * dim, inverse, g);
      elastic_node_force(dim, stress, g, dV, f + a * dim);
    }
  }
  element_put_force(n, dim, s, e, f);
}

/* The same for elements with many nodes: nothing unrolled but the forces, coordinates and displacements read again. */
HD void internal_force_large(const int n, const int dim, const ElementArgs *s, const int first, const int64_t e) {
  double f[FORCE_CHUNK * 3] = {0};
  const int32_t *nodes = s->nodes + e * s->node_e;
  const ElasticConstants c = s->constants[s->material[e]];
  const int n_q = element_rests(n, dim, s, e) ? 0 : s->n_q;
  for (int q = 0; q < n_q; ++q) {
    const double *dN = s->dN + (int64_t)q * n * dim;
    double J[9] = {0}, inverse[9], g[3], H[9] = {0}, strain[6], stress[6];
    for (int a = 0; a < n; ++a) add_dyad(dim, s->x + 3 * (int64_t)nodes[a * s->node_a], dN + a * dim, 1, J);
    const double dV = invert(dim, J, inverse) * s->weight[q] * c.thickness;
    for (int a = 0; a < n; ++a) {
      element_gradient(dim, dN + a * dim, inverse, g);
      add_dyad(dim, s->u + (int64_t)nodes[a * s->node_a] * dim, g, 1, H);
    }
    elastic_strain(dim, H, strain);
    material_stress(&c, strain, stress);
    UNROLL
    for (int k = 0; k < FORCE_CHUNK; ++k) {
      element_gradient(dim, dN + (first + k < n ? first + k : 0) * dim, inverse, g);
      elastic_node_force(dim, stress, g, dV, f + k * dim);
    }
  }
  UNROLL
  for (int k = 0; k < FORCE_CHUNK; ++k) {
    if (first + k >= n) break;
    double *to = s->f + (s->force_first + (first + k) * s->force_a + e * s->force_e) * s->entry_step;
    for (int i = 0; i < dim; ++i) to[i * s->component_step] = f[k * dim + i];
  }
}

/* Row i = chunk * n_elem + e. */
HD void internal_force_row(const int n, const int dim, const ElementArgs *s, const int64_t i) {
  const uint32_t chunk = (uint32_t)i / (uint32_t)s->n_elem;
  if (n > LARGE) internal_force_large(n, dim, s, (int)chunk * FORCE_CHUNK, (uint32_t)i - chunk * (uint32_t)s->n_elem);
  else internal_force(n, dim, s, i);
}

/* stiffness_hex8_body, force_hex8_body, ... */
#define ELEMENT_KERNELS_0(name, n_node)
#define ELEMENT_KERNELS_1(name, n_node)
#define ELEMENT_KERNELS_2(name, n_node) ELEMENT_KERNELS(name, n_node, 2)
#define ELEMENT_KERNELS_3(name, n_node) ELEMENT_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_KERNELS_##dim(name, n_node)
#define ELEMENT_KERNELS(name, n_node, dim)                                                                             \
  HD void stiffness_##name##_body(const ElementArgs *s, int64_t i, double *sum) {                                      \
    (void)sum;                                                                                                         \
    stiffness_row(n_node, dim, s, i);                                                                                  \
  }                                                                                                                    \
  HD void force_##name##_body(const ElementArgs *s, int64_t i, double *sum) {                                          \
    (void)sum;                                                                                                         \
    internal_force_row(n_node, dim, s, i);                                                                             \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef ELEMENT_KERNELS
