/* R_d(t) = (1 - w_0 t) ... (1 - w_(d-1) t) with weights that rise from 1 to `last`: each factor is less than 1 in size
 * on (0, b], so B is positive; the larger weights act on small eigenvalues. */
#include "solver/precond/polynomial.h"

enum { LAST, BOUND };
static const Param params[] = {
    [LAST] = {"last", "1", 1.6, false, 1, 2, false, true, "weight of the last factor, in units of 1 / bound"},
    [BOUND] = POLYNOMIAL_PARAM_BOUND};

static Status graded_find(const Precond *m, double lower, PolynomialSteps *steps) {
  (void)lower;
  for (int32_t k = 0; k < m->degree; ++k) {
    steps->a[k] = 0;
    steps->b[k] = 1 + (m->value[LAST] - 1) * (k + 1) / m->degree;
  }
  return OK;
}

static Status graded_create(Precond *m) {
  static const PolynomialKind kind = {.find = graded_find, .bound = BOUND, .lanczos = -1};
  return polynomial_create(m, &kind);
}

const PrecondType graded_precond = {POLYNOMIAL_FUNCTIONS, .create = graded_create, .param = params,
                                    .n_param = sizeof params / sizeof *params};
