#include "mesh/corner_share.h"
#include "core/vec3.h"

#include <math.h>

/* The corners next to corner a along edges, in order around it. */
static int corner_next(ElementShape shape, int a, int next[4]) {
  switch (shape) {
  case SHAPE_TRIANGLE: next[0] = (a + 1) % 3, next[1] = (a + 2) % 3; return 2;
  case SHAPE_QUAD: next[0] = (a + 1) % 4, next[1] = (a + 3) % 4; return 2;
  case SHAPE_TETRAHEDRON:
    for (int k = 0; k < 3; ++k) next[k] = (a + 1 + k) % 4;
    return 3;
  case SHAPE_HEXAHEDRON:
    next[0] = a / 4 * 4 + (a + 1) % 4, next[1] = a / 4 * 4 + (a + 3) % 4, next[2] = (a + 4) % 8;
    return 3;
  case SHAPE_WEDGE:
    next[0] = a / 3 * 3 + (a + 1) % 3, next[1] = a / 3 * 3 + (a + 2) % 3, next[2] = (a + 3) % 6;
    return 3;
  case SHAPE_PYRAMID:
    if (a < 4) next[0] = (a + 1) % 4, next[1] = (a + 3) % 4, next[2] = 4;
    for (int k = 0; k < 4 && a == 4; ++k) next[k] = k;
    return a < 4 ? 3 : 4;
  default: return 0;
  }
}

/* Solid angle of three directions (Van Oosterom and Strackee, IEEE Transactions on Biomedical Engineering 30, 1983, 125). */
static double solid_angle(const double *a, const double *b, const double *c) {
  const double volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return 2 * fabs(atan2(fabs(volume), 1 + vec3_dot(a, b) + vec3_dot(b, c) + vec3_dot(c, a)));
}

double corner_share(const Mesh *mesh, const ElementType *type, const int32_t *nodes, int a) {
  int next[4];
  double d[4][3];
  const int n = corner_next(type->shape, a, next);
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < 3; ++c) d[k][c] = mesh->x[nodes[next[k]]][c] - mesh->x[nodes[a]][c];
    const double size = sqrt(vec3_dot(d[k], d[k]));
    for (int c = 0; c < 3 && size > 0; ++c) d[k][c] /= size;
  }
  if (n == 2) return acos(fmax(-1, fmin(1, vec3_dot(d[0], d[1])))) / (2 * M_PI);
  if (n == 3) return solid_angle(d[0], d[1], d[2]) / (4 * M_PI);
  return n == 4 ? (solid_angle(d[0], d[1], d[2]) + solid_angle(d[0], d[2], d[3])) / (4 * M_PI) : 0;
}
