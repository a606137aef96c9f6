/* Row kernels of the monodomain problem: cells at nodes (NODAL) and at the points of the stiffness rule (GAUSS). A
 * gated kernel does nothing where *when is 0. Bytes per node of the nodal reaction: V, state, mass and r, diagonal, 8
 * each; with history 8 more. */
#pragma once
#include "assembly/diffusion/diffusion_rows.h"
#include "assembly/space/gather_rows.h"
#include "physics/ionic_kernels.h"

/* What all cells share, and those of a block or of all nodes. */
typedef struct MonodomainCells {
  const IonicConstants *constants;
  const uint16_t *kind; /* index into constants, of the node or element; NULL: 0 */
  double *state;        /* [n_state][stride] */
  double *history;      /* as state; NULL: none */
  int64_t stride;
  int32_t keeps_rate;    /* history is g, else the last increment */
  const double *numbers; /* theta, mass, carry, states_dt */
  const int32_t *when;
  /* states first: there are two sets of states, size apart, and *turn says which one is that of now; else NULL */
  const int32_t *turn;
  int64_t size;
} MonodomainCells;

HD int monodomain_idle(const int32_t *when) { return when && *when == 0; }
HD const IonicConstants *monodomain_constants(const MonodomainCells *c, const int64_t owner) {
  return c->constants + (c->kind ? c->kind[owner] : 0);
}
HD IonicCell monodomain_cell(const MonodomainCells *c, const int64_t k) {
  IonicCell cell;
  cell.state = c->state + k;
  cell.history = c->history ? c->history + k : c->history;
  cell.stride = c->stride;
  cell.carry = c->history && c->numbers ? c->numbers[2] : 0;
  return cell;
}
HD double monodomain_step(const MonodomainCells *c) { return c->numbers[0] / c->numbers[1]; }
/* States and history of cell k go on to potential V. `most`, here and below, is the largest number of states of a model
 * (physics/ionic_kernels.h): kernels come in two builds, for 1 and for any. */
HD void monodomain_advance(const int most, const MonodomainCells *c, const int64_t owner, const int64_t k,
                           const double V) {
  const IonicCell cell = monodomain_cell(c, k);
  ionic_advance(most, monodomain_constants(c, owner), V, &cell, monodomain_step(c), c->keeps_rate);
}
/* Which state of a cell is shown, by kind: slot[kind], -1: it has none of the name; NULL: the first. */
HD double monodomain_shown(const MonodomainCells *c, const int32_t *slot, const int64_t owner, const int64_t k,
                           int *has) {
  const int32_t j = slot ? slot[c->kind ? c->kind[owner] : 0] : 0;
  *has = j >= 0;
  return j >= 0 ? c->state[k + j * c->stride + (c->turn && *c->turn ? c->size : 0)] : 0;
}

/* Nodes. Cell i belongs to node i; where regions meet, more cells hang on it: next[cell], -1 at the end. */
typedef struct MonodomainNodeArgs {
  MonodomainCells cells;
  const double *mass;  /* of each cell: its part of the node's lumped mass */
  const int32_t *next; /* NULL: one cell each */
  const uint8_t *fixed;
  const double *V;
  double *r, *diagonal;
  const int32_t *slot; /* of the state that is shown: see monodomain_shown */
} MonodomainNodeArgs;

HD void monodomain_react_node(const int most, const MonodomainNodeArgs *s, const int64_t i) {
  if (monodomain_idle(s->cells.when)) return;
  const double V = s->V[i], theta = s->cells.numbers[0], step = monodomain_step(&s->cells);
  double r = 0, diagonal = 0;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    double slope;
    const IonicCell cell = monodomain_cell(&s->cells, k);
    const double f = ionic_implicit(most, monodomain_constants(&s->cells, k), V, &cell, step, &slope);
    r += theta * s->mass[k] * f;
    diagonal -= theta * s->mass[k] * slope;
  }
  const int fixed = s->fixed[i];
  s->r[i] = fixed ? 0 : r;
  s->diagonal[i] = fixed ? 0 : diagonal;
}

HD void monodomain_commit_node(const int most, const MonodomainNodeArgs *s, const int64_t i) {
  if (monodomain_idle(s->cells.when)) return;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) monodomain_advance(most, &s->cells, k, k, s->V[i]);
}

/* history = g(V, s) */
HD void monodomain_rate_node(const int most, const MonodomainNodeArgs *s, const int64_t i) {
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    const IonicCell cell = monodomain_cell(&s->cells, k);
    ionic_begin(most, monodomain_constants(&s->cells, k), s->V[i], &cell);
  }
}

