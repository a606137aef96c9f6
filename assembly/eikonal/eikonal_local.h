/* The local problem of the eikonal equation: the earliest time at a corner x of a simplex when those at its other
 * corners x_k are known and time is linear between these, t = min over p of t(p) + |x - p|, |e|^2 = e^T D^-1 e
 * (Bornemann and Rasch 2006, Computing and Visualization in Science 9, 57-69; on tetrahedra Fu, Kirby and Whitaker
 * 2013, SIAM Journal on Scientific Computing 35, C473). With g_kl = (x - x_k)^T D^-1 (x - x_l) the minimum over all
 * weights of sum 1 is the larger root of (T 1 - t)^T g^-1 (T 1 - t) = 1, and weights are those of g^-1 (T 1 - t): where
 * one of them is negative the minimum lies on the simplex' boundary. A time that is not known is INFINITY. */
#pragma once
#include "core/hd.h"

#include <math.h>
#include <stdbool.h>

HD bool eikonal_known(double t) { return t < (double)INFINITY; }

/* From two corners: squares a and b of the lengths to x, and c of that between them; and what each offers alone. */
HD double eikonal_between_ends(double s, double t, double a, double b, double c, double from_s, double from_t) {
  const double ends = from_s < from_t ? from_s : from_t;
  if (!eikonal_known(s) || !eikonal_known(t)) return ends;
  const double d = t - s, g = 0.5 * (a + b - c), det = a * b - g * g, under = det * (c - d * d);
  if (!(det > 0 && under >= 0)) return ends;
  const double T = ((a - g) * d + sqrt(under)) / c; /* after s */
  if (b * T < g * (T - d) || a * (T - d) < g * T) return ends;
  return s + T;
}

HD double eikonal_two(double s, double t, double a, double b, double c) {
  return eikonal_between_ends(s, t, a, b, c, s + sqrt(a), t + sqrt(b));
}

/* From the sides of three. */
HD double eikonal_rim(const double t[3], const double square[6]) {
  const double end[3] = {t[0] + sqrt(square[0]), t[1] + sqrt(square[1]), t[2] + sqrt(square[2])};
  const double e = eikonal_between_ends(t[0], t[1], square[0], square[1], square[3], end[0], end[1]),
               f = eikonal_between_ends(t[0], t[2], square[0], square[2], square[4], end[0], end[2]),
               h = eikonal_between_ends(t[1], t[2], square[1], square[2], square[5], end[1], end[2]);
  return e < f ? (e < h ? e : h) : (f < h ? f : h);
}

/* From three, where it is earlier than `now`; square[6] of the lengths from x to 0, 1, 2, then 0-1, 0-2, 1-2. What is minimised is
 * convex, so that a minimum inside is not later than any on the rim; and none is earlier than the first of the times and the way to
 * the plane of the three, of length^2 det/A. */
HD double eikonal_three(const double t[3], const double square[6], double now) {
  const double g00 = square[0], g11 = square[1], g22 = square[2], g01 = 0.5 * (g00 + g11 - square[3]),
               g02 = 0.5 * (g00 + g22 - square[4]), g12 = 0.5 * (g11 + g22 - square[5]);
  const double q00 = g11 * g22 - g12 * g12, q01 = g02 * g12 - g01 * g22, q02 = g01 * g12 - g02 * g11,
               q11 = g00 * g22 - g02 * g02, q12 = g01 * g02 - g00 * g12, q22 = g00 * g11 - g01 * g01;
  const double det = g00 * q00 + g01 * q01 + g02 * q02, d1 = t[1] - t[0], d2 = t[2] - t[0];
  const double r0 = q00 + q01 + q02, r1 = q01 + q11 + q12, r2 = q02 + q12 + q22, A = r0 + r1 + r2;
  const double first = t[0] < t[1] ? (t[0] < t[2] ? t[0] : t[2]) : (t[1] < t[2] ? t[1] : t[2]), room = now - first;
  if (A > 0 && room * room * A <= det) return now;
  if (!eikonal_known(t[0]) || !eikonal_known(t[1]) || !eikonal_known(t[2])) return eikonal_rim(t, square);
  const double B = r1 * d1 + r2 * d2, C = q11 * d1 * d1 + 2 * q12 * d1 * d2 + q22 * d2 * d2 - det;
  const double under = B * B - A * C;
  if (!(det > 0 && A > 0 && under >= 0)) return eikonal_rim(t, square);
  const double T = (B + sqrt(under)) / A; /* after t[0] */
  const double w0 = r0 * T - q01 * d1 - q02 * d2, w1 = r1 * T - q11 * d1 - q12 * d2, w2 = r2 * T - q12 * d1 - q22 * d2;
  return w0 >= 0 && w1 >= 0 && w2 >= 0 ? t[0] + T : eikonal_rim(t, square);
}
