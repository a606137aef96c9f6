/* The time that is left, from the pace of late. */
#include "app/report/progress.h"
#include "tests/testing.h"

#include <math.h>

/* Adaptive steps: the first ones are a millionth of the last, and all of it takes 3 s. */
static void slow_starts_are_not_extrapolated(void **state) {
  (void)state;
  Pace pace = {0};
  double worst = 0;
  for (int i = 0; i <= 300; ++i) {
    const double clock = 1000 + 0.01 * i, done = pow(10, 6 * (i / 300.0 - 1));
    const double left = pace_left(&pace, clock, done, 1);
    if (i < 100) assert_true(left < 0); /* nothing is said in the first second */
    worst = fmax(worst, left);
  }
  assert_true(worst > 0 && worst < 30);
}

static void a_steady_pace_is_told(void **state) {
  (void)state;
  Pace pace = {0};
  for (int i = 0; i <= 1000; ++i) { /* from 40 on: a run that was resumed */
    const double left = pace_left(&pace, 5 + 0.1 * i, 40 + 0.05 * i, 100);
    if (i > 70 && i < 990) assert_within(left, (60 - 0.05 * i) / 0.5, 1e-6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slow_starts_are_not_extrapolated),
                                     cmocka_unit_test(a_steady_pace_is_told)};
  return cmocka_run_group_tests_name("app/progress", tests, NULL, NULL);
}
