/* Nonlinear time stepping on a problem with a state whose solution is known exactly on the mesh (evolution_mock.h). */
#include "core/memory.h"
#include "tests/solver/evolution_mock.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const TimeScheme *const SCHEMES[] = {&backward_euler_scheme, &crank_nicolson_scheme, &bdf2_scheme};
enum { CELLS = 16 };

static StepperParams params_of(const TimeScheme *scheme, double end, double step) {
  return (StepperParams){.scheme = scheme, .control = {.end = end, .step = step}, .reference = 1, .rtol = 1e-10};
}

static double error_with(const TimeScheme *scheme, bool gauss, double dt) {
  Mock m;
  mock_begin(&m, CELLS, gauss);
  StepperParams params = params_of(scheme, 1, dt);
  params.smoothing = -1;
  assert_ok(mock_create(&m, &params));
  StepReport step;
  while (!stepper_done(m.e)) {
    assert_ok(stepper_step(m.e, 0, &step));
    assert_true(step.residual <= 1e-10);
  }
  const double e = mock_distance(&m, 1);
  mock_end(&m);
  return e;
}
static void orders(void **state) {
  (void)state;
  for (int k = 0; k < time_scheme_count() && !time_scheme(k)->stages; ++k)
    for (int gauss = 0; gauss < 2; ++gauss) {
      const TimeScheme *scheme = time_scheme(k);
      const double coarse = error_with(scheme, gauss, 0.02), fine = error_with(scheme, gauss, 0.01);
      if (!(fabs(log2(coarse / fine) - scheme->order) < 0.12) || fine > (scheme->order == 1 ? 1e-2 : 1e-4))
        fail_msg("scheme %d, gauss %d: errors %g and %g, order %g", k, gauss, coarse, fine, log2(coarse / fine));
    }
}

/* Newton steps and products per step of a fixed run with rtol 1e-8. */
static double newton_per_step(bool gauss, int predictor, double *products) {
  Mock m;
  mock_begin(&m, CELLS, gauss);
  StepperParams params = params_of(&bdf2_scheme, 6, 0.3);
  params.rtol = 0;
  params.predictor = predictor;
  assert_ok(mock_create(&m, &params));
  int64_t newton = 0, steps = 0;
  for (StepReport step; !stepper_done(m.e); ++steps) {
    assert_ok(stepper_step(m.e, 0, &step));
    newton += step.newton;
    *products += (double)step.linear.products / 20;
  }
  assert_int_equal(steps, 20);
  mock_end(&m);
  return (double)newton / (double)steps;
}
static void newton_counts(void **state) {
  (void)state;
  for (int gauss = 0; gauss < 2; ++gauss) {
    double products[3] = {0};
    const double without = newton_per_step(gauss, -1, &products[0]), with = newton_per_step(gauss, 2, &products[1]);
    const double best = newton_per_step(gauss, 4, &products[2]);
    if (!(best <= with && products[1] < 0.9 * products[0] && products[2] <= 1.05 * products[1]))
      fail_msg("gauss %d: products %g, %g, %g, Newton %g", gauss, products[0], products[1], products[2], best);
    /* the linear solve of a nodal problem goes only so far: one Newton step more */
    if (!(without > 2.5 && without <= (gauss ? 4 : 5) && with <= without - 0.5))
      fail_msg("gauss %d: %g Newton steps without a predictor, %g with it", gauss, without, with);
  }
}

