/* Newton's method: quadratic, no linear solve more exact than it can use, from far away by a line search; what fails
 * is a reason. The chain of tests/solver/chain.h. */
#include "solver/time/newton.h"
#include "core/memory.h"
#include "tests/solver/chain.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static Status chain_force(void *chain, const Stage *stage, const double *u, double *r, double *slope) {
  assert_null(slope);
  return chain_residual(chain, stage->target, u, r);
}
static Status chain_matrix(void *chain, const Stage *stage, const double *u, Mat *a) {
  Chain *c = chain;
  assert_true(stage->theta == 1 && stage->mass == 0 && a == c->a);
  return chain_tangent(c, u);
}

typedef struct Run {
  Chain c;
  NewtonParams params;
  double rtol, atol, linear_rtol, load;
  bool linear;
  double u[CHAIN]; /* in: first guess; out */
  NewtonReport report;
  char text[NEWTON_TEXT];
} Run;

static void begin(Run *r, ChainLaw law, double s, double c, double size) {
  memset(r, 0, sizeof *r);
  r->rtol = 1e-12;
  r->linear_rtol = 1e-12;
  r->load = 1;
  chain_begin(exec, law, s, c, size, &r->c);
}

static Problem problem_of(Run *r) {
  return (Problem){.context = &r->c, .n = CHAIN, .linear = r->linear, .force = chain_force, .tangent = chain_matrix};
}

static Status solve(Run *r) {
  const Problem problem = problem_of(r);
  LinearParams with = linear_params_default();
  LinearSolver *solver = NULL;
  Newton *newton = NULL;
  double *u = chain_vector(exec, r->u);
  with.rtol = r->linear_rtol;
  assert_ok(linear_create(exec, &with, r->c.a, &solver));
  assert_ok(newton_create(exec, &problem, &r->params, r->c.a, solver, &newton));
  const NewtonStep step = {.stage = {.target = r->load, .theta = 1}, .rtol = r->rtol, .atol = r->atol};
  r->c.calls = 0;
  const Status status = newton_solve(newton, &step, u, &r->report);
  if (status == OK) newton_failure(newton, &r->report, 1, r->text);
  assert_ok(exec_download(exec, r->u, u, sizeof r->u));
  newton_destroy(&newton);
  linear_destroy(&solver);
  EXEC_RELEASE(exec, u, CHAIN);
  return status;
}

static void a_linear_problem_is_one_step(void **state) {
  (void)state;
  Run r;
  begin(&r, CHAIN_CUBIC, 1, 0, 1);
  r.linear = true;
  r.linear_rtol = 1e-10;
  assert_ok(solve(&r));
  assert_int_equal(r.report.reason, NEWTON_CONVERGED);
  assert_int_equal(r.report.steps, 1);
  assert_int_equal(r.c.calls, 2);
  assert_true(r.report.residual <= 1.1e-10 * r.report.first);
  assert_true(chain_error(&r.c, r.u) < 1e-8);
  assert_int_equal(r.report.linear.reason, LINEAR_CONVERGED);
  chain_end(&r.c);
}

static void convergence_is_quadratic(void **state) {
  (void)state;
  for (int search = 0; search < 2; ++search) {
    Run r;
    begin(&r, CHAIN_CUBIC, 1, 1, 2);
    r.rtol = r.linear_rtol = 1e-13;
    r.params.line_search = search; /* which has nothing to do near the solution */
    assert_ok(solve(&r));
    assert_int_equal(r.report.reason, NEWTON_CONVERGED);
    assert_true(chain_error(&r.c, r.u) < 1e-11);
    assert_in_range(r.report.steps, 4, 12);
    assert_int_equal(r.c.calls, r.report.steps + 1 + r.report.cuts);
    assert_true(search || r.report.cuts == 0);
    /* |r_(k+1)| <= C |r_k|^2: the order between the last residuals above rounding is 2 */
    const double *q = r.c.residuals;
    int k = 0;
    while (k + 2 < r.c.calls && q[k + 2] > 1e-11) ++k;
    assert_true(k >= 2);
    const double order = log(q[k + 1] / q[k]) / log(q[k] / q[k - 1]);
    if (!(order > 1.7 && order < 2.4)) fail_msg("order %g", order);
    assert_true(r.report.linear.iterations > r.report.steps);
    chain_end(&r.c);
  }
}

