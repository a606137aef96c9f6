/* Kinematics at large displacement gradients, in forms that lose no digits at small ones: nothing is made as C - 1,
 * J - 1 or the logarithm of a number near 1 (Shakeri, Ghaffari, Thompson and Brown, Stable numerics for finite-strain
 * elasticity, 2024, section 3). */
#pragma once
#include "physics/point_material.h"

typedef struct FiniteStrain {
  double F[9];      /* 1 + H */
  double b[9];      /* F^-T */
  double G[9];      /* C - 1 = 2 E */
  double g;         /* tr G */
  double J, j, lnJ; /* det F, J - 1 */
  double shape;     /* tr C - 3 - 2 ln J, of the size of H^2 */
} FiniteStrain;

HD double finite_minors(const double *H) {
  return H[0] * H[4] - H[1] * H[3] + (H[0] * H[8] - H[2] * H[6]) + (H[4] * H[8] - H[5] * H[7]);
}

HD double finite_determinant(const double *H) {
  return H[0] * (H[4] * H[8] - H[5] * H[7]) + H[1] * (H[5] * H[6] - H[3] * H[8]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
}

/* x - log(1 + x), of the size of x^2 / 2. */
HD double finite_log_rest(const double x) {
  if (fabs(x) > 0.1) return x - log1p(x);
  const double y = x / (2 + x), z = y * y; /* log(1 + x) = 2 (y + y^3/3 + ...), x - 2 y = x y */
  double sum = 0;
  for (int k = 17; k >= 3; k -= 2) sum = sum * z + 1.0 / k;
  return x * y - 2 * y * z * sum;
}
/* exp(x) - 1 - x, of the size of x^2 / 2. */
HD double finite_exp_rest(const double x) {
  if (fabs(x) > 0.3) return expm1(x) - x;
  double sum = 1;
  for (int k = 14; k >= 3; --k) sum = 1 + sum * x / k;
  return 0.5 * x * x * sum;
}

/* J, ln J and what they make, where det F > 0: at small strains from C, since a rotation has no part in that. */
HD void finite_volume(const double *H, FiniteStrain *s) {
  const double *G = s->G, rest = finite_minors(G) + finite_determinant(G), square = s->g + rest; /* J^2 - 1 */
  double size = 0;
  for (int k = 0; k < 9; ++k) size += fabs(G[k]);
  if (size < 0.5) {
    s->J = sqrt(1 + square);
    s->j = square / (1 + s->J);
    s->lnJ = 0.5 * log1p(square);
    s->shape = finite_log_rest(square) - rest;
    return;
  }
  s->j = H[0] + H[4] + H[8] + finite_minors(H) + finite_determinant(H);
  s->J = 1 + s->j;
  s->lnJ = log1p(s->j);
  s->shape = s->g - 2 * s->lnJ;
}

/* 1: turned inside out. */
HD int finite_strain(const double *H, FiniteStrain *s) {
  if (!(1 + (H[0] + H[4] + H[8] + finite_minors(H) + finite_determinant(H)) > 0)) return 1;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      s->F[3 * i + k] = H[3 * i + k] + (i == k ? 1 : 0);
      s->G[3 * i + k] = H[3 * i + k] + H[3 * k + i] + (H[i] * H[k] + H[3 + i] * H[3 + k] + H[6 + i] * H[6 + k]);
    }
  s->g = s->G[0] + s->G[4] + s->G[8];
  finite_volume(H, s);
  const double *F = s->F, scale = 1 / s->J;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      s->b[3 * i + k] = scale * (F[3 * i1 + k1] * F[3 * i2 + k2] - F[3 * i1 + k2] * F[3 * i2 + k1]);
    }
  return 0;
}

/* to = a times b, 3 x 3. */
HD void finite_product(const double *a, const double *b, double *to) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) to[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
}
