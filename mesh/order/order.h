/* Orders of the nodes by name, and what they are worth. An order is rank[old] = new, a permutation of [0, n_node); the
 * same mesh gives the same one every time. mesh_renumber (mesh/mesh.h) applies one to a mesh; assembly takes one for
 * the solver's view only (ElasticityParams.node_rank). */
#pragma once
#include "mesh/mesh.h"

typedef enum MeshOrder {
#define ORDER(ID, function, name, meaning) ORDER_##ID,
#include "mesh/order/orders.def"
#undef ORDER
  N_MESH_ORDERS
} MeshOrder;

/* rank out, [n_node]. ERR_MEMORY; ERR_MESH where METIS cannot hold the graph, with what to use instead. */
Status mesh_order(const Mesh *mesh, MeshOrder kind, int32_t *rank);

/* What `numbering: auto` takes, without timing. Natural where x fits into the first cache of a GPU processor (up to
 * 32768 unknowns), with one component where a tile of rows cannot need too much of x from outside (up to 2048: the
 * resident kernel of hearts). Beyond, Hilbert where the mesh's own mean distance between nodes of an element is more
 * than 1.5 times that along the curve, 4 times with more than one component to a node, whose rows share fewer reads of
 * x; else natural. Structured meshes are at 0.8 to 0.95, the heart meshes at 2.3 to 30, shuffled ones above 9
 * (docs/formats.md). Of large meshes a sample is looked at first, and the whole where that leaves doubt. rank [n_node]:
 * overwritten; of the order chosen. ERR_MEMORY. */
Status mesh_order_choose(const Mesh *mesh, int32_t n_component, int32_t *rank, MeshOrder *out);

/* The registry, in the order of the enum; NULL beyond its end. */
const char *mesh_order_name(int32_t i);
const char *mesh_order_meaning(int32_t i);
/* ERR_INPUT with the list when there is none of that name. */
Status mesh_order_by_name(const char *name, MeshOrder *out);

/* ---- what an order is worth; rank NULL: as they are ---- */
/* Mean |rank i - rank j| over the pairs of nodes of each element; 0 without any. */
double mesh_mean_distance(const Mesh *mesh, const int32_t *rank);
