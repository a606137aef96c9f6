/* Rigid motions of a set of points: the displacements that strain nothing, three in the plane and six in space. */
#pragma once
#include <stdint.h>

enum { RIGID_MOTIONS_MAX = 6 };
static inline int32_t rigid_motion_count(int32_t dim) { return dim == 3 ? 6 : dim == 2 ? 3 : 1; }
/* x [n][3], lengths of the mesh. out [motions][n][dim]: translations, then rotations about the centre of the points
 * (about z; in space about x, y, z), over the largest distance from there so that all are near 1. dim 1 to 3. */
void rigid_motions(int32_t n, int32_t dim, const double (*x)[3], double *out);
