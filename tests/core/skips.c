/* A test of which a part cannot run here is skipped to CTest, not passed; one that fails stays failed. */
#include "tests/testing.h"

static void runs(void **state) { (void)state; }

static void cannot_run(void **state) {
  (void)state;
  skip();
}

static void fails(void **state) {
  (void)state;
  fail();
}

int main(void) {
  const struct CMUnitTest whole[] = {cmocka_unit_test(runs)},
                          part[] = {cmocka_unit_test(runs), cmocka_unit_test(cannot_run)},
                          bad[] = {cmocka_unit_test(cannot_run), cmocka_unit_test(fails)};
  const int passed = cmocka_run_group_tests(whole, NULL, NULL);
  const int skipped = cmocka_run_group_tests_name("part", part, NULL, NULL);
  const int failed = cmocka_run_group_tests_name("bad", bad, NULL, NULL);
  print_message("%d, %d, %d; 0, 77, 1 were expected\n", passed, skipped, failed);
  return passed == 0 && skipped == 77 && failed == 1 ? 0 : 1;
}
