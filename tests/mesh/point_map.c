/* The hash of shared points: the same number for the same key, through every growth of the tables. */
#include "tests/testing.h"

#include "core/memory.h"
#include "mesh/check/point_map.h"

static PointKey key_of(int32_t i) {
  return (PointKey){.vertex = {i / 7, i / 3 + 1, i, -1}, .share = {(uint8_t)(i % 5), 1, 2, 0}, .apart = i % 2};
}

static void numbers_survive_growth(void **state) {
  (void)state;
  enum { N = 20000 };
  PointMap map;
  assert_ok(point_map_create(1, &map));
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t i = 0; i < N; i++) {
      const PointKey key = key_of(i);
      int32_t index;
      assert_ok(point_map_find(&map, &key, 100 * pass + i, 7, &index));
      assert_int_equal(index, 2 * i);
      assert_int_equal(map.record[index].element, i); /* of the first pass */
      if (pass == 1) continue;
      assert_ok(point_map_append(&map, i, 8, &index)); /* known to nobody */
      assert_int_equal(index, 2 * i + 1);
    }
  }
  assert_int_equal(map.n, 2 * N);
  point_map_release(&map);
  assert_int_equal(mem_in_use(), 0);
}

/* Keys that differ in one place only are different points. */
static void every_part_of_the_key_counts(void **state) {
  (void)state;
  PointMap map;
  assert_ok(point_map_create(1, &map));
  const PointKey first = {.vertex = {1, 2, 3, 4}, .share = {5, 6, 7, 8}, .apart = 9};
  int32_t index;
  assert_ok(point_map_find(&map, &first, 0, 0, &index));
  for (int32_t k = 0; k < 9; k++) {
    PointKey key = first;
    if (k < 4) key.vertex[k] += 10;
    else if (k < 8) key.share[k - 4]++;
    else key.apart++;
    assert_ok(point_map_find(&map, &key, 0, 0, &index));
    assert_int_equal(index, k + 1);
  }
  assert_ok(point_map_find(&map, &first, 0, 0, &index));
  assert_int_equal(index, 0);
  point_map_release(&map);
}

/* A failed growth leaves the map as it was, and the next attempt succeeds. */
static void every_allocation_fails_once(void **state) {
  (void)state;
  PointMap map;
  mem_fail_nth(1);
  assert_int_equal(point_map_create(1, &map), ERR_MEMORY);
  mem_fail_nth(0);
  assert_int_equal(mem_in_use(), 0);
  assert_ok(point_map_create(1, &map));
  int32_t failures = 0;
  for (int32_t i = 0; i < 5000; i++) {
    const PointKey key = key_of(i);
    int32_t index;
    mem_fail_nth(1);
    Status status = point_map_find(&map, &key, i, 0, &index);
    mem_fail_nth(0);
    if (status != OK) {
      assert_int_equal(status, ERR_MEMORY);
      failures++;
      status = point_map_find(&map, &key, i, 0, &index);
    }
    assert_ok(status);
    assert_int_equal(index, i);
  }
  assert_true(failures > 10);
  point_map_release(&map);
  assert_int_equal(mem_in_use(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_survive_growth),
      cmocka_unit_test(every_part_of_the_key_counts),
      cmocka_unit_test(every_allocation_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
