/* Every ionic model of the registry: parameters and presets, rest, implicit state against Newton's method on the rate,
 * tangents against differences; what Aliev-Panfilov does outside its range. */
#include "physics/ionic.h"
#include "physics/ionic_kernels.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

/* Runs `check` for every preset of every model. */
static void for_all(void (*check)(const IonicType *type, const IonicConstants *c)) {
  for (int kind = 0; kind < ionic_count(); ++kind)
    for (int preset = 0; preset < ionic_type(kind)->n_preset; ++preset) {
      const IonicConstants c = ionic_constants(kind, preset);
      check(ionic_type(kind), &c);
    }
}

static void check_tables(const IonicType *type, const IonicConstants *c) {
  assert_ok(ionic_check(c));
  assert_true(strlen(type->meaning) > 10 && strlen(type->state_meaning) > 5);
  assert_int_equal(ionic_by_name(type->name), c->kind);
  assert_true(type->n_param <= IONIC_PARAMS && type->n_preset > 0);
  for (int i = 0; i < type->n_param; ++i) {
    assert_true(strlen(type->param[i].unit) > 0 && strlen(type->param[i].meaning) > 0);
    assert_int_equal(ionic_parameter(c->kind, type->param[i].name), i);
    assert_ok(param_check(&type->param[i], type->param[i].value));
    assert_true(type->preset[0].value[i] == type->param[i].value); /* the first preset is the default */
  }
  for (int i = 0; i < type->n_preset; ++i) assert_int_equal(ionic_preset(c->kind, type->preset[i].name), i);
  assert_int_equal(ionic_parameter(c->kind, "colour"), -1);
  assert_int_equal(ionic_preset(c->kind, "colour"), -1);
}
static void tables(void **state) {
  (void)state;
  for_all(check_tables);
  assert_null(ionic_type(-1));
  assert_null(ionic_type(ionic_count()));
  assert_int_equal(ionic_by_name("hodgkin"), -1);
  assert_int_equal(ionic_preset(ionic_by_name("aliev-panfilov"), "goktepe-kuhl"), 0);
}

static void ranges(void **state) {
  (void)state;
  const int kind = ionic_by_name("aliev-panfilov");
  IonicConstants c = ionic_constants(kind, 0), d = c;
  c.value[ionic_parameter(kind, "alpha")] = 0.5;
  assert_fails(ionic_check(&c), ERR_INPUT, "alpha is 0.5, must lie in (0, 0.5)");
  assert_false(ionic_same(&c, &d));
  assert_true(ionic_same(&d, &d));
  c = d;
  c.value[ionic_parameter(kind, "mu2")] = 0;
  assert_fails(ionic_check(&c), ERR_INPUT, "mu2 is 0, must be > 0");
  c.value[ionic_parameter(kind, "mu2")] = NAN;
  assert_fails(ionic_check(&c), ERR_INPUT, "mu2 is ");
  c = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
  assert_false(ionic_same(&c, &d));
  c.value[5] = 0;
  assert_fails(ionic_check(&c), ERR_INPUT, "gate-width is 0, must lie in [0.0001, 0.1]");
  c.kind = 99;
  assert_fails(ionic_check(&c), ERR_BUG, "99");
}

/* Nothing happens to a cell at rest, which a small push does not change. */
static void check_rest(const IonicType *type, const IonicConstants *c) {
  double s, slope;
  const double V = type->rest(c, &s);
  assert_near(type->reaction(c, V, s).value, 0, 1e-15);
  assert_near(type->rate(c, V, s), 0, 1e-15);
  assert_near(type->state(c, V, s, 0.5).state, s, 1e-15);
  assert_near(ionic_implicit(c, V, s, 0.5, &slope), 0, 1e-15);
  assert_true(slope < 0); /* stable */
  assert_true(ionic_implicit(c, V + 0.1, s, 0.5, &slope) < 0);
}
static void rest(void **state) {
  (void)state;
  for_all(check_rest);
}

