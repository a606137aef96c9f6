/* Pressure that follows its facets, for C and CUDA: forces and symmetrised tangent of whole facets (Bonet and Wood 2008,
 * section 9.3). With the tangents t_1 = dx/dxi_1 and t_2 of the deformed facet, n = t_1 x t_2, and in the plane n = t_1
 * turned by a right angle (times 2 pi r around an axis), the body pushes back by
 *   f_a = int p N_a n dxi,   K_ab = int p N_a D_b dxi,   D_b = dn/du_b;
 * (K + K^T) / 2 is the tangent where the pressure has a potential: on a closed surface, or one whose rim is held. */
#pragma once
#include "assembly/space/gather_rows.h"
#include "core/hd.h"

#include <math.h>
#include <stdbool.h>

enum { FOLLOWER_NODES = 16 };

typedef struct FollowerArgs {
  int32_t n_elem, n_q, n_node, dim;
  bool axisymmetric;
  const int32_t *nodes; /* node a of facet e: nodes[a * node_a + e * node_e] */
  int64_t node_a, node_e;
  const double *x, *u;    /* [n_node][3], [n_node][dim] */
  const double *N, *dN;   /* [n_q][n_node], [n_q][n_node][dim - 1] */
  const double *pressure; /* [n_elem][n_q], times weight, thickness and which way is outward; NULL for pairs: 0 */
  double *K, *f;          /* as in ElementArgs */
  int64_t pair_first, pair_p, pair_e, block_step, scalar_step;
  int64_t force_first, force_a, force_e, entry_step, component_step;
} FollowerArgs;

/* A point of a deformed facet. */
typedef struct FollowerPoint {
  double t[2][3], n[3], r; /* r: 2 pi times the radius around an axis, else 1 */
} FollowerPoint;

HD void follower_place(const FollowerArgs *s, const int64_t e, double *x) {
  for (int a = 0; a < s->n_node; ++a) {
    const int64_t node = s->nodes[a * s->node_a + e * s->node_e];
    for (int i = 0; i < s->dim; ++i) x[a * s->dim + i] = s->x[3 * node + i] + s->u[node * s->dim + i];
  }
}

HD void follower_point(const FollowerArgs *s, const double *x, const int q, FollowerPoint *p) {
  const int dim = s->dim;
  const double *N = s->N + (int64_t)q * s->n_node, *dN = s->dN + (int64_t)q * s->n_node * (dim - 1);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) p->t[k][i] = 0;
  p->r = s->axisymmetric ? 0 : 1;
  for (int a = 0; a < s->n_node; ++a) {
    for (int k = 0; k < dim - 1; ++k)
      for (int i = 0; i < dim; ++i) p->t[k][i] += dN[a * (dim - 1) + k] * x[a * dim + i];
    if (s->axisymmetric) p->r += 6.283185307179586476925286766559 * N[a] * x[a * dim];
  }
  const double *t = p->t[0], *v = p->t[1];
  p->n[0] = dim == 2 ? t[1] : t[1] * v[2] - t[2] * v[1];
  p->n[1] = dim == 2 ? -t[0] : t[2] * v[0] - t[0] * v[2];
  p->n[2] = dim == 2 ? 0 : t[0] * v[1] - t[1] * v[0];
}

/* D[dim][dim], d (r n) / du_b. */
HD void follower_turn(const FollowerArgs *s, const FollowerPoint *p, const int q, const int b, double *D) {
  const int dim = s->dim;
  const double *dN = s->dN + ((int64_t)q * s->n_node + b) * (dim - 1);
  for (int k = 0; k < dim * dim; ++k) D[k] = 0;
  if (dim == 2) {
    D[1] = p->r * dN[0];
    D[2] = -p->r * dN[0];
    const double grown = s->axisymmetric ? 6.283185307179586476925286766559 * s->N[(int64_t)q * s->n_node + b] : 0;
    D[0] += grown * p->n[0];
    D[2] += grown * p->n[1];
    return;
  }
  double w[3]; /* [w]x = dN_2 [t_1]x - dN_1 [t_2]x */
  for (int i = 0; i < 3; ++i) w[i] = dN[1] * p->t[0][i] - dN[0] * p->t[1][i];
  D[1] = -w[2], D[2] = w[1];
  D[3] = w[2], D[5] = -w[0];
  D[6] = -w[1], D[7] = w[0];
}

/* Row e. */
HD void follower_force_body(const FollowerArgs *s, int64_t e, double *sum) {
  (void)sum;
  double x[FOLLOWER_NODES * 3], f[FOLLOWER_NODES * 3] = {0};
  follower_place(s, e, x);
  for (int q = 0; q < s->n_q; ++q) {
    FollowerPoint p;
    follower_point(s, x, q, &p);
    const double pressure = s->pressure[e * s->n_q + q] * p.r;
    for (int a = 0; a < s->n_node; ++a)
      for (int i = 0; i < s->dim; ++i) f[a * s->dim + i] += pressure * s->N[(int64_t)q * s->n_node + a] * p.n[i];
  }
  for (int a = 0; a < s->n_node; ++a) {
    double *to = s->f + (s->force_first + a * s->force_a + e * s->force_e) * s->entry_step;
    for (int i = 0; i < s->dim; ++i) to[i * s->component_step] = f[a * s->dim + i];
  }
}

