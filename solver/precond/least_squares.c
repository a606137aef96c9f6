/* Least-squares polynomials (Johnson, Micchelli and Paul 1983; Saad 1985; papers/polynomial-pcg-sbell-elasticity): R
 * minimises
 *   int_0^b t^(alpha-1) (b - t)^beta R(t)^2 dt  over R(t) = 1 - t s(t) of degree d.
 * Its minimiser is the kernel polynomial of that weight at 0 (Szego 1975, section 3.1; Stiefel 1958), which is
 * orthogonal to the weight t^alpha (b - t)^beta: the Jacobi polynomial P_d^(alpha,beta)(1 - 2 t / b), divided by its
 * value at t = 0. From the recurrence of Jacobi polynomials (Szego, 4.5.1), with n = k + 1,
 *   P_n = (A x + B) P_(n-1) - C P_(n-2),  A = (2n+alpha+beta-1)(2n+alpha+beta) / (2n (n+alpha+beta)),
 *   C = (n+alpha-1)(n+beta-1)(2n+alpha+beta) / (n (n+alpha+beta)(2n+alpha+beta-2)),  P_n(1) / P_(n-1)(1) = (n+alpha) /
 *   n,
 * division by P_n(1) and x = 1 - 2 t give the steps below; A + B needs no formula because R(0) = 1. With alpha = 1/2
 * and beta = -1/2 R is the 4th-kind Chebyshev polynomial of multigrid smoothers (Lottes 2023): a_k = (2k-1)/(2k+3),
 * b_k = (8k+4)/(2k+3). |R| < 1 on (0, b], and with it B positive, needs beta < alpha: |R(b)| = 1 where they are
 * equal. */
#include "solver/precond/polynomial.h"

enum { ALPHA, BETA, BOUND };
static const Param params[] = {
    [ALPHA] = {"alpha", "1", 0.5, false, 0, 10, true, false, "weight t^(alpha-1) (bound-t)^beta"},
    [BETA] = {"beta", "1", -0.5, false, -1, 10, true, true, "of the same, less than alpha"},
    [BOUND] = POLYNOMIAL_PARAM_BOUND};

static Status least_squares_find(const Precond *m, double lower, PolynomialSteps *steps) {
  (void)lower;
  const double alpha = m->value[ALPHA], beta = m->value[BETA], sum = alpha + beta;
  CHECK(beta < alpha, ERR_INPUT, "beta is %g, must be less than alpha (%g): else the preconditioner is not positive",
        beta, alpha);
  steps->a[0] = 0;
  steps->b[0] = (sum + 2) / (alpha + 1);
  for (int32_t k = 1; k < m->degree; ++k) {
    const double n = k + 1;
    const double growth = (n + alpha) / n, before = (n - 1 + alpha) / (n - 1);
    const double slope = (2 * n + sum - 1) * (2 * n + sum) / (2 * n * (n + sum));
    const double last = (n + alpha - 1) * (n + beta - 1) * (2 * n + sum) / (n * (n + sum) * (2 * n + sum - 2));
    steps->a[k] = last / (growth * before);
    steps->b[k] = 2 * slope / growth;
  }
  return OK;
}

static Status least_squares_create(Precond *m) {
  static const PolynomialKind kind = {.find = least_squares_find, .bound = BOUND, .lanczos = -1};
  return polynomial_create(m, &kind);
}

const PrecondType least_squares_precond = {POLYNOMIAL_FUNCTIONS, .create = least_squares_create, .param = params,
                                           .n_param = sizeof params / sizeof *params};
