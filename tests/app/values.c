/* Strict numbers, words of people, places. */
#include "app/input/diagnostics.h"
#include "app/input/number.h"
#include "output/wording.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static void numbers_are_strict(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } good[] = {{"1", 1},
              {"-2.5", -2.5},
              {"+3", 3},
              {"1e3", 1000},
              {"2.5E-2", 0.025},
              {".5", 0.5},
              {"5.", 5},
              {"210e9", 210e9},
              {"0", 0},
              {"0e999", 0},
              {"1.7976931348623157e308", 1.7976931348623157e308}};
  static const struct {
    const char *text, *why;
  } bad[] = {{"", "empty"},           {"0,3", "point"},       {"1e999", "too large"}, {"-1e999", "too large"},
             {"1e-999", "too small"}, {"1e-8abc", "follows"}, {"nan", "finite"},      {"-inf", "finite"},
             {".inf", "finite"},      {"0x10", "follows"},    {"1_000", "follows"},   {"1 2", "follows"},
             {" 1", "not a number"},  {"e5", "not a number"}, {".", "not a number"},  {"--1", "not a number"},
             {"1e", "follows"},       {"abc", "not a number"}};
  const char *why = NULL;
  double value;
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    value = NAN;
    if (!number_parse(good[i].text, &value, &why) || value != good[i].value)
      fail_msg("'%s' gives %g", good[i].text, value);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    if (number_parse(bad[i].text, &value, &why)) fail_msg("'%s' is taken as %g", bad[i].text, value);
    if (!strstr(why, bad[i].why)) fail_msg("'%s' %s (no \"%s\")", bad[i].text, why, bad[i].why);
  }
}

static void integers_are_whole(void **state) {
  (void)state;
  const char *why = NULL;
  int64_t value = -1;
  assert_true(integer_parse("42", &value, &why) && value == 42);
  assert_true(integer_parse("-7", &value, &why) && value == -7);
  assert_false(integer_parse("4.5", &value, &why));
  assert_string_equal(why, "is not a whole number");
  assert_false(integer_parse("1e3", &value, &why));
  assert_false(integer_parse("99999999999999999999", &value, &why));
  assert_string_equal(why, "is too large");
  assert_false(integer_parse("", &value, &why));
}

static void wording(void **state) {
  (void)state;
  char text[32];
  assert_string_equal(count_text(0, text), "0");
  assert_string_equal(count_text(999, text), "999");
  assert_string_equal(count_text(7201, text), "7,201");
  assert_string_equal(count_text(-1234567, text), "-1,234,567");
  assert_string_equal(bytes_text(12, text), "12 B");
  assert_string_equal(bytes_text(999.96e3, text), "1.0 MB");
  assert_string_equal(double_text(0.1, text), "0.1");
  assert_string_equal(double_text(210e9, text), "2.1e+11");
  static const double values[] = {1.0 / 3, 1e-300, 123456789.123456789, -0.0, 5e-324};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    const double back = strtod(double_text(values[i], text), NULL);
    assert_memory_equal(&back, &values[i], sizeof back);
  }
  assert_string_equal(seconds_text(0.25, text), "250 ms");
  assert_string_equal(seconds_text(125.4, text), "2 min 05 s");
}

static void seen_values_are_safe(void **state) {
  (void)state;
  char text[SEEN_BYTES];
  assert_string_equal(seen_text("a\tb\x1b[2J", text), "a?b?[2J");
  char longer[100];
  memset(longer, 'x', 39);
  memcpy(longer + 39, "\xc3\xa4 and more of it", 18); /* a letter of two bytes over the cut */
  seen_text(longer, text);
  assert_string_equal(text + 36, "xxx...");
}

static void errors_are_sorted(void **state) {
  (void)state;
  Diagnostics c = {.path = "c.yaml"};
  report_error(&c, (Place){.line = 7, .column = 3}, "second");
  report_error(&c, (Place){.line = 7, .column = 1}, "first");
  report_error(&c, (Place){.line = 9, .column = 1}, "third");
  report_error(&c, (Place){.line = 7, .column = 3}, "after second");
  assert_int_equal(diagnostics_status(&c), ERR_INPUT);
  assert_string_equal(status_message(),
                      "c.yaml:7:1: first\nc.yaml:7:3: second\nc.yaml:7:3: after second\nc.yaml:9:1: third");
  for (int i = 0; i < 5000; ++i) report_error(&c, (Place){.line = 20, .column = i}, "again");
  assert_int_equal(diagnostics_status(&c), ERR_INPUT);
  assert_non_null(strstr(status_message(), "and 4964 more errors"));
  c.usage = true;
  assert_int_equal(diagnostics_status(&c), ERR_USAGE);
  diagnostics_release(&c);
  assert_int_equal(diagnostics_status(&c), OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_strict), cmocka_unit_test(integers_are_whole),
                                     cmocka_unit_test(wording), cmocka_unit_test(seen_values_are_safe),
                                     cmocka_unit_test(errors_are_sorted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
