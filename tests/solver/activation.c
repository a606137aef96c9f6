/* Maps of activation against hand-drawn waves, gates, checkpoints; functionals against sums by hand. */
#include "solver/time/activation.h"
#include "core/memory.h"
#include "solver/time/functional.h"
#include "tests/testing.h"

#include <string.h>

enum { N = 4, STEPS = 8 };
/* Potentials at t = 0, 1, 2 ...: an action potential, one that starts active, one that stays low, one that never
 * falls. */
static const double wave[STEPS][N] = {{-80, 10, -80, -90}, {-60, 10, -50, -90}, {20, -65, -31, -20},
                                      {40, -75, -80, -25}, {0, -80, -80, -30},  {-60, -20, -90, 0},
                                      {-76, -80, -80, 10}, {-80, -80, -80, 20}};

typedef struct Maps {
  Exec *exec;
  Activation *a;
  EvolutionClock *clock; /* on the Exec */
  double *u, *before;
} Maps;

static void begin(Maps *m, double share) {
  *m = (Maps){.exec = testing_exec()};
  const ActivationParams params = {.up = -30, .down = -70, .share = share};
  assert_ok(activation_create(m->exec, N, &params, &m->a));
  assert_ok(exec_alloc(m->exec, 1, sizeof *m->clock, "clock", (void **)&m->clock));
  assert_ok(exec_alloc(m->exec, N, sizeof *m->u, "u", (void **)&m->u));
  assert_ok(exec_alloc(m->exec, N, sizeof *m->before, "u", (void **)&m->before));
}

static void end(Maps *m) {
  EXEC_RELEASE(m->exec, m->clock, 1);
  EXEC_RELEASE(m->exec, m->u, N);
  EXEC_RELEASE(m->exec, m->before, N);
  activation_destroy(&m->a);
  exec_destroy(&m->exec);
}

static void set(Maps *m, int step, int32_t on) {
  const EvolutionClock clock = {.time = step - 1, .target = step, .dt = 1, .commit = on};
  assert_ok(exec_upload(m->exec, m->clock, &clock, sizeof clock));
  assert_ok(exec_upload(m->exec, m->u, wave[step], sizeof wave[step]));
  if (step > 0) assert_ok(exec_upload(m->exec, m->before, wave[step - 1], sizeof wave[step]));
}

static void start(Maps *m) {
  const EvolutionClock clock = {0};
  set(m, 0, 0);
  assert_ok(exec_upload(m->exec, m->clock, &clock, sizeof clock));
  assert_ok(activation_start(m->a, m->clock, m->u));
}

static void step(Maps *m, int k, int32_t on) {
  set(m, k, on);
  assert_ok(activation_step(m->a, m->clock, &m->clock->commit, m->u, m->before));
}

static void times_are(const Maps *m, const double begin_at[N], const double end_at[N]) {
  double got[N];
  assert_ok(exec_download(m->exec, got, activation_times(m->a, 0), sizeof got));
  for (int i = 0; i < N; ++i) assert_near(got[i], begin_at[i], 1e-12);
  assert_ok(exec_download(m->exec, got, activation_ends(m->a, 0), sizeof got));
  for (int i = 0; i < N; ++i) assert_near(got[i], end_at[i], 1e-12);
}

static void thresholds(void **state) {
  (void)state;
  Maps m;
  begin(&m, 0);
  start(&m);
  for (int k = 1; k < STEPS; ++k) step(&m, k, 1);
  const double begins[N] = {1 + 30.0 / 80, 0, -1, 1 + 60.0 / 70}, ends[N] = {5 + 10.0 / 16, 2.5, -1, -1};
  times_are(&m, begins, ends);
  end(&m);
}

/* Half of the amplitude 40 + 80 is gone at -20, of the second one (10 from 10: none before it) at 10. */
static void share_of_the_amplitude(void **state) {
  (void)state;
  Maps m;
  begin(&m, 0.5);
  start(&m);
  for (int k = 1; k < STEPS; ++k) step(&m, k, 1);
  const double begins[N] = {1.375, 0, -1, 1 + 60.0 / 70}, ends[N] = {4 + 20.0 / 60, 1, -1, -1};
  times_are(&m, begins, ends);
  end(&m);
}

