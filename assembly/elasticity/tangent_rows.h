/* Element matrices of laws that are not linear in parts, for C and CUDA: what a law answers at each integration point, and of
 * that the blocks of pairs of nodes, by a kernel for each kind of element. A thread of a GPU then keeps its sums in registers,
 * where one that does an element at once (point_kernels.c, mean.c: what CPUs do) has them in local memory: some 80 kB of traffic for
 * each hex8.
 *
 * A part of a block of elements goes through the same room. Its elements lie side by side: number k of element e of the part
 * at room[k n + e]. For each point there are the tangent times dV, symmetric, and the gradients of the shape functions; where
 * changes of volume are smooth (mean_element.h) also the directions that they act in.
 *
 * Rows are (element, point) and (element, node, chunk of nodes): TANGENT_WIDTH elements side by side, then all that belongs to
 * them, so that threads of a block read the same numbers. */
#pragma once
#include "assembly/elasticity/mean_element.h"

enum { TANGENT_WIDTH = 16, TANGENT_NODES = 8 };

typedef struct TangentArgs {
  PointArgs p;
  int64_t first, n; /* elements of the part */
  double *room;     /* [tangent_numbers][n] */
} TangentArgs;

/* Components of a displacement gradient: all, or those in the plane and the hoop. */
HD int tangent_components(const int dim) { return dim == 3 ? 9 : 5; }
HD int tangent_component(const int dim, const int k) { return dim == 3 ? k : k < 2 ? k : k < 4 ? k + 1 : 8; }
HD int tangent_packed(const int dim) { return dim == 3 ? 45 : 15; }

/* Numbers of an element with `modes` functions of its change of volume: sides of the nodes, points. */
HD int tangent_points_at(const int n, const int dim, const int modes) { return 2 * modes * n * dim; }
/* Of a point: tangent, gradients g (the third in a plane is the hoop), and of smooth changes of volume b g of the nodes, the
 * directions that a pressure and a shape share, functions, J dV, curvature and pressure. */
HD int tangent_gradients(const int dim) { return tangent_packed(dim); }
HD int tangent_volume(const int n, const int dim) { return tangent_gradients(dim) + 3 * n; }
HD int tangent_cross(const int n, const int dim) { return tangent_volume(n, dim) + 3 * n; }
HD int tangent_functions(const int n, const int dim) { return tangent_cross(n, dim) + tangent_components(dim); }
HD int tangent_point(const int n, const int dim, const int modes) {
  return modes == 0 ? tangent_volume(n, dim) : tangent_functions(n, dim) + modes + 3;
}
HD int64_t tangent_numbers(const int n, const int dim, const int modes, const int n_q) {
  return tangent_points_at(n, dim, modes) + (int64_t)n_q * tangent_point(n, dim, modes);
}

/* Rows of a part whose elements have `per` each, and which element of the part and which of its rows number i is. */
HD int64_t tangent_rows(const int64_t n, const int per) {
  return (n + TANGENT_WIDTH - 1) / TANGENT_WIDTH * TANGENT_WIDTH * per;
}
HD int64_t tangent_row(const int64_t i, const int per, int *which) {
  const uint32_t all = (uint32_t)i, row = all % TANGENT_WIDTH, rest = all / TANGENT_WIDTH;
  *which = (int)(rest % (uint32_t)per);
  return (int64_t)(rest / (uint32_t)per) * TANGENT_WIDTH + row;
}

/* A point of an element without what belongs to its nodes, for which a GPU has no registers: dV, the inverse of its Jacobian, where it
 * is, around an axis 1 / r, and as in PointGeometry. */
typedef struct PointPlace {
  double dV, inverse[9], at[3], curl, shrink;
} PointPlace;

HD void place_find(const int n, const int dim, const PointArgs *s, const int64_t e, const int q, PointPlace *p) {
  const double *dN = s->e.dN + (int64_t)q * n * dim, *N = s->shape + (int64_t)q * n;
  double J[9] = {0};
  for (int i = 0; i < 3; ++i) p->at[i] = 0;
  for (int a = 0; a < n; ++a) {
    const double *x = s->e.x + 3 * (int64_t)s->e.nodes[a * s->e.node_a + e * s->e.node_e];
    for (int i = 0; i < dim; ++i) p->at[i] += N[a] * x[i];
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) J[i * dim + j] += x[i] * dN[a * dim + j];
  }
  const double size = s->e.weight[q] * s->e.constants[s->e.material[e]].thickness;
  const bool around = dim == 2 && s->N;
  p->dV = invert(dim, J, p->inverse) * size;
  if (around) p->dV *= 6.283185307179586476925286766559 * p->at[0];
  p->curl = around ? 1 / p->at[0] : 0;
  p->shrink = size / p->dV;
}