/* Adaptive: the error falls with the tolerance, steps are rejected, given times and edges are hit exactly. */
typedef struct Adapted {
  double worst;
  int64_t steps, rejected;
} Adapted;
static Adapted adaptive(const TimeScheme *scheme, bool gauss, double tolerance) {
  static const StepEvent edge[] = {{0.43, true}};
  Mock m;
  Adapted a = {0};
  mock_begin(&m, CELLS, gauss);
  StepperParams params = params_of(scheme, 4, 0.4);
  params.rtol = 0;
  params.control = (StepControlParams){.end = 4,
                                       .step = 0.4,
                                       .first = 0.002,
                                       .adaptive = true,
                                       .tolerance = tolerance,
                                       .every = 0.25,
                                       .n_event = 1,
                                       .event = edge,
                                       .grow = 3};
  assert_ok(mock_create(&m, &params));
  int hit = 0;
  for (StepReport step; !stepper_done(m.e); ++a.steps) {
    assert_ok(stepper_step(m.e, 100, &step));
    assert_int_equal(step.steps, 1);
    hit += step.time == 0.43 || fmod(step.time, 0.25) == 0;
    assert_true(isnan(step.error) || step.error <= tolerance);
    a.worst = fmax(a.worst, mock_distance(&m, step.time));
  }
  assert_int_equal(hit, 17);
  a.rejected = stepper_control(m.e)->n_rejected;
  assert_int_equal(stepper_control(m.e)->n_forced, 0);
  mock_end(&m);
  return a;
}
static void tolerances(void **state) {
  (void)state;
  for (int gauss = 0; gauss < 2; ++gauss) {
    int64_t rejected = 0;
    for (int k = 0; k < 3; ++k) {
      const Adapted coarse = adaptive(SCHEMES[k], gauss, 2e-4), fine = adaptive(SCHEMES[k], gauss, 2e-5);
      rejected += coarse.rejected + fine.rejected;
      /* 10^(order/(order+1)): 3.2 and 4.6 */
      if (!(coarse.worst / fine.worst > 2 && coarse.worst / fine.worst < 14 && coarse.worst < 0.15 &&
            fine.steps > coarse.steps))
        fail_msg("scheme %d, gauss %d: errors %g and %g in %d and %d steps", k, gauss, coarse.worst, fine.worst,
                 (int)coarse.steps, (int)fine.steps);
    }
    assert_true(rejected > 0);
  }
}

/* Pulses, with nothing else: u is what they carry, exactly, whatever the steps are; their edges are hit. */
static void pulses(void **state) {
  (void)state;
  static const EvolutionPulse train[] = {{.start = 0.15, .duration = 0.1, .period = 0.33, .count = 1000}};
  for (int run = 0; run < 3; ++run) {
    Mock m;
    mock_begin(&m, CELLS, run == 2);
    m.free = true;
    m.amplitude = 3;
    memset(mat_values(m.K), 0, (size_t)mat_slots(m.K)->n_value * sizeof(double)); /* no conduction */
    StepperParams params = params_of(&bdf2_scheme, 1, 0.2);
    params.n_pulse = 1;
    params.share = -1;
    params.pulse = train;
    if (run == 1) params.control = (StepControlParams){.end = 1, .step = 0.2, .adaptive = true, .tolerance = 1e-3};
    params.scheme = run == 2 ? &crank_nicolson_scheme : &backward_euler_scheme;
    assert_ok(mock_create(&m, &params));
    int hit = 0;
    for (StepReport step; !stepper_done(m.e);) {
      assert_ok(stepper_step(m.e, 10, &step));
      for (int k = 0; k < 3; ++k)
        hit += fabs(step.time - (0.15 + 0.33 * k)) < 1e-14 || fabs(step.time - (0.25 + 0.33 * k)) < 1e-14;
    }
    assert_int_equal(hit, 6);
    for (int32_t i = 0; i < m.n; ++i)
      if (m.c[i] > 0.99) assert_near(m.u[i], 3 * 0.3, 1e-8);
      else if (m.c[i] < 0) assert_near(m.u[i], 0, 1e-8);
    mock_end(&m);
  }
}

/* u and the state of the problem after each call of a run, as bits. */
typedef struct Trace {
  int32_t n;
  double *u, time;
} Trace;
static void trace_take(Trace *t, const Mock *m) {
  t->n = m->n;
  t->time = stepper_control(m->e)->time;
  t->u = calloc(2 * (size_t)m->n, sizeof *t->u);
  memcpy(t->u, m->u, (size_t)m->n * sizeof *t->u);
  memcpy(t->u + m->n, m->s, (size_t)m->n * sizeof *t->u);
}
static void trace_compare(Trace *a, Trace *b) {
  assert_int_equal(a->n, b->n);
  assert_true(a->time == b->time);
  assert_memory_equal(a->u, b->u, 2 * (size_t)a->n * sizeof *a->u);
}
static void trace_free(Trace *a) { free(a->u); }

