/* Load steps of a static nonlinear problem: the end does not depend on them, a step without a solution is cut and grows
 * again, what fails leaves the last solution. The chain of tests/solver/chain.h. */
#include "core/memory.h"
#include "solver/time/stepper.h"
#include "tests/solver/chain.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Run {
  Chain c;
  Problem problem;
  StepperParams params;
  LinearSolver *solver;
  Stepper *t;
  double *u; /* on the Exec */
  int commits;
  double host[CHAIN];
} Run;

static Status chain_force(void *run, const Stage *stage, const double *u, double *r, double *slope) {
  (void)slope;
  return chain_residual(&((Run *)run)->c, stage->target, u, r);
}
static Status chain_matrix(void *run, const Stage *stage, const double *u, Mat *a) {
  (void)stage, (void)a;
  return chain_tangent(&((Run *)run)->c, u);
}
static Status chain_pull(void *run, double time, double *u) {
  const double value = time * ((Run *)run)->c.end;
  return exec_upload(exec, u, &value, sizeof value);
}
static Status chain_commit(void *run, const Stage *stage, const double *u, const double *before) {
  assert_true(stage->target > stage->time);
  assert_ptr_not_equal(u, before);
  ((Run *)run)->commits += 1;
  return OK;
}

static void begin(Run *r, ChainLaw law, double s, double size) {
  memset(r, 0, sizeof *r);
  LinearParams with = linear_params_default();
  with.preconditioner = "jacobi";
  chain_begin(exec, law, s, 1, size, &r->c);
  assert_ok(linear_create(exec, &with, r->c.a, &r->solver));
  r->problem =
      (Problem){.context = r, .n = CHAIN, .force = chain_force, .tangent = chain_matrix, .commit = chain_commit};
  r->params = (StepperParams){.control = {.end = 1, .step = 1}, .rtol = 1e-11};
}
static Status create(Run *r) {
  TRY(stepper_create(exec, &r->problem, &r->params, r->c.a, r->solver, &r->t));
  r->u = chain_vector(exec, NULL);
  return stepper_start(r->t, r->u);
}
static void release(Run *r) {
  if (r->u) assert_ok(exec_download(exec, r->host, r->u, sizeof r->host));
  EXEC_RELEASE(exec, r->u, CHAIN);
  stepper_destroy(&r->t);
}
static void finish(Run *r) {
  release(r);
  linear_destroy(&r->solver);
  chain_end(&r->c);
}

static void load_steps_end_at_one_solution(void **state) {
  (void)state;
  for (int n = 1; n <= 5; n += 4) {
    Run r;
    StepReport step;
    begin(&r, CHAIN_CUBIC, 1, 2);
    r.params.control.step = 1.0 / n;
    assert_ok(create(&r));
    int steps = 0;
    for (; !stepper_done(r.t); ++steps) {
      assert_ok(stepper_step(r.t, 1, &step));
      assert_true(step.steps == 1 && step.failed == 0 && step.newton > 0 && step.linear.iterations > 0);
      assert_near(step.time, (steps + 1.0) / n, 1e-14);
    }
    assert_int_equal(steps, n);
    assert_int_equal(r.commits, n);
    assert_true(step.time == 1);
    finish(&r);
    assert_true(chain_error(&r.c, r.host) < 1e-9);
  }
}

/* Prescribed values move with the load: u_0 ends where it is pulled to, the rest balances. */
static void prescribed_values_move(void **state) {
  (void)state;
  double first[CHAIN];
  for (int n = 1; n <= 4; n += 3) {
    Run r;
    begin(&r, CHAIN_CUBIC, 1, 1);
    r.c.pulled = true;
    r.c.end = 1.5;
    r.problem.constrain = chain_pull;
    r.params.control.step = 1.0 / n;
    assert_ok(create(&r));
    for (StepReport step; !stepper_done(r.t);) {
      double now;
      assert_ok(stepper_step(r.t, 1, &step));
      assert_ok(exec_download(exec, &now, r.u, sizeof now));
      assert_near(now, 1.5 * step.time, 1e-14);
    }
    finish(&r);
    assert_true(fabs(r.host[0] - 1.5) < 1e-14 && fabs(r.host[1] - r.c.exact[1]) > 1e-2);
    if (n == 1) memcpy(first, r.host, sizeof first);
    else
      for (int i = 0; i < CHAIN; ++i) assert_within(r.host[i], first[i], 1e-8);
  }
}

