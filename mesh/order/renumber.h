/* Orders of the nodes; mesh_renumber (mesh/mesh.h) applies one. */
#pragma once
#include "mesh/mesh.h"

/* Reverse Cuthill-McKee on the graph of nodes that share an element: rank[old] = new, [n_node] (George and Liu 1981).
 * Each connected part starts from a pseudo-peripheral node; nodes without elements come out in between, in order. */
Status mesh_rcm(const Mesh *mesh, int32_t *rank);
/* Largest |rank i - rank j| over nodes i, j that share an element; rank NULL: as they are. */
int32_t mesh_bandwidth(const Mesh *mesh, const int32_t *rank);
