/* What formats of the ELLPACK kind store, padding included, against numbers found by hand; that padding beyond reason
 * is refused; that their products do not depend on the order of rows and slices. */
#include "algebra/mat_format.h"
#include "tests/solver/problems.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>

static Exec *exec;

static Pattern *new_pattern(int n, int block) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = block;
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  return p;
}

/* Row 0 couples to all n, row i to 0 and itself: 3 n - 2 blocks. */
static Pattern *arrow(int n, int block) {
  Pattern *p = new_pattern(n, block);
  for (int i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + (i == 0 ? n : 2);
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  for (int k = 0; k < n; ++k) p->column[k] = k;
  for (int i = 1; i < n; ++i) p->column[p->start[i] + 1] = i;
  return p;
}

/* Rows of 1 and `most` blocks in turn, around the diagonal: n (most + 1) / 2 blocks. */
static Pattern *stripes(int n, int most, int block) {
  Pattern *p = new_pattern(n, block);
  for (int i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + (i % 2 ? most : 1);
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  for (int i = 0; i < n; ++i) {
    const int first = i % 2 == 0 ? i : i + most <= n ? i : n - most;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) p->column[k] = first + (int32_t)(k - p->start[i]);
  }
  return p;
}

typedef struct Row {
  const char *format;
  int32_t slice;
  int64_t n_value, columns, extra; /* values, column indices, other integers of 4 bytes that a product reads */
} Row;

static void check_rows(Pattern *pattern, int n_row, const Row *row) {
  for (int k = 0; k < n_row; ++k) {
    Mat *a = NULL;
    assert_ok(mat_create(exec, &(MatParams){.format = row[k].format, .slice = row[k].slice}, pattern, &a));
    const int64_t n_value = mat_slots(a)->n_value, bytes = (int64_t)mat_bytes(a);
    if (n_value != row[k].n_value)
      fail_msg("%s, slice %d, block %d: %lld values, by hand %lld", row[k].format, row[k].slice, pattern->block,
               (long long)n_value, (long long)row[k].n_value);
    const int64_t wanted = 8 * row[k].n_value + 4 * row[k].columns + 4 * row[k].extra;
    if (bytes != wanted)
      fail_msg("%s, slice %d, block %d: %lld bytes, by hand %lld", row[k].format, row[k].slice, pattern->block,
               (long long)bytes, (long long)wanted);
    mat_destroy(&a);
  }
  pattern_destroy(&pattern);
}

/* 96 block rows, the first of 96 blocks, the others of 2: 286 blocks. Slice starts are 2 integers each. */
static void arrow_by_hand(void **state) {
  (void)state;
  const Row one[] = {
      {"csr", 0, 286, 286, 2 * 97},
      {"ell", 0, 96 * 96, 96 * 96, 4},
      {"ellr", 0, 96 * 96, 96 * 96, 4 + 96},
      {"bell", 0, 96 * 96, 96 * 96, 4},
      {"sell", 32, 32 * (96 + 2 + 2), 3200, 8},
      {"sell", 64, 64 * (96 + 2), 6272, 6},
      {"sell", 96, 96 * 96, 9216, 4},
      {"sbell", 32, 3200, 3200, 8},
  };
  check_rows(arrow(96, 1), sizeof one / sizeof *one, one);
  /* 192 scalar rows, the first two of 192 entries, the others of 4 */
  const Row two[] = {
      {"csr", 0, 4 * 286, 4 * 286, 2 * 193},
      {"ell", 0, 192 * 192, 192 * 192, 4},
      {"ellr", 0, 192 * 192, 192 * 192, 4 + 192},
      {"bell", 0, 4 * 96 * 96, 96 * 96, 4},
      {"sell", 0, 32 * (192 + 5 * 4), 6784, 14},
      {"sell", 96, 96 * (192 + 4), 18816, 6},
      {"sbell", 0, 4 * 3200, 3200, 8},
  };
  check_rows(arrow(96, 2), sizeof two / sizeof *two, two);
  /* 288 scalar rows, the first three of 288 entries, the others of 6 */
  const Row three[] = {
      {"ell", 0, 288 * 288, 288 * 288, 4},
      {"bell", 0, 9 * 96 * 96, 96 * 96, 4},
      {"sell", 96, 96 * (288 + 2 * 6), 28800, 8},
      {"sell", 0, 32 * (288 + 8 * 6), 10752, 20},
      {"sbell", 0, 9 * 3200, 3200, 8},
  };
  check_rows(arrow(96, 3), sizeof three / sizeof *three, three);
}

/* 1024 block rows of 1 and 5 blocks in turn: 3072 blocks. In natural order slices are 5 wide; sorted, half of them are
 * 1 wide and nothing is padded, which takes a list of the rows. 1000 rows: lanes behind the last are padding. */
static void stripes_by_hand(void **state) {
  (void)state;
  const Row sorted[] = {
      {"ell", 0, 10240 * 2, 10240 * 2, 4},
      {"ellr", 0, 10240 * 2, 10240 * 2, 4 + 2048},
      {"bell", 0, 5120 * 4, 5120, 4},
      {"sell", 0, 3072 * 4, 3072 * 4, 2 * 65 + 2048},
      {"sbell", 0, 3072 * 4, 3072, 2 * 33 + 1024},
  };
  check_rows(stripes(1024, 5, 2), sizeof sorted / sizeof *sorted, sorted);
  const Row ragged[] = {
      {"ell", 0, 1024 * 5, 5120, 4},
      {"ellr", 0, 1024 * 5, 5120, 4 + 1024},
      {"bell", 0, 1024 * 5, 5120, 4},
  };
  check_rows(stripes(1000, 5, 1), sizeof ragged / sizeof *ragged, ragged);
}

static void expect_refusal(const Pattern *pattern, const char *format, const char *part, const char *instead) {
  const size_t before = mem_in_use(), on_exec = exec->in_use;
  Mat *a = NULL;
  assert_fails(mat_create(exec, &(MatParams){.format = format}, pattern, &a), ERR_INPUT, part);
  if (!strstr(status_message(), instead)) fail_msg("'%s' is not in: %s", instead, status_message());
  assert_null(a);
  assert_int_equal(mem_in_use(), before);
  assert_int_equal(exec->in_use, on_exec);
}

/* A longest row of 2000 in 5998 entries: ELLPACK would store 2016 x 2000, 672 times as many. */
static void too_much_padding(void **state) {
  (void)state;
  Pattern *p = arrow(2000, 1);
  expect_refusal(p, "ell", "the longest row has 2000 entries, the average row 3.0", "use format 'sell'");
  expect_refusal(p, "ellr", "would take 672 times the memory", "use format 'sell'");
  expect_refusal(p, "bell", "at most 20 are allowed", "use format 'sbell'");
  pattern_destroy(&p);
  p = arrow(2000, 2);
  expect_refusal(p, "bell", "the longest row has 2000 blocks, the average row 3.0", "padding every 2000 rows");
  pattern_destroy(&p);
  p = arrow(2000, 1);
  Mat *a = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = "sell"}, p, &a));
  assert_int_equal(mat_slots(a)->n_value, 32 * (2000 + 62 * 2));
  mat_destroy(&a);
  pattern_destroy(&p);
  /* a slice of 96 around the long row is 96 times its length: refused as well once it is large */
  p = arrow(12000, 1);
  assert_fails(mat_create(exec, &(MatParams){.format = "sell", .slice = 96}, p, &a), ERR_INPUT, "use format 'csr'");
  assert_null(a);
  pattern_destroy(&p);
}

