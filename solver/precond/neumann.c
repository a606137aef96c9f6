/* Neumann series (papers/polynomial-pcg-sbell-elasticity, eq. 8): s = w (1 + G + G^2 + ... + G^(d-1)), G = 1 - w A',
 * that is R_d(t) = (1 - w t)^d. With w in (0, 2 / b), b the bound of the spectrum, |R| < 1 there, so B is positive.
 * `omega` is w b. Near t = 0 B A' grows like d w t: omega = 1 keeps R positive for every degree. */
#include "solver/precond/polynomial.h"

enum { OMEGA, BOUND };
static const Param params[] = {
    [OMEGA] = {"omega", "1", 1, false, 0, 2, true, true, "relaxation, in units of 1 / bound"},
    [BOUND] = POLYNOMIAL_PARAM_BOUND};

static Status neumann_find(const Precond *m, double lower, PolynomialSteps *steps) {
  (void)lower;
  for (int32_t k = 0; k < m->degree; ++k) {
    steps->a[k] = 0;
    steps->b[k] = m->value[OMEGA];
  }
  return OK;
}

static Status neumann_create(Precond *m) {
  static const PolynomialKind kind = {.find = neumann_find, .bound = BOUND, .lanczos = -1};
  return polynomial_create(m, &kind);
}

const PrecondType neumann_precond = {POLYNOMIAL_FUNCTIONS, .create = neumann_create, .param = params,
                                     .n_param = sizeof params / sizeof *params};
