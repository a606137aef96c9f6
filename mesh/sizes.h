/* Sizes that the next mesh of a geometry should have, from the error that each element of this one has. */
#pragma once
#include "mesh/mesh.h"

typedef struct MeshSizesParams {
  double error; /* that the next mesh is to have, as a share of the norm of the solution */
  double most;  /* elements that it may have */
  double scale; /* of the coordinates: the file has them divided by it */
} MeshSizesParams;

/* ERR_MESH of other elements than triangles and tetrahedra, which no sizes can be for. */
Status mesh_sizes_check(const Mesh *mesh);
/* Equal errors of all elements: h (error / (sqrt(n) part^1/2))^(1/order), a quarter to twice of what it is, down to a
 * sixteenth where the error is a hundred times the mean (O. C. Zienkiewicz and J. Z. Zhu, International Journal for Numerical
 * Methods in Engineering 24, 1987, 337-357); from node to node sizes grow by at most 0.4 of the distance, and none is
 * below 1e-7 of the mesh.
 * part: [elements of the highest dimension, in order] squares, which add up to that of the whole. Writes a view that
 * `gmsh -bgm` reads. ERR_MESH as above, ERR_IO, ERR_MEMORY. */
Status mesh_sizes_write(const Mesh *mesh, const double *part, const MeshSizesParams *params, const char *path);
