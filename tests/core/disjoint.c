/* Sets that threads join at once: the root of each is its lowest member. */
#include "core/disjoint.h"
#include "tests/testing.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { N = 20000, JOINS = 18000 };

/* Ends of the k-th join. */
static void ends_of(int64_t k, int32_t *a, int32_t *b) {
  *a = (int32_t)(k * 7919 % N);
  *b = (int32_t)((k * k * 31 + 17 * k) % N);
}

static int32_t plain_root(const int32_t *parent, int32_t i) {
  while (parent[i] != i) i = parent[i];
  return i;
}

static void lowest_is_root(void **state) {
  (void)state;
  static const int THREADS[] = {1, 2, 3, 5};
  static int32_t plain[N], parent[N];
  int32_t a, b, n_set = 0;
  for (int32_t i = 0; i < N; ++i) plain[i] = i;
  for (int64_t k = 0; k < JOINS; ++k) {
    ends_of(k, &a, &b);
    a = plain_root(plain, a), b = plain_root(plain, b);
    plain[a > b ? a : b] = a < b ? a : b;
  }
  for (int32_t i = 0; i < N; ++i) n_set += plain[i] == i;
  assert_in_range(n_set, 100, N / 2);
  for (int t = 0; t < 4; ++t) {
#ifdef _OPENMP
    omp_set_num_threads(THREADS[t]);
#endif
    for (int32_t i = 0; i < N; ++i) parent[i] = i;
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t k = 0; k < JOINS; ++k) {
      int32_t p, q;
      ends_of(k, &p, &q);
      disjoint_join(parent, p, q);
    }
    for (int32_t i = 0; i < N; ++i) assert_int_equal(disjoint_root(parent, i), plain_root(plain, i));
  }
  (void)THREADS;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lowest_is_root)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
