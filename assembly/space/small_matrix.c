/* Dense matrices of a handful of rows. */
#include "assembly/space/small_matrix.h"

#include <math.h>

void givens_add_row(double R[6][6], double c[6]) {
  for (int k = 0; k < 6; ++k) {
    if (c[k] == 0) continue;
    const double length = hypot(R[k][k], c[k]), cosine = R[k][k] / length, sine = c[k] / length;
    for (int j = k; j < 6; ++j) {
      const double r = R[k][j];
      R[k][j] = cosine * r + sine * c[j];
      c[j] = cosine * c[j] - sine * r;
    }
  }
}

/* Turns columns p and q of a matrix with n rows. */
static void small_matrix_turn(int n, double M[6][6], int p, int q, double cosine, double sine) {
  for (int i = 0; i < n; ++i) {
    const double x = M[i][p], y = M[i][q];
    M[i][p] = cosine * x - sine * y;
    M[i][q] = sine * x + cosine * y;
  }
}

void jacobi_svd(int n, double A[6][6], double s[6], double V[6][6]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) V[i][j] = i == j;
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool done = true;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        double alpha = 0, beta = 0, gamma = 0;
        for (int i = 0; i < n; ++i) {
          alpha += A[i][p] * A[i][p];
          beta += A[i][q] * A[i][q];
          gamma += A[i][p] * A[i][q];
        }
        if (fabs(gamma) <= 1e-16 * sqrt(alpha * beta)) continue;
        done = false;
        const double zeta = (beta - alpha) / (2 * gamma);
        const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta)), cosine = 1 / sqrt(1 + t * t);
        small_matrix_turn(n, A, p, q, cosine, cosine * t);
        small_matrix_turn(n, V, p, q, cosine, cosine * t);
      }
    if (done) break;
  }
  for (int j = 0; j < n; ++j) {
    s[j] = 0;
    for (int i = 0; i < n; ++i) s[j] += A[i][j] * A[i][j];
    s[j] = sqrt(s[j]);
  }
  for (int j = 0; j < n; ++j)
    for (int k = j + 1; k < n; ++k) {
      if (s[k] <= s[j]) continue;
      const double value = s[j];
      s[j] = s[k];
      s[k] = value;
      for (int i = 0; i < n; ++i) {
        const double v = V[i][j];
        V[i][j] = V[i][k];
        V[i][k] = v;
      }
    }
}

bool cholesky_solve(int n, double A[SMALL][SMALL], int m, double *B) {
  if (!cholesky_factor(n, A, 0)) return false;
  cholesky_backsolve(n, (const double(*)[SMALL])A, m, B);
  return true;
}
