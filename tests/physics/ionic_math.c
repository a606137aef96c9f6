/* exp, log and expm1 of ionic models against the C library's in long double. */
#include "physics/ionic_math.h"
#include "tests/testing.h"

#include <float.h>

/* In units of the last digit. */
static double off(double found, long double exact) {
  const double near = fabs((double)exact);
  return (double)(fabsl((long double)found - exact) / (nextafter(near, INFINITY) - near));
}

/* From -1 to 1. */
static double spread(int k, int n) { return 2 * (k + 0.5) / n - 1; }

static void digits(void **state) {
  (void)state;
  enum { N = 200000 };
  double worst[3] = {0};
  for (int k = 0; k < N; ++k) {
    const double u = spread(k, N), x[] = {707 * u, 3 * u, 1e-3 * u, 1e-9 * u};
    for (int i = 0; i < 4; ++i) {
      const double at[] = {off(ionic_exp(x[i]), expl(x[i])), off(ionic_expm1(x[i]), expm1l(x[i])),
                           i ? off(ionic_log(1 + x[3 - i] / 4), logl(1 + x[3 - i] / 4))
                             : off(ionic_log(exp(x[i])), logl(exp(x[i])))};
      for (int f = 0; f < 3; ++f) worst[f] = fmax(worst[f], at[f]);
    }
  }
  print_message("exp %.2f, expm1 %.2f, log %.2f\n", worst[0], worst[1], worst[2]);
  for (int f = 0; f < 3; ++f) assert_true(worst[f] < 3);
}

static void ends(void **state) {
  (void)state;
  assert_true(ionic_exp(0) == 1 && ionic_expm1(0) == 0 && ionic_log(1) == 0);
  assert_true(ionic_exp(-1e9) < 1e-300 && ionic_exp(-INFINITY) < 1e-300 && ionic_exp(1e9) > 1e300);
  assert_true(isfinite(ionic_exp(INFINITY)));
  assert_true(isnan(ionic_exp((double)NAN)) && isnan(ionic_log(-1)) && isnan(ionic_log(0)));
  assert_true(ionic_inverse(8) == 0.125);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(digits), cmocka_unit_test(ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