static void no_variants(void **state) {
  (void)state;
  Pattern *p = arrow(4, 2);
  Mat *a = NULL;
  const char *const format[] = {"ell", "ellr", "sell", "bell"};
  for (int k = 0; k < 4; ++k)
    assert_fails(mat_create(exec, &(MatParams){.format = format[k], .variant = "k2"}, p, &a), ERR_INPUT,
                 "has no variant, 'k2' was asked for");
  assert_fails(mat_create(exec, &(MatParams){.format = "sell", .slice = 40}, p, &a), ERR_INPUT, "slice is 40");
  assert_null(a);
  pattern_destroy(&p);
}

/* The same product from all slices, also where slices cut through the scalar rows of a block. */
static void slices_agree(void **state) {
  (void)state;
  for (int block = 1; block <= 3; ++block) {
    Problem p = {.pattern = stripes(700, 9, block)};
    const int64_t n = 700 * (int64_t)block, entries = p.pattern->start[700] * block * block;
    assert_ok(mem_alloc(entries, sizeof *p.value, "values", (void **)&p.value));
    for (int64_t k = 0; k < entries; ++k) p.value[k] = problem_number(k);
    double *x = problem_vector(exec, n, NULL), *y = problem_vector(exec, n, NULL), *hx = NULL, *hy = NULL,
           *wanted = NULL;
    assert_ok(mem_alloc(n, sizeof *hx, "x", (void **)&hx));
    assert_ok(mem_alloc(n, sizeof *hy, "y", (void **)&hy));
    assert_ok(mem_alloc(n, sizeof *wanted, "reference", (void **)&wanted));
    assert_ok(exec_download(exec, hx, x, (size_t)n * sizeof *hx));
    problem_apply(&p, hx, wanted);
    for (int32_t slice = 32; slice <= 96; slice += 32) {
      Mat *a = NULL;
      assert_ok(mat_create(exec, &(MatParams){.format = "sell", .slice = slice}, p.pattern, &a));
      assert_int_equal(mat_slots(a)->per_scalar, block == 3 && slice != 96);
      problem_fill(&p, a);
      assert_ok(mat_apply(a, x, y));
      assert_ok(exec_download(exec, hy, y, (size_t)n * sizeof *hy));
      for (int64_t i = 0; i < n; ++i) assert_near(hy[i], wanted[i], 1e-14);
      mat_destroy(&a);
    }
    double *host[] = {hx, hy, wanted};
    for (int k = 0; k < 3; ++k) FREE(host[k]);
    EXEC_RELEASE(exec, x, n);
    EXEC_RELEASE(exec, y, n);
    problem_release(&p);
  }
}