static StepperParams bits_params(int k, bool adapt) {
  static const StepEvent edge[] = {{0.5, true}, {0.9, false}};
  StepperParams params = params_of(SCHEMES[k], 1.2, 0.04);
  params.control.n_event = 2;
  params.control.event = edge;
  params.control.adaptive = adapt;
  params.control.tolerance = adapt ? 3e-4 : 0;
  return params;
}
/* Goes on to `until` in calls of at most max_steps; saves and restores into a new object once `stop` is reached. */
static void run_bits(Mock *m, const StepperParams *params, int64_t max_steps, double stop) {
  StepReport step;
  assert_ok(mock_create(m, params));
  while (!stepper_done(m->e)) {
    assert_ok(stepper_step(m->e, max_steps, &step));
    if (stop > 0 && step.time >= stop) {
      stop = 0;
      char *blob = malloc((size_t)stepper_state_bytes(m->e));
      assert_ok(stepper_save(m->e, blob));
      mock_release(m);
      assert_ok(mock_create(m, params));
      for (int32_t i = 0; i < m->n; ++i) m->u[i] = m->s[i] = m->s_last[i] = 7;
      assert_ok(stepper_restore(m->e, m->u, blob));
      free(blob);
    }
  }
}
static void same_bits(void **state) {
  (void)state;
  for (int k = 0; k < 12; ++k) {
    const StepperParams params = bits_params(k % 3, k >= 6);
    const bool gauss = k / 3 % 2;
    Trace wanted, got;
    Mock m;
    mock_begin(&m, CELLS, gauss);
    run_bits(&m, &params, 1, 0);
    trace_take(&wanted, &m);
    for (int run = 0; run < 4; ++run) { /* more steps a call; stopped in the first steps, midway, right at the edge */
      static const double stop[] = {0, 0.04, 0.3, 0.5};
      mock_release(&m);
      run_bits(&m, &params, run ? 3 : 1000, stop[run]);
      trace_take(&got, &m);
      trace_compare(&wanted, &got);
      trace_free(&got);
    }
    trace_free(&wanted);
    mock_end(&m);
  }
}

/* More rows than a chunk holds. */
static void threads(void **state) {
  (void)state;
  Trace trace[3];
  for (int t = 0; t < 3; ++t) {
    Mock m;
    mock_begin_with(&m, 2000, false, t + 1);
    StepperParams params = params_of(&bdf2_scheme, 6e-5, 2e-5);
    run_bits(&m, &params, 1, 0);
    trace_take(&trace[t], &m);
    mock_end(&m);
  }
  trace_compare(&trace[0], &trace[1]);
  trace_compare(&trace[0], &trace[2]);
  for (int t = 0; t < 3; ++t) trace_free(&trace[t]);
}

/* A fixed run does many steps a call, up to the times that must be hit. */
static void many_steps(void **state) {
  (void)state;
  Mock m;
  mock_begin(&m, CELLS, false);
  StepperParams params = params_of(&bdf2_scheme, 2, 0.01);
  params.control.every = 0.5;
  assert_ok(mock_create(&m, &params));
  int calls = 0;
  int64_t steps = 0;
  for (StepReport step; !stepper_done(m.e); ++calls) {
    assert_ok(stepper_step(m.e, 1000, &step));
    steps += step.steps;
  }
  assert_int_equal(steps, 200);
  assert_int_equal(calls, 4 + 4); /* the first four have less history */
  assert_int_equal(stepper_control(m.e)->n_accepted, 200);
  mock_end(&m);
}

