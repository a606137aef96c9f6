/* A = L L^T of matrices of a handful of rows (Golub and Van Loan, Matrix Computations, section 4.2), and X = A^-1 B. */
#pragma once
#include "core/hd.h"

#include <math.h>

enum { CHOLESKY_MOST = 10 };

/* In the lower triangle of A[n][n]; 0 where a pivot is not larger than `least`. */
HD int cholesky_factor(const int n, double (*A)[CHOLESKY_MOST], const double least) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) A[j][j] -= A[j][k] * A[j][k];
    if (!(A[j][j] > least)) return 0;
    A[j][j] = sqrt(A[j][j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
  }
  return 1;
}

/* In place of B[n][m], with the L of a factor. */
HD void cholesky_backsolve(const int n, const double (*L)[CHOLESKY_MOST], const int m, double *B) {
  for (int c = 0; c < m; ++c) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) B[i * m + c] -= L[i][k] * B[k * m + c];
      B[i * m + c] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) B[i * m + c] -= L[k][i] * B[k * m + c];
      B[i * m + c] /= L[i][i];
    }
  }
}
