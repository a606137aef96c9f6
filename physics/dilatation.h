/* A material where the change of volume of an element's points is not their own J but theta, which is smooth over the
 * element: mean dilatation (Simo, Taylor and Pister, CMAME 51, 1985), for any material. Its energy is
 *   psi(F, theta) = W(s F), s = (theta / J)^1/3,
 * whose derivatives are those of W at s F, turned by L = 1 - F (x) b / 3 with b = F^-T. They are symmetric since psi is an
 * energy. Under small strains s F becomes H + (theta - 1 - tr H) / 3 1, F and b become 1, and the terms of second order
 * vanish. */
#pragma once
#include "physics/finite_strain.h"

typedef struct Dilatation {
  double H[9];                    /* s F - 1, what the material is asked */
  double F[9], b[9], s, J, share; /* share = 1 / (3 theta) */
  bool finite;
} Dilatation;

/* more: theta - 1. False: turned inside out. */
HD bool dilatation_begin(const bool finite, const double *H, const double more, Dilatation *d) {
  d->finite = finite;
  if (!finite) {
    const double add = (more - (H[0] + H[4] + H[8])) / 3;
    for (int k = 0; k < 9; ++k) {
      d->F[k] = d->b[k] = k % 4 == 0 ? 1 : 0;
      d->H[k] = H[k] + (k % 4 == 0 ? add : 0);
    }
    d->s = d->J = 1;
    d->share = 1.0 / 3;
    return true;
  }
  FiniteStrain strain;
  if (!(more > -1) || finite_strain(H, &strain)) return false;
  const double grow = expm1((log1p(more) - strain.lnJ) / 3); /* s - 1 */
  for (int k = 0; k < 9; ++k) {
    d->F[k] = strain.F[k];
    d->b[k] = strain.b[k];
    d->H[k] = H[k] + grow * strain.F[k];
  }
  d->s = 1 + grow;
  d->J = strain.J;
  d->share = 1 / (3 * (1 + more));
  return true;
}

/* P : s F, what a growth of the volume works on. */
HD double dilatation_work(const Dilatation *d, const double *P) {
  double sum = 0;
  for (int k = 0; k < 9; ++k) sum += P[k] * d->s * d->F[k];
  return sum;
}
/* d psi / d theta */
HD double dilatation_pressure(const Dilatation *d, const double *P) { return d->share * dilatation_work(d, P); }

/* P becomes d psi / dF + p J b, where p is the pressure that theta's own change works against. */
HD void dilatation_stress(const Dilatation *d, const double p, double *P) {
  const double own = p * d->J - dilatation_work(d, P) / 3;
  for (int k = 0; k < 9; ++k) P[k] = d->s * P[k] + own * d->b[k];
}

/* A becomes d2 psi / dF2 + p d2J / dF2; cross = d2 psi / (dF dtheta); d2 psi / dtheta2 is handed back. P as the material
 * has it. */
HD double dilatation_tangent(const Dilatation *d, const double p, const double *P, double *A, double *cross) {
  const double *b = d->b, s = d->s, work = d->finite ? dilatation_work(d, P) : 0;
  double w[9], all = 0; /* A : s F, and that : s F */
  for (int m = 0; m < 9; ++m) {
    w[m] = 0;
    for (int n = 0; n < 9; ++n) w[m] += A[9 * m + n] * s * d->F[n];
    all += w[m] * s * d->F[m];
  }
  for (int m = 0; m < 9 && d->finite; ++m) w[m] += P[m];
  for (int m = 0; m < 9; ++m) cross[m] = d->share * (s * w[m] - b[m] * (all + work) / 3);
  const double volume = d->finite ? p * d->J : 0, both = (all + work) / 9 + volume, turn = work / 3 - volume;
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n)
      A[9 * m + n] = s * s * A[9 * m + n] - s / 3 * (w[m] * b[n] + b[m] * w[n]) + both * b[m] * b[n] +
                     turn * b[m / 3 * 3 + n % 3] * b[n / 3 * 3 + m % 3];
  return d->share * d->share * (all - 2 * work);
}
