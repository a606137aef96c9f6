/* Patterns in another order: the same couplings under other names, sorted, and back again. */
#include "algebra/pattern.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>

enum { N = 61 };

/* Not symmetric in structure, with empty rows and a full one. */
static Pattern *sample(void) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "test", (void **)&p));
  p->n = N;
  p->block = 2;
  assert_ok(mem_alloc(N + 1, sizeof *p->start, "test", (void **)&p->start));
  assert_ok(mem_alloc((int64_t)N * N, sizeof *p->column, "test", (void **)&p->column));
  for (int i = 0; i < N; ++i) {
    int64_t end = p->start[i];
    for (int j = 0; j < N; ++j)
      if (i == 7 || (i % 5 != 3 && (j == i || (i * 31 + j * 17) % 13 == 0))) p->column[end++] = j;
    p->start[i + 1] = end;
  }
  return p;
}

static bool couples(const Pattern *p, int32_t i, int32_t j) {
  for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
    if (p->column[k] == j) return true;
  return false;
}

static void couplings_stay(void **state) {
  (void)state;
  Pattern *p = sample(), *moved = NULL, *back = NULL;
  int32_t rank[N], inverse[N];
  for (int i = 0; i < N; ++i) rank[i] = (i * 23 + 11) % N;
  for (int i = 0; i < N; ++i) inverse[rank[i]] = i;
  assert_ok(pattern_permute(p, rank, &moved));
  assert_int_equal(moved->n, N);
  assert_int_equal(moved->block, 2);
  assert_int_equal(moved->start[N], p->start[N]);
  for (int i = 0; i < N; ++i) {
    assert_int_equal(moved->start[rank[i] + 1] - moved->start[rank[i]], p->start[i + 1] - p->start[i]);
    for (int j = 0; j < N; ++j) assert_int_equal(couples(moved, rank[i], rank[j]), couples(p, i, j));
    for (int64_t k = moved->start[i] + 1; k < moved->start[i + 1]; ++k)
      assert_true(moved->column[k] > moved->column[k - 1]);
  }
  assert_ok(pattern_permute(moved, inverse, &back));
  assert_memory_equal(back->start, p->start, sizeof *p->start * (N + 1));
  assert_memory_equal(back->column, p->column, sizeof *p->column * (size_t)p->start[N]);
  pattern_destroy(&p);
  pattern_destroy(&moved);
  pattern_destroy(&back);
  assert_int_equal(mem_in_use(), 0);
}

static void nothing_to_move(void **state) {
  (void)state;
  int64_t start[2] = {0, 0};
  const int32_t rank[1] = {0};
  for (int32_t n = 0; n < 2; ++n) { /* no rows; one empty row */
    Pattern *moved = NULL;
    assert_ok(pattern_permute(&(Pattern){.n = n, .block = 3, .start = start}, rank, &moved));
    assert_int_equal(moved->n, n);
    assert_int_equal(moved->start[n], 0);
    pattern_destroy(&moved);
  }
}

static void no_permutation_is_a_bug(void **state) {
  (void)state;
  Pattern *p = sample(), *moved = NULL;
  const struct {
    int32_t value;
    const char *message;
  } wrong[] = {{N, "rank[60] = 61"}, {-1, "rank[60] = -1"}, {3, "rank[60] = 3"}}; /* row 3 is empty */
  int32_t rank[N];
  for (int i = 0; i < N; ++i) rank[i] = i;
  const size_t before = mem_in_use();
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    rank[N - 1] = wrong[k].value;
    assert_fails(pattern_permute(p, rank, &moved), ERR_BUG, wrong[k].message);
    assert_null(moved);
    assert_int_equal(mem_in_use(), before);
  }
  pattern_destroy(&p);
}

static void each_allocation_fails(void **state) {
  (void)state;
  Pattern *p = sample(), *moved = NULL;
  int32_t rank[N];
  for (int i = 0; i < N; ++i) rank[i] = N - 1 - i;
  const int64_t n = testing_fail_each_of(pattern_permute(p, rank, &moved), {
    assert_true(!moved == failed);
    pattern_destroy(&moved);
  });
  assert_int_equal(n, 7);
  pattern_destroy(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(couplings_stay), cmocka_unit_test(nothing_to_move),
                                     cmocka_unit_test(no_permutation_is_a_bug),
                                     cmocka_unit_test(each_allocation_fails)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
