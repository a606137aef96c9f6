/* Rims of surfaces: edges that one of their facets has alone. */
#pragma once
#include "mesh/mesh.h"

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
Status rim_create(const Mesh *mesh, bool axisymmetric, int32_t n, const Group *const *on, Rim *out);
/* How a rim passes by a node. */
typedef struct RimNode {
  enum { RIM_NOT, RIM_ALONG, RIM_CORNER } kind;
  double along[3]; /* RIM_ALONG: unit vector */
} RimNode;
/* node[n_node] where facets of the group have edges on the rim, also of nodes between vertices; in the plane they are corners. The others
 * stay as they are. */
void rim_nodes(const Rim *rim, const Mesh *mesh, const Group *group, RimNode *node);
void rim_release(Rim *rim);
