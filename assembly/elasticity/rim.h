/* Rims of surfaces: edges that one of their facets has alone. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* By its vertices in ascending order; in the plane, where a facet is a line, its end twice. */
typedef struct RimEdge {
  int32_t a, b;
} RimEdge;

typedef struct Rim {
  RimEdge *edge; /* owned, by a and b */
  int64_t n;
  double tolerance; /* of coordinates that are the same */
} Rim;

/* Of all facets of some groups together; ends on the axis of an axisymmetric model are none. */
Status rim_create(const Mesh *mesh, ElasticModel model, int32_t n, const Group *const *on, Rim *out);
void rim_release(Rim *rim);