/* H[9] of a field u [nodes][dim] in the global frame; NULL: 0. */
HD void place_gradient(const int n, const int dim, const PointArgs *s, const int64_t e, const int q,
                       const PointPlace *p, const double *u, double *H) {
  const double *dN = s->e.dN + (int64_t)q * n * dim, *N = s->shape + (int64_t)q * n;
  double along[9] = {0}, radial = 0; /* du_i / dxi */
  for (int k = 0; k < 9; ++k) H[k] = 0;
  for (int a = 0; a < n && u; ++a) {
    const double *at = u + (int64_t)dim * s->e.nodes[a * s->e.node_a + e * s->e.node_e];
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) along[3 * i + j] += at[i] * dN[a * dim + j];
    radial += at[0] * N[a];
  }
  for (int i = 0; i < dim; ++i) element_gradient(dim, along + 3 * i, p->inverse, H + 3 * i);
  if (dim == 2) H[8] = radial * p->curl;
}

/* The functions of its change of volume there. */
HD void place_functions(const int dim, const MeanElement *m, const PointPlace *p, double *phi) {
  double term[MEAN_MODES] = {0};
  mean_term(dim, m, p->at, term);
  for (int i = 0; i < m->n; ++i) {
    phi[i] = 0;
    for (int k = 0; k <= i; ++k) phi[i] += m->to[i][k] * term[k];
  }
}

/* Tangent and gradients of point q of an element; to: its first number. */
HD void tangent_keep(const int n, const int dim, const TangentArgs *s, const int q, const PointPlace *p,
                     const double *A, double *to) {
  const int most = tangent_components(dim);
  const double *dN = s->p.e.dN + (int64_t)q * n * dim, *N = s->p.shape + (int64_t)q * n;
  for (int m = 0, at = 0; m < most; ++m)
    for (int k = m; k < most; ++k, ++at)
      to[at * s->n] = A[9 * tangent_component(dim, m) + tangent_component(dim, k)] * p->dV;
  to += tangent_gradients(dim) * s->n;
  for (int a = 0; a < n; ++a, to += 3 * s->n) {
    double g[3];
    element_gradient(dim, dN + a * dim, p->inverse, g);
    for (int j = 0; j < dim; ++j) to[j * s->n] = g[j];
    if (dim == 2) to[2 * s->n] = N[a] * p->curl;
  }
}

/* Its numbers of point q. */
HD double *tangent_of_point(const int n, const int dim, const TangentArgs *s, const int64_t e, const int q) {
  const int modes = s->p.mean_modes;
  return s->room + (tangent_points_at(n, dim, modes) + (int64_t)q * tangent_point(n, dim, modes)) * s->n + e;
}

/* And what smooth changes of volume need of it: functions, what crosses, curvature and pressure. */
typedef struct TangentVolume {
  const Dilatation *d;
  const double *phi, *both;
  double curve, pressure;
} TangentVolume;
HD void tangent_keep_volume(const int n, const int dim, const TangentArgs *s, const PointPlace *p,
                            const TangentVolume *v, double *to) {
  const int64_t step = s->n;
  const double *g = to + tangent_gradients(dim) * step;
  to += tangent_volume(n, dim) * step;
  for (int a = 0; a < n; ++a, to += 3 * step, g += 3 * step) {
    for (int i = 0; i < dim; ++i) {
      double t = 0;
      for (int j = 0; j < dim; ++j) t += v->d->b[3 * i + j] * g[j * step];
      to[i * step] = t;
    }
    if (dim == 2) to[2 * step] = v->d->b[8] * g[2 * step];
  }
  for (int k = 0; k < tangent_components(dim); ++k, to += step) *to = v->both[tangent_component(dim, k)] * p->dV;
  for (int k = 0; k < s->p.mean_modes; ++k, to += step) *to = v->phi[k];
  to[0] = v->d->J * p->dV;
  to[step] = v->curve * p->dV;
  to[2 * step] = v->pressure * p->dV;
}

