/* The faces of a mesh beyond which there is nothing: those that one of its elements has alone. */
#pragma once
#include "mesh/mesh.h"

/* Room for the corners of one. */
static inline int32_t outer_face_width(const Mesh *mesh) { return mesh->dim == 2 ? 2 : 4; }
static inline int32_t outer_face_corners(int32_t width, const int32_t *v) {
  return width == 2 ? 2 : v[3] == v[0] || v[3] == v[1] || v[3] == v[2] ? 3 : 4;
}
/* node [n][width] (out, the caller's): their corners as the element has them, the lowest once more where there are three; in the
 * order of elements and their faces. Of more than INT32_MAX / 8 faces that may be outer ones n is 0: then the mesh is fine. */
Status outer_faces_find(const Mesh *mesh, int32_t *n, int32_t **node);
