/* Dense matrices of a handful of rows: singular values, linear systems. */
#pragma once
#include "assembly/space/cholesky_rows.h"

#include <stdbool.h>

enum { SMALL = CHOLESKY_MOST };

/* Adds the row c[6] to the triangular factor R[6][6] of a growing matrix (Givens rotations; Golub and Van Loan, Matrix
 * Computations, section 6.5.3 on updating). c is destroyed. */
void givens_add_row(double R[6][6], double c[6]);
/* Singular values s[n], largest first, and right singular vectors (columns of V) of A[n][n], n <= 6, by one-sided
 * Jacobi rotations; A is destroyed. */
void jacobi_svd(int n, double A[6][6], double s[6], double V[6][6]);
/* X = A^-1 B for symmetric positive definite A[n][n] and B[n][m], n <= SMALL, in place of B (leading dimension m), by
 * Cholesky. False when A is not positive definite. */
bool cholesky_solve(int n, double A[SMALL][SMALL], int m, double *B);
