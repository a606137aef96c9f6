/* The step control alone: which times it hits, when it grows, shrinks, rejects and gives up. */
#include "solver/time/step_control.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>

static StepControl make(StepControlParams p) {
  StepControl c;
  assert_ok(step_control_create(&p, &c));
  return c;
}

/* Fixed steps end exactly at the multiples of every, at the events and at the end; the step is bitwise the same
 * elsewhere. */
static void fixed(void **state) {
  (void)state;
  const StepEvent event[] = {{0.55, false}, {99, true}, {0.25, true}, {0.25 + 1e-13, false}};
  StepControl c = make((StepControlParams){.end = 1.03, .step = 0.1, .every = 0.2, .n_event = 4, .event = event});
  assert_int_equal(c.params.n_event, 2);
  const double at[] = {0.1, 0.2, 0.25, 0.35, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0, 1.03};
  for (int k = 0; k < 13; ++k) {
    bool accepted = false;
    assert_false(step_control_done(&c));
    const double from = c.time, dt = step_control_next(&c);
    assert_near(dt, at[k] - from, 1e-14);
    const int cut = at[k] == 0.25 || k == 4 || at[k] == 0.55 || k == 7 || k == 12;
    assert_true(cut ? dt < 0.0999 : dt == 0.1);
    assert_ok(step_control_judge(&c, 1e9, &accepted)); /* nobody asked for a tolerance */
    assert_true(accepted);
    assert_near(c.time, at[k], 1e-14);
    assert_true(c.edge == (at[k] == 0.25));
    assert_true(step_control_at_output(&c) ==
                (at[k] == 0.25 || at[k] == 0.55 || k == 12 || k == 1 || k == 4 || k == 7 || k == 9 || k == 11));
  }
  assert_true(step_control_done(&c));
  assert_true(c.time == 1.03);
  assert_int_equal(c.n_accepted, 13);
  step_control_release(&c);
}

/* A million steps of a length without a finite binary fraction do not drift past the end, nor change their length. */
static void drift(void **state) {
  (void)state;
  StepControl c = make((StepControlParams){.end = 1000, .step = 1e-3, .every = 1});
  int64_t n = 0, other = 0;
  bool accepted;
  for (; !step_control_done(&c); ++n) {
    other += step_control_next(&c) != 1e-3;
    assert_ok(step_control_judge(&c, NAN, &accepted));
  }
  assert_int_equal(n, 1000000);
  assert_int_equal(other, 0);
  assert_true(c.time == 1000);
  step_control_release(&c);
}

/* With an error of dt^(order + 1), in a time in which u changes by 1, the step settles where the errors of all steps
 * add up to the tolerance (and its quarter for times of rest), whatever the tolerance and the number of steps. */
static void settles(void **state) {
  (void)state;
  for (int order = 1; order <= 2; ++order)
    for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 0.1)
      for (double n = 300; n < 4000; n *= 3) {
        StepControl c = make((StepControlParams){
            .end = 1, .step = 0.01, .adaptive = true, .tolerance = tolerance, .order = order, .budget = 2});
        double sum = 0;
        assert_near(c.wanted, 1e-4, 1e-18);
        while (!step_control_done(&c)) {
          bool accepted;
          const double before = c.wanted, dt = step_control_next(&c), error = 2.5 * tolerance * dt * pow(n * dt, order);
          assert_ok(step_control_judge(&c, error / step_control_allowed(&c, dt), &accepted));
          assert_true(c.wanted <= 2 * before * (1 + 1e-12));
          if (accepted) sum += error;
        }
        if (!(sum > 1.2 * tolerance && sum < 2.51 * tolerance && fabs((double)c.n_accepted / n - 1.2) < 0.3))
          fail_msg("order %d, tolerance %g: %d steps, errors add up to %g", order, tolerance, (int)c.n_accepted, sum);
        step_control_release(&c);
      }
}