/* Two beats of the first node, one of the others' begins at rest; a third one finds no room. */
static void beats(void **state) {
  (void)state;
  Maps m;
  double got[N];
  m = (Maps){.exec = testing_exec()};
  const ActivationParams params = {.up = -30, .down = -70, .n_beat = 2};
  assert_ok(activation_create(m.exec, N, &params, &m.a));
  assert_ok(exec_alloc(m.exec, 1, sizeof *m.clock, "clock", (void **)&m.clock));
  assert_ok(exec_alloc(m.exec, N, sizeof *m.u, "u", (void **)&m.u));
  assert_ok(exec_alloc(m.exec, N, sizeof *m.before, "u", (void **)&m.before));
  assert_int_equal(activation_state_size(m.a), 7 * N);
  start(&m);
  for (int turn = 0; turn < 3; ++turn) /* the same waves three times, 10 apart */
    for (int k = turn ? 0 : 1; k < STEPS; ++k) {
      const EvolutionClock clock = {.time = 10 * turn + k - 1, .target = 10 * turn + k, .dt = 1, .commit = 1};
      assert_ok(exec_upload(m.exec, m.clock, &clock, sizeof clock));
      assert_ok(exec_upload(m.exec, m.u, wave[k], sizeof wave[k]));
      assert_ok(exec_upload(m.exec, m.before, wave[k ? k - 1 : STEPS - 1], sizeof wave[k]));
      assert_ok(activation_step(m.a, m.clock, &m.clock->commit, m.u, m.before));
      if (turn != 1 || k != 3) continue;
      double saved[7 * N]; /* in the middle of the second beat: into another object */
      assert_ok(activation_save(m.a, saved));
      activation_destroy(&m.a);
      assert_ok(activation_create(m.exec, N, &params, &m.a));
      assert_ok(activation_restore(m.a, saved));
    }
  const double begins[N] = {1.375, 0, -1, 1 + 60.0 / 70}, ends[N] = {5 + 10.0 / 16, 2.5, -1, 9 + 90.0 / 110};
  times_are(&m, begins, ends);
  const double again[N] = {11.375, 4 + 50.0 / 60, -1, 11 + 60.0 / 70},
               over[N] = {15 + 10.0 / 16, 5 + 50.0 / 60, -1, 19 + 90.0 / 110};
  assert_ok(exec_download(m.exec, got, activation_times(m.a, 1), sizeof got));
  for (int i = 0; i < N; ++i) assert_near(got[i], again[i], 1e-12);
  assert_ok(exec_download(m.exec, got, activation_ends(m.a, 1), sizeof got));
  for (int i = 0; i < N; ++i) assert_near(got[i], over[i], 1e-12);
  end(&m);
}

static void shut_gate(void **state) {
  (void)state;
  Maps m;
  begin(&m, 0);
  start(&m);
  for (int k = 1; k < STEPS; ++k) step(&m, k, 0);
  const double begins[N] = {-1, 0, -1, -1}, ends[N] = {-1, -1, -1, -1};
  times_are(&m, begins, ends);
  end(&m);
}

/* Saved in the middle and restored into another object: the same maps as undisturbed. */
static void checkpoint(void **state) {
  (void)state;
  Maps m, other;
  double saved[4 * N], whole[4 * N], again[4 * N];
  begin(&m, 0.5);
  begin(&other, 0.5);
  assert_int_equal(activation_state_size(m.a), 4 * N);
  start(&m);
  for (int k = 1; k < 4; ++k) step(&m, k, 1);
  assert_ok(activation_save(m.a, saved));
  assert_ok(activation_restore(other.a, saved));
  for (int k = 4; k < STEPS; ++k) step(&m, k, 1), step(&other, k, 1);
  assert_ok(activation_save(m.a, whole));
  assert_ok(activation_save(other.a, again));
  assert_memory_equal(whole, again, sizeof whole);
  end(&m);
  end(&other);
}

