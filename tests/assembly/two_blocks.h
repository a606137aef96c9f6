/* Two blocks on top of each other, with meshes and nodes of their own where they meet. */
#pragma once
#include "mesh/mesh.h"

/* Unit cubes (or squares) below and above z = 0 (y = 0), each of linear elements of a kind, and their order. */
typedef struct TwoBlocks {
  ElementKind kind[2];
  int32_t n[2][3];
  int32_t order;
  double shear, tilt,
      wave;     /* of the plane where they meet: within it, against the axes, how much its nodes move about */
  double angle; /* of all, about an axis that is none of the mesh */
  double bend;  /* within it, of middles of edges of quadratic faces, as a part of the shorter side of a face */
  double bulge; /* height of a wave of that plane */
  double shift; /* of the upper block, along x, */
  double gap;   /* and away from the lower one */
} TwoBlocks;
/* Groups "body", "a" (of the lower block), "b", "bottom", "top", "x0", "x1", "y0", "y1" (of both; of squares x0, x1), "outer":
 * all sides but a and b. */
Mesh *two_blocks(const TwoBlocks *blocks);
/* What turns points of the unturned blocks. */
void two_blocks_turn(double angle, int32_t dim, double x[3]);
/* Two sheets of n[0]^2 and n[1]^2 cells on each other, groups "a" and "b", each with triangles and quadrilaterals. */
Mesh *mixed_sheets(const int32_t n[2], double slope);
