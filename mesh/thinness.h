/* How thin a body is. */
#pragma once
#include "mesh/mesh.h"
/* Of a 3D mesh: its size, the longest side of the box around it, over its thickness, which is twice the volume over the surface.
 * 0 where the body is compact. ERR_MEMORY. */
Status mesh_thinness(const Mesh *mesh, double *out);