/* 1024 rows of 1 and 5 entries in turn. A window of 1 keeps them: slices are 5 wide. One of 48 sorts 24 long rows ahead
 * of 24 short ones: of three slices all begin with a long row (rows 0, 32, 64 of 96) but none is all short, so all are
 * 5 wide; one of 64 makes every second slice 1 wide. ELL-WARP with one lane per row does the same in warps. */
static void windows_by_hand(void **state) {
  (void)state;
  static const struct {
    MatParams params;
    int64_t n_value;
    bool moved;
  } row[] = {
      {{.format = "sell", .window = 1}, 5120, false},
      {{.format = "sell", .window = 48}, 5120, true},
      {{.format = "sell", .window = 64}, 3072, true},
      {{.format = "sell", .window = INT32_MAX}, 3072, true},
      {{.format = "sbell", .window = 64}, 3072, true},
      {{.format = "sbell", .slice = 64, .window = 64}, 5120, true},
      {{.format = "sliced-ellr-t", .threads = 4, .window = 64}, 32 * 16 * (8 + 4), true},
      {{.format = "ell-warp", .variant = "k1", .window = 32}, 5120, true},
      {{.format = "ell-warp", .variant = "k1", .window = 33}, 3072, true}, /* whole warps: 64 */
      {{.format = "ell-warp", .variant = "k1", .window = 64}, 3072, true},
  };
  Pattern *pattern = stripes(1024, 5, 1);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    Mat *a = NULL;
    assert_ok(mat_create(exec, &row[k].params, pattern, &a));
    if (mat_slots(a)->n_value != row[k].n_value)
      fail_msg("%s, window %d: %lld values, by hand %lld", row[k].params.format, row[k].params.window,
               (long long)mat_slots(a)->n_value, (long long)row[k].n_value);
    assert_int_equal(a->view.row != NULL, row[k].moved);
    mat_destroy(&a);
  }
  pattern_destroy(&pattern);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrow_by_hand), cmocka_unit_test(stripes_by_hand), cmocka_unit_test(too_much_padding),
      cmocka_unit_test(no_variants),   cmocka_unit_test(slices_agree),    cmocka_unit_test(windows_by_hand),
  };
  return testing_run("solver/padding", tests, exec);
}
