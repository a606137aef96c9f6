/* Rows by length: stable within windows, the same for any number of threads. */
#include "algebra/row_order.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>

enum { ROWS = 50021, LONGEST = 40 };

static Exec *here;
static Pattern pattern = {.n = ROWS, .block = 3};

static int64_t length_of(int32_t i) { return pattern.start[i + 1] - pattern.start[i]; }

static int set_up(void **state) {
  (void)state;
  if (mem_alloc(ROWS + 1, sizeof *pattern.start, "starts", (void **)&pattern.start) != OK) return 1;
  if (mem_alloc((int64_t)ROWS * LONGEST, sizeof *pattern.column, "columns", (void **)&pattern.column) != OK) return 1;
  for (uint32_t i = 0, random = 3; i < ROWS; ++i) {
    random = random * 1664525u + 1013904223u;
    pattern.start[i + 1] = pattern.start[i] + random % 1000 * LONGEST / 1000;
  }
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  FREE(pattern.start);
  FREE(pattern.column);
  return 0;
}

static void order_on(Exec *exec, int32_t window, int32_t *row) {
  const size_t before = exec->in_use;
  RowOrder order;
  assert_ok(row_order_create(exec, &pattern, 1, 32, window, &order));
  assert_non_null(order.block_row);
  assert_ok(exec_download(exec, row, order.block_row, ROWS * sizeof *row));
  row_order_release(&order);
  assert_int_equal(exec->in_use, before);
}

static void sorted_in_windows(void **state) {
  (void)state;
  static const int THREADS[] = {1, 2, 3, 5};
  static const int32_t WINDOWS[] = { 0, 32, 4097, ROWS - 1, INT32_MAX };
  for (size_t w = 0; w < sizeof WINDOWS / sizeof *WINDOWS; ++w) {
    static int32_t one[ROWS], row[ROWS];
    for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
      Exec *exec = NULL;
      assert_ok(exec_create_cpu(THREADS[k], &exec));
      order_on(exec, WINDOWS[w], k ? row : one);
      if (k) assert_memory_equal(row, one, sizeof row);
      exec_destroy(&exec);
    }
    order_on(here, WINDOWS[w], row);
    assert_memory_equal(row, one, sizeof row);
    const int64_t window = WINDOWS[w];
    for (int32_t place = 1; window && place < ROWS; ++place) {
      const int32_t a = one[place - 1], b = one[place];
      if (place % window == 0) continue;
      assert_true(length_of(a) > length_of(b) || (length_of(a) == length_of(b) && a < b));
      assert_int_equal(a / window, b / window);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorted_in_windows)};
  here = testing_exec();
  return testing_stop(&here, cmocka_run_group_tests(tests, set_up, tear_down));
}
