/* Shares of any size without an exponent. */
#include "core/percent.h"
#include "tests/testing.h"

#include <string.h>

static void test_text(void **state) {
  (void)state;
  static const struct {
    double share;
    const char *text;
  } row[] = {{0, "0 %"},         {0.0087, "0.87 %"},    {0.0994, "9.9 %"}, {0.0996, "10 %"},
             {0.47, "47 %"},     {0.9951, "100 %"},     {1.834, "183 %"},  {27.3, "2730 %"},
             {-0.034, "-3.4 %"}, {2.5e-6, "0.00025 %"}, {3e-9, "0 %"},     {1e300, "more than 1000000000 %"}};
  char text[32];
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
    assert_string_equal(percent_text(row[i].share, text), row[i].text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text)};
  return cmocka_run_group_tests_name("core/percent", tests, NULL, NULL);
}
