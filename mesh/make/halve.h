/* A mesh of order 2 as one of linear elements on the same nodes (mesh/elements/halved.h). */
#pragma once
#include "mesh/mesh.h"

/* Nodes keep their indices; fields and groups are carried as in mesh_refine, elements are numbered anew. ERR_MESH: an element whose halves
 * need other nodes, such as hex20. */
Status mesh_halve(const Mesh *mesh, Mesh **out);
