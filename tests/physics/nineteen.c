/* An ionic model of 19 states that the program does not have, added by its header and one line: states that go first are
 * exact at a constant potential, follow their rates, and keep account of the stimulus. */
#include "physics/ionic.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

enum { N = 19, GATES = 17, R = 17, CHARGE = 18 };

static const IonicType *model(IonicConstants *c) {
  const int kind = ionic_by_name("nineteen");
  *c = ionic_constants(kind, 0);
  return ionic_type(kind);
}

static void tables(void **state) {
  (void)state;
  IonicConstants c;
  const IonicType *type = model(&c);
  assert_int_equal(type->n_state, N);
  assert_int_equal(type->n_gate, GATES);
  assert_true((int)IONIC_STATES >= (int)N);
  assert_null(type->implicit);
  assert_ok(ionic_check(&c));
  assert_int_equal(ionic_preset(c.kind, "mid"), 2);
  assert_int_equal(ionic_state(c.kind, "g17"), 16);
  assert_int_equal(ionic_state(c.kind, "recovery"), R);
  assert_int_equal(ionic_state(ionic_by_name("aliev-panfilov"), "g17"), -1);
  /* names that models have in common have one index */
  int own = 0;
  for (int i = 0; i < ionic_state_count(); ++i) {
    const int first = ionic_state_index(ionic_state_word(i));
    assert_string_equal(ionic_state_word(first), ionic_state_word(i));
    assert_true(first <= i);
    own += first == i;
  }
  assert_true(own >= N + 6 && own < ionic_state_count());
  assert_int_equal(ionic_state_index("colour"), -1);
}

/* At a constant potential the gates are where they belong whatever the step, and one step is as good as many. */
static void gates_are_exact(void **state) {
  (void)state;
  IonicConstants c;
  const IonicType *type = model(&c);
  for (double V = -100; V <= 40; V += 20)
    for (double dt = 0.01; dt < 200; dt *= 5) {
      double s[N], many[N], start[N], g[N], by_V;
      (void)type->rest(&c, s);
      memcpy(start, s, sizeof s);
      type->rate(&c, V, start, g);
      double flat[N];
      memcpy(flat, s, sizeof s);
      memcpy(many, s, sizeof s);
      (void)type->first(&c, V, 0, dt, s, &by_V);
      for (int k = 0; k < 8; ++k) (void)type->first(&c, V, 0, dt / 8, many, &by_V);
      (void)type->first(&c, V, 0, 1e9, flat, &by_V); /* the targets, which e^-x reaches */
      for (int j = 0; j < GATES; ++j) {
        const double target = flat[j], rate = fabs(target - start[j]) > 1e-3 ? g[j] / (target - start[j]) : 0;
        assert_near(s[j], many[j], 1e-13);
        if (rate > 0) assert_near(s[j], target + (start[j] - target) * exp(-rate * dt), 1e-12);
        assert_true(s[j] >= 0 && s[j] <= 1);
      }
    }
}

/* (s(dt) - s)/dt goes to the rate, with an error of first order in dt; the slope is that of f. */
static void follows_the_rate(void **state) {
  (void)state;
  IonicConstants c;
  const IonicType *type = model(&c);
  for (double V = -90; V <= 30; V += 15) {
    double start[N], g[N], by_V, ignored, by_s[N];
    (void)type->rest(&c, start);
    for (int j = 0; j < GATES; ++j) start[j] = 0.3;
    start[R] = 0.7;
    type->rate(&c, V, start, g);
    for (int j = 0; j < N; ++j) {
      double error[2];
      for (int k = 0; k < 2; ++k) {
        const double dt = k ? 5e-5 : 1e-4;
        double s[N];
        memcpy(s, start, sizeof s);
        (void)type->first(&c, V, 0, dt, s, &ignored);
        error[k] = fabs((s[j] - start[j]) / dt - g[j]);
      }
      assert_true(error[0] < 1e-2 * (1 + fabs(g[j])) &&
                  (error[1] < 0.52 * error[0] || error[0] < 1e-9 * (1 + fabs(g[j]))));
    }
    (void)type->reaction(&c, V, start, &by_V, by_s);
    const double h = 1e-4, plus = type->reaction(&c, V + h, start, &ignored, by_s),
                 minus = type->reaction(&c, V - h, start, &ignored, by_s);
    assert_near(by_V, (plus - minus) / (2 * h), 1e-7);
  }
}

/* Charge is what the potential has risen by, in a cell on its own. */
static void stimulus_is_counted(void **state) {
  (void)state;
  IonicConstants c;
  const IonicType *type = model(&c);
  double s[N], V = type->rest(&c, s), by_V;
  const double rest = V, dt = 0.01;
  for (int k = 0; k < 3000; ++k) {
    const double stimulus = k < 200 ? 30 : 0;
    V += dt * (type->first(&c, V, stimulus, dt, s, &by_V) + stimulus);
  }
  assert_true(V > -20);
  assert_near(s[CHARGE], V - rest, 1e-9);
}

/* Rest stays: no gate leaks there. */
static void rest_stays(void **state) {
  (void)state;
  for (int preset = 0; preset < 3; ++preset) {
    const IonicConstants c = ionic_constants(ionic_by_name("nineteen"), preset);
    const IonicType *type = ionic_type(c.kind);
    double s[N], start[N], by_V;
    const double V = type->rest(&c, s);
    memcpy(start, s, sizeof s);
    assert_near(type->first(&c, V, 0, 5, s, &by_V), 0, 1e-12);
    for (int j = 0; j < N; ++j) assert_near(s[j], start[j], 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables), cmocka_unit_test(gates_are_exact),
                                     cmocka_unit_test(follows_the_rate), cmocka_unit_test(stimulus_is_counted),
                                     cmocka_unit_test(rest_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
