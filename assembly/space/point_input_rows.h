/* How kernels read numbers at integration points that change in a run (point_input.h), and the row kernel that makes them of
 * numbers at nodes. For C and CUDA. */
#pragma once
#include "core/hd.h"

/* Of point q of element e: factor times value[q step_q + e step_e]; value NULL: 0. */
typedef struct PointInputView {
  const double *value;
  int64_t step_e, step_q;
  double factor;
} PointInputView;

HD double point_input_at(const PointInputView *v, const int64_t e, const int q) {
  return v->value ? v->factor * v->value[q * v->step_q + e * v->step_e] : 0;
}

/* A block of elements: value[n_elem][n_q] = add + sum N_a nodal[node a]. Rows are elements. */
typedef struct PointInputArgs {
  int32_t n_q, n_node;
  const int32_t *nodes; /* node a of element e at a node_a + e node_e */
  int64_t node_a, node_e;
  const double *N, *nodal; /* [n_q][n_node], [nodes] */
  double add;
  double *value;
} PointInputArgs;

HD void point_input_body(const PointInputArgs *s, int64_t e, double *sum) {
  (void)sum;
  for (int32_t q = 0; q < s->n_q; ++q) {
    double value = s->add;
    for (int32_t a = 0; a < s->n_node; ++a)
      value += s->N[q * s->n_node + a] * s->nodal[s->nodes[a * s->node_a + e * s->node_e]];
    s->value[e * s->n_q + q] = value;
  }
}
