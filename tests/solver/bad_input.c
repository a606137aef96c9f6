/* What no matrix or format can hold is refused in a sentence that says what to use instead; matrices without rows or
 * without entries are held by every format. Rows that a format cannot hold: padding.c. */
#include "core/memory.h"
#include "algebra/mat.h"
#include "tests/testing.h"

#include <math.h>
#include <sys/mman.h>

static Exec *exec;

static void refused(const MatParams *params, const Pattern *pattern, Status wanted, const char *part) {
  Mat *a = NULL;
  const size_t before = mem_in_use(), used = exec->in_use;
  assert_fails(mat_create(exec, params, pattern, &a), wanted, part);
  assert_null(a);
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, used);
}

/* More unknowns than have numbers: nothing of the pattern is looked at. */
static void too_many_unknowns(void **state) {
  (void)state;
  const Pattern huge = {.n = INT32_MAX / 3 + 1, .block = 3};
  for (int32_t i = 0; i < mat_format_count(); ++i)
    refused(&(MatParams){.format = mat_format_name(i)}, &huge, ERR_INPUT, "split the problem over several devices");
  refused(&(MatParams){.format = "auto"}, &huge, ERR_INPUT, "2147483649 unknowns are more");
}

/* Rows that are padded to whole warps must have numbers, too. The row starts are addresses without memory behind, of
 * which only the last is read. */
static void too_many_rows_for_one_slice(void **state) {
  (void)state;
  const size_t bytes = ((size_t)INT32_MAX + 1) * sizeof(int64_t);
  void *start = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) skip();
  const Pattern huge = {.n = INT32_MAX, .block = 1, .start = start};
  refused(&(MatParams){.format = "ell"}, &huge, ERR_INPUT,
          "2147483647 rows are more than one slice can hold; use format");
  refused(&(MatParams){.format = "ellr"}, &huge, ERR_INPUT, "use format 'sell'");
  refused(&(MatParams){.format = "bell"}, &huge, ERR_INPUT, "use format 'sbell'");
  munmap(start, bytes);
}

/* Assembly makes blocks of 1 to 3 only. */
static void block_sizes(void **state) {
  (void)state;
  const Pattern wrong[] = {{.n = 8, .block = 4}, {.n = 8, .block = 0}};
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    refused(&(MatParams){.format = mat_format_name(i)}, &wrong[0], ERR_BUG, "block size 4, must be 1, 2 or 3");
    refused(&(MatParams){.format = mat_format_name(i)}, &wrong[1], ERR_BUG, "block size 0");
  }
}

/* Low precision are for copies of 'sbell'. */
static void low_precision(void **state) {
  (void)state;
  int64_t start[9] = {0};
  int32_t column = 0;
  const Pattern empty = {.n = 8, .block = 1, .start = start, .column = &column};
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    const MatParams half = {.format = mat_format_name(i), .precision = PRECISION_HALF};
    refused(&half, &empty, ERR_INPUT, "values in double or float, not in half");
  }
  Mat *a = NULL, *low = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = "csr"}, &empty, &a));
  assert_fails(mat_create_like(a, PRECISION_INT8, &low), ERR_INPUT, "use format 'sbell', or float");
  assert_null(low);
  mat_destroy(&a);
}

/* y = A x is zero in each of n block rows, and the matrix stores next to nothing. */
static void multiply_nothing(const char *format, const Pattern *pattern) {
  Mat *a = NULL;
  const int64_t n = (int64_t)pattern->n * pattern->block;
  double x[1024], y[1024], *there_x = NULL, *there_y = NULL;
  assert_true(n <= 1024);
  for (int64_t i = 0; i < n; ++i) x[i] = y[i] = NAN; /* neither is read */
  assert_ok(mat_create(exec, &(MatParams){.format = format}, pattern, &a));
  assert_int_equal(mat_rows(a), n);
  assert_int_equal(mat_entries(a), 0);
  for (int64_t i = 0; i < n; ++i) x[i] = 1;
  assert_ok(exec_alloc_upload(exec, n, sizeof *x, x, "vector", (void **)&there_x));
  assert_ok(exec_alloc_upload(exec, n, sizeof *y, y, "product", (void **)&there_y));
  assert_ok(mat_apply(a, there_x, there_y));
  assert_ok(exec_download(exec, y, there_y, (size_t)n * sizeof *y));
  for (int64_t i = 0; i < n; ++i)
    if (!(y[i] == 0)) fail_msg("%s: y[%lld] is %g", format, (long long)i, y[i]);
  EXEC_RELEASE(exec, there_x, n);
  EXEC_RELEASE(exec, there_y, n);
  mat_destroy(&a);
}

static void no_rows_and_no_entries(void **state) {
  (void)state;
  static const int32_t rows[] = {0, 1, 31, 32, 33, 300};
  int64_t start[301] = {0};
  int32_t column = 0;
  for (int32_t i = -1; i < mat_format_count(); ++i)
    for (int32_t block = 1; block <= 3; ++block)
      for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        multiply_nothing(i < 0 ? "auto" : mat_format_name(i),
                         &(Pattern){.n = rows[k], .block = block, .start = start, .column = &column});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(too_many_unknowns), cmocka_unit_test(too_many_rows_for_one_slice),
                                     cmocka_unit_test(block_sizes), cmocka_unit_test(low_precision),
                                     cmocka_unit_test(no_rows_and_no_entries)};
  return testing_run("solver/bad_input", tests, exec);
}