static void no_allocation(void **state) {
  (void)state;
  for (int gauss = 0; gauss < 2; ++gauss) {
    Mock m;
    mock_begin(&m, CELLS, gauss);
    const StepperParams params = bits_params(2, true);
    StepReport step;
    assert_ok(mock_create(&m, &params));
    assert_ok(stepper_step(m.e, 1, &step));
    const size_t in_use = m.exec->in_use;
    mem_fail_nth(0);
    while (!stepper_done(m.e)) assert_ok(stepper_step(m.e, 1, &step));
    assert_int_equal(mem_count(), 0);
    assert_int_equal(m.exec->in_use, in_use);
    mock_end(&m);
  }
}

/* Where Newton gives nothing: shorter steps in an adaptive run until none is left, the end with the reason in a fixed
 * one; u is that of the last accepted step. */
static void failures(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    const bool gauss = k % 2, adapt = k / 2;
    Mock m;
    StepReport step;
    mock_begin(&m, CELLS, gauss);
    m.spoil_at = 0.3;
    StepperParams params = bits_params(0, adapt);
    params.control.min = adapt ? 1e-3 : 0;
    assert_ok(mock_create(&m, &params));
    Status status = OK;
    double kept[64], time = 0;
    while (status == OK) {
      memcpy(kept, m.u, (size_t)m.n * sizeof *kept);
      time = stepper_control(m.e)->time;
      status = stepper_step(m.e, 1, &step);
    }
    assert_int_equal(status, ERR_NUMERIC);
    assert_non_null(strstr(status_message(), "the residual is not a number"));
    assert_memory_equal(kept, m.u, (size_t)m.n * sizeof *kept);
    assert_true(stepper_control(m.e)->time == time && time <= 0.3 && time > (adapt ? 0.298 : 0.25));
    assert_true(step.failed >= 1 && stepper_control(m.e)->n_failed >= (adapt ? 2 : 1));
    mock_release(&m);
    if (adapt) {
      mock_end(&m);
      continue;
    }
    m.spoil_at = 0;
    params.max_newton = 1;
    params.predictor = -1;
    assert_ok(mock_create(&m, &params));
    assert_fails(stepper_step(m.e, 1, &step), ERR_NUMERIC, "did not converge in 1 steps");
    mock_end(&m);
  }
}

/* u after five steps of a stiff problem, where tau K' reaches 1000. */
static void stiff_run(bool gauss, double bound_factor, double *u, int64_t *newton) {
  Mock m;
  mock_begin(&m, 200, gauss);
  StepperParams params = params_of(&bdf2_scheme, 0.1, 0.02);
  params.bound_factor = bound_factor;
  assert_ok(mock_create(&m, &params));
  *newton = 0;
  for (StepReport step; !stepper_done(m.e);) {
    assert_ok(stepper_step(m.e, 3, &step));
    *newton += step.newton;
    assert_true(step.residual <= 1e-10);
  }
  assert_true(mock_distance(&m, 0.1) < 1e-2);
  memcpy(u, m.u, 402 * sizeof *u);
  mock_end(&m);
}
/* Where the fixed length is far too short it takes many Newton steps, where the bound is too small it is raised; the
 * answer is the same. */
static void stiff(void **state) {
  (void)state;
  double good[402], low[402];
  int64_t n_good, n_low;
  status_warnings_clear();
  stiff_run(false, 0, good, &n_good);
  assert_int_equal(status_warning_count(), 0);
  stiff_run(false, 0.5, low, &n_low);
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "bound of the spectrum was too small"));
  status_warnings_clear();
  for (int i = 0; i < 402; ++i) assert_near(low[i], good[i], 2e-9);
  assert_true(n_low > n_good);
}

/* A matrix in low precision inside costs hardly more products, and the answer is the same. */
static void low_precision(void **state) {
  (void)state;
  double u[2][64];
  int64_t products[2] = {0};
  for (int k = 0; k < 2; ++k) {
    Mock m;
    mock_begin(&m, CELLS, false);
    StepperParams params = params_of(&bdf2_scheme, 2, 0.1);
    params.inner_precision = k ? PRECISION_HALF : PRECISION_FLOAT;
    assert_ok(mock_create(&m, &params));
    for (StepReport step; !stepper_done(m.e);) {
      assert_ok(stepper_step(m.e, 9, &step));
      assert_true(step.residual <= 1e-10);
      products[k] += step.linear.products;
    }
    memcpy(u[k], m.u, (size_t)m.n * sizeof *m.u);
    mock_end(&m);
  }
  for (int i = 0; i < 2 * (CELLS + 1); ++i) assert_near(u[1][i], u[0][i], 1e-9);
  assert_true(10 * products[1] <= 13 * products[0]);
}

