/* From integration points to nodes of an element. */
#pragma once
#include "mesh/elements/element.h"

/* E[n_node][rule->n]: nodal values of the least-squares fit to values at the integration points, in the weighted sense
 * of the reference element. The fit is linear on simplices (quadratic on cubic ones), bi- and trilinear on quads and
 * hexes (constant where there are too few points): for a quad8 or hex20 with full integration it passes through the
 * values that the reduced rule's superconvergent points have (Barlow 1976; Hinton and Campbell 1974). ERR_BUG when the
 * points are degenerate. */
Status extrapolation_matrix(const ElementType *type, const Quadrature *rule, double *E);