/* Newton's first step from rest goes through the barrier: the load step is cut until it does not. */
static void a_step_without_solution_is_cut(void **state) {
  (void)state;
  for (int says = 0; says < 2; ++says) {
    Run r;
    begin(&r, CHAIN_BARRIER, 0.1, 0.98);
    r.c.says = says;
    r.params.rtol = 1e-6;
    r.params.control.adaptive = true;
    assert_ok(create(&r));
    int failed = 0;
    for (StepReport step; !stepper_done(r.t);) {
      assert_ok(stepper_step(r.t, 1, &step));
      failed += step.failed;
    }
    assert_true(failed > 0 && stepper_control(r.t)->n_failed == failed);
    finish(&r);
    assert_true(chain_error(&r.c, r.host) < 1e-5);
  }
}

/* Two trials without a residual, and then nothing is wrong: steps are short and grow again. */
static void steps_grow_again(void **state) {
  (void)state;
  Run r;
  begin(&r, CHAIN_ARCTAN, 1, 0.5);
  r.c.spoilt = 0.1;
  r.c.mended = 2;
  r.params.control.adaptive = true;
  assert_ok(create(&r));
  double first = 0, last = 0;
  int steps = 0;
  for (StepReport step; !stepper_done(r.t); ++steps) {
    assert_ok(stepper_step(r.t, 1, &step));
    assert_int_equal(step.failed, steps ? 0 : 2);
    if (steps == 0) first = step.dt;
    last = step.dt;
  }
  assert_near(first, 0.0625, 1e-15);
  if (!(last > 2 * first && steps < 10)) fail_msg("%d steps of %g to %g", steps, first, last);
  finish(&r);
  assert_true(chain_error(&r.c, r.host) < 1e-9);
}

/* Through the barrier in one step, by a line search. */
static void line_search_needs_no_cut(void **state) {
  (void)state;
  Run r;
  StepReport step;
  begin(&r, CHAIN_BARRIER, 0.1, 0.98);
  r.params.line_search = true;
  assert_ok(create(&r));
  assert_ok(stepper_step(r.t, 1, &step));
  assert_true(stepper_done(r.t) && step.failed == 0 && step.cuts > 0);
  finish(&r);
  assert_true(chain_error(&r.c, r.host) < 1e-9);
}

/* Fixed steps, and adaptive ones that may not become short enough: the reason, and u of the last accepted step. */
static void failures_leave_the_last_solution(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k) {
    Run r;
    StepReport step = {0};
    double before[CHAIN], after[CHAIN];
    Status status = OK;
    begin(&r, CHAIN_BARRIER, 0.1, 0.98);
    r.c.spoilt = 0.7;
    r.params.control.step = k ? 0.05 : 1;
    r.params.control.adaptive = k == 2;
    r.params.control.min = k == 2 ? 0.05 : 0;
    assert_ok(create(&r));
    while (status == OK) {
      assert_false(stepper_done(r.t));
      assert_ok(exec_download(exec, before, r.u, sizeof before));
      status = stepper_step(r.t, 1, &step);
    }
    assert_int_equal(status, ERR_NUMERIC);
    assert_non_null(strstr(status_message(), "the residual is not a number after "));
    assert_int_equal(strstr(status_message(), "gave no solution") != NULL, k > 0);
    assert_ok(exec_download(exec, after, r.u, sizeof after));
    assert_memory_equal(after, before, sizeof after);
    assert_true(step.time < 1);
    finish(&r);
  }
}

/* A step that changes next to nothing asks for less than rounding leaves, by the relative tolerance: the absolute one,
 * against the largest residual so far, ends it. */
