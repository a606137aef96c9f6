/* Is a surface mesh flat? */
#pragma once
#include "mesh/mesh.h"

/* The first node of a surface element that is not at the z of its block's first node (to 1e-9 of the mesh's size), and
 * that z; -1: all elements of each block lie in a plane z = constant. */
int32_t plane_departure(const Mesh *mesh, double *z);
