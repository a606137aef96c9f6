/* Elements cut into triangles or tetrahedra on their own vertices. */
#pragma once
#include "mesh/mesh.h"

enum { SIMPLEX_CORNERS = 4, SIMPLICES_MOST = 6 /* of an element */ };
/* Local vertices of those that fill an element with these nodes, the first three of a triangle; how many there are depends on
 * its kind alone. They turn either way. Each element is cut from its vertex of the lowest number, and so are its faces:
 * neighbours cut a face between them alike. */
int32_t element_simplices(const ElementType *type, const int32_t *nodes, int32_t out[SIMPLICES_MOST][SIMPLEX_CORNERS]);

/* Of each element all those of a vertex and a part of a face that it is not on: edges of a triangle or quadrilateral, triangles of
 * either diagonal of a face of four. The vertex alone is offered a time by such a one, so that all straight ways through an element
 * that end there are seen, whatever the numbers of its nodes. */
typedef struct Simplices {
  int32_t n, n_corner; /* 3: triangles, 4: tetrahedra */
  int32_t n_end;       /* of all the vertices that ways end at */
  int32_t *node;       /* owned, [n][n_corner] */
  int32_t *end;        /* owned, [n_end]: n_corner simplex + the vertex' position, ascending */
  double *square;      /* owned, [n][3 or 6]: e^T D^-1 e of the edges 01 02 12, or 01 02 03 12 13 23 */
} Simplices;

/* Of the solved elements; rank[n_node] (NULL: none) numbers the nodes, tensor[n_solved] is D, xx yy zz xy yz xz.
 * ERR_INPUT: an element that is not linear. ERR_MESH: more than 32-bit numbers hold. */
Status simplices_create(const Mesh *mesh, const double (*tensor)[6], const int32_t *rank, Simplices *out);
void simplices_release(Simplices *simplices);