#define MONODOMAIN_NODE_KERNEL(name, function, most)                                                                   \
  HD void name##_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {                                           \
    (void)sum;                                                                                                         \
    function(most, s, i);                                                                                              \
  }
MONODOMAIN_NODE_KERNEL(monodomain_node, monodomain_react_node, 1)
MONODOMAIN_NODE_KERNEL(monodomain_node_commit, monodomain_commit_node, 1)
MONODOMAIN_NODE_KERNEL(monodomain_node_rate, monodomain_rate_node, 1)
MONODOMAIN_NODE_KERNEL(monodomain_node_many, monodomain_react_node, IONIC_ELIMINATED)
MONODOMAIN_NODE_KERNEL(monodomain_node_commit_many, monodomain_commit_node, IONIC_ELIMINATED)
MONODOMAIN_NODE_KERNEL(monodomain_node_rate_many, monodomain_rate_node, IONIC_ELIMINATED)
#undef MONODOMAIN_NODE_KERNEL

/* r = mean by mass of the shown state, 0 where no cell has it. */
HD void monodomain_node_state_body(const MonodomainNodeArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->cells.when)) return;
  double mass = 0, moment = 0;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    int has;
    const double state = monodomain_shown(&s->cells, s->slot, k, k, &has);
    mass += has ? s->mass[k] : 0;
    moment += s->mass[k] * state;
  }
  s->r[i] = mass > 0 ? moment / mass : 0;
}

/* States first, rows are cells: those of a model go on by states_dt at the potential of the last step, and its reaction is from
 * then on the line force + theta gradient V. Bytes of a cell with n states: 16 n, V, current and the line, 8 each. */
typedef struct MonodomainFirstArgs {
  MonodomainCells cells; /* kind of each cell */
  const int32_t *node;   /* of each cell, where V and current are; NULL: its own number */
  const double *V, *current;
  double *force, *gradient; /* [stride] */
} MonodomainFirstArgs;

#define IONIC(name, text, n)                                                                                           \
  HD void monodomain_first_##name##_body(const MonodomainFirstArgs *s, int64_t k, double *sum) {                       \
    (void)sum;                                                                                                         \
    const MonodomainCells *cells = &s->cells;                                                                          \
    const IonicConstants *c = monodomain_constants(cells, k);                                                          \
    if (monodomain_idle(cells->when) || c->kind != IONIC_KIND_##name) return;                                          \
    const int64_t i = s->node ? s->node[k] : k, other = *cells->turn ? 0 : cells->size;                                \
    const double V = s->V[i], theta = cells->numbers[0];                                                               \
    double gradient;                                                                                                   \
    const double f = name##_first(c, V, s->current[i], cells->numbers[3], cells->state + k + (cells->size - other),    \
                                  cells->state + k + other, cells->stride, &gradient);                                 \
    s->gradient[k] = gradient;                                                                                         \
    s->force[k] = f - theta * gradient * V;                                                                            \
  }
#include "physics/ionics.def"
#undef IONIC

/* The line at nodes. Bytes per node: V, mass and line, r and diagonal, 8 each. */
typedef struct MonodomainLineArgs {
  const int32_t *when;
  const double *numbers, *mass;
  const int32_t *next; /* as MonodomainNodeArgs */
  const uint8_t *fixed;
  const double *force, *gradient, *V;
  double *r, *diagonal;
} MonodomainLineArgs;
HD void monodomain_node_line_body(const MonodomainLineArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (monodomain_idle(s->when)) return;
  const double V = s->V[i], theta = s->numbers[0];
  double r = 0, diagonal = 0;
  for (int64_t k = i; k >= 0; k = s->next ? s->next[k] : -1) {
    const double slope = theta * s->gradient[k];
    r += s->mass[k] * (s->force[k] + slope * V);
    diagonal -= s->mass[k] * slope;
  }
  const int fixed = s->fixed[i];
  s->r[i] = fixed ? 0 : r;
  s->diagonal[i] = fixed ? 0 : diagonal;
}

