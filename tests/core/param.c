/* Ranges of parameters: every kind of bound, at it and beside it. */
#include "tests/testing.h"

#include <math.h>

#include "core/param.h"

static void check(double min, double max, bool open_min, bool open_max, double value, const char *message) {
  const Param p = {"poisson", "1", 0, true, min, max, open_min, open_max, "a test"};
  if (message) assert_fails(param_check(&p, value), ERR_INPUT, message);
  else assert_ok(param_check(&p, value));
}

static void test_bounds(void **state) {
  (void)state;
  const double big = INFINITY, none = -INFINITY;
  check(-1, 0.5, true, true, 0.3, NULL);
  check(-1, 0.5, true, true, 0.5, "poisson is 0.5, must lie in (-1, 0.5)");
  check(-1, 0.5, true, true, -1, "poisson is -1, must lie in (-1, 0.5)");
  check(0, 1, false, false, 0, NULL);
  check(0, 1, false, false, 1, NULL);
  check(0, 1, false, false, nextafter(1, 2), "must lie in [0, 1]");
  check(0, 1, false, true, 1, "must lie in [0, 1)");
  check(0, 1, true, false, 0, "must lie in (0, 1]");
  check(0, big, true, true, 0, "poisson is 0, must be > 0");
  check(0, big, true, true, 5e-324, NULL);
  check(0, big, false, true, 0, NULL);
  check(0, big, false, true, -1, "must be >= 0");
  check(none, 3, true, true, 3, "must be < 3");
  check(none, 3, true, false, 3, NULL);
  check(none, 3, true, false, 4, "must be <= 3");
  check(none, big, true, true, -1e300, NULL);
}

static void test_never_finite(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; ++i) {
    check(-INFINITY, INFINITY, false, false, bad[i], "must be finite: any number");
    check(0, INFINITY, false, false, bad[i], "must be >= 0");
    check(0, 1, false, false, bad[i], "must lie in [0, 1]");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds), cmocka_unit_test(test_never_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
