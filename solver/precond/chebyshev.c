/* Chebyshev's polynomial: R is the smallest in the maximum norm on [a, b] (Saad, Iterative Methods, section 12.3),
 *   R_d(t) = T_d((b + a - 2 t) / (b - a)) / T_d((b + a) / (b - a)),
 * by the usual recurrence with theta = (b + a) / 2, delta = (b - a) / 2, sigma = theta / delta:
 *   rho_0 = 1 / sigma, rho_k = 1 / (2 sigma - rho_(k-1)), a_k = rho_k rho_(k-1), b_k = 2 rho_k / delta, b_0 = 1 /
 *   theta.
 * Between 0 and a it is positive and less than 1, so B is positive on (0, b] whatever a is. The lower end is not the
 * smallest eigenvalue: that would spend the degree on a few eigenvalues that the outer iteration finds by itself, at
 * the price of the many above. b / 30, b / 100, b / 300 for degree 4, 8, 16 are good; in between linear in the
 * logarithms. */
#include "solver/precond/polynomial.h"

#include <math.h>

enum { LOWER, LANCZOS, BOUND };
static const Param params[] = {
    [LOWER] = {"lower", "1", 0, false, 0, 1, false, true,
               "lower end of the interval over bound; 0: by the degree, 1/30 at 4, 1/100 at 8, 1/300 at 16"},
    [LANCZOS] = {"lanczos", "1", 0, false, 0, LANCZOS_MAX, false, false,
                 "steps after which the smallest Ritz value is the lower end; 0: not"},
    [BOUND] = POLYNOMIAL_PARAM_BOUND};

static double good_lower(int32_t degree) {
  static const double at_8 = 1.0 / 100;
  const double octaves = log2(degree / 8.0);
  return at_8 * exp2(octaves * (degree < 8 ? -log2(100.0 / 30) : -log2(3)));
}

static Status chebyshev_find(const Precond *m, double lower, PolynomialSteps *steps) {
  CHECK(m->value[LOWER] == 0 || m->value[LANCZOS] == 0, ERR_INPUT,
        "lower is %g and lanczos %g: only one of them can set where the interval begins", m->value[LOWER],
        m->value[LANCZOS]);
  const double a = m->value[LANCZOS] > 0 && lower > 0 ? lower
                   : m->value[LOWER] > 0              ? m->value[LOWER]
                                                      : good_lower(m->degree);
  const double theta = (1 + a) / 2, delta = (1 - a) / 2;
  double rho = delta / theta;
  steps->a[0] = 0;
  steps->b[0] = 1 / theta;
  for (int32_t k = 1; k < m->degree; ++k) {
    const double last = rho;
    rho = 1 / (2 * theta / delta - last);
    steps->a[k] = rho * last;
    steps->b[k] = 2 * rho / delta;
  }
  return OK;
}

static Status create_chebyshev(Precond *m) {
  static const PolynomialKind kind = {.find = chebyshev_find, .bound = BOUND, .lanczos = LANCZOS};
  CHECK(m->value[LANCZOS] == floor(m->value[LANCZOS]), ERR_INPUT, "lanczos is %g, must be a whole number of steps",
        m->value[LANCZOS]);
  return polynomial_create(m, &kind);
}

const PrecondType chebyshev_precond = {POLYNOMIAL_FUNCTIONS, .create = create_chebyshev, .param = params,
                                       .n_param = sizeof params / sizeof *params};
