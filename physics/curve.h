/* Curves among the parameters of a law (core/param.h): straight between their points, level before the first and behind the
 * last. Between tables of two temperatures y at x is straight over the temperature, beyond them it is that of the next table. For
 * C and CUDA. */
#pragma once
#include "core/curve_tables.h"
#include "physics/point_material.h"

/* y of a curve at x, and the slope there, at a point that of what follows it. */
HD double curve_point(const double *curve, const double x, double *slope) {
  const double *point = curve + 1;
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
HD double curve_after(const double *curve, const double x) {
  for (int i = 0; i < (int)*curve; ++i)
    if (curve[1 + 2 * i] > x) return curve[1 + 2 * i];
  return (double)INFINITY;
}

/* Parameter k of a law, a curve alone. */
HD double curve_at(const double *law, const int k, const double x, double *slope) {
  return curve_point(law + (int64_t)law[k], x, slope);
}
HD double curve_next(const double *law, const int k, const double x) { return curve_after(law + (int64_t)law[k], x); }

/* Parameter k of a law, or of the values of a material, that is a number or a curve over the temperature, of which minus the
 * place stands there (core/param.h): below what any number is, since laws lie in front of their curves. */
HD double property_at(const double *law, const int k, const double temperature) {
  double slope;
  return law[k] > -LAW_SIZE ? law[k] : curve_point(law - (int64_t)law[k], temperature, &slope);
}

/* Parameter k of a law at a temperature: (1 - share) low + share high. */
typedef struct CurveBlend {
  const double *low, *high; /* the same where share is 0 */
  double share;
} CurveBlend;
HD CurveBlend curve_blend(const double *law, const int k, const double temperature) {
  const double *curve = law + (int64_t)law[k], *at = curve_table(curve, 0);
  const int n = curve_tables(curve);
  CurveBlend blend = {at, at, 0};
  if (n == 1 || temperature <= at[-1]) return blend;
  for (int i = 1; i < n; ++i) {
    blend.low = at, blend.high = at += 2 + 2 * (int64_t)*at;
    blend.share = (temperature - blend.low[-1]) / (at[-1] - blend.low[-1]);
    if (blend.share < 1) return blend;
  }
  blend.low = at;
  blend.share = 0;
  return blend;
}
HD double blend_at(const CurveBlend *b, const double x, double *slope) {
  const double low = curve_point(b->low, x, slope);
  double rise;
  if (b->share == 0) return low;
  const double high = curve_point(b->high, x, &rise);
  *slope += b->share * (rise - *slope);
  return low + b->share * (high - low);
}
HD double blend_next(const CurveBlend *b, const double x) {
  const double low = curve_after(b->low, x);
  return b->share == 0 ? low : fmin(low, curve_after(b->high, x));
}

/* The integral of y from one x to another behind it. */
HD double blend_area(const CurveBlend *b, const double from, const double to) {
  double at = from, slope, area = 0;
  while (at < to) {
    const double end = fmin(blend_next(b, at), to), y = blend_at(b, at, &slope);
    area += (end - at) * (y + slope * (end - at) / 2);
    at = end;
  }
  return area;
}
