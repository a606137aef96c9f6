/* An upper bound of the spectrum of a symmetric matrix on an Exec: Lanczos steps on the device, read once at the
 * end. */
#pragma once
#include "algebra/krylov_scalars.h"
#include "algebra/mat.h"

typedef struct EigenvalueBoundWork {
  void *v[3];   /* in the matrix' precision, [n] each, overwritten */
  double *fold; /* [eigenvalue_bound_fold_size(n)] */
  Krylov *krylov;
} EigenvalueBoundWork;
int64_t eigenvalue_bound_fold_size(int64_t n);

typedef struct EigenvalueBound {
  double lanczos;     /* largest Ritz value, a lower bound of the largest eigenvalue */
  double lanczos_min; /* smallest Ritz value */
  double row_sum;     /* largest sum of absolute values of a row (Gershgorin): a strict upper bound */
} EigenvalueBound;
Status eigenvalue_bound_estimate(const Mat *a, int32_t steps, const EigenvalueBoundWork *work, EigenvalueBound *out);

/* Smallest (k = 0) or largest (k = n - 1) eigenvalue, or any between, of the symmetric tridiagonal matrix with diagonal
 * alpha[n] and off-diagonal beta[n - 1], by bisection with Sturm sequences. */
double tridiagonal_eigenvalue(int32_t n, const double *alpha, const double *beta, int32_t k);