/* One row: the other set of states is that of now. */
typedef struct MonodomainTurnArgs {
  const int32_t *when;
  int32_t *turn;
} MonodomainTurnArgs;
HD void monodomain_turn_body(const MonodomainTurnArgs *s, int64_t i, double *sum) {
  (void)i, (void)sum;
  if (!monodomain_idle(s->when)) *s->turn = !*s->turn;
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

/* The current that a bidomain adds, d = K_i (V + phi) - K_m V: of now, -d/M, and of the next step, ahead of now by `lead` of the
 * last step. */
typedef struct MonodomainOutsideArgs {
  const double *mass, *cells, *tissue; /* M, -K_i (V + phi), K_m V; cells may be `next` */
  const double *lead;
  const int32_t *skip; /* nothing happens while it is not 0 */
  double *now, *next;
} MonodomainOutsideArgs;
HD void monodomain_outside_body(const MonodomainOutsideArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (*s->skip) return;
  const double before = s->now[i], now = s->mass[i] > 0 ? (s->cells[i] + s->tissue[i]) / s->mass[i] : 0;
  s->now[i] = now;
  s->next[i] = now + *s->lead * (now - before);
}

/* Points: number first + q step_q + e step_e of the arrays of all points. Rows are elements. */
typedef struct MonodomainPointArgs {
  MonodomainCells cells; /* kind by element of the block */
  int32_t n_elem, n_q;
  const int32_t *nodes;
  int64_t node_a, node_e;
  const double *N; /* [n_q][n] */
  int64_t point_first, point_q, point_e;
  double *measure; /* of points: dV times capacity */
  double *slope;   /* of points: theta df/dV times measure */
  const double *V; /* [n_node] */
  double *f;
  int64_t force_first, force_a, force_e;
  double *K;
  int64_t pair_first, pair_p, pair_e;
  int32_t unit;        /* average: 1 in place of the state */
  const int32_t *slot; /* average: of the state that is shown */
  int32_t simple;      /* react: one force for all nodes of an element, f[e] (MonodomainSimpleArgs) */
  /* states first, of points */
  const double *current; /* [n_node] */
  double *point_V, *point_current;
  const double *force, *gradient;
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
HD void monodomain_react(const int most, const int n, const MonodomainPointArgs *s, const int64_t e) {
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
    const IonicCell cell = monodomain_cell(&s->cells, k);
    const double f = dV * ionic_implicit(most, constants, monodomain_at(n, s, q, V), &cell, step, &slope);
    s->slope[k] = dV * slope;
    for (int a = 0; a < n; ++a) force[a] -= s->N[q * n + a] * f;
  }
  if (s->simple) {
    s->f[e] = force[0];
    return;
  }
  for (int a = 0; a < n; ++a) s->f[s->force_first + a * s->force_a + e * s->force_e] = force[a];
}

/* States first: V and current at points; the reaction by the line, f = -int N_a (force + theta gradient V) dV. */
HD void monodomain_spread(const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  double V[27], current[27];
  monodomain_element(n, s, e, V);
  for (int a = 0; a < n; ++a) current[a] = s->current[s->nodes[a * s->node_a + e * s->node_e]];
  for (int q = 0; q < s->n_q; ++q) {
    s->point_V[monodomain_point(s, q, e)] = monodomain_at(n, s, q, V);
    s->point_current[monodomain_point(s, q, e)] = monodomain_at(n, s, q, current);
  }
}
HD void monodomain_line(const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  double V[27], force[27];
  monodomain_element(n, s, e, V);
  for (int a = 0; a < n; ++a) force[a] = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const int64_t k = monodomain_point(s, q, e);
    const double slope = s->cells.numbers[0] * s->gradient[k];
    const double f = s->measure[k] * (s->force[k] + slope * monodomain_at(n, s, q, V));
    s->slope[k] = s->measure[k] * slope;
    for (int a = 0; a < n; ++a) force[a] -= s->N[q * n + a] * f;
  }
  if (s->simple) s->f[e] = force[0];
  for (int a = 0; a < n && !s->simple; ++a) s->f[s->force_first + a * s->force_a + e * s->force_e] = force[a];
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

HD void monodomain_commit_element(const int most, const int n, const MonodomainPointArgs *s, const int64_t e) {
  if (monodomain_idle(s->cells.when)) return;
  double V[27];
  monodomain_element(n, s, e, V);
  for (int q = 0; q < s->n_q; ++q)
    monodomain_advance(most, &s->cells, e, monodomain_point(s, q, e), monodomain_at(n, s, q, V));
}

HD void monodomain_rate_element(const int most, const int n, const MonodomainPointArgs *s, const int64_t e) {
  double V[27];
  monodomain_element(n, s, e, V);
  for (int q = 0; q < s->n_q; ++q) {
    const IonicCell cell = monodomain_cell(&s->cells, monodomain_point(s, q, e));
    ionic_begin(most, monodomain_constants(&s->cells, e), monodomain_at(n, s, q, V), &cell);
  }
}

/* f = -int N_a^2 s dV, or without s, of the shown state. Squares, since shape functions of quadratic elements have
 * negative parts. */
HD void monodomain_average_element(const int n, const MonodomainPointArgs *s, const int64_t e) {
  double sum[27];
  for (int a = 0; a < n; ++a) sum[a] = 0;
  for (int q = 0; q < s->n_q; ++q) {
    const int64_t k = monodomain_point(s, q, e);
    int has;
    const double state = monodomain_shown(&s->cells, s->slot, e, k, &has);
    const double value = s->measure[k] * (s->unit ? has : state);
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
HD void monodomain_measure_element(const int n, const int dim, const int space, const MonodomainMeasureArgs *s,
                                   const int64_t e) {
  double x[27 * 3], inverse[9];
  diffusion_coordinates(n, space, &s->element, e, x);
  for (int q = 0; q < s->element.n_q; ++q)
    s->measure[s->point_first + q * s->point_q + e * s->point_e] =
        tangent_inverse(n, dim, space, x, s->element.dN + (int64_t)q * n * dim, inverse) * s->element.weight[q] *
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
/* The same two for one block of simplices with one point each, where all shape functions are N: an element gives the
 * same force to all its nodes and the same number to all its pairs, so the elements are looked up themselves, in arrays
 * that are 4 and 10 times smaller. */
typedef struct MonodomainSimpleArgs {
  const double *from;         /* [elements] forces, or slopes */
  double factor;              /* of each: 1; N^2 */
  uint32_t divide, remainder; /* element of an entry k: k / divide % remainder */
} MonodomainSimpleArgs;
HD double monodomain_simple_sum(const MonodomainSimpleArgs *s, const int64_t *start, const uint32_t *entry,
                                int64_t row) {
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
  g->out[node] = g->fixed && g->fixed[node] ? 0 : 0 - monodomain_simple_sum(&s->simple, g->start, g->entry, i);
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
  PrescribedArgs supports;
  const int32_t *when;
} MonodomainSupportArgs;
HD void monodomain_support_body(const MonodomainSupportArgs *s, int64_t i, double *sum) {
  (void)sum;
  if (!monodomain_idle(s->when)) prescribed_block(1, &s->supports, i);
}

/* monodomain_react_hex8_body and so on. */
#define MONODOMAIN_KERNELS_0(name, n_node)
#define MONODOMAIN_KERNELS_1(name, n_node)
#define MONODOMAIN_KERNELS_2(name, n_node)                                                                             \
  MONODOMAIN_KERNELS(name, n_node, 2)                                                                                  \
  MONODOMAIN_MEASURE(surface_##name, n_node, 2, 3)
#define MONODOMAIN_KERNELS_3(name, n_node) MONODOMAIN_KERNELS(name, n_node, 3)
#define ELEMENT(KIND, name, dim, n_node) MONODOMAIN_KERNELS_##dim(name, n_node)
#define MONODOMAIN_KERNEL(what, name, call)                                                                            \
  HD void monodomain_##what##_##name##_body(const MonodomainPointArgs *s, int64_t e, double *sum) {                    \
    (void)sum;                                                                                                         \
    call;                                                                                                              \
  }
#define MONODOMAIN_KERNELS(name, n_node, dim)                                                                          \
  MONODOMAIN_KERNEL(react, name, monodomain_react(1, n_node, s, e))                                                    \
  MONODOMAIN_KERNEL(commit, name, monodomain_commit_element(1, n_node, s, e))                                          \
  MONODOMAIN_KERNEL(rate, name, monodomain_rate_element(1, n_node, s, e))                                              \
  MONODOMAIN_KERNEL(react_many, name, monodomain_react(IONIC_ELIMINATED, n_node, s, e))                                \
  MONODOMAIN_KERNEL(commit_many, name, monodomain_commit_element(IONIC_ELIMINATED, n_node, s, e))                      \
  MONODOMAIN_KERNEL(rate_many, name, monodomain_rate_element(IONIC_ELIMINATED, n_node, s, e))                          \
  MONODOMAIN_KERNEL(spread, name, monodomain_spread(n_node, s, e))                                                     \
  MONODOMAIN_KERNEL(line, name, monodomain_line(n_node, s, e))                                                         \
  MONODOMAIN_KERNEL(pairs, name, monodomain_pairs(n_node, s, e))                                                       \
  MONODOMAIN_KERNEL(average, name, monodomain_average_element(n_node, s, e))                                           \
  MONODOMAIN_MEASURE(name, n_node, dim, dim)
#define MONODOMAIN_MEASURE(name, n_node, dim, space)                                                                   \
  HD void monodomain_measure_##name##_body(const MonodomainMeasureArgs *s, int64_t e, double *sum) {                   \
    (void)sum;                                                                                                         \
    monodomain_measure_element(n_node, dim, space, s, e);                                                              \
  }
#include "mesh/elements/elements.def"
#undef ELEMENT
#undef MONODOMAIN_KERNELS
#undef MONODOMAIN_KERNEL
#undef MONODOMAIN_MEASURE
