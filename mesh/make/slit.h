/* Opening a mesh along a surface inside of it: elements on its two sides no longer share nodes. */
#pragma once
#include "mesh/mesh.h"

/* Elements ahead of the facets of a group, where `axis` points to, get nodes of their own there: copies of the nodes of the
 * group, in ascending order, behind all others. The group itself and what lies on it stay behind. ERR_INPUT: a facet at the
 * outside, or along the axis, and a surface that does not go through all of the body, with the place. */
Status mesh_slit(Mesh *mesh, const Group *cut, const double axis[3]);
/* Nodes of the elements of a group, ascending; *node is the caller's. */
Status mesh_group_nodes(const Mesh *mesh, const Group *group, int32_t *n, int32_t **node);
