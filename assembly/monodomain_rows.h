/* Row kernels of the monodomain problem: cells at nodes (NODAL) and at the points of the stiffness rule (GAUSS). A gated
 * kernel does nothing where *when is 0. Bytes per node of the nodal reaction: V, state, mass and r, diagonal, 8 each; with
 * history 8 more. */
#pragma once
#include "assembly/diffusion_rows.h"
#include "assembly/gather_rows.h"
#include "physics/ionic_kernels.h"

/* What all cells share, and those of a block or of all nodes. */
typedef struct MonodomainCells {
  const IonicConstants *constants;
  const uint16_t *kind; /* index into constants, of the node or element; NULL: 0 */
  double *state;
  double *history;      /* NULL: none */
  int32_t keeps_rate;   /* history is g, else the last increment */
  const double *numbers; /* theta, mass, carry */
  const int32_t *when;
} MonodomainCells;

HD int monodomain_idle(const int32_t *when) { return when && *when == 0; }
HD const IonicConstants *monodomain_constants(const MonodomainCells *c, const int64_t owner) {
  return c->constants + (c->kind ? c->kind[owner] : 0);
}
/* What is known of the state of cell k: s_n + carry h. */
HD double monodomain_known(const MonodomainCells *c, const int64_t k) {
  const double carry = c->numbers[2];
  return c->history && carry != 0 ? c->state[k] + carry * c->history[k] : c->state[k];
}
HD double monodomain_step(const MonodomainCells *c) { return c->numbers[0] / c->numbers[1]; }
/* State and history of cell k go on to potential V. */
HD void monodomain_advance(const MonodomainCells *c, const int64_t owner, const int64_t k, const double V) {
  const IonicConstants *constants = monodomain_constants(c, owner);
  const double before = c->state[k];
  const double now = ionic_state(constants, V, monodomain_known(c, k), monodomain_step(c)).state;
  c->state[k] = now;
  if (c->history) c->history[k] = c->keeps_rate ? ionic_rate(constants, V, now) : now - before;
}

/* Nodes. Cell i belongs to node i; where regions meet, more cells hang on it: next[cell], -1 at the end. */
typedef struct MonodomainNodeArgs {
  MonodomainCells cells;
  const double *mass;  /* of each cell: its part of the node's lumped mass */
  const int32_t *next; /* NULL: one cell each */
  const uint8_t *fixed;
  const double *V;
  double *r, *diagonal;
} MonodomainNodeArgs;

HD void monodomain_node_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->cells.when)) return;
  const double V = s->V[i], theta = s->cells.numbers[0], step = monodomain_step(&s->cells);
  double r = 0, diagonal = 0;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    double slope;
    const double f = ionic_implicit(monodomain_constants(&s->cells, k), V, monodomain_known(&s->cells, k), step, &slope);
    r += theta * s->mass[k] * f;
    diagonal -= theta * s->mass[k] * slope;
  }
  const int fixed = s->fixed[i];
  s->r[i] = fixed ? 0 : r;
  s->diagonal[i] = fixed ? 0 : diagonal;
}

HD void monodomain_node_commit_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->cells.when)) return;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) monodomain_advance(&s->cells, k, k, s->V[i]);
}

/* history = g(V, s) */
HD void monodomain_node_rate_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {
  (void)sum;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1)
    s->cells.history[k] = ionic_rate(monodomain_constants(&s->cells, k), s->V[i], s->cells.state[k]);
}

/* r = mean of the states by mass. */
HD void monodomain_node_state_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {
  (void)sum;
  double mass = 0, moment = 0;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    mass += s->mass[k];
    moment += s->mass[k] * s->cells.state[k];
  }
  s->r[i] = mass > 0 ? moment / mass : 0;
}

/* Stimulated nodes: current[node[j]] = sum of amplitude on. */
typedef struct MonodomainCurrentArgs {
  const int32_t *when;
  const int32_t *node, *start, *stimulus; /* [n], [n + 1], [start[n]] */
  const double *amplitude;                /* [start[n]] */
  const double *on;
  double *current;
} MonodomainCurrentArgs;
HD void monodomain_current_body(const MonodomainCurrentArgs *s, int64_t j, double *sum) {
  (void)sum;
  if (monodomain_idle(s->when)) return;
  double current = 0;
  for (int32_t k = s->start[j]; k < s->start[j + 1]; ++k) current += s->amplitude[k] * s->on[s->stimulus[k]];
  s->current[s->node[j]] = current;
}

/* Points: number first + q step_q + e step_e of the arrays of all points. Rows are elements. */
typedef struct MonodomainPointArgs {
  MonodomainCells cells; /* kind by element of the block */
  int32_t n_elem, n_q;
  const int32_t *nodes;
  int64_t node_a, node_e;
  const double *N;       /* [n_q][n] */
  int64_t point_first, point_q, point_e;
  double *measure;       /* of points: dV times capacity */
  double *slope;         /* of points: theta df/dV times measure */
  const double *V;       /* [n_node] */
  double *f;
  int64_t force_first, force_a, force_e;
  double *K;
  int64_t pair_first, pair_p, pair_e;
  int32_t unit;          /* average: 1 in place of the state */
  int32_t simple;        /* react: one force for all nodes of an element, f[e] (MonodomainSimpleArgs) */
} MonodomainPointArgs;

