/* One side of the wall of a cavity: the place of it that is nearest to a point. Facets are flat between their corners. */
#pragma once
#include "mesh/mesh.h"
#include "mesh/near_nodes.h"

typedef struct WallSide {
  const Mesh *mesh;
  const Group *on;
  NearNode *near;                 /* owned */
  int32_t n_near, *start, *facet; /* owned: facets of a node, [start[node], start[node + 1]) */
  double size;                    /* no corner of a facet is farther from its first one */
} WallSide;

/* Corners of an element, the first of its nodes, and how many. */
int32_t wall_corners(const Mesh *mesh, int32_t element, const int32_t **node);
/* ERR_MEMORY; whatever comes, _release follows. */
Status wall_side_create(const Mesh *mesh, const Group *on, WallSide *out);
void wall_side_release(WallSide *side);
/* The place nearest to x, by three nodes and their shares; returns how far it is. */
double wall_side_nearest(const WallSide *side, const double *x, int32_t node[3], double share[3]);
