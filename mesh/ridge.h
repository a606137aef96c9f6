/* Ridges of the body's surface near a node: edges between two facets, in 2D corners between two edges. */
#pragma once
#include "mesh/mesh.h"

typedef struct Ridge {
  bool found, at_node; /* at_node: it goes through the node, else it is one of an element that has the node */
  double angle;        /* radians, from one facet to the other: body on more than half of the circle by so much */
} Ridge;

/* The sharpest re-entrant corner at the node or else beside it, of `least` or more. Facets of curved elements have the
 * tangents that they have at the ridge. A ridge whose next one turns on in the same sense, by a like angle, is no corner:
 * there straight edges follow a curve, unless it turns by `most` or more. ERR_MEMORY. */
Status ridge_reentrant(const Mesh *mesh, int32_t node, double least, double most, Ridge *out);
