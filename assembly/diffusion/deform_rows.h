/* Row kernels of tissue that is deformed, for C and CUDA: what conduction in space is in the body as it was, and how far
 * channels are opened by stretch, both of an element with its mean deformation gradient F. The frame of the fibres goes with the
 * tissue: along e = F f/|F f|, the normal of the sheets n' = F^-T n/|F^-T n|, and the diffusivities of these directions stay. With
 * C = F^T F, c = C^-1 n and the stretch l of the fibre,
 *   D' = J F^-1 D F^-T = J (d_s C^-1 + (d_f - d_s) f f^T/l^2 + (d_n - d_s) c c^T/(n.c))
 * (Goektepe and Kuhl, Comput. Mech. 45, 2010, where d_n = d_s). docs/theory/electromechanics.md. */
#pragma once
#include "assembly/diffusion/diffusion_rows.h"
#include "physics/finite_strain.h"

/* Of an element: f, n (zero: it has none), d_s, d_f - d_s, d_n - d_s, conductance of the channels per stretch, and their potential. */
enum {
  DEFORM_FIBER = 0,
  DEFORM_NORMAL = 3,
  DEFORM_ACROSS = 6,
  DEFORM_FIBER_MORE,
  DEFORM_NORMAL_MORE,
  DEFORM_OPENS,
  DEFORM_REVERSAL,
  DEFORM_NUMBERS
};

typedef struct DeformArgs {
  DiffusionArgs part;
  const double *moved;      /* [n_node][3], displacement in the mesh's order; of a plane z is not read */
  const int32_t *mesh_node; /* the mesh's number of a node; NULL: the same */
  const double *numbers;    /* [n_elem][DEFORM_NUMBERS] */
  double *tensor;           /* [n_elem][6], D'; NULL: not asked for */
  double *open, *level;     /* [n_elem], g = G max(0, l - 1) and g E; NULL: not asked for */
} DeformArgs;

/* The mean of grad u by volume, row i that of component i. */
HD void deform_gradient(const int n, const int dim, const DeformArgs *s, const int64_t e, double H[9]) {
  const DiffusionArgs *part = &s->part;
  double x[27 * 3], u[3][27], inverse[9], g[3], volume = 0;
  diffusion_coordinates(n, dim, part, e, x);
  for (int a = 0; a < n; ++a) {
    const int32_t node = part->nodes[a * part->node_a + e * part->node_e];
    const double *d = s->moved + 3 * (int64_t)(s->mesh_node ? s->mesh_node[node] : node);
    for (int c = 0; c < dim; ++c) u[c][a] = d[c];
  }
  for (int k = 0; k < 9; ++k) H[k] = 0;
  for (int q = 0; q < part->n_q; ++q)
    for (int c = 0; c < dim; ++c) {
      const double dV = diffusion_gradient_at(n, dim, dim, part, x, u[c], q, inverse, g);
      if (c == 0) volume += dV;
      for (int k = 0; k < dim; ++k) H[3 * c + k] += dV * g[k];
    }
  for (int k = 0; k < 9; ++k) H[k] /= volume;
}

/* D' where the fibre has the stretch l; not a number in an element that is turned inside out. */
HD void deform_tensor(const double *numbers, const double C[9], const double J, const double l2, double D[6]) {
  const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
  const double *f = numbers + DEFORM_FIBER, *n = numbers + DEFORM_NORMAL;
  double c[3], nc = 0;
  for (int i = 0; i < 3; ++i) {
    c[i] = C[3 * i] * n[0] + C[3 * i + 1] * n[1] + C[3 * i + 2] * n[2];
    nc += n[i] * c[i];
  }
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    double d = numbers[DEFORM_ACROSS] * C[3 * i + j];
    if (l2 > 0) d += numbers[DEFORM_FIBER_MORE] * f[i] * f[j] / l2;
    if (nc > 0) d += numbers[DEFORM_NORMAL_MORE] * c[i] * c[j] / nc;
    D[k] = J * d;
  }
}

/* Rows are elements. */
HD void deform_row(const int n, const int dim, const DeformArgs *s, const int64_t e) {
  const double *numbers = s->numbers + e * DEFORM_NUMBERS, *f = numbers + DEFORM_FIBER;
  FiniteStrain strain;
  double H[9], C[9], D[6], l2 = 0, none = 0, J = 0;
  deform_gradient(n, dim, s, e, H);
  const int inverted = finite_strain(H, &strain);
  for (int k = 0; k < 9; ++k) C[k] = 0;
  if (!inverted) {
    J = strain.J, none = 1;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) C[3 * i + j] += strain.b[3 * k + i] * strain.b[3 * k + j];
    for (int i = 0; i < 3; ++i) {
      double Ff = 0;
      for (int k = 0; k < 3; ++k) Ff += strain.F[3 * i + k] * f[k];
      l2 += Ff * Ff;
    }
  }
  if (s->tensor) {
    deform_tensor(numbers, C, J, l2, D);
    for (int k = 0; k < 6; ++k) s->tensor[6 * e + k] = D[k] / none;
  }
  if (!s->open) return;
  const double l = sqrt(l2), open = l > 1 ? numbers[DEFORM_OPENS] * (l - 1) : 0;
  s->open[e] = open / none;
  s->level[e] = open * numbers[DEFORM_REVERSAL] / none;
}

/* New nodes of a refined mesh: moved[first + i] = sum of weight times that of its sources. */
typedef struct DeformBetweenArgs {
  int32_t first;
  const int32_t *start, *node; /* as NodeSources has them */
  const double *weight;
  double *moved; /* [][3] */
} DeformBetweenArgs;
HD void deform_between_body(const DeformBetweenArgs *s, int64_t i, double *sum) {
  double d[3] = {0, 0, 0};
  (void)sum;
  for (int32_t k = s->start[i]; k < s->start[i + 1]; ++k)
    for (int c = 0; c < 3; ++c) d[c] += s->weight[k] * s->moved[3 * (int64_t)s->node[k] + c];
  for (int c = 0; c < 3; ++c) s->moved[3 * (s->first + i) + c] = d[c];
}

/* value = -value/mass, 0 where there is no mass. */
typedef struct DeformMeanArgs {
  const double *mass;
  double *value;
} DeformMeanArgs;
HD void deform_mean_body(const DeformMeanArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->value[i] = s->mass[i] > 0 ? -s->value[i] / s->mass[i] : 0;
}

/* deform_hex8_body, ... */
#define DEFORM_KERNEL_0(name, n_node)
#define DEFORM_KERNEL_1(name, n_node)
#define DEFORM_KERNEL_2(name, n_node) DEFORM_KERNEL(name, n_node, 2)
#define DEFORM_KERNEL_3(name, n_node) DEFORM_KERNEL(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) DEFORM_KERNEL_##dim(name, n_node)
#define DEFORM_KERNEL(name, n_node, dim)                                                                               \
  HD void deform_##name##_body(const DeformArgs *s, int64_t e, double *sum) {                                          \
    (void)sum;                                                                                                         \
    deform_row(n_node, dim, s, e);                                                                                     \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef DEFORM_KERNEL
#undef DEFORM_KERNEL_0
#undef DEFORM_KERNEL_1
#undef DEFORM_KERNEL_2
#undef DEFORM_KERNEL_3
