/* Table 3 of papers/polynomial-pcg-sbell-elasticity in small: iterations of quad4 meshes by polynomial and order, as
 * ratios to Jacobi. */
#include "tests/solver/elastic_systems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static int64_t count(ElasticSystem *s, const char *name, int32_t degree, const double *value, double *bound) {
  LinearParams params = linear_params_default();
  params.rtol = 1e-7;
  params.preconditioner = name;
  params.degree = degree;
  params.mixed = false;
  params.has_values = value != NULL;
  if (value) memcpy(params.values, value, sizeof params.values);
  LinearReport report;
  assert_ok(elastic_system_solve(s, &params, &report));
  if (bound) *bound = report.bound;
  return report.iterations;
}

enum { CELLS = 40, ORDERS = 5 };

static void within(double got, double wanted, double tolerance, const char *what, int order) {
  if (!(fabs(got - wanted) <= tolerance * wanted))
    fail_msg("%s of order %d: %.3f of Jacobi's iterations, %.3f expected", what, order, got, wanted);
}

/* The paper's columns over its 1938 iterations of Jacobi. Its order m is the degree of B, so ours is m + 1. Loads and
 * supports are not told; ours: a square held at one side and sheared at the other. What fits is a bound of the spectrum
 * 1.39 times the largest eigenvalue, for Neumann and least squares alike; ours is tighter, so we need fewer
 * iterations. */
static void ratios_of_table_3(void **state) {
  (void)state;
  const double paper[3][ORDERS] = {
      {1321, 1142, 1024, 932, 862}, {898, 690, 564, 477, 413}, {1176, 1370, 1356, 1391, 1354}};
  const ElasticSystemParams params = {.box = {ELEMENT_QUAD4, {CELLS, CELLS, 1}, {1, 1, 1}, 0}};
  ElasticSystem s;
  elastic_system_create(exec, &params, &s);
  const double jacobi = (double)count(&s, "jacobi", 0, NULL, NULL);
  double bound, last = 1;
  count(&s, "least-squares", 3, NULL, &bound);
  const double loose = 1.39 * bound / 1.03, gain = sqrt(1.03 / 1.39);
  for (int k = 0; k < ORDERS; ++k) {
    const double neumann[4] = {1, loose}, least[4] = {0.5, -0.5, loose};
    const double n = (double)count(&s, "neumann", k + 3, neumann, NULL) / jacobi;
    const double l = (double)count(&s, "least-squares", k + 3, least, NULL) / jacobi;
    const double tight = (double)count(&s, "least-squares", k + 3, NULL, NULL) / jacobi;
    /* the paper's lower end is the smallest eigenvalue, which 32 Lanczos steps do not reach here: given */
    const double smallest[4] = {1e-4, 0, loose};
    const double poor = (double)count(&s, "chebyshev", k + 3, smallest, NULL) / jacobi;
    const double good = (double)count(&s, "chebyshev", k + 3, NULL, NULL) / jacobi;
    print_message("order %d: Neumann %.3f (paper %.3f), least squares %.3f (%.3f), with our bound %.3f, "
                  "Chebyshev %.3f (%.3f), ours %.3f\n",
                  k + 2, n, paper[0][k] / 1938, l, paper[1][k] / 1938, tight, poor, paper[2][k] / 1938, good);
    within(n, paper[0][k] / 1938, 0.04, "Neumann", k + 2);
    within(l, paper[1][k] / 1938, 0.04, "least squares", k + 2);
    within(tight, gain * paper[1][k] / 1938, 0.05, "least squares with our bound", k + 2);
    assert_true(good < tight && good < last);
    last = good;
    if (k > 0) assert_true(poor > 1.8 * good);
  }
  elastic_system_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ratios_of_table_3)};
  return testing_run("solver/polynomial_counts", tests, exec);
}
