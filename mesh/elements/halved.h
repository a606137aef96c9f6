/* Elements of order 2 as linear ones on the same nodes: 2^dim of each, whose values between nodes are never beyond those at nodes. */
#pragma once
#include "mesh/elements/element.h"

/* Whether the halves of its edges make linear elements that need no other nodes: line3, tri6, quad9, tet10, hex27. */
bool element_halves(const ElementType *type);
/* N[n_node] at xi, in the linear element that it lies in; of a tetrahedron with the octahedron inside cut from the middle of edge
 * 0-2 to that of 1-3 (Freudenthal's triangulation). Of other elements their own. */
void element_halved_values(const ElementType *type, const double xi[3], double *N);