/* A pulse of any length is hit at both ends, beside other times too; other times within rounding are one. */
static void short_pulses(void **state) {
  (void)state;
  const double length[] = {1e-10, 3e-12, 1e-7};
  for (int k = 0; k < 3; ++k) {
    const StepEvent event[] = {
        {2, true}, {2 + length[k], true}, {2 + 0.3 * length[k], false}, {7.5, false}, {7.5 + 1e-13, false}};
    for (int adaptive = 0; adaptive < 2; ++adaptive) {
      StepControl c = make((StepControlParams){.end = 1000,
                                               .step = 250,
                                               .first = 100,
                                               .adaptive = adaptive,
                                               .tolerance = adaptive ? 1 : 0,
                                               .every = 500,
                                               .n_event = 5,
                                               .event = event});
      int edges = 0;
      double on = 0;
      while (!step_control_done(&c)) {
        bool accepted;
        const double from = c.time;
        step_control_next(&c);
        assert_ok(step_control_judge(&c, 0.5, &accepted));
        edges += c.edge;
        if (0.5 * (from + c.time) > 2 && 0.5 * (from + c.time) < 2 + length[k]) on += c.time - from;
      }
      assert_int_equal(edges, 2);
      assert_near(on, (2 + length[k]) - 2, 0);
      step_control_release(&c);
    }
  }
}

/* The error jumps up: the trial is repeated with a shorter step, which does not grow right after. */
static void rejects(void **state) {
  (void)state;
  StepControl c = make((StepControlParams){
      .end = 100, .step = 1, .first = 1, .adaptive = true, .tolerance = 0.01, .min = 0.05, .max = 4});
  bool accepted;
  assert_near(step_control_next(&c), 1, 0);
  assert_ok(step_control_judge(&c, 100, &accepted));
  assert_false(accepted);
  assert_true(c.time == 0 && c.n_rejected == 1);
  assert_near(step_control_next(&c), 0.2, 1e-15); /* not less than a fifth */
  assert_ok(step_control_judge(&c, 1.1, &accepted));
  assert_false(accepted);
  const double dt = step_control_next(&c);
  assert_true(dt <= 0.9 * 0.2 && dt > 0.1);
  assert_ok(step_control_judge(&c, 0, &accepted));
  assert_true(accepted && c.time == dt);
  assert_true(step_control_next(&c) == dt); /* no growth right after a failure */
  assert_ok(step_control_judge(&c, 0, &accepted));
  assert_near(step_control_next(&c), 2 * dt, 1e-15);
  for (int k = 0; k < 20; ++k) { /* growth ends at max, shrinking at min */
    step_control_next(&c);
    assert_ok(step_control_judge(&c, 0, &accepted));
  }
  assert_near(step_control_next(&c), 4, 1e-15);
  for (int k = 0; k < 20 && c.n_forced == 0; ++k) {
    step_control_next(&c);
    assert_ok(step_control_judge(&c, 5, &accepted));
  }
  assert_true(accepted && c.n_forced == 1 && c.worst_forced == 5);
  assert_near(c.dt, 0.05, 1e-15);
  assert_fails(step_control_judge(&c, INFINITY, &accepted), ERR_NUMERIC, "not finite");
  step_control_release(&c);
}

/* Adaptive steps hit events and outputs exactly, without slivers before them, and start small behind an edge. */
static void adaptive_events(void **state) {
  (void)state;
  const StepEvent event[] = {{3.3, true}, {7.123456789, false}};
  StepControl c = make((StepControlParams){
      .end = 10, .step = 0.5, .adaptive = true, .tolerance = 1, .every = 1, .n_event = 2, .event = event, .max = 0.7});
  int hit = 0;
  double previous = 0;
  for (bool accepted; !step_control_done(&c);) {
    const bool after_edge = c.edge;
    const double dt = step_control_next(&c);
    if (after_edge) assert_true(dt <= 0.005 * (1 + 1e-12));
    if (!after_edge && previous > 0) assert_true(dt > 0.2 * previous);
    previous = dt;
    assert_ok(step_control_judge(&c, 0.5, &accepted));
    for (int k = 1; k <= 10; ++k) hit += c.time == (double)k;
    hit += c.time == 3.3 || c.time == 7.123456789;
    if (c.time == 3.3) previous = 0;
  }
  assert_int_equal(hit, 12);
  step_control_release(&c);
}