HD int64_t monodomain_point(const MonodomainPointArgs *s, const int q, const int64_t e) {
  return s->point_first + q * s->point_q + e * s->point_e;
}
HD double monodomain_at(const int n, const MonodomainPointArgs *s, const int q, const double *V) {
  double here = 0;
  for (int a = 0; a < n; ++a) here += s->N[q * n + a] * V[a];
  return here;
}
HD void monodomain_element(const int n, const MonodomainPointArgs *s, const int64_t e, double *V) {
  for (int a = 0; a < n; ++a) V[a] = s->V[s->nodes[a * s->node_a + e * s->node_e]];
}

/* f = -theta int N_a f dV, and what the tangent needs. */
HD void monodomain_react(const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  double V[27], force[27];
  const double theta = s->cells.numbers[0], step = monodomain_step(&s->cells);
  const IonicConstants *constants = monodomain_constants(&s->cells, e);
  monodomain_element(n, s, e, V);
  for (int a = 0; a < n; ++a) force[a] = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const int64_t k = monodomain_point(s, q, e);
    double slope;
    const double dV = theta * s->measure[k];
    const double f =
        dV * ionic_implicit(constants, monodomain_at(n, s, q, V), monodomain_known(&s->cells, k), step, &slope);
    s->slope[k] = dV * slope;
    for (int a = 0; a < n; ++a) force[a] -= s->N[q * n + a] * f;
  }
  if (s->simple) {
    s->f[e] = force[0];
    return;
  }
  for (int a = 0; a < n; ++a) s->f[s->force_first + a * s->force_a + e * s->force_e] = force[a];
}

/* K_ab = theta int N_a df/dV N_b dV. */
HD void monodomain_pairs(const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  for (int a = 0, p = 0; a < n; ++a)
    for (int b = a; b < n; ++b, ++p) {
      double K = 0;
      for (int q = 0; q < s->n_q; ++q) K += s->slope[monodomain_point(s, q, e)] * s->N[q * n + a] * s->N[q * n + b];
      s->K[s->pair_first + p * s->pair_p + e * s->pair_e] = K;
    }
}

HD void monodomain_commit_element(const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  double V[27];
  monodomain_element(n, s, e, V);
  for (int q = 0; q < s->n_q; ++q)
    monodomain_advance(&s->cells, e, monodomain_point(s, q, e), monodomain_at(n, s, q, V));
}

HD void monodomain_rate_element(const int n, const MonodomainPointArgs *s, const int64_t e) {
  double V[27];
  monodomain_element(n, s, e, V);
  for (int q = 0; q < s->n_q; ++q) {
    const int64_t k = monodomain_point(s, q, e);
    s->cells.history[k] = ionic_rate(monodomain_constants(&s->cells, e), monodomain_at(n, s, q, V), s->cells.state[k]);
  }
}

/* f = -int N_a^2 s dV, or without s. Squares, since shape functions of quadratic elements have negative parts. */
HD void monodomain_average_element(const int n, const MonodomainPointArgs *s, const int64_t e) {
  double sum[27];
  for (int a = 0; a < n; ++a) sum[a] = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const int64_t k = monodomain_point(s, q, e);
    const double value = s->measure[k] * (s->unit ? 1 : s->cells.state[k]);
    for (int a = 0; a < n; ++a) sum[a] -= s->N[q * n + a] * s->N[q * n + a] * value;
  }
  for (int a = 0; a < n; ++a) s->f[s->force_first + a * s->force_a + e * s->force_e] = sum[a];
}

/* out = value / weight, 0 where there is no weight. */
typedef struct MonodomainDivideArgs {
  const double *weight;
  double *out;
} MonodomainDivideArgs;
HD void monodomain_divide_body(const MonodomainDivideArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->out[i] = s->weight[i] > 0 ? s->out[i] / s->weight[i] : 0;
}

/* measure of the points of an element: det J times weight, thickness and capacity. */
typedef struct MonodomainMeasureArgs {
  DiffusionArgs element;
  int64_t point_first, point_q, point_e;
  double *measure;
} MonodomainMeasureArgs;
HD void monodomain_measure_element(const int n, const int dim, const MonodomainMeasureArgs *s, const int64_t e) {
  double x[27 * 3], inverse[9];
  diffusion_coordinates(n, dim, &s->element, e, x);
  for (int q = 0; q < s->element.n_q; ++q)
    s->measure[s->point_first + q * s->point_q + e * s->point_e] =
        element_inverse(n, dim, x, s->element.dN + (int64_t)q * n * dim, inverse) * s->element.weight[q] *
        diffusion_capacity(&s->element, e);
}