/* Point q of element e of the part. */
HD void tangent_at_point(const int n, const int dim, const TangentArgs *args, const int64_t e, const int q) {
  const PointArgs *s = &args->p;
  const int64_t element = args->first + e;
  double H[9], A[81], old[POINT_MAX_STATES], state[POINT_MAX_STATES];
  PointPlace p;
  PointOut out;
  if (e >= args->n || s->law_row[element] == LAW_NONE) return;
  place_find(n, dim, s, element, q, &p);
  place_gradient(n, dim, s, element, q, &p, s->e.u, H);
  point_add_modes(dim, s, s->modes, element, q, p.shrink, H);
  out.A = A;
  out.state = state;
  (void)point_answer(true, PART_ALL, s, element, q, point_heat(s, element, q), H, old, &out);
  tangent_keep(n, dim, args, q, &p, A, tangent_of_point(n, dim, args, e, q));
}

/* S_i = g A_i of a point, i a direction: S[dim][components]. */
HD void tangent_slice(const int dim, const double *g, const double *T, const int64_t step, double *S) {
  const int most = tangent_components(dim);
  UNROLL
  for (int k = 0; k < dim * most; ++k) S[k] = 0;
  int at = 0;
  UNROLL
  for (int m = 0; m < most; ++m) UNROLL
  for (int k = m; k < most; ++k, ++at) {
    const double t = T[at * step];
    const bool hoop = dim == 2 && m == 4, other = dim == 2 && k == 4;
    S[(hoop ? 0 : m / dim) * most + k] += g[hoop ? 2 : m % dim] * t;
    if (k > m) S[(other ? 0 : k / dim) * most + m] += g[other ? 2 : k % dim] * t;
  }
}

/* K_ik += S_i h. */
HD void tangent_block(const int dim, const double *S, const double *h, double *K) {
  const int most = tangent_components(dim);
  UNROLL
  for (int i = 0; i < dim; ++i) UNROLL
  for (int k = 0; k < dim; ++k) {
    double t = dim == 2 && k == 0 ? S[i * most + 4] * h[2] : 0;
    UNROLL
    for (int l = 0; l < dim; ++l) t += S[i * most + dim * k + l] * h[l];
    K[i * dim + k] += t;
  }
}

/* r_a q_b + q_a r_b of one function; q and r are those of the element's nodes. */
HD void tangent_mode(const int dim, const double *q, const double *r, const int64_t step, const int a, const int b,
                     double *K) {
  UNROLL
  for (int i = 0; i < dim; ++i) UNROLL
  for (int j = 0; j < dim; ++j)
    K[i * dim + j] +=
        r[(a * dim + i) * step] * q[(b * dim + j) * step] + q[(a * dim + i) * step] * r[(b * dim + j) * step];
}

/* p J dV at a point, of which `functions` are the first number, of an element. */
HD double tangent_pressed(const PointArgs *s, const int64_t element, const double *functions, const int64_t step) {
  const double *head = s->head + element;
  double p = 0;
  for (int k = 0; k < s->mean_modes; ++k) p += head[mean_head_pressure(k) * s->e.n_elem] * functions[k * step];
  return p * (1 - head[MEAN_HEAD_LOCAL * s->e.n_elem]) * functions[s->mean_modes * step];
}

/* What a pressure adds where a body turns, p d2J/dF2 between two nodes: va and vb are b g, the third in a plane the hoop's. */
HD void tangent_turn(const int dim, const double p, const double *va, const double *vb, double *K) {
  UNROLL
  for (int i = 0; i < dim; ++i) UNROLL
  for (int k = i + 1; k < dim; ++k) {
    const double t = p * (va[i] * vb[k] - va[k] * vb[i]);
    K[i * dim + k] += t;
    K[k * dim + i] -= t;
  }
  if (dim == 3) return;
  K[0] += p * (va[0] * vb[2] + va[2] * vb[0]);
  K[1] += p * va[2] * vb[1];
  K[2] += p * va[1] * vb[2];
}

/* Nodes b in chunks, of which a row has one. */
HD int tangent_chunks(const int n) { return (n + TANGENT_NODES - 1) / TANGENT_NODES; }
HD int tangent_chunk(const int n) { return (n + tangent_chunks(n) - 1) / tangent_chunks(n); }

