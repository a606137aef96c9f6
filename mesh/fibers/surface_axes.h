/* Axes of elements that are surfaces in space. */
#pragma once
#include "mesh/mesh.h"

/* axis[n_solved][3], of length 1, of the solved elements e with element_tissue[e] == which (NULL: all) becomes its part along
 * the surface at the middle of the element, of length 1 again. `what` names it, "fibre". Warns, with count and place, where
 * axes leave the surface by more than 30 degrees. ERR_MESH with count and place: by more than 80. */
Status surface_axes(const Mesh *mesh, const char *what, const int32_t *element_tissue, int32_t which,
                    double (*axis)[3]);
