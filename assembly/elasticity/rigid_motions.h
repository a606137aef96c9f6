/* Rigid motions of a set of points: the displacements that strain nothing, three in the plane and six in space. */
#pragma once
#include "algebra/rigid_motion.h"

enum { RIGID_MOTIONS_MAX = 6 };
static inline int32_t rigid_motion_count(int32_t dim) { return dim == 3 ? 6 : dim == 2 ? 3 : 1; }
/* What points x [n][3], host, reach to: -x, -y, -z, x, y and z at most, so that two sets together reach to the larger. */
typedef struct RigidReach {
  double most[6];
} RigidReach;
RigidReach rigid_reach(int32_t n, const double (*x)[3]);
/* Their centre and size, without x. */
RigidPlaces rigid_places(const RigidReach *reach);
/* out [motions][n][dim], dim 1 to 3, of n points that places has on the host. */
void rigid_motions_at(const RigidPlaces *places, int32_t n, int32_t dim, double *out);
/* The same about their own centre. */
void rigid_motions(int32_t n, int32_t dim, const double (*x)[3], double *out);
