/* A mesh seen with point elements at nodes, so that any set of nodes can be a group. */
#pragma once
#include "mesh/mesh.h"

/* The solved elements of a mesh, and before them points at the nodes of a list; it borrows from the mesh. Element k is the
 * point at node[k]; node NULL: at all n of them. ERR_MEMORY; whatever comes, mesh_view_release puts it away. */
Status mesh_view_points(const Mesh *mesh, int32_t n, const int32_t *node, Mesh *view);
void mesh_view_release(Mesh *view);