/* Gather of element forces, and of the tangent: values = theta K + mass M - gathered. Both gated. */
typedef struct MonodomainGatherArgs {
  VectorGatherArgs gather;
  const int32_t *when;
} MonodomainGatherArgs;
HD void monodomain_gather_body(const MonodomainGatherArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (!monodomain_idle(s->when)) gather_node(1, &s->gather, i);
}
typedef struct MonodomainTangentArgs {
  BlockGatherArgs gather;
  const int32_t *when;
  const double *numbers, *stiffness, *mass;
} MonodomainTangentArgs;
HD void monodomain_tangent_body(const MonodomainTangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->when)) return;
  gather_block(1, &s->gather, i);
  const int64_t k = s->gather.slot[i];
  s->gather.values[k] = s->numbers[0] * s->stiffness[k] + s->numbers[1] * s->mass[k] - s->gather.values[k];
}
/* The same two for one block of simplices with one point each, where all shape functions are N: an element gives the same force
 * to all its nodes and the same number to all its pairs, so the elements are looked up themselves, in arrays that are 4 and 10
 * times smaller. */
typedef struct MonodomainSimpleArgs {
  const double *from;         /* [elements] forces, or slopes */
  double factor;              /* of each: 1; N^2 */
  uint32_t divide, remainder; /* element of an entry k: k / divide % remainder */
} MonodomainSimpleArgs;
HD double monodomain_simple_sum(const MonodomainSimpleArgs *s, const int64_t *start, const uint32_t *entry, int64_t row) {
  const int64_t warp = row >> 5, end = start[warp + 1];
  double sum = 0;
  for (int64_t k = start[warp] + (row & 31); k < end; k += 32) {
    if (entry[k] == GATHER_NONE) break;
    sum += s->from[(entry[k] & GATHER_INDEX) / s->divide % s->remainder];
  }
  return s->factor * sum;
}
typedef struct MonodomainSimpleGatherArgs {
  MonodomainGatherArgs all;
  MonodomainSimpleArgs simple;
} MonodomainSimpleGatherArgs;
HD void monodomain_simple_gather_body(const MonodomainSimpleGatherArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->all.when)) return;
  const VectorGatherArgs *g = &s->all.gather;
  const int64_t node = g->node[i];
  g->out[node] = g->fixed && g->fixed[node] ? 0 : g->external[node] - monodomain_simple_sum(&s->simple, g->start, g->entry, i);
}
typedef struct MonodomainSimpleTangentArgs {
  MonodomainTangentArgs all;
  MonodomainSimpleArgs simple;
} MonodomainSimpleTangentArgs;
HD void monodomain_simple_tangent_body(const MonodomainSimpleTangentArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->all.when)) return;
  const MonodomainTangentArgs *t = &s->all;
  const int64_t k = t->gather.slot[i];
  const double known = t->numbers[0] * t->stiffness[k] + t->numbers[1] * t->mass[k];
  t->gather.values[k] = known - monodomain_simple_sum(&s->simple, t->gather.start, t->gather.entry, i);
}
typedef struct MonodomainSupportArgs {
  SupportBlocksArgs supports;
  const int32_t *when;
} MonodomainSupportArgs;
HD void monodomain_support_body(const MonodomainSupportArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (!monodomain_idle(s->when)) support_block(1, &s->supports, i);
}

/* monodomain_react_hex8_body and so on. */
#define MONODOMAIN_KERNELS_0(name, n_node)
#define MONODOMAIN_KERNELS_1(name, n_node)
#define MONODOMAIN_KERNELS_2(name, n_node) MONODOMAIN_KERNELS(name, n_node, 2)
#define MONODOMAIN_KERNELS_3(name, n_node) MONODOMAIN_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) MONODOMAIN_KERNELS_##dim(name, n_node)
#define MONODOMAIN_KERNEL(what, function, name, n_node)                                                                \
  HD void monodomain_##what##_##name##_body(const MonodomainPointArgs *s, int64_t e, double *sum) {                    \
    (void)sum;                                                                                                         \
    function(n_node, s, e);                                                                                            \
  }
#define MONODOMAIN_KERNELS(name, n_node, dim)                                                                          \
  MONODOMAIN_KERNEL(react, monodomain_react, name, n_node)                                                             \
  MONODOMAIN_KERNEL(pairs, monodomain_pairs, name, n_node)                                                             \
  MONODOMAIN_KERNEL(commit, monodomain_commit_element, name, n_node)                                                   \
  MONODOMAIN_KERNEL(rate, monodomain_rate_element, name, n_node)                                                       \
  MONODOMAIN_KERNEL(average, monodomain_average_element, name, n_node)                                                 \
  HD void monodomain_measure_##name##_body(const MonodomainMeasureArgs *s, int64_t e, double *sum) {                   \
    (void)sum;                                                                                                         \
    monodomain_measure_element(n_node, dim, s, e);                                                                     \
  }
#include "mesh/elements.def"
#undef ELEMENT
#undef MONODOMAIN_KERNELS
#undef MONODOMAIN_KERNEL