/* Row i = a n_elem + e: node a with nodes b >= a. */
HD void follower_pairs_body(const FollowerArgs *s, int64_t i, double *sum) {
  (void)sum;
  const int64_t a = i / s->n_elem, e = i % s->n_elem;
  const int dim = s->dim, n = s->n_node;
  double x[FOLLOWER_NODES * 3], K[FOLLOWER_NODES * 9] = {0};
  follower_place(s, e, x);
  for (int q = 0; q < s->n_q; ++q) {
    FollowerPoint p;
    double A[9], B[9];
    const double *N = s->N + (int64_t)q * n, half = s->pressure ? 0.5 * s->pressure[e * s->n_q + q] : 0;
    follower_point(s, x, q, &p);
    follower_turn(s, &p, q, (int)a, A);
    for (int b = (int)a; b < n; ++b) {
      follower_turn(s, &p, q, b, B);
      for (int k = 0; k < dim; ++k)
        for (int l = 0; l < dim; ++l) K[b * 9 + k * dim + l] += half * (N[a] * B[k * dim + l] + N[b] * A[l * dim + k]);
    }
  }
  for (int b = (int)a; b < n; ++b) {
    const int64_t pair = a * n - a * (a - 1) / 2 + b - a;
    double *to = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step;
    for (int k = 0; k < dim * dim; ++k) to[k * s->scalar_step] = K[b * 9 + k];
  }
}

/* Row e: how much more the forces of facet e change by along v than the tangent of follower_pairs says, whose pressure is another where that
 * leaves out what pulls: K_ab v_b less (K + K^T)_ab v_b / 2. */
typedef struct FollowerBeyondArgs {
  FollowerArgs facets;
  const double *pressed; /* as pressure, of the tangent */
  const double *v;       /* as u */
} FollowerBeyondArgs;
HD void follower_beyond_body(const FollowerBeyondArgs *w, int64_t e, double *sum) {
  (void)sum;
  const FollowerArgs *s = &w->facets;
  const int dim = s->dim, n = s->n_node;
  double x[FOLLOWER_NODES * 3], v[FOLLOWER_NODES * 3], f[FOLLOWER_NODES * 3] = {0};
  follower_place(s, e, x);
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < dim; ++i) v[b * dim + i] = w->v[s->nodes[b * s->node_a + e * s->node_e] * dim + i];
  for (int q = 0; q < s->n_q; ++q) {
    FollowerPoint p;
    double D[9], turned[3] = {0}, at[3] = {0}; /* n along v; v at the point */
    const double *N = s->N + (int64_t)q * n;
    const double whole = s->pressure[e * s->n_q + q], half = 0.5 * w->pressed[e * s->n_q + q];
    follower_point(s, x, q, &p);
    for (int b = 0; b < n; ++b) {
      follower_turn(s, &p, q, b, D);
      for (int i = 0; i < dim; ++i) at[i] += N[b] * v[b * dim + i];
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k) turned[i] += D[i * dim + k] * v[b * dim + k];
    }
    for (int a = 0; a < n; ++a) {
      follower_turn(s, &p, q, a, D);
      for (int i = 0; i < dim; ++i) {
        f[a * dim + i] += (whole - half) * N[a] * turned[i];
        for (int k = 0; k < dim; ++k) f[a * dim + i] -= half * D[k * dim + i] * at[k];
      }
    }
  }
  for (int a = 0; a < n; ++a) {
    double *to = s->f + (s->force_first + a * s->force_a + e * s->force_e) * s->entry_step;
    for (int i = 0; i < dim; ++i) to[i * s->component_step] = f[a * dim + i];
  }
}

/* How large the forces of facets on a node are along each axis, a root of squares: added up node by node they come out
 * the same for any number of ranks, which have facets of the halo too. Rows as VectorGatherArgs. */
typedef struct FollowerSizeArgs {
  VectorGatherArgs gather;
  uint32_t first_entry; /* of the facets, behind all others */
  int32_t dim;
} FollowerSizeArgs;
HD void follower_size_body(const FollowerSizeArgs *s, int64_t row, double *sum) {
  (void)sum;
  const VectorGatherArgs *g = &s->gather;
  const int64_t end = g->start[(row >> 5) + 1];
  double square[3] = {0};
  for (int64_t k = g->start[row >> 5] + (row & 31); k < end && g->entry[k] != GATHER_NONE; k += 32)
    for (int c = 0; g->entry[k] >= s->first_entry && c < s->dim; ++c) {
      const double f = g->f[g->entry[k] * g->entry_step + c * g->component_step];
      square[c] += f * f;
    }
  for (int c = 0; c < s->dim; ++c) g->out[(int64_t)g->node[row] * s->dim + c] = sqrt(square[c]);
}

/* The force of the facets alone, as VectorGatherArgs. */
typedef struct FollowerGatherArgs {
  VectorGatherArgs gather;
  uint32_t first_entry;
  int32_t dim;
} FollowerGatherArgs;
HD void follower_gather_body(const FollowerGatherArgs *s, int64_t row, double *sum) {
  (void)sum;
  const VectorGatherArgs *g = &s->gather;
  const int64_t end = g->start[(row >> 5) + 1];
  double force[3] = {0};
  for (int64_t k = g->start[row >> 5] + (row & 31); k < end && g->entry[k] != GATHER_NONE; k += 32)
    for (int c = 0; g->entry[k] >= s->first_entry && c < s->dim; ++c)
      force[c] -= g->f[g->entry[k] * g->entry_step + c * g->component_step];
  for (int c = 0; c < s->dim; ++c) g->out[(int64_t)g->node[row] * s->dim + c] = force[c];
}
