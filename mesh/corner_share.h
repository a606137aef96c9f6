/* How much of the full circle or sphere around a node an element's corner fills. */
#pragma once
#include "mesh/mesh.h"

/* At corner a of the element: the angle between its edges there, or the solid angle of its faces, as a share of the whole;
 * edges of curved elements are taken as straight. nodes: of the element, corners first. */
double corner_share(const Mesh *mesh, const ElementType *type, const int32_t *nodes, int a);
