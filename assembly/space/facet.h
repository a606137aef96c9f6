/* Facets of a body, or elements, curves and points, as supports and loads see them. */
#pragma once
#include "assembly/space/element_set.h"
#include "assembly/space/facet_share.h"

typedef struct Facet {
  const ElementType *type;
  const int32_t *nodes;
  double x[ELEMENT_MAX_NODES][3];
  int32_t id;      /* mesh element id */
  int32_t n_side;  /* solved elements that it is a facet of */
  int32_t side[2]; /* mesh ids of the first two of them */
  double outward;  /* +1 where its own node order gives the outward normal of side[0], else -1; facets only */
} Facet;
/* Ends and middle of edge e of a face whose functions have shares (facet_share.h); of a meridian, where an end on the axis has no area of its own. NULL: there are no more. */
const int32_t *facet_edge(const ElementType *type, bool axisymmetric, int32_t e);
/* Coordinates and nodes only. */
void facet_read(const Mesh *mesh, int32_t id, Facet *out);
/* Also the solved elements beside it and which way is outward; n_side is 0 when there is none. */
void facet_sides(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, int32_t id, Facet *out);
/* Where the shape functions N[n_node] of the facet are taken. */
void facet_point(const Facet *facet, const double *N, double x[3]);
/* Normal of the facet's own node order times the measure density at xi. */
void facet_normal(const Facet *facet, const double xi[3], double normal[3]);
