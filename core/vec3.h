/* Vectors in space, on the host: row kernels have their own. */
#pragma once
#include <math.h>

static inline double vec3_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void vec3_minus(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; ++i) out[i] = a[i] - b[i];
}

/* a x b; `out` is neither. */
static inline void vec3_cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; ++i) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* |a - b|^2 */
static inline double vec3_square(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

static inline double vec3_distance(const double a[3], const double b[3]) {
  double d[3];
  vec3_minus(a, b, d);
  return sqrt(vec3_dot(d, d));
}

/* Makes v of length 1 and returns its length before; a vector of length 0 stays. */
static inline double vec3_normalize(double v[3]) {
  const double length = sqrt(vec3_dot(v, v));
  for (int i = 0; i < 3 && length > 0; ++i) v[i] /= length;
  return length;
}
