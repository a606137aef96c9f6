/* Where the axes of a material come from. Rows of a frame R are unit vectors at right angles, right-handed: row k is
 * axis k + 1. */
#pragma once
#include "core/hd.h"

#include <math.h>
#include <stdbool.h>

typedef enum AxesKind {
  AXES_GLOBAL,   /* x, y, z */
  AXES_CONSTANT, /* frame */
  AXES_ELEMENT,  /* element[e] of mesh element first + e */
  AXES_PLACE,    /* rows 1 and 2 as `at` has them, at every integration point */
  AXES_CYLINDER  /* 1 away from the line through origin along frame's row 3, 2 around it, 3 along it; at every
                    integration point */
} AxesKind;

typedef struct MaterialAxes {
  AxesKind kind;
  double frame[9];
  double origin[3];
  const double (*element)[9]; /* borrowed */
  int32_t first;
  void (*at)(const void *context, const double x[3], double R[9]);
  const void *context; /* borrowed, as the next */
  const char *where;   /* in the case, for messages; NULL: nowhere */
} MaterialAxes;

/* Row 2 of R at right angles to row 1, and row 3 to both, from what stands there; false where they span no plane. */
HD bool axes_complete(double *R) {
  double length = sqrt(R[0] * R[0] + R[1] * R[1] + R[2] * R[2]);
  const double second = sqrt(R[3] * R[3] + R[4] * R[4] + R[5] * R[5]);
  if (!(length > 0) || !(second > 0)) return false;
  for (int k = 0; k < 3; ++k) R[k] /= length;
  const double along = R[0] * R[3] + R[1] * R[4] + R[2] * R[5];
  for (int k = 0; k < 3; ++k) R[3 + k] -= along * R[k];
  length = sqrt(R[3] * R[3] + R[4] * R[4] + R[5] * R[5]);
  if (!(length > 1e-6 * second)) return false;
  for (int k = 0; k < 3; ++k) R[3 + k] /= length;
  R[6] = R[1] * R[5] - R[2] * R[4];
  R[7] = R[2] * R[3] - R[0] * R[5];
  R[8] = R[0] * R[4] - R[1] * R[3];
  return true;
}

/* The frame at x of an element; false on the line of a cylinder, and where axes 1 and 2 span no plane. */
static inline bool axes_at(const MaterialAxes *axes, const int32_t element, const double x[3], double R[9]) {
  for (int k = 0; k < 9; ++k)
    R[k] = axes->kind == AXES_ELEMENT ? axes->element[element - axes->first][k] : axes->frame[k];
  if (axes->kind == AXES_GLOBAL)
    for (int k = 0; k < 9; ++k) R[k] = k % 4 == 0;
  if (axes->kind == AXES_PLACE) axes->at(axes->context, x, R);
  if (axes->kind == AXES_PLACE) return axes_complete(R);
  if (axes->kind != AXES_CYLINDER) return true;
  const double *a = axes->frame + 6, d[3] = {x[0] - axes->origin[0], x[1] - axes->origin[1], x[2] - axes->origin[2]};
  const double along = d[0] * a[0] + d[1] * a[1] + d[2] * a[2];
  double size = 0, r = 0;
  for (int k = 0; k < 3; ++k) {
    R[k] = d[k] - along * a[k];
    size = fmax(size, fabs(x[k]) + fabs(axes->origin[k]));
    r += R[k] * R[k];
  }
  if (!(sqrt(r) > 1e-12 * size)) return false;
  R[3] = a[1] * R[2] - a[2] * R[1];
  R[4] = a[2] * R[0] - a[0] * R[2];
  R[5] = a[0] * R[1] - a[1] * R[0];
  return axes_complete(R);
}
