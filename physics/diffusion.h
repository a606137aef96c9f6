/* Diffusion at a point, pure kernels for C and CUDA: flux q = -D grad u (Fourier's law for heat, Ohm's for the
 * monodomain model) with a symmetric tensor D[6], components xx yy zz xy yz xz; plane problems use xx yy xy. */
#pragma once
#include "core/hd.h"

#include <math.h>

/* out = D g, both [dim]. */
HD void diffusion_times(const int dim, const double D[6], const double *g, double *out) {
  if (dim == 3) {
    out[0] = D[0] * g[0] + D[3] * g[1] + D[5] * g[2];
    out[1] = D[3] * g[0] + D[1] * g[1] + D[4] * g[2];
    out[2] = D[5] * g[0] + D[4] * g[1] + D[2] * g[2];
  } else {
    out[0] = D[0] * g[0] + D[3] * g[1];
    out[1] = D[3] * g[0] + D[1] * g[1];
  }
}

/* ga . D gb, the integrand of K_ab. */
HD double diffusion_energy(const int dim, const double D[6], const double *ga, const double *gb) {
  double flux[3];
  diffusion_times(dim, D, gb, flux);
  return dim == 3 ? ga[0] * flux[0] + ga[1] * flux[1] + ga[2] * flux[2] : ga[0] * flux[0] + ga[1] * flux[1];
}

/* Positive definite in the components that the dimension uses: all leading minors positive (Sylvester) of the tensor
 * scaled to a unit diagonal, whose products are numbers for every D, each against their rounding. False for NaN and
 * infinity. */
HD int diffusion_definite(const int dim, const double D[6]) {
  const double eps = 1e-14, a = D[0], b = D[1], c = D[2];
  if (!(a > 0 && b > 0 && a - a == 0 && b - b == 0)) return 0;
  const double ra = sqrt(a), rb = sqrt(b), d = D[3] / ra / rb, plane = 1 - d * d;
  if (!(plane > eps)) return 0;
  if (dim == 2) return 1;
  if (!(c > 0 && c - c == 0)) return 0;
  const double rc = sqrt(c), e = D[4] / rb / rc, f = D[5] / ra / rc;
  return plane - e * (e - d * f) - f * (f - d * e) > eps;
}
