/* Geometry of an element whose reference domain has fewer dimensions than the space it lies in, for the element kernels
 * of scalars, in C and CUDA. Of a surface in space J [3][2] has the tangents as columns; gradients along it are those of
 * the inverse (J^T J)^-1 J^T, the area is sqrt(det J^T J) (Dziuk and Elliott 2013, Acta Numerica 22, 289-396). Where the
 * dimensions are the same, all is as in geometry_rows.h. */
#pragma once
#include "assembly/space/geometry_rows.h"

#include <math.h>

/* inverse [2][3] of the Jacobian from x[n][3] and dN[n][2]; returns the area per reference area. */
HD double surface_inverse(const int n, const double *x, const double *dN, double *inverse) {
  double s[3] = {0, 0, 0}, t[3] = {0, 0, 0};
  UNROLL
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i) {
      s[i] += x[a * 3 + i] * dN[a * 2];
      t[i] += x[a * 3 + i] * dN[a * 2 + 1];
    }
  const double ss = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], st = s[0] * t[0] + s[1] * t[1] + s[2] * t[2],
               tt = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
  const double cx = s[1] * t[2] - s[2] * t[1], cy = s[2] * t[0] - s[0] * t[2], cz = s[0] * t[1] - s[1] * t[0];
  const double det = cx * cx + cy * cy + cz * cz, r = 1 / det; /* ss tt - st^2 without its loss of digits */
  for (int i = 0; i < 3; ++i) {
    inverse[i] = (tt * s[i] - st * t[i]) * r;
    inverse[3 + i] = (ss * t[i] - st * s[i]) * r;
  }
  return sqrt(det);
}

/* inverse [dim][space]; returns det J, or the area. */
HD double tangent_inverse(const int n, const int dim, const int space, const double *x, const double *dN,
                          double *inverse) {
  return space > dim ? surface_inverse(n, x, dN, inverse) : element_inverse(n, dim, x, dN, inverse);
}

/* g [space] of dN [dim]. */
HD void tangent_gradient(const int dim, const int space, const double *dN, const double *inverse, double *g) {
  for (int i = 0; i < space; ++i) {
    double s = 0;
    for (int k = 0; k < dim; ++k) s += dN[k] * inverse[k * space + i];
    g[i] = s;
  }
}
