/* Rigid motions of a set of points: the displacements that strain nothing, three in the plane and six in space. */
#pragma once
#include "algebra/rigid_motion.h"

enum { RIGID_MOTIONS_MAX = 6 };
static inline int32_t rigid_motion_count(int32_t dim) { return dim == 3 ? 6 : dim == 2 ? 3 : 1; }
/* x [n][3], host: where the points are, and their centre. */
RigidPlaces rigid_places(int32_t n, const double (*x)[3]);
/* out [motions][n][dim], dim 1 to 3. */
void rigid_motions(int32_t n, int32_t dim, const double (*x)[3], double *out);
