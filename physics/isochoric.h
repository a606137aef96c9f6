/* Isotropic energies of the change of shape alone, W(I1, I2) with I1 = J^-2/3 tr C and
 * I2 = J^-4/3 ((tr C)^2 - C:C) / 2 (Holzapfel, Nonlinear Solid Mechanics, 2000, section 6.4). With G = C - 1 and b =
 * F^-T the derivatives of I1 and I2 are 2 J^-2/3 b dev G and 2 J^-4/3 b dev((1 + tr G) G - G^2), which vanish with G
 * without a cancellation. */
#pragma once
#include "physics/volumetric.h"

typedef struct Isochoric {
  double i1, i2;    /* I1 - 3 and I2 - 3 */
  double W, w1, w2; /* energy and its derivatives, to be filled in */
  double w11, w12, w22;
} Isochoric;

HD void isochoric_begin(const FiniteStrain *s, Isochoric *w) {
  const double m = -2 * s->lnJ / 3;
  double square = 0;
  for (int k = 0; k < 9; ++k) square += s->G[k] * s->G[k];
  const double second = 0.5 * (s->g * s->g - square);
  w->i1 = 3 * finite_exp_rest(m) + s->shape + expm1(m) * s->g;
  w->i2 = 3 * finite_exp_rest(2 * m) + 2 * s->shape + second + expm1(2 * m) * (2 * s->g + second);
  w->W = w->w1 = w->w2 = w->w11 = w->w12 = w->w22 = 0;
}

/* factor b dev(M) */
HD void isochoric_slope(const FiniteStrain *s, const double factor, double *M, double *to) {
  const double mean = (M[0] + M[4] + M[8]) / 3;
  for (int k = 0; k < 9; k += 4) M[k] -= mean;
  finite_product(s->b, M, to);
  for (int k = 0; k < 9; ++k) to[k] *= factor;
}

/* Second derivatives of I1 and I2 times w1 and w2. */
HD void isochoric_curve(const FiniteStrain *s, const double w1, const double w2, double *A) {
  const double *F = s->F, *b = s->b, a1 = w1 * exp(-2 * s->lnJ / 3), a2 = w2 * exp(-4 * s->lnJ / 3), I1 = 3 + s->g;
  double C[9], B[9], D[9], I2 = 3 + 2 * s->g + 0.5 * s->g * s->g; /* D = d I2 / dF before J^-4/3 */
  for (int k = 0; k < 9; ++k) {
    C[k] = s->G[k] + (k % 4 == 0 ? 1 : 0);
    I2 -= 0.5 * s->G[k] * s->G[k];
    const double *p = F + 3 * (k / 3), *q = F + 3 * (k % 3);
    B[k] = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  }
  finite_product(F, C, D);
  for (int k = 0; k < 9; ++k) D[k] = 2 * (I1 * F[k] - D[k]);
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n) {
      const int i = m / 3, j = m % 3, k = n / 3, l = n % 3;
      const double bb = b[m] * b[n], cross = b[3 * i + l] * b[3 * k + j];
      double t = a1 * (-4.0 / 3 * (b[m] * F[n] + F[m] * b[n]) + I1 * (4.0 / 9 * bb + 2.0 / 3 * cross));
      t += a2 * (4 * F[m] * F[n] - 2 * F[3 * i + l] * F[3 * k + j] - 4.0 / 3 * (b[m] * D[n] + D[m] * b[n]) +
                 I2 * (16.0 / 9 * bb + 4.0 / 3 * cross));
      if (m == n) t += 2 * a1 + 2 * a2 * I1;
      if (i == k) t -= 2 * a2 * C[3 * j + l];
      if (j == l) t -= 2 * a2 * B[3 * i + k];
      A[9 * m + n] += t;
    }
}

/* Adds W, P and A. */
HD void isochoric_add(const FiniteStrain *s, const Isochoric *w, PointOut *out) {
  double M[9], first[9], second[9];
  for (int k = 0; k < 9; ++k) M[k] = s->G[k];
  isochoric_slope(s, 2 * exp(-2 * s->lnJ / 3), M, first);
  finite_product(s->G, s->G, M);
  for (int k = 0; k < 9; ++k) M[k] = (1 + s->g) * s->G[k] - M[k];
  isochoric_slope(s, 2 * exp(-4 * s->lnJ / 3), M, second);
  out->energy += w->W;
  for (int k = 0; k < 9; ++k) out->P[k] += w->w1 * first[k] + w->w2 * second[k];
  if (!out->A) return;
  isochoric_curve(s, w->w1, w->w2, out->A);
  if (w->w11 == 0 && w->w12 == 0 && w->w22 == 0) return;
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      out->A[9 * m + n] += w->w11 * first[m] * first[n] + w->w22 * second[m] * second[n] +
                           w->w12 * (first[m] * second[n] + second[m] * first[n]);
}