/* What must not be asked for. */
static void wrong_input(void **state) {
  (void)state;
  Mock m;
  mock_begin(&m, CELLS, false);
  StepperParams good = params_of(&bdf2_scheme, 10, 0.1), bad = good;
  bad.control.step = 0.5; /* max_slope is 2 */
  assert_fails(mock_create(&m, &bad), ERR_INPUT, "must be shorter than 0.5");
  bad = good;
  bad.reference = 0;
  assert_fails(mock_create(&m, &bad), ERR_INPUT, "reference");
  bad = good;
  bad.rtol = 2;
  assert_fails(mock_create(&m, &bad), ERR_INPUT, "rtol");
  EvolutionPulse pulse = {.start = 1, .duration = 0, .count = 1};
  bad = good;
  bad.n_pulse = 1;
  bad.pulse = &pulse;
  assert_fails(mock_create(&m, &bad), ERR_INPUT, "duration");
  pulse = (EvolutionPulse){.start = 1, .duration = 2, .count = 3, .period = 1};
  assert_fails(mock_create(&m, &bad), ERR_INPUT, "period");
  bad = good;
  bad.control.adaptive = true;
  bad.control.tolerance = 1e-3;
  bad.control.max = 3;
  status_warnings_clear();
  assert_ok(mock_create(&m, &bad));
  assert_int_equal(status_warning_count(), 1);
  assert_true(stepper_control(m.e)->params.max < 0.5);
  char *blob = malloc((size_t)stepper_state_bytes(m.e));
  assert_ok(stepper_save(m.e, blob));
  mock_release(&m);
  good.scheme = &backward_euler_scheme;
  assert_ok(mock_create(&m, &good));
  assert_fails(stepper_restore(m.e, m.u, blob), ERR_RESTART, "another time scheme");
  free(blob);
  mock_end(&m);
  assert_true(isinf(stepper_bound(0)) && stepper_bound(0.25) == 4);
}

static void allocations(void **state) {
  (void)state;
  static const EvolutionPulse pulse = {.start = 0.5, .duration = 0.1, .count = 1};
  for (int gauss = 0; gauss < 2; ++gauss) {
    Mock m;
    mock_begin(&m, CELLS, gauss);
    StepperParams params = bits_params(2, true);
    params.n_pulse = 1;
    params.pulse = &pulse;
    StepReport step;
    assert_ok(mock_create(&m, &params)); /* once without, for what Exec and solver keep */
    assert_ok(stepper_step(m.e, 1, &step));
    mock_release(&m);
    const size_t host = mem_in_use(), device = m.exec->in_use;
    Status status = ERR_MEMORY;
    int nth = 1;
    for (; status != OK; ++nth) {
      mem_fail_nth(nth);
      status = mock_create(&m, &params);
      if (status == OK) status = stepper_step(m.e, 1, &step);
      mem_fail_nth(0);
      if (status != OK) assert_out_of_memory(status);
      mock_release(&m);
      assert_true(mem_in_use() <= host); /* the solver's recorded loop may be gone */
      assert_int_equal(m.exec->in_use, device);
    }
    assert_int_equal(mem_in_use(), host);
    assert_true(nth > 15);
    mock_end(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders),        cmocka_unit_test(newton_counts), cmocka_unit_test(tolerances),
      cmocka_unit_test(pulses),        cmocka_unit_test(same_bits),     cmocka_unit_test(threads),
      cmocka_unit_test(many_steps),    cmocka_unit_test(no_allocation), cmocka_unit_test(failures),
      cmocka_unit_test(low_precision), cmocka_unit_test(wrong_input),   cmocka_unit_test(stiff),
      cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
