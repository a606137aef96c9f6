/* Counted, checked, failing allocations. */
#include "tests/testing.h"

#include <string.h>

#include "core/memory.h"

static Status two_arrays(double **x, int32_t **y) {
  ALLOC(*x, 10, "the x of a test");
  Status status = OK;
  ALLOC_DONE(*y, 5, "the y of a test");
done:
  if (status != OK) FREE(*x);
  return status;
}

static void test_zeroed_and_counted(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  double *x = NULL;
  int32_t *y = NULL;
  mem_fail_nth(0);
  assert_ok(two_arrays(&x, &y));
  assert_int_equal(mem_count(), 2);
  assert_int_equal(mem_in_use(), before + 10 * sizeof *x + 5 * sizeof *y);
  for (int i = 0; i < 10; ++i) assert_true(x[i] == 0);
  assert_int_equal((uintptr_t)x % 16, 0);
  FREE(x);
  FREE(y);
  assert_null(x);
  FREE(x); /* twice is allowed */
  assert_int_equal(mem_in_use(), before);
}

static void test_text(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  char *copy = (char *)1;
  mem_fail_nth(0);
  assert_ok(mem_text(NULL, "no text", &copy));
  assert_null(copy);
  assert_ok(mem_text("a plate", "a text", &copy));
  assert_string_equal(copy, "a plate");
  assert_int_equal(mem_in_use(), before + 8);
  FREE(copy);
  assert_ok(mem_text_part("a plate", 3, "a text", &copy));
  assert_string_equal(copy, "a p");
  FREE(copy);
  assert_ok(mem_text("", "a text", &copy));
  assert_string_equal(copy, "");
  FREE(copy);
  mem_fail_nth(1);
  copy = (char *)1;
  assert_fails(mem_text("a plate", "the name of a plate", &copy), ERR_MEMORY, "the name of a plate");
  mem_fail_nth(0);
  assert_null(copy);
  assert_int_equal(mem_in_use(), before);
}

static void test_resize(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  int32_t *p = NULL;
  assert_ok(mem_resize(3, sizeof *p, "numbers", (void **)&p)); /* NULL grows too */
  for (int i = 0; i < 3; ++i) p[i] = i + 1;
  assert_ok(mem_resize(1000, sizeof *p, "numbers", (void **)&p));
  for (int i = 0; i < 1000; ++i) assert_int_equal(p[i], i < 3 ? i + 1 : 0);
  for (int i = 0; i < 1000; ++i) p[i] = 7;
  assert_ok(mem_resize(2, sizeof *p, "numbers", (void **)&p));
  assert_ok(mem_resize(4, sizeof *p, "numbers", (void **)&p)); /* what was cut off comes back as zeros */
  assert_int_equal(p[1], 7);
  assert_int_equal(p[2], 0);
  assert_int_equal(p[3], 0);
  int32_t *const old = p;
  assert_fails(mem_resize(-1, sizeof *p, "numbers", (void **)&p), ERR_MEMORY, "numbers");
  assert_fails(mem_resize(INT64_MAX, sizeof *p, "numbers", (void **)&p), ERR_MEMORY, "numbers");
  mem_fail_nth(1);
  assert_fails(mem_resize(8, sizeof *p, "numbers", (void **)&p), ERR_MEMORY, "8 items of 4 bytes");
  mem_fail_nth(0);
  assert_ptr_equal(p, old);
  assert_int_equal(p[1], 7);
  assert_int_equal(mem_in_use(), before + 4 * sizeof *p);
  assert_ok(mem_resize(0, sizeof *p, "numbers", (void **)&p));
  assert_int_equal(mem_in_use(), before);
  FREE(p);
  assert_int_equal(mem_in_use(), before);
}

static void test_refused(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  void *p = &p;
  assert_fails(mem_alloc(-1, 8, "the mesh", &p), ERR_MEMORY, "not enough memory for the mesh: -1 items of 8 bytes");
  assert_null(p);
  assert_fails(mem_alloc(INT64_MAX, 8, "the mesh", &p), ERR_MEMORY, "the mesh");
  assert_fails(mem_alloc(INT64_MAX, SIZE_MAX, "the mesh", &p), ERR_MEMORY, "the mesh");
  assert_fails(mem_alloc(1, SIZE_MAX - 8, "the mesh", &p), ERR_MEMORY, "the mesh"); /* the head would not fit */
#ifndef __SANITIZE_ADDRESS__ /* which ends the program at such a size */
  assert_fails(mem_alloc(INT64_MAX / 2, 1, "the mesh", &p), ERR_MEMORY, "the mesh");
#endif
  assert_ok(mem_alloc(0, 8, "nothing", &p));
  assert_non_null(p);
  mem_free(&p);
  assert_int_equal(mem_in_use(), before);
}

static void test_every_allocation_fails_once(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  double *x = NULL;
  int32_t *y = NULL;
  int64_t nth = 1;
  for (;; ++nth) {
    mem_fail_nth(nth);
    const Status status = two_arrays(&x, &y);
    if (status == OK) break;
    assert_int_equal(status, ERR_MEMORY);
    assert_non_null(strstr(status_message(), nth == 1 ? "the x of" : "the y of"));
    assert_int_equal(mem_in_use(), before);
    assert_true(x == NULL && y == NULL);
  }
  assert_int_equal(nth, 3);
  mem_fail_nth(1);
  assert_true(mem_must_fail());
  assert_false(mem_must_fail());
  assert_int_equal(mem_count(), 2);
  mem_fail_nth(0);
  assert_false(mem_must_fail());
  FREE(x);
  FREE(y);
}

static void test_peak(void **state) {
  (void)state;
  mem_reset_peak();
  const size_t before = mem_in_use();
  assert_int_equal(mem_peak(), before);
  char *p = NULL;
  assert_ok(mem_alloc(1000, 1, "a peak", (void **)&p));
  assert_ok(mem_resize(3000, 1, "a peak", (void **)&p));
  assert_ok(mem_resize(10, 1, "a peak", (void **)&p));
  FREE(p);
  assert_int_equal(mem_peak(), before + 3000);
  mem_reset_peak();
  assert_int_equal(mem_peak(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zeroed_and_counted),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_resize),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_every_allocation_fails_once),
      cmocka_unit_test(test_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
