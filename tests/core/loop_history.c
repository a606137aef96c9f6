/* How many turns of a loop are recorded at once, from the lengths of its last runs. */
#include "core/loop_history.h"
#include "tests/testing.h"

static const LoopCost small = {4.2, 3.6}, large = {4.2, 38}; /* three launches of few rows, of a million */

static LoopHistory after(int n, const int64_t *turns) {
  LoopHistory history = {0};
  for (int k = 0; k < 2 * LOOP_REMEMBERED; ++k) loop_history_add(&history, turns[k % n]);
  return history;
}

static void unknown_is_long(void **state) {
  (void)state;
  LoopHistory history = {0};
  assert_int_equal(loop_history_best(&history, 0, 8, &small), 8);
  assert_int_equal(loop_history_best(&history, 3, 8, &small), 3);
  for (int k = 1; k < LOOP_REMEMBERED; ++k) {
    loop_history_add(&history, 1);
    assert_int_equal(loop_history_best(&history, 8, 8, &small), 8); /* too early to change */
    assert_int_equal(loop_history_best(&history, 0, 8, &small), 1); /* a new loop takes what is known */
  }
  loop_history_add(&history, 1);
  assert_int_equal(loop_history_best(&history, 8, 8, &small), 1);
}

/* One length: that many, or a divisor; long ones: most. Few different ones: exhausted by hand. */
static void costs_least(void **state) {
  (void)state;
  for (int64_t n = 1; n <= 8; ++n) {
    const LoopHistory history = after(1, &n);
    assert_int_equal(loop_history_best(&history, 0, 8, &large), n);
    assert_int_equal(loop_history_best(&history, 0, 4, &large), n <= 4 ? n : n == 6 ? 3 : n == 8 ? 4 : 1);
  }
  const LoopHistory heat = after(2, (const int64_t[]){4, 5}), long_one = after(2, (const int64_t[]){400, 397});
  assert_int_equal(loop_history_best(&heat, 8, 8, &large), 1); /* 18.9 us; at 8: 4.2 + 3.5 * 38 */
  assert_int_equal(loop_history_best(&heat, 8, 8, &small), 5); /* 4.2 + 1.8 */
  assert_int_equal(loop_history_best(&long_one, 0, 8, &small), 8);
  assert_int_equal(loop_history_best(&long_one, 1, 8, &large), 8); /* 50 ways and 1.5 turns; at 4: 100 and 1.5 */
}

static void little_gain_changes_nothing(void **state) {
  (void)state;
  const LoopHistory history = after(1, (const int64_t[]){4});
  assert_int_equal(loop_history_best(&history, 3, 8, &(LoopCost){1, 0.4}), 3); /* 2.8 against 1 us */
  assert_int_equal(loop_history_best(&history, 3, 8, &(LoopCost){2, 0.4}), 4); /* 4.8 against 2 us */
}

/* Only the last runs count; a run of no turn counts as one. */
static void forgets(void **state) {
  (void)state;
  LoopHistory history = after(1, (const int64_t[]){100});
  for (int k = 0; k < LOOP_REMEMBERED; ++k) loop_history_add(&history, 2);
  assert_int_equal(loop_history_best(&history, 8, 8, &large), 2);
  for (int k = 0; k < LOOP_REMEMBERED; ++k) loop_history_add(&history, 0);
  assert_int_equal(loop_history_best(&history, 2, 8, &large), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unknown_is_long), cmocka_unit_test(costs_least),
                                     cmocka_unit_test(little_gain_changes_nothing), cmocka_unit_test(forgets)};
  return cmocka_run_group_tests_name("core/loop_history", tests, NULL, NULL);
}
