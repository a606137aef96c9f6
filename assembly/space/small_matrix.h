/* Dense matrices of a handful of rows: singular values, linear systems. */
#pragma once
#include <stdbool.h>

enum { SMALL = 10 };

/* Adds the row c[6] to the triangular factor R[6][6] of a growing matrix (Givens rotations; Golub and Van Loan, Matrix
 * Computations, section 6.5.3 on updating). c is destroyed. */
void givens_add_row(double R[6][6], double c[6]);
/* Singular values s[n], largest first, and right singular vectors (columns of V) of A[n][n], n <= 6, by one-sided
 * Jacobi rotations; A is destroyed. */
void jacobi_svd(int n, double A[6][6], double s[6], double V[6][6]);
/* A = L L^T in the lower triangle of A, n <= SMALL; false where a pivot is not larger than `least`. And X = A^-1 B of such an L,
 * in place of B[n][m]. */
bool cholesky_factor(int n, double A[SMALL][SMALL], double least);
void cholesky_backsolve(int n, const double A[SMALL][SMALL], int m, double *B);
/* X = A^-1 B for symmetric positive definite A[n][n] and B[n][m], n <= SMALL, in place of B (leading dimension m), by
 * Cholesky. False when A is not positive definite. */
bool cholesky_solve(int n, double A[SMALL][SMALL], int m, double *B);