static void nothing_changes(void **state) {
  (void)state;
  static const StepEvent event[] = {{1, false}};
  for (int with = 0; with < 2; ++with) {
    Run r;
    StepReport step;
    begin(&r, CHAIN_CUBIC, 1, 2);
    r.params.control = (StepControlParams){.end = 1 + 1e-8, .step = 2, .n_event = 1, .event = event};
    r.params.atol = with ? 0 : 1e-100;
    assert_ok(create(&r));
    assert_ok(stepper_step(r.t, 1, &step));
    assert_true(step.time == 1 && !stepper_done(r.t));
    if (with) assert_ok(stepper_step(r.t, 1, &step));
    else assert_fails(stepper_step(r.t, 1, &step), ERR_NUMERIC, "Newton's method did not converge");
    finish(&r);
    assert_true(chain_error(&r.c, r.host) < 1e-7);
  }
}

static void same_bits(void **state) {
  (void)state;
  double first[CHAIN];
  for (int turn = 0; turn < 2; ++turn) {
    Run r;
    bool saved = !turn;
    begin(&r, CHAIN_BARRIER, 0.1, 0.98);
    r.params.control.adaptive = true;
    assert_ok(create(&r));
    for (StepReport step; !stepper_done(r.t);) {
      assert_ok(stepper_step(r.t, 1, &step));
      if (saved) continue;
      char *blob = malloc((size_t)stepper_state_bytes(r.t));
      assert_ok(stepper_save(r.t, blob));
      release(&r);
      assert_ok(create(&r));
      assert_ok(stepper_restore(r.t, r.u, blob));
      blob[0] = 'x';
      assert_fails(stepper_restore(r.t, r.u, blob), ERR_RESTART, "not a state of a run in steps");
      blob[0] = 's';
      assert_ok(stepper_restore(r.t, r.u, blob));
      free(blob);
      saved = true;
    }
    finish(&r);
    if (turn) assert_memory_equal(r.host, first, sizeof first);
    else memcpy(first, r.host, sizeof first);
  }
}

static void a_linear_problem_in_one_call(void **state) {
  (void)state;
  Run r;
  StepReport report;
  begin(&r, CHAIN_CUBIC, 1, 1);
  for (int i = 0; i < CHAIN; ++i) r.c.f[i] -= r.c.exact[i] * r.c.exact[i] * r.c.exact[i]; /* of the linear part */
  r.c.c = 0;
  r.problem.linear = true;
  r.problem.commit = NULL;
  r.u = chain_vector(exec, NULL);
  assert_ok(stepper_solve(exec, &r.problem, 1e-8, r.c.a, r.solver, r.u, &report));
  assert_true(report.newton == 1 && report.time == 1 && report.residual < 1e-6);
  finish(&r);
  assert_true(chain_error(&r.c, r.host) < 1e-6);
}

static void allocations(void **state) {
  (void)state;
  Run r;
  StepReport step;
  begin(&r, CHAIN_CUBIC, 1, 2);
  r.params.control.step = 0.25;
  r.params.line_search = true;
  assert_ok(create(&r)); /* once without, for what the solver keeps */
  assert_ok(stepper_step(r.t, 1, &step));
  mem_fail_nth(0);
  int64_t newton = 0;
  for (; !stepper_done(r.t); newton += step.newton) assert_ok(stepper_step(r.t, 1, &step));
  assert_int_equal(mem_count(), newton); /* the chain's own, one a tangent */
  release(&r);
  const size_t device = exec->in_use;
  testing_fail_each_of(stepper_create(exec, &r.problem, &r.params, r.c.a, r.solver, &r.t), {
    stepper_destroy(&r.t);
    assert_int_equal(exec->in_use, device);
  });
  finish(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(load_steps_end_at_one_solution),
                                     cmocka_unit_test(prescribed_values_move),
                                     cmocka_unit_test(a_step_without_solution_is_cut),
                                     cmocka_unit_test(steps_grow_again),
                                     cmocka_unit_test(line_search_needs_no_cut),
                                     cmocka_unit_test(failures_leave_the_last_solution),
                                     cmocka_unit_test(nothing_changes),
                                     cmocka_unit_test(same_bits),
                                     cmocka_unit_test(a_linear_problem_in_one_call),
                                     cmocka_unit_test(allocations)};
  return testing_run("solver/stepper_static", tests, exec);
}
