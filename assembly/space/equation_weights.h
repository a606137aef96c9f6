/* T of equations (equations.h) by blocks of nodes, while products with it are laid out. */
#pragma once
#include "assembly/space/equations.h"

/* Row i of T by nodes: on which others node i depends, and how; nodes without dependent unknowns are not listed. All in
 * the solver's order. */
typedef struct Weights {
  int32_t n_node, b;
  HaloOrder order; /* of the nodes in the whole, in which sources and columns ascend */
  int32_t *slot;   /* owned, [n_node]: 1 + index of a listed node; 0: it is itself alone */
  int64_t *start;  /* owned, [listed + 1] */
  int32_t *node;   /* owned */
  double *value;   /* owned, [..][b][b]; the first is the unit matrix, of no node */
  int64_t n;       /* of node and value */
  int64_t *from;   /* owned, [n_node + 1]: listed nodes that depend on each node, */
  int32_t *source; /* owned, */
  int32_t *weight; /* owned, and the index of the weight */
} Weights;
/* ERR_MEMORY; whatever comes, weights_release puts it away. */
Status weights_create(const Space *space, const Supports *supports, const Equations *equations, Weights *out);
void weights_release(Weights *weights);
