/* The hash of shared points: the same record for the same key, whichever thread asks. */
#include "tests/testing.h"

#include "core/memory.h"
#include "mesh/check/point_map.h"

static PointKey key_of(int32_t i) {
  return (PointKey){.vertex = {i / 7, i / 3 + 1, i, -1}, .share = {(uint8_t)(i % 5), 1, 2, 0}, .apart = i % 2};
}

/* Two threads or more ask for the same points in other orders: a record for each, with the lowest who asked. */
static void all_threads_find_the_same(void **state) {
  (void)state;
  enum { N = 20000, THREADS = 5 };
  static int32_t record[THREADS][N];
  PointMap map;
  assert_ok(point_map_create(N, 100, &map));
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
  for (int t = 0; t < THREADS; t++) {
    PointRoom room = {0};
    for (int32_t k = 0; k < N; k++) {
      const int32_t i = (int32_t)((int64_t)(k + t * 1000) * 7919 % N);
      const PointKey key = key_of(i);
      record[t][i] = point_map_put(&map, &room, &key, 10 * (int64_t)i + (t + i) % THREADS);
    }
  }
  for (int32_t i = 0; i < N; i++) {
    const PointKey key = key_of(i);
    for (int t = 0; t < THREADS; t++) assert_int_equal(record[t][i], record[0][i]);
    assert_memory_equal(&map.record[record[0][i]].key, &key, sizeof key);
    assert_int_equal(map.record[record[0][i]].first, 10 * i);
  }
  assert_true(map.taken >= N && map.taken < N + 64 * THREADS);
  point_map_release(&map);
  assert_int_equal(mem_in_use(), 0);
}

/* Keys that differ in one place only are different points. */
static void every_part_of_the_key_counts(void **state) {
  (void)state;
  PointMap map;
  PointRoom room = {0};
  assert_ok(point_map_create(20, 20, &map));
  const PointKey first = {.vertex = {1, 2, 3, 4}, .share = {5, 6, 7, 8}, .apart = 9};
  assert_int_equal(point_map_put(&map, &room, &first, 0), 0);
  for (int32_t k = 0; k < 9; k++) {
    PointKey key = first;
    if (k < 4) key.vertex[k] += 10;
    else if (k < 8) key.share[k - 4]++;
    else key.apart++;
    assert_int_equal(point_map_put(&map, &room, &key, 0), k + 1);
  }
  assert_int_equal(point_map_put(&map, &room, &first, 0), 0);
  point_map_release(&map);
}

/* Where there is no room left, what is known is still found. */
static void full_ones_say_so(void **state) {
  (void)state;
  PointMap map;
  PointRoom room = {0};
  for (int k = 1; k <= 2; k++) {
    mem_fail_nth(k);
    assert_int_equal(point_map_create(1, 1, &map), ERR_MEMORY);
    mem_fail_nth(0);
    assert_int_equal(mem_in_use(), 0);
  }
  assert_ok(point_map_create(100, 20000, &map));
  int32_t n = 0;
  for (PointKey key = key_of(0); point_map_put(&map, &room, &key, n) >= 0; key = key_of(n)) assert_true(++n < 1000);
  assert_true(n >= 100);
  const PointKey known = key_of(n / 2);
  assert_int_equal(point_map_put(&map, &room, &known, 0), n / 2);
  point_map_release(&map);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_threads_find_the_same),
      cmocka_unit_test(every_part_of_the_key_counts),
      cmocka_unit_test(full_ones_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