/* The same answer from a good deal fewer iterations of the linear solver, and hardly more Newton steps. */
static void forcing_terms_save_iterations(void **state) {
  (void)state;
  int64_t iterations[2];
  int32_t steps[2];
  for (int forcing = 0; forcing < 2; ++forcing) {
    Run r;
    begin(&r, CHAIN_CUBIC, 1, 1, 2);
    r.rtol = 1e-10;
    r.linear_rtol = 1e-10;
    r.params.forcing = forcing;
    assert_ok(solve(&r));
    assert_int_equal(r.report.reason, NEWTON_CONVERGED);
    assert_true(r.report.residual <= 1e-10 * r.report.first && chain_error(&r.c, r.u) < 1e-7);
    iterations[forcing] = r.report.linear.iterations;
    steps[forcing] = r.report.steps;
    chain_end(&r.c);
  }
  if (!(10 * iterations[1] < 7 * iterations[0] && steps[1] <= steps[0] + 2))
    fail_msg("%d iterations in %d steps with forcing terms, %d in %d without", (int)iterations[1], (int)steps[1],
             (int)iterations[0], (int)steps[0]);
}

/* From far away Newton's steps for an arctan overshoot further and further. */
static void line_search_saves_a_run(void **state) {
  (void)state;
  for (int search = 0; search < 2; ++search)
    for (int forcing = 0; forcing < 2; ++forcing) {
      Run r;
      begin(&r, CHAIN_ARCTAN, 1e-3, 1, 0.5);
      r.params = (NewtonParams){.line_search = search, .forcing = forcing};
      for (int i = 0; i < CHAIN; ++i) r.u[i] = 5;
      assert_ok(solve(&r));
      if (search) {
        assert_int_equal(r.report.reason, NEWTON_CONVERGED);
        assert_true(r.report.cuts > 0 && r.report.steps <= 15 && chain_error(&r.c, r.u) < 1e-9);
      } else {
        assert_true(r.report.reason == NEWTON_STUCK || r.report.reason == NEWTON_DIVERGED);
        assert_non_null(strstr(r.text, "Newton's method "));
      }
      chain_end(&r.c);
    }
}

/* A residual that there is none of beyond a barrier: a reason, or a shorter step; where the problem says why, so
 * does the message. */
static void no_residual(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    Run r;
    begin(&r, CHAIN_BARRIER, 0.1, 1, 0.98);
    r.params.line_search = k / 2;
    r.c.says = k % 2;
    assert_ok(solve(&r));
    if (k / 2) {
      assert_int_equal(r.report.reason, NEWTON_CONVERGED);
      assert_true(r.report.cuts > 0 && chain_error(&r.c, r.u) < 1e-9);
    } else {
      assert_int_equal(r.report.reason, NEWTON_NAN);
      assert_non_null(strstr(r.text, "the residual is not a number after 1 Newton steps"));
      assert_int_equal(strstr(r.text, "has gone through the barrier") != NULL, r.c.says);
      assert_string_equal(status_message(), "");
    }
    chain_end(&r.c);
  }
}

static void tolerances(void **state) {
  (void)state;
  Run r;
  begin(&r, CHAIN_CUBIC, 1, 1, 2);
  r.rtol = 1e-3;
  assert_ok(solve(&r));
  assert_true(r.report.goal == 1e-3 * r.report.first && r.report.residual <= r.report.goal);
  /* from there the relative tolerance asks for less than rounding leaves, the absolute one does not */
  r.rtol = 1e-12;
  assert_ok(solve(&r));
  assert_ok(solve(&r));
  assert_int_not_equal(r.report.reason, NEWTON_CONVERGED);
  r.atol = 1e-10;
  assert_ok(solve(&r));
  assert_int_equal(r.report.reason, NEWTON_CONVERGED);
  assert_true(r.report.goal == 1e-10);
  chain_end(&r.c);
}