static void functionals(void **state) {
  (void)state;
  Exec *exec = testing_exec();
  Functional *f = NULL;
  const double x[5] = {1, 2, 4, 8, 16}, weight[] = {1, 0.5, 0.25}, whole[10] = {1, 1, 1, 1, 1, 1, -1, 0, 0, 2};
  const int32_t begins[] = {0, 1, 1, 3}, at[] = {3, 0, 4};
  double point[3], sum[2], *on = NULL, *value = NULL;
  assert_ok(exec_alloc_upload(exec, 5, sizeof *x, x, "x", (void **)&on));
  const FunctionalParams params = {
      .n = 5, .n_point = 3, .start = begins, .at = at, .weight = weight, .n_whole = 2, .whole = whole};
  assert_ok(functional_create(exec, &params, &f));
  assert_ok(exec_alloc(exec, 5, sizeof *value, "values", (void **)&value));
  assert_ok(functional_points(f, on, value, NULL));
  assert_ok(functional_wholes(f, on, value + 3, NULL));
  assert_ok(functional_points(f, on, NULL, NULL));
  assert_ok(functional_wholes(f, on, NULL, NULL));
  assert_ok(exec_download(exec, point, value, sizeof point));
  assert_ok(exec_download(exec, sum, value + 3, sizeof sum));
  assert_near(point[0], 8, 0);
  assert_near(point[1], 0, 0);
  assert_near(point[2], 4.5, 0);
  assert_near(sum[0], 31, 0);
  assert_near(sum[1], 31, 0); /* 1 - 2 + 32 */
  functional_destroy(&f);
  const FunctionalParams none = {.n = 5};
  assert_ok(functional_create(exec, &none, &f));
  assert_ok(functional_points(f, on, value, NULL));
  assert_ok(functional_wholes(f, on, value, NULL));
  functional_destroy(&f);
  EXEC_RELEASE(exec, value, 5);
  EXEC_RELEASE(exec, on, 5);
  exec_destroy(&exec);
}

/* Thirteen sums, by fours and by twelves: sum k over 3,000 rows of (k + 1) 2 / n. */
static void wide_functionals(void **state) {
  (void)state;
  enum { ROWS = 3000, SUMS = 13 };
  Exec *exec = testing_exec();
  double *x = calloc(ROWS, sizeof *x), *whole = calloc((size_t)ROWS * SUMS, sizeof *whole), *on = NULL, *value = NULL;
  for (int i = 0; i < ROWS; ++i) x[i] = 2.0 / ROWS;
  for (int k = 0; k < SUMS * ROWS; ++k) whole[k] = k / ROWS
  +1;
  assert_ok(exec_alloc_upload(exec, ROWS, sizeof *x, x, "x", (void **)&on));
  assert_ok(exec_alloc(exec, SUMS, sizeof *value, "values", (void **)&value));
  for (int wide = 0; wide < 2; ++wide) {
    const FunctionalParams params = {.n = ROWS, .n_whole = SUMS, .whole = whole, .wide = wide };
    double sum[SUMS];
    Functional *f = NULL;
    assert_ok(functional_create(exec, &params, &f));
    assert_ok(exec_zero(exec, value, sizeof sum));
    assert_ok(functional_wholes(f, on, value, NULL));
    assert_ok(exec_download(exec, sum, value, sizeof sum));
    for (int k = 0; k < SUMS; ++k) assert_near(sum[k], 2 * (k + 1), 1e-10);
    functional_destroy(&f);
  }
  EXEC_RELEASE(exec, value, SUMS);
  EXEC_RELEASE(exec, on, ROWS);
  free(x), free(whole);
  exec_destroy(&exec);
}

static void failed_allocations(void **state) {
  (void)state;
  Exec *exec = testing_exec();
  const ActivationParams params = {.up = -30, .down = -70}, bad = {.up = -30, .down = -70, .share = 1};
  const double weight = 1, whole = 1;
  const int32_t begins[] = {0, 1}, at = 0;
  const FunctionalParams few = {
      .n = 1, .n_point = 1, .start = begins, .at = &at, .weight = &weight, .n_whole = 1, .whole = &whole};
  Activation *a = NULL;
  Functional *f = NULL;
  const size_t before = mem_in_use();
  assert_fails(activation_create(exec, N, &bad, &a), ERR_INPUT, "a share in [0, 1)");
  for (int nth = 1; nth <= 2; ++nth) {
    mem_fail_nth(nth);
    assert_true(activation_create(exec, N, &params, &a) != OK);
    assert_null(a);
  }
  for (int nth = 1; nth <= 5; ++nth) {
    mem_fail_nth(nth);
    assert_true(functional_create(exec, &few, &f) != OK);
    assert_null(f);
  }
  mem_fail_nth(0);
  assert_int_equal(mem_in_use(), before);
  exec_destroy(&exec);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(thresholds),
                                     cmocka_unit_test(share_of_the_amplitude),
                                     cmocka_unit_test(beats),
                                     cmocka_unit_test(shut_gate),
                                     cmocka_unit_test(checkpoint),
                                     cmocka_unit_test(functionals),
                                     cmocka_unit_test(wide_functionals),
                                     cmocka_unit_test(failed_allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