static void failures(void **state) {
  (void)state;
  StepControl c =
      make((StepControlParams){.end = 10, .step = 0.5, .first = 0.5, .adaptive = true, .tolerance = 1, .min = 0.1});
  step_control_next(&c);
  assert_ok(step_control_failed(&c));
  assert_near(step_control_next(&c), 0.125, 1e-15);
  assert_ok(step_control_failed(&c));
  assert_near(step_control_next(&c), 0.1, 1e-15);
  assert_fails(step_control_failed(&c), ERR_NUMERIC, "smallest allowed");
  step_control_release(&c);
  c = make((StepControlParams){.end = 10, .step = 0.5});
  step_control_next(&c);
  assert_fails(step_control_failed(&c), ERR_NUMERIC, "steps are fixed");
  step_control_release(&c);
}

static void refused(void **state) {
  (void)state;
  const StepEvent event[] = {{NAN, false}};
  const struct {
    StepControlParams p;
    const char *says;
  } row[] = {
      {{.end = 0, .step = 1}, "end is 0, must be after the start"},
      {{.end = NAN, .step = 1}, "end is nan"},
      {{.end = 1, .step = 0}, "step is 0, must be > 0"},
      {{.end = 1, .step = -1}, "step is -1"},
      {{.end = 1, .step = 1e-14}, "too small"},
      {{.end = 1, .step = 1, .every = -1}, "every is -1"},
      {{.end = 1, .step = 1, .n_event = 1, .event = event}, "not a number"},
      {{.end = 1, .step = 1, .adaptive = true}, "tolerance is 0"},
      {{.end = 1, .step = 1, .adaptive = true, .tolerance = 1, .min = 1e-300}, "min is 1e-300, must be at least 1e-12"},
      {{.end = 1, .step = 1, .adaptive = true, .tolerance = 1, .max = 1e-13}, "max is 1e-13, must be at least 1e-12"},
      {{.end = 1, .step = 1, .adaptive = true, .tolerance = 1, .min = 2, .max = 1}, "min is 2, must not be larger"},
      {{.end = 1, .step = 1, .adaptive = true, .tolerance = 1, .grow = 0.5}, "growth is 0.5"},
      {{.end = 1, .step = 1, .adaptive = true, .tolerance = 1, .shrink = 1.5}, "shrinkage is 1.5"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    StepControl c;
    assert_fails(step_control_create(&row[k].p, &c), ERR_INPUT, row[k].says);
  }
  const StepEvent good[] = {{0.5, false}};
  const StepControlParams p = {.end = 1, .step = 1, .n_event = 1, .event = good};
  StepControl c;
  mem_fail_nth(1);
  assert_fails(step_control_create(&p, &c), ERR_MEMORY, "times to be hit");
  mem_fail_nth(0);
}

/* Fixed steps with cuts: halves where there is no solution, then by and by the length asked for, on the multiples of every; down to
 * a thousandth. */
static void cuts(void **state) {
  (void)state;
  StepControl c =
      make((StepControlParams){.end = 1, .step = 0.2, .every = 0.2, .cuts = true, .grow = 1.5, .shrink = 0.5});
  bool accepted;
  const double at[] = {0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1};
  for (int k = 0; k < 9; ++k) {
    const double dt = step_control_next(&c);
    if (k == 1 && dt > 0.06) { /* 0.2, then 0.1 */
      assert_ok(step_control_failed(&c));
      --k;
      continue;
    }
    assert_near(c.target, at[k], 1e-12);
    assert_ok(step_control_judge(&c, 1, &accepted));
    assert_true(accepted);
  }
  assert_true(step_control_done(&c));
  assert_int_equal(c.n_failed, 2);
  step_control_release(&c);
  c = make((StepControlParams){.end = 1, .step = 0.2, .cuts = true, .shrink = 0.5});
  Status status = OK;
  int n = 0;
  for (; status == OK && n < 100; ++n) {
    step_control_next(&c);
    status = step_control_failed(&c);
  }
  assert_int_equal(status, ERR_NUMERIC);
  assert_near(c.dt, 0.2e-3, 1e-12);
  status_clear();
  step_control_release(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed),           cmocka_unit_test(cuts),     cmocka_unit_test(drift),
      cmocka_unit_test(settles),         cmocka_unit_test(rejects),  cmocka_unit_test(short_pulses),
      cmocka_unit_test(adaptive_events), cmocka_unit_test(failures), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
