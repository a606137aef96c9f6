/* Laws of the logarithmic strain E = 1/2 ln C at large displacement gradients (Miehe, Apel and Lambrecht, Comput. Methods Appl.
 * Mech. Eng. 191, 2002, 5383-5425): a law of small strains answers E with T, which works on it, and this takes T and dT/dE to P
 * and dP/dF. All of it is seen along the principal stretches N_a, C = sum x_a N_a N_a, where the derivatives of a function of C are divided
 * differences of f(x) = 1/2 ln x (Bhatia, Matrix Analysis, 1997, section V.3):
 *   dE_ab = f[a,b] dC_ab,   d2E_ab = sum_c 2 f[a,c,b] dC_ac dC_cb. */
#pragma once
#include "physics/finite_strain.h"

/* sinh(x) / x */
HD double log_sinhc(const double x) {
  const double z = x * x;
  return z > 0.01 ? sinh(x) / x : 1 + z / 6 * (1 + z / 20 * (1 + z / 42 * (1 + z / 72 * (1 + z / 110))));
}

/* Logarithms e of the stretches and their directions, rows of axis; 1: none. */
HD int log_stretches(const FiniteStrain *f, double *e, double *axis) {
  const double *G = f->G, six[6] = {G[0], G[4], G[8], G[1], G[5], G[2]};
  double value[3];
  elastic_eigen(six, value, axis);
  for (int a = 0; a < 3; ++a) {
    if (!(value[a] > -1)) return 1;
    e[a] = 0.5 * log1p(value[a]);
  }
  return 0;
}

/* A tensor along the rows of axis, or, the other way round, out of them. */
HD void log_turn(const double *axis, const bool back, const double *x, double *out) {
  for (int m = 0; m < 9; ++m) {
    out[m] = 0;
    for (int n = 0; n < 9; ++n) {
      const int a = back ? n : m, i = back ? m : n;
      out[m] += axis[a / 3 * 3 + i / 3] * axis[a % 3 * 3 + i % 3] * x[n];
    }
  }
}

/* f[a,b] of the stretches, a row for each a. */
HD void log_first(const double *e, double *first) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) first[3 * a + b] = 0.5 * exp(-e[a] - e[b]) / log_sinhc(e[a] - e[b]);
}

/* f[a,b,c]: of stretches near each other by the series of ln about their mean, where differences would lose digits. */
HD double log_second(const double *e, const double *first, const int a, const int b, const int c) {
  const double x[3] = {exp(2 * e[a]), exp(2 * e[b]), exp(2 * e[c])}, mean = (x[0] + x[1] + x[2]) / 3;
  const int at[3] = {a, b, c};
  double u[3], far = 0, sum = 0, h = 1, next = 0;
  int wide = 0; /* x[wide] - x[wide + 1] is the largest difference */
  for (int k = 0; k < 3; ++k) {
    const double gap = fabs(x[k] - x[(k + 1) % 3]);
    u[k] = x[k] / mean - 1;
    if (gap > far) far = gap, wide = k;
  }
  const int one = wide, two = (wide + 1) % 3, middle = (wide + 2) % 3;
  if (far > 0.02 * mean) return (first[3 * at[one] + at[middle]] - first[3 * at[middle] + at[two]]) / (x[one] - x[two]);
  /* complete homogeneous polynomials h_k = p h_k-2 + q h_k-3 of u, whose sum is 0 */
  const double p = -(u[0] * u[1] + u[1] * u[2] + u[2] * u[0]), q = u[0] * u[1] * u[2];
  double last = 0; /* h_k-1, and `h`, `next` are h_k and h_k+1 */
  for (int k = 0; k < 9; ++k) {
    sum += (k % 2 ? 0.5 : -0.5) * h / (k + 2);
    const double after = p * h + q * last;
    last = h, h = next, next = after;
  }
  return sum / (mean * mean);
}

/* W2 of d(dW) = 4 dC : W2 : dC / 4 + ..: that of the law, D, and of the turn of the strain's directions, T : d2E/dC2. */
HD void log_curvature(const double *e, const double *first, const double *T, const double *D, double *W2) {
  double second[27];
  for (int m = 0; m < 27; ++m) {
    const int a = m / 9, b = m / 3 % 3, c = m % 3;
    second[m] = a <= c ? log_second(e, first, a, b, c) : second[9 * c + 3 * b + a];
  }
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n) {
      const int a = m / 3, b = m % 3, c = n / 3, d = n % 3;
      double turn = 0;
      if (b == c) turn += T[3 * a + d] * second[9 * a + 3 * b + d];
      if (b == d) turn += T[3 * a + c] * second[9 * a + 3 * b + c];
      if (a == c) turn += T[3 * b + d] * second[9 * b + 3 * a + d];
      if (a == d) turn += T[3 * b + c] * second[9 * b + 3 * a + c];
      W2[9 * m + n] = first[m] * first[n] * D[9 * m + n] + turn / 2;
    }
}

/* P of T along the stretches, and A of D = dT/dE there too, a symmetric one; A NULL: not wanted. */
HD void log_pull(const double *e, const double *axis, const double *F, const double *T, const double *D, double *P,
                 double *A) {
  double first[9], S[9], along[9], w[9]; /* rows w_a = F N_a */
  log_first(e, first);
  for (int m = 0; m < 9; ++m) along[m] = 2 * first[m] * T[m];
  log_turn(axis, true, along, S);
  finite_product(F, S, P);
  if (!A) return;
  double W2[81], half[81];
  log_curvature(e, first, T, D, W2);
  for (int m = 0; m < 9; ++m) {
    w[m] = 0;
    for (int j = 0; j < 3; ++j) w[m] += F[m % 3 * 3 + j] * axis[m / 3 * 3 + j];
  }
  for (int m = 0; m < 9; ++m) /* both tensors from the stretches to the frame, first the right one */
    for (int n = 0; n < 9; ++n) {
      half[9 * m + n] = 0;
      for (int k = 0; k < 9; ++k) half[9 * m + n] += 4 * W2[9 * m + k] * w[k / 3 * 3 + n / 3] * axis[k % 3 * 3 + n % 3];
    }
  for (int m = 0; m < 9; ++m)
    for (int n = 0; n < 9; ++n) {
      double sum = m / 3 == n / 3 ? S[m % 3 * 3 + n % 3] : 0;
      for (int k = 0; k < 9; ++k) sum += half[9 * k + n] * w[k / 3 * 3 + m / 3] * axis[k % 3 * 3 + m % 3];
      A[9 * m + n] = sum;
    }
}
