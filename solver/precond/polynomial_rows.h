/* The row kernel of a polynomial of degree 1, which is a constant: B = 1, so that all that is left is the sum r.z. */
#pragma once
#include "algebra/krylov_scalars.h"

typedef struct PolynomialOneArgs {
  const double *r;
  Krylov *k;
} PolynomialOneArgs;
HD void polynomial_one_body(const PolynomialOneArgs *a, int64_t i, double sum[]) {
  if (!a->k->stop) sum[0] += a->r[i] * a->r[i];
}
HD void polynomial_one_finish(const PolynomialOneArgs *a, const double sum[]) {
  if (!a->k->stop) krylov_step(a->k, KRYLOV_BETA, sum);
}
