/* Spaces of lower order on the same elements: hex20 holds hex8, tet20 holds tet10 and that tet4. */
#pragma once
#include "assembly/space/element_set.h"
#include "algebra/pattern.h"

/* Nodes with frames of their own, u_global = R u. */
typedef struct NodeFrames {
  int32_t dim;
  const int32_t *of;   /* [n_node], frame of a node or -1; NULL: none has one */
  const double *frame; /* [n_frame][3][3] */
} NodeFrames;

/* Transfers between the orders of the solved blocks of `set`, the highest first; collective. Blocks of lower order take part once
 * it is their turn. Nodes without elements give nothing. A node of lower order has the frame of the node that it lies
 * on, or of the first one that it takes more than half a share from. ERR_MEMORY. */
Status order_transfers_create(Comm *comm, const ElementSet *set, const NodeFrames *frames, OrderTransfers *out);
