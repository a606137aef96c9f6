/* The chain of messages and the warnings. */
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Status inner(int value) {
  CHECK(value < 5, ERR_INPUT, "value is %d, must be below 5", value);
  return OK;
}
static Status outer(int value) {
  TRY_CONTEXT(inner(value), "while reading '%s'", "left");
  return OK;
}
static Status cleans(int value, int *cleaned) {
  Status status = OK;
  TRY_DONE(outer(value));
done:
  ++*cleaned;
  return status;
}

static void test_chain(void **state) {
  (void)state;
  int cleaned = 0;
  assert_int_equal(cleans(1, &cleaned), OK);
  assert_int_equal(cleans(7, &cleaned), ERR_INPUT);
  assert_int_equal(cleaned, 2);
  assert_string_equal(status_message(), "value is 7, must be below 5\n  while reading 'left'");
  assert_int_equal(FAIL(ERR_IO, "second"), ERR_IO); /* a new failure forgets the old one */
  assert_string_equal(status_message(), "second");
  FAIL(ERR_IO, "again: %s", status_message()); /* the chain may be quoted */
  assert_string_equal(status_message(), "again: second");
  status_context(ERR_IO, "within %s", status_message());
  assert_string_equal(status_message(), "again: second\n  within again: second");
  status_clear();
  assert_string_equal(status_message(), "");
  assert_int_equal(status_context(ERR_MESH, "alone"), ERR_MESH);
  assert_string_equal(status_message(), "alone");
}

static void test_bug_names_the_place(void **state) {
  (void)state;
  char wanted[64];
  snprintf(wanted, sizeof wanted, "core/status.c:%d: internal error: broken", __LINE__ + 1);
  assert_int_equal(FAIL(ERR_BUG, "broken"), ERR_BUG);
  assert_string_equal(status_message(), wanted);
  status_fail(ERR_BUG, "x.c", 3, "y");
  assert_string_equal(status_message(), "x.c:3: internal error: y");
}

static void test_overflow(void **state) {
  (void)state;
  char *text = test_malloc(40000);
  memset(text, 'a', 39999);
  text[39999] = 0;
  FAIL(ERR_IO, "%s", text);
  const size_t full = strlen(status_message());
  assert_in_range(full, 16000, 16384);
  status_context(ERR_IO, "more");
  assert_int_equal(strlen(status_message()), full);
  FAIL(ERR_IO, "short");
  assert_string_equal(status_message(), "short");
  for (int i = 0; i < 5000; ++i) status_context(ERR_IO, "line %d", i);
  assert_in_range(strlen(status_message()), 16000, 16384);
  assert_memory_equal(status_message(), "short\n  line 0\n  line 1\n", 23);
  test_free(text);
}

static void test_codes(void **state) {
  (void)state;
  const int code[] = {OK,          ERR_BUG,    ERR_USAGE, ERR_INPUT, ERR_MESH,   ERR_RESTART,
                      ERR_NUMERIC, ERR_MEMORY, ERR_GPU,   ERR_IO,    ERR_STOPPED};
  for (int i = 0; i <= 10; ++i) {
    assert_int_equal(code[i], i); /* stable: they are exit codes */
    for (int j = 0; j < i; ++j) assert_string_not_equal(status_text((Status)i), status_text((Status)j));
  }
  assert_string_equal(status_text((Status)11), "an unknown status");
}

static void test_warnings(void **state) {
  (void)state;
  status_warnings_clear();
  assert_int_equal(status_warning_count(), 0);
  for (int i = 0; i < 300; ++i) status_warn("warning %d", i);
  assert_int_equal(status_warning_count(), 256);
  assert_int_equal(status_warning_lost(), 44);
  assert_string_equal(status_warning(0), "warning 0");
  assert_string_equal(status_warning(255), "warning 255");
  assert_string_equal(status_warning(256), "");
  assert_string_equal(status_warning(-1), "");
  status_warnings_clear();
  assert_int_equal(status_warning_count() + status_warning_lost(), 0);
  assert_string_equal(status_warning(0), "");
  char text[3000];
  memset(text, 'b', sizeof text - 1);
  text[sizeof text - 1] = 0;
  status_warn("%s", text);
  assert_string_equal(status_warning(0), text);
  status_warn("other");
  status_warn("%s", text); /* once is enough */
  assert_int_equal(status_warning_count(), 2);
  assert_string_equal(status_warning(1), "other");
  status_warnings_clear();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain),    cmocka_unit_test(test_bug_names_the_place),
      cmocka_unit_test(test_overflow), cmocka_unit_test(test_codes),
      cmocka_unit_test(test_warnings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
