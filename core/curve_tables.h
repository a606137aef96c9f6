/* How the numbers of a curve lie among those of a map (core/param.h): how many points it has, then x and y of each; or, where
 * it is given at several temperatures, minus how many tables there are, and of each its temperature and a curve. For C and CUDA. */
#pragma once
#include "core/hd.h"

/* How many tables there are; a curve alone is one. */
HD int curve_tables(const double *curve) { return *curve < 0 ? (int)-*curve : 1; }

/* Curve k of these; the number before it is its temperature where there are several. */
HD const double *curve_table(const double *curve, const int k) {
  if (*curve < 0)
    for (int i = (curve += 2, 0); i < k; ++i) curve += 2 + 2 * (int64_t)*curve;
  return curve;
}

/* How many numbers all of it takes. */
HD int curve_numbers(const double *curve) {
  const double *last = curve_table(curve, curve_tables(curve) - 1);
  return (int)(last - curve) + 1 + 2 * (int)*last;
}
