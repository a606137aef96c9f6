/* The graph of nodes that share an element, kept as the elements at each node: neighbours are collected when asked
 * for. */
#pragma once
#include "mesh/mesh.h"

typedef struct NodeGraph {
  const Mesh *mesh; /* borrowed */
  int64_t *start;   /* owned, [n_node + 1] into element */
  int32_t *element; /* owned, ids, ascending at every node */
  int32_t *mark;    /* owned, [n_node], stamp of the last visit; 0 at first */
  int32_t stamp;    /* of the visit that is on */
} NodeGraph;

/* ERR_MEMORY; then, too, what was taken waits for node_graph_release. */
Status node_graph_create(const Mesh *mesh, NodeGraph *out);
void node_graph_release(NodeGraph *graph);
/* Appends the neighbours of node i (i is one when it has an element) that carry another stamp to list and stamps them;
 * returns how many. */
int32_t node_graph_new(NodeGraph *graph, int32_t i, int32_t *list);

/* ---- the orders of orders.def ---- */
Status order_natural(const Mesh *mesh, int32_t *rank);
Status order_metis(const Mesh *mesh, int32_t *rank);
Status order_hilbert(const Mesh *mesh, int32_t *rank);

/* From how many nodes on a sample is worth while. */
enum { ORDER_SAMPLED = 100000 };
/* Estimates of mesh_mean_distance of the mesh's own order and of the curve's, from some thousand elements and places: the same
 * for any number of threads. ERR_MEMORY. */
Status order_sample(const Mesh *mesh, double *own, double *along_curve);
