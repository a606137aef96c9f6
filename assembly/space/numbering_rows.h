/* Row kernels that put the elements of a block in the solver's order. Rows are elements. */
#pragma once
#include "algebra/halo_order.h"

typedef struct OrderArgs {
  const int32_t *from; /* [n][n_node], nodes as the mesh has them */
  const int32_t *rank; /* of each node */
  uint32_t *key;
  int32_t *to_element;
  const int32_t *element; /* which stands here; NULL: they stay */
  int32_t *to;            /* [n][n_node] */
  int32_t n_node;
  HaloOrder order; /* of the ranks */
} OrderArgs;

HD void order_key_body(const OrderArgs *a, int64_t e, double sum[]) {
  int32_t least = INT32_MAX;
  (void)sum;
  for (int64_t k = e * a->n_node; k < (e + 1) * a->n_node; ++k) {
    const int32_t rank = halo_place(a->order, a->rank[a->from[k]]);
    if (rank < least) least = rank;
  }
  a->key[e] = (uint32_t)least;
  a->to_element[e] = (int32_t)e;
}
HD void order_nodes_body(const OrderArgs *a, int64_t e, double sum[]) {
  const int32_t *from = a->from + (a->element ? a->element[e] : e) * a->n_node;
  (void)sum;
  for (int32_t k = 0; k < a->n_node; ++k) a->to[e * a->n_node + k] = a->rank[from[k]];
}

/* Nodes of a block in the way of its kernels: node a of element e at node_a a + node_e e. */
typedef struct TurnArgs {
  const int32_t *from;
  int32_t *to;
  int64_t node_a, node_e;
  int32_t n_node;
} TurnArgs;
HD void turn_nodes_body(const TurnArgs *a, int64_t e, double sum[]) {
  (void)sum;
  for (int32_t k = 0; k < a->n_node; ++k) a->to[k * a->node_a + e * a->node_e] = a->from[e * a->n_node + k];
}