/* The paper's local iteration: s - known - step g(V, s) = 0 by Newton's method, derivative by a difference. */
static double local_newton(const IonicType *type, const IonicConstants *c, double V, double known, double step) {
  double s = known;
  for (int i = 0; i < 50; ++i) {
    const double residual = s - known - step * type->rate(c, V, s), h = 1e-6 * (1 + fabs(s));
    const double slope = 1 - step * (type->rate(c, V, s + h) - type->rate(c, V, s - h)) / (2 * h);
    s -= residual / slope;
    if (fabs(residual) < 1e-15) break;
  }
  return s;
}
static void check_state(const IonicType *type, const IonicConstants *c) {
  int seen = 0;
  double V0, s0;
  V0 = type->rest(c, &s0);
  for (double V = V0 - 8; V <= V0 + 125; V += 3.7)
    for (double known = 0; known <= 2.5; known += 0.125)
      for (double step = 0; step <= 2.01; step = step > 0 ? 2 * step : 0.125) {
        const IonicState s = type->state(c, V, known, step), via_switch = ionic_state(c, V, known, step);
        assert_near(s.state, local_newton(type, c, V, known, step), 1e-12);
        assert_near(s.state - known - step * type->rate(c, V, s.state), 0, 1e-14);
        assert_near(via_switch.state, s.state, 1e-14); /* a compiler may round one of the two otherwise */
        assert_near(via_switch.slope, s.slope, 1e-13);
        ++seen;
      }
  assert_true(seen > 3000);
}
static void implicit_state(void **state) {
  (void)state;
  for_all(check_state);
}

static void check_tangent(const IonicType *type, const IonicConstants *c) {
  double s0, most = 0;
  const double V0 = type->rest(c, &s0), h = 1e-4;
  for (double V = V0 - 8; V <= V0 + 125; V += 0.97)
    for (double known = 0; known <= 2.4; known += 0.3)
      for (double step = 0.125; step <= 2.01; step *= 4) {
        double slope, ignored;
        const double plus = ionic_implicit(c, V + h, known, step, &ignored),
                     minus = ionic_implicit(c, V - h, known, step, &ignored);
        (void)ionic_implicit(c, V, known, step, &slope);
        assert_near(slope, (plus - minus) / (2 * h), 2e-7);
        const double up = type->state(c, V + h, known, step).state, down = type->state(c, V - h, known, step).state;
        assert_near(type->state(c, V, known, step).slope, (up - down) / (2 * h), 2e-8);
        const IonicReaction f = type->reaction(c, V, known);
        assert_near(f.by_V, (type->reaction(c, V + h, known).value - type->reaction(c, V - h, known).value) / (2 * h), 1e-8);
        assert_near(f.by_state,
                    (type->reaction(c, V, known + h).value - type->reaction(c, V, known - h).value) / (2 * h), 1e-8);
        assert_near(type->rate(c, V, known), ionic_rate(c, V, known), 1e-14);
        most = fmax(most, type->reaction(c, V, s0).by_V);
      }
  assert_true(most <= type->steepest(c) * (1 + 1e-12));
}
static void tangents(void **state) {
  (void)state;
  for_all(check_tangent);
}

/* The bound is attained; Aliev-Panfilov's is the one that METHODS states, 4.9 ms. */
static void largest_step(void **state) {
  (void)state;
  const IonicConstants ap = ionic_constants(ionic_by_name("aliev-panfilov"), 0),
                       ms = ionic_constants(ionic_by_name("mitchell-schaeffer"), 0);
  assert_near(ionic_largest_step(&ap, 1), 12.9 / (8 * (1.01 * 1.01 / 3 - 0.01)), 1e-12);
  assert_near(ionic_largest_step(&ap, 1), 4.9, 0.04);
  assert_near(ionic_largest_step(&ap, 2) / ionic_largest_step(&ap, 1), 2, 1e-14);
  assert_near(ionic_reaction(&ap, -80 + 101.0 / 3, 0).by_V, 1 / ionic_largest_step(&ap, 1), 1e-14);
  assert_near(ionic_reaction(&ms, -80 + 100.0 / 3, 1).by_V, 1 / ionic_largest_step(&ms, 1), 1e-14);
}

/* phi <= -mu2 and states far from any that occur: finite, continuous, and the tangent still that of the function. */
static void guards(void **state) {
  (void)state;
  const IonicConstants c = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  double before = ionic_state(&c, -107.0 + 1e-9, 1, 0.5).state, after = ionic_state(&c, -107.0 - 1e-9, 1, 0.5).state;
  assert_near(before, after, 1e-7);
  for (double V = -500; V < 600; V += 7.3)
    for (double known = -2; known <= 4; known += 0.5) {
      double slope, ignored;
      const double f = ionic_implicit(&c, V, known, 2, &slope), h = 1e-3;
      const double difference =
          (ionic_implicit(&c, V + h, known, 2, &ignored) - ionic_implicit(&c, V - h, known, 2, &ignored)) / (2 * h);
      assert_true(isfinite(f) && isfinite(slope));
      if (known >= 0 && fabs(V + 107) > 1) assert_near(slope, difference, 1e-4 * fmax(1, fabs(slope)));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables),       cmocka_unit_test(ranges),   cmocka_unit_test(rest),
                                     cmocka_unit_test(implicit_state), cmocka_unit_test(tangents),
                                     cmocka_unit_test(largest_step), cmocka_unit_test(guards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
