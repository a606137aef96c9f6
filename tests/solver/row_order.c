/* Rows by length: stable within windows, the same for any number of threads. */
#include "algebra/row_order.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <omp.h>
#include <string.h>

enum { ROWS = 50021, LONGEST = 40 };

static Pattern pattern = {.n = ROWS, .block = 3};

static int64_t length_of(int32_t i) { return pattern.start[i + 1] - pattern.start[i]; }

static int set_up(void **state) {
  (void)state;
  if (mem_alloc(ROWS + 1, sizeof *pattern.start, "starts", (void **)&pattern.start) != OK) return 1;
  for (uint32_t i = 0, random = 3; i < ROWS; ++i) {
    random = random * 1664525u + 1013904223u;
    pattern.start[i + 1] = pattern.start[i] + random % 1000 * LONGEST / 1000;
  }
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  FREE(pattern.start);
  return 0;
}

static void sorted_in_windows(void **state) {
  (void)state;
  static const int THREADS[] = {1, 2, 3, 5};
  static const int32_t WINDOWS[] = { 0, 32, 4097, ROWS - 1, INT32_MAX };
  const int before = omp_get_max_threads();
  for (size_t w = 0; w < sizeof WINDOWS / sizeof *WINDOWS; ++w) {
    RowOrder one = {0};
    for (size_t k = 0; k < sizeof THREADS / sizeof *THREADS; ++k) {
      RowOrder order;
      omp_set_num_threads(THREADS[k]);
      assert_ok(row_order_create(&pattern, 1, 32, WINDOWS[w], &order));
      assert_non_null(order.block_row);
      if (k == 0) {
        one = order;
        continue;
      }
      assert_memory_equal(order.block_row, one.block_row, ROWS * sizeof *one.block_row);
      row_order_release(&order);
    }
    const int64_t window = WINDOWS[w];
    for (int32_t place = 1; window && place < ROWS; ++place) {
      const int32_t a = one.block_row[place - 1], b = one.block_row[place];
      if (place % window == 0) continue;
      assert_true(length_of(a) > length_of(b) || (length_of(a) == length_of(b) && a < b));
      assert_int_equal(a / window, b / window);
    }
    row_order_release(&one);
  }
  omp_set_num_threads(before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorted_in_windows)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
