/* The inverse of a small dense matrix, for the bottom of a hierarchy. */
#pragma once
#include <stdint.h>

/* a [n][n] symmetric positive definite, row-major, on the host: becomes its inverse, the same for any number of
 * threads. work [n][n].
 * Returns how many pivots of the Cholesky factorisation are not positive (1e-12 of the diagonal and less). They are
 * left out: the result is the inverse of the other rows and columns, and 1 on the diagonal there. A matrix that is
 * clearly not positive definite becomes the identity, and all of it is left out. */
int32_t dense_invert(int32_t n, double *a, double *work);
