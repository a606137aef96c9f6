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

/* Words stand for whole numbers from min on, and are what ranges and messages say. */
static void words(void **state) {
  (void)state;
  const Param p = {"cycle", "v|w|kk|", 1, false, 1, 3, false, false, ""},
              number = {"degree", "1", 2, false, 1, 8, false, false, ""};
  char text[32];
  double value = 0;
  assert_true(param_number(&p, "v", &value) && value == 1);
  assert_true(param_number(&p, "kk", &value) && value == 3);
  assert_false(param_number(&p, "k", &value));
  assert_false(param_number(&p, "", &value));
  assert_false(param_number(&number, "1", &value));
  assert_true(param_word(&p, 2, text, sizeof text));
  assert_string_equal(text, "w");
  assert_false(param_word(&p, 1.5, text, sizeof text));
  assert_false(param_word(&p, 4, text, sizeof text));
  assert_false(param_word(&number, 2, text, sizeof text));
  assert_string_equal(param_range(&p, text, sizeof text), "v, w, kk");
  assert_fails(param_check(&p, 4), ERR_INPUT, "cycle is 4, must be one of: v, w, kk");
  assert_ok(param_check(&p, 3));
  const Param plain = {.name = "n", .min = 0, .max = 1};
  assert_fails(param_check(&plain, 2), ERR_INPUT, "n is 2, must lie in [0, 1]");
  assert_false(param_number(&plain, "n", &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_never_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
