/* Curves among the parameters of a law (core/param.h): straight between their points, level before the first and behind the
 * last. For C and CUDA. */
#pragma once
#include "physics/point_material.h"

/* y of curve k of a law at x, and the slope there, at a point that of what follows it. */
HD double curve_at(const double *law, const int k, const double x, double *slope) {
  const double *curve = law + (int64_t)law[k], *point = curve + 1;
  const int n = (int)*curve;
  int low = 0, high = n; /* points up to x */
  while (low < high) {
    const int middle = (low + high) / 2;
    if (point[2 * middle] <= x) low = middle + 1;
    else high = middle;
  }
  *slope = 0;
  if (low == 0 || low == n) return point[2 * (low > 0 ? n - 1 : 0) + 1];
  point += 2 * (low - 1);
  *slope = (point[3] - point[1]) / (point[2] - point[0]);
  return point[1] + *slope * (x - point[0]);
}

/* The next point behind x, up to which the slope stays; INFINITY: there is none. */
HD double curve_next(const double *law, const int k, const double x) {
  const double *curve = law + (int64_t)law[k];
  for (int i = 0; i < (int)*curve; ++i)
    if (curve[1 + 2 * i] > x) return curve[1 + 2 * i];
  return (double)INFINITY;
}