/* Blocks of node a with the nodes b >= a of a chunk. */
HD void tangent_pairs(const int n, const int dim, const TangentArgs *args, const int64_t i) {
  const PointArgs *s = &args->p;
  const int size = tangent_chunk(n), square = dim * dim, modes = s->mean_modes;
  const int64_t step = args->n;
  int which;
  const int64_t e = tangent_row(i, n * tangent_chunks(n), &which), element = args->first + e;
  const int a = which % n, first = which / n * size;
  if (e >= step || first + size <= a || s->law_row[element] == LAW_NONE) return;
  double K[TANGENT_NODES * 9];
  UNROLL
  for (int k = 0; k < size * square; ++k) K[k] = 0;
  const double *point = args->room + e + tangent_points_at(n, dim, modes) * step;
  for (int q = 0; q < s->e.n_q; ++q, point += tangent_point(n, dim, modes) * step) {
    const double *of = point + tangent_gradients(dim) * step;
    const double *turned = point + tangent_volume(n, dim) * step;
    double S[27], g[3] = {0}, h[3] = {0}, v[3] = {0}, w[3] = {0};
    for (int j = 0; j < 3; ++j) g[j] = of[(3 * a + j) * step];
    tangent_slice(dim, g, point, step, S);
    const double p = modes ? tangent_pressed(s, element, point + tangent_functions(n, dim) * step, step) : 0;
    for (int j = 0; modes && j < 3; ++j) v[j] = turned[(3 * a + j) * step];
    UNROLL
    for (int c = 0; c < size; ++c) {
      const int b = first + c;
      if (b < a || b >= n) continue;
      for (int j = 0; j < 3; ++j) h[j] = of[(3 * b + j) * step];
      tangent_block(dim, S, h, K + c * square);
      if (!modes) continue;
      for (int j = 0; j < 3; ++j) w[j] = turned[(3 * b + j) * step];
      tangent_turn(dim, p, v, w, K + c * square);
    }
  }
  const double *side = args->room + e;
  for (int m = 0; m < modes; ++m, side += 2 * (int64_t)n * dim * step) {
    UNROLL
    for (int c = 0; c < size; ++c)
      if (first + c >= a && first + c < n)
        tangent_mode(dim, side, side + (int64_t)n * dim * step, step, a, first + c, K + c * square);
  }
  UNROLL
  for (int c = 0; c < size; ++c) {
    const int b = first + c;
    if (b < a || b >= n) continue;
    const int64_t pair = point_pairs_before(n, a) + b - a;
    double *to = s->e.K + (s->e.pair_first + pair * s->e.pair_p + element * s->e.pair_e) * s->e.block_step;
    for (int k = 0; k < square; ++k) to[k * s->e.scalar_step] = K[c * square + k];
  }
}

/* nonlinear_tangent: rows (element, point), of all kinds of elements. */
MATERIAL_CALL void tangent_points_2(const TangentArgs *s, const int64_t e, const int q) {
  tangent_at_point(s->p.n_node, 2, s, e, q);
}
MATERIAL_CALL void tangent_points_3(const TangentArgs *s, const int64_t e, const int q) {
  tangent_at_point(s->p.n_node, 3, s, e, q);
}
HD void nonlinear_tangent_body(const TangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  int q;
  const int64_t e = tangent_row(i, s->p.e.n_q, &q);
  if (s->p.dim == 2) tangent_points_2(s, e, q);
  else tangent_points_3(s, e, q);
}

/* tangent_pairs_hex8_body, ... */
#define ELEMENT_KERNELS_0(name, n_node)
#define ELEMENT_KERNELS_1(name, n_node)
#define ELEMENT_KERNELS_2(name, n_node) ELEMENT_KERNELS(name, n_node, 2)
#define ELEMENT_KERNELS_3(name, n_node) ELEMENT_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_KERNELS_##dim(name, n_node)
#define ELEMENT_KERNELS(name, n_node, dim)                                                                             \
  HD void tangent_pairs_##name##_body(const TangentArgs *s, int64_t i, double *sum) {                                  \
    (void)sum;                                                                                                         \
    tangent_pairs(n_node, dim, s, i);                                                                                  \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef ELEMENT_KERNELS
