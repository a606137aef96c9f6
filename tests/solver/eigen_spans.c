/* Blocks of vectors by several rows or columns at once (eigen_spans.h) are those by items (eigen_rows.h), wherever a span
 * begins and ends. On the CPU: the GPU has items only. */
#include "solver/eigen/rows.h"
#include "tests/testing.h"

#include <string.h>

enum { N = 93, TILES = 3, SPAN = 15, SPANS = (N + SPAN - 1) / SPAN, BLOCK = N * EIGEN_WIDTH };

/* Sums of these are exact, in whatever order and by whatever instructions. */
static double whole(int64_t k) { return (double)(k * 7 % 13 - 6); }
static double tile[TILES][BLOCK];

static void fill(double *to, int64_t n, int64_t from) {
  for (int64_t i = 0; i < n; ++i) to[i] = whole(i + from);
}

/* All items in spans of 1, 2, ... of them. */
static void by_spans(const RowKernel *kernel, const void *args, int64_t n) {
  double none[ROW_SUMS] = {0};
  for (int64_t begin = 0, width = 1; begin < n; begin += width, width = width % 11 + 1)
    kernel->range(args, begin, begin + width < n ? begin + width : n, none);
}

static void updates(void **state) {
  (void)state;
  enum { TO = 3, FIRST = 2 }; /* two tiles, and one elsewhere */
  static double factor[TILES * EIGEN_WIDTH * TO * EIGEN_WIDTH], to[2][TO * BLOCK];
  for (int adds = 0; adds < 2; ++adds) {
    EigenUpdateArgs args = {
        .factor = factor, .n = N, .n_from = TILES, .n_to = TO, .n_first = adds ? TO : FIRST, .adds = adds};
    for (int t = 0; t < TILES; ++t) {
      fill(tile[t], BLOCK, 5 * t);
      args.from.at[t] = tile[t];
    }
    fill(factor, TILES * EIGEN_WIDTH * TO * EIGEN_WIDTH, 3);
    for (int k = 0; k < 2; ++k) fill(to[k], (int64_t)TO * BLOCK, 4);
    args.to = to[0], args.rest = to[0] + FIRST * BLOCK;
    for (int64_t i = 0; i < eigen_update_items(N, TO); ++i) eigen_update_body(&args, i, NULL);
    double wanted = adds ? whole(4 + 2 * BLOCK + 9) : 0; /* row 1, column 1 of the last tile */
    for (int64_t k = 0; k < TILES * EIGEN_WIDTH; ++k)
      wanted += tile[k / EIGEN_WIDTH][8 + k % EIGEN_WIDTH] * factor[k * TO * EIGEN_WIDTH + 2 * EIGEN_WIDTH + 1];
    assert_true(to[0][2 * BLOCK + 9] == wanted);
    args.to = to[1], args.rest = to[1] + FIRST * BLOCK;
    by_spans(&eigen_update_kernel, &args, eigen_update_items(N, TO));
    assert_memory_equal(to[1], to[0], sizeof to[0]);
  }
}

/* Products of one block with itself, and of two blocks. */
static void products(void **state) {
  (void)state;
  enum { PAIRS = TILES * (TILES + 1) / 2, ITEMS = PAIRS * SPANS * EIGEN_WIDTH };
  static double partial[2][ITEMS * EIGEN_WIDTH];
  for (int two = 0; two < 2; ++two) {
    EigenGramArgs args = {.end = N, .span = SPAN, .n_span = SPANS, .n_left = two ? 2 : 0, .n_pair = PAIRS};
    for (int t = 0; t < TILES; ++t) {
      fill(tile[t], BLOCK, 5 * t);
      args.left.at[t] = args.right.at[t] = tile[t];
    }
    memset(partial, 0, sizeof partial);
    args.partial = partial[0];
    for (int64_t i = 0; i < ITEMS; ++i) eigen_gram_body(&args, i, NULL);
    args.partial = partial[1];
    by_spans(&eigen_gram_kernel, &args, ITEMS);
    assert_memory_equal(partial[1], partial[0], sizeof partial[0]);
    assert_true(partial[0][0] > 0); /* of a column with itself */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(updates), cmocka_unit_test(products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
