/* Rigid motions of points: the displacements that strain nothing, translations and, in the plane and in space, rotations
 * about the centre of the points, over the largest distance from there so that all are near 1. */
#pragma once
#include "core/hd.h"

typedef struct RigidPlaces {
  const double *x; /* borrowed, [n][3], where the motions are found; NULL: not known */
  double centre[3], size;
  const int32_t
      *part; /* borrowed, [n] of bodies that slide on each other, whose motions have nothing in common; NULL: one */
} RigidPlaces;

/* Component r of motion k at point i; dim 1 to 3. In the plane motion 2 turns about z, in space 3 + k about axis k. */
HD double rigid_motion(const RigidPlaces *p, int64_t i, int32_t dim, int32_t k, int32_t r) {
  if (k < dim) return k == r;
  const int32_t axis = dim == 3 ? k - 3 : 2, from = (axis + 1) % 3, to = (axis + 2) % 3; /* e_axis x y */
  if (r != from && r != to) return 0;
  const int32_t other = r == to ? from : to;
  const double y = (p->x[3 * i + other] - p->centre[other]) / p->size;
  return r == to ? y : -y;
}