static void failures_are_said(void **state) {
  (void)state;
  Run r;
  begin(&r, CHAIN_CUBIC, 1, 1, 2);
  r.params.max_steps = 2;
  assert_ok(solve(&r));
  assert_int_equal(r.report.reason, NEWTON_STUCK);
  assert_int_equal(r.report.steps, 2);
  assert_non_null(strstr(r.text, "Newton's method did not converge in 2 steps: residual "));
  r.c.f[5] = NAN;
  assert_ok(solve(&r));
  assert_int_equal(r.report.reason, NEWTON_NAN);
  assert_non_null(strstr(r.text, "residual is not a number after 0 Newton steps"));
  chain_end(&r.c);
  /* a tangent that is not positive definite, in the second step; a linear problem gives the solver's own message */
  begin(&r, CHAIN_CUBIC, 1, -1, 1);
  assert_ok(solve(&r));
  assert_int_equal(r.report.reason, NEWTON_UNSOLVABLE);
  assert_int_equal(r.report.linear.reason, LINEAR_INDEFINITE);
  assert_non_null(strstr(r.text, "in Newton step 2: "));
  chain_end(&r.c);
  begin(&r, CHAIN_CUBIC, -1, 0, 1);
  r.linear = true;
  assert_int_equal(solve(&r), ERR_NUMERIC);
  assert_int_equal(r.report.linear.reason, LINEAR_INDEFINITE);
  chain_end(&r.c);
}

static void nothing_to_do(void **state) {
  (void)state;
  for (int linear = 0; linear < 2; ++linear) {
    Run r;
    begin(&r, CHAIN_CUBIC, 1, !linear, 0);
    r.linear = linear;
    assert_ok(solve(&r));
    assert_int_equal(r.report.reason, NEWTON_CONVERGED);
    assert_int_equal(r.report.steps, 0);
    assert_true(chain_error(&r.c, r.u) == 0);
    chain_end(&r.c);
  }
}

/* Residuals whose squares vanish or overflow. */
static void any_load(void **state) {
  (void)state;
  static const int exponents[] = {0, -540, 540, -900, 900};
  for (int linear = 0; linear < 2; ++linear)
    for (int k = 0; k < 5; ++k) {
      Run r;
      begin(&r, CHAIN_ARCTAN, 1, 0, 1);
      r.linear = linear;
      r.rtol = r.linear_rtol = 1e-9;
      r.load = ldexp(1, exponents[k]);
      assert_ok(solve(&r));
      assert_int_equal(r.report.reason, NEWTON_CONVERGED);
      for (int i = 0; i < CHAIN; ++i) assert_within(ldexp(r.u[i], -exponents[k]), r.c.exact[i], 1e-7);
      chain_end(&r.c);
    }
}

/* All memory is taken by newton_create. */
static void every_allocation_failed_once(void **state) {
  (void)state;
  Run r;
  begin(&r, CHAIN_CUBIC, 1, 1, 1);
  LinearParams with = linear_params_default();
  with.preconditioner = "jacobi";
  const Problem problem = problem_of(&r);
  LinearSolver *solver = NULL;
  NewtonReport report;
  const NewtonStep step = {.stage = {.target = 1, .theta = 1}, .rtol = 1e-6};
  double *u = chain_vector(exec, NULL);
  assert_ok(linear_create(exec, &with, r.c.a, &solver));
  const size_t before = mem_in_use(), on_exec = exec->in_use;
  for (int64_t nth = 1;; ++nth) {
    Newton *newton = NULL;
    mem_fail_nth(nth);
    const Status status = newton_create(exec, &problem, &(NewtonParams){.line_search = true}, r.c.a, solver, &newton);
    const int64_t count = mem_count();
    mem_fail_nth(0);
    if (count < nth) {
      assert_int_equal(status, OK);
      assert_ok(newton_solve(newton, &step, u, &report)); /* the solver's first */
      assert_ok(exec_zero(exec, u, CHAIN * sizeof *u));
      mem_fail_nth(0);
      assert_ok(newton_solve(newton, &step, u, &report));
      assert_true(report.steps > 2);
      assert_int_equal(mem_count(), report.steps); /* the chain's own, one a tangent */
      newton_destroy(&newton);
      break;
    }
    assert_out_of_memory(status);
    assert_int_equal(mem_in_use(), before);
    assert_int_equal(exec->in_use, on_exec);
  }
  linear_destroy(&solver);
  EXEC_RELEASE(exec, u, CHAIN);
  chain_end(&r.c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_problem_is_one_step),
      cmocka_unit_test(convergence_is_quadratic),
      cmocka_unit_test(forcing_terms_save_iterations),
      cmocka_unit_test(line_search_saves_a_run),
      cmocka_unit_test(no_residual),
      cmocka_unit_test(tolerances),
      cmocka_unit_test(failures_are_said),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(any_load),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/newton", tests, exec);
}
