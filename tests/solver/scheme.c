/* Schemes in time, each line of schemes.def: exact for polynomials of their order, and the estimate of the error for
 * the next one. */
#include "solver/time/scheme.h"
#include "tests/testing.h"

#include <math.h>

/* Variable steps: predictor and schemes are exact for polynomials of their order, and the estimate is exact for the
 * next one, whatever the ratio of steps. u' = p'(t) stands for M u' = f. */
static void numbers(void **state) {
  (void)state;
  const double steps[][3] = {{1, 1, 1}, {0.3, 0.5, 0.2}, {0.4, 0.21, 0.37}};
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k)
    for (int s = 0; s < 3; ++s) {
      const double dt = steps[s][0], h1 = steps[s][1], h2 = steps[s][2];
      const SchemeFactors n = scheme_factors(time_scheme(k), 2, dt, h1, h2);
      const int order = time_scheme(k)->order;
      for (int p = 0; p <= order + 1; ++p) { /* u = t^p around t = 0 */
        const double last = pow(0, p) - pow(-h1, p), older = pow(-h1, p) - pow(-h1 - h2, p),
                     exact = pow(dt, p) - pow(0, p);
        const double f_new = p ? p * pow(dt, p - 1) : 0, f_old = p == 1;
        const double predicted = n.a1 * last + n.a2 * older;
        const double d = (n.theta * f_new + (1 - n.theta) * f_old + n.history * last) / n.mass;
        if (p <= order) {
          assert_near(d, exact, 1e-14);
          assert_near(predicted, exact, 1e-14);
        } else {
          assert_true(fabs(d - exact) > 1e-4);
          assert_near(n.share * (d - predicted) / (d - exact), 1, 1e-12);
        }
      }
    }
  assert_true(isnan(scheme_factors(&bdf2_scheme, 0, 1, 1, 1).share));
}

/* Without history nothing is predicted and the error is unknown; with one increment every scheme can be estimated, by
 * more than its error. */
static void short_history(void **state) {
  (void)state;
  for (int k = 0; k < time_scheme_count(); ++k) {
    const TimeScheme *scheme = time_scheme(k);
    const SchemeFactors none = scheme_factors(scheme, 0, 0.5, 1, 1), one = scheme_factors(scheme, 1, 0.5, 1, 1);
    assert_true(isnan(none.share) && none.a1 == 0 && none.a2 == 0 && none.mass > 0);
    assert_true(one.share > 0 && one.share < 1 && one.a1 == 0.5 && one.a2 == 0);
    assert_true(scheme->order >= 1 && scheme->budget_linear > 0 && scheme->budget_nonlinear > 0);
    /* what is carried on belongs to the factors: g(u_n) where theta < 1, an increment where there is history */
    if (scheme->carries != SCHEME_STATES_FIRST)
      assert_int_equal(none.theta < 1, scheme->carries == SCHEME_CARRIES_RATE);
    assert_int_equal(one.history != 0, scheme->carries == SCHEME_CARRIES_INCREMENT);
  }
  assert_null(time_scheme(-1));
  assert_null(time_scheme(time_scheme_count()));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(short_history)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
