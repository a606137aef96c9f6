/* Newton's method: a linear problem is one step, a nonlinear one converges quadratically.
 * Nonlinear problem: a chain of n unknowns, R_i = f_i - (A u)_i - u_i^3 with A = tridiag(-1, 2.5, -1); the tangent
 * A + 3 diag(u^2) is symmetric positive definite. f is made from a known solution. */
#include "solver/time/newton.h"
#include "core/memory.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

enum { N = 97 };

typedef struct Chain {
  Problem p;
  Mat *a;
  double f[N], exact[N];
  double residuals[32]; /* |r| of each call */
  double cubic;
  int calls;
} Chain;

/* On the host: the solver under test is Newton's driver, not the physics. */
static Status chain_residual(void *context, const double *u, double *r) {
  Chain *c = context;
  double hu[N], hr[N], norm = 0;
  TRY(exec_download(exec, hu, u, sizeof hu));
  for (int i = 0; i < N; ++i) {
    hr[i] = c->f[i] - 2.5 * hu[i] - c->cubic * hu[i] * hu[i] * hu[i];
    if (i) hr[i] += hu[i - 1];
    if (i + 1 < N) hr[i] += hu[i + 1];
    norm += hr[i] * hr[i];
  }
  if (c->calls < 32) c->residuals[c->calls++] = sqrt(norm);
  return exec_upload(exec, r, hr, sizeof hr);
}

static Status chain_tangent(void *context, const double *u, double *values) {
  Chain *c = context;
  double hu[N];
  TRY(exec_download(exec, hu, u, sizeof hu));
  for (int i = 0; i < N; ++i) {
    *problem_entry(&c->p, i, i, 0, 0) = 2.5 + 3 * c->cubic * hu[i] * hu[i];
    if (i + 1 < N) *problem_entry(&c->p, i, i + 1, 0, 0) = *problem_entry(&c->p, i + 1, i, 0, 0) = -1;
  }
  assert_ptr_equal(values, mat_values(c->a));
  problem_fill(&c->p, c->a);
  return OK;
}

static void begin(Chain *c, double cubic, double size) {
  memset(c, 0, sizeof *c);
  problem_grid(N, 1, 1, 1, 1, &c->p);
  c->cubic = cubic;
  for (int i = 0; i < N; ++i) c->exact[i] = size * problem_number(i);
  c->a = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = "csr"}, c->p.pattern, &c->a));
  double *u = problem_vector(exec, N, c->exact), *r = problem_vector(exec, N, NULL), hr[N];
  assert_ok(chain_residual(c, u, r));
  assert_ok(exec_download(exec, hr, r, sizeof hr));
  for (int i = 0; i < N; ++i) c->f[i] = -hr[i];
  EXEC_RELEASE(exec, u, N);
  EXEC_RELEASE(exec, r, N);
  c->calls = 0;
}

static void end(Chain *c) {
  mat_destroy(&c->a);
  problem_release(&c->p);
}

static Status run(Chain *c, const NewtonParams *params, bool linear, double rtol, double *host, NewtonReport *report) {
  const NewtonProblem problem = {c, N, linear, chain_residual, chain_tangent, NULL};
  LinearParams with = linear_params_default();
  with.rtol = rtol;
  LinearSolver *solver = NULL;
  double *u = problem_vector(exec, N, NULL);
  assert_ok(exec_zero(exec, u, N * sizeof *u));
  assert_ok(linear_create(exec, &with, c->a, &solver));
  const Status status = newton_solve(exec, &problem, params, c->a, solver, u, report);
  assert_ok(exec_download(exec, host, u, N * sizeof *u));
  linear_destroy(&solver);
  EXEC_RELEASE(exec, u, N);
  return status;
}

static double worst(const Chain *c, const double *u) {
  double error = 0;
  for (int i = 0; i < N; ++i) error = fmax(error, fabs(u[i] - c->exact[i]));
  return error;
}

static void a_linear_problem_is_one_step(void **state) {
  (void)state;
  Chain c;
  begin(&c, 0, 1);
  double u[N];
  NewtonReport report;
  assert_ok(run(&c, &(NewtonParams){.rtol = 1e-8}, true, 1e-10, u, &report));
  assert_int_equal(report.steps, 1);
  assert_int_equal(c.calls, 2);
  assert_true(report.residual <= 1.1e-10 * report.first_residual);
  assert_true(worst(&c, u) < 1e-8);
  assert_int_equal(report.linear.reason, LINEAR_CONVERGED);
  end(&c);
}

static void convergence_is_quadratic(void **state) {
  (void)state;
  Chain c;
  begin(&c, 1, 2);
  double u[N];
  NewtonReport report;
  assert_ok(run(&c, &(NewtonParams){.rtol = 1e-13}, false, 1e-13, u, &report));
  assert_true(worst(&c, u) < 1e-11);
  assert_in_range(report.steps, 4, 12);
  assert_int_equal(c.calls, report.steps + 1);
  /* |r_(k+1)| <= C |r_k|^2: the order between the last residuals above rounding is 2 */
  int k = 0;
  while (k + 2 < c.calls && c.residuals[k + 2] > 1e-11) ++k;
  assert_true(k >= 2);
  const double order = log(c.residuals[k + 1] / c.residuals[k]) / log(c.residuals[k] / c.residuals[k - 1]);
  if (!(order > 1.7 && order < 2.4)) fail_msg("order %g", order);
  assert_true(report.linear.iterations > report.steps);
  end(&c);
}

static void failures_are_said(void **state) {
  (void)state;
  Chain c;
  double u[N];
  NewtonReport report;
  begin(&c, 1, 2);
  assert_fails(run(&c, &(NewtonParams){.rtol = 1e-13, .max_steps = 2}, false, 1e-12, u, &report), ERR_NUMERIC,
               "Newton's method did not converge in 2 steps");
  assert_int_equal(report.steps, 2);
  c.f[5] = NAN;
  assert_fails(run(&c, &(NewtonParams){.rtol = 1e-13}, false, 1e-12, u, &report), ERR_NUMERIC,
               "residual is not a number after 0 Newton steps");
  end(&c);
  /* a tangent that is not positive definite, in the second step */
  begin(&c, -1, 1);
  assert_fails(run(&c, &(NewtonParams){.rtol = 1e-13}, false, 1e-12, u, &report), ERR_NUMERIC, "in Newton step ");
  assert_int_equal(report.linear.reason, LINEAR_INDEFINITE);
  end(&c);
}

static void nothing_to_do(void **state) {
  (void)state;
  Chain c;
  begin(&c, 1, 0);
  double u[N];
  NewtonReport report;
  for (int linear = 0; linear < 2; ++linear) {
    assert_ok(run(&c, &(NewtonParams){.rtol = 1e-8}, linear, 1e-8, u, &report));
    assert_int_equal(report.steps, 0);
    assert_true(worst(&c, u) == 0);
  }
  end(&c);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Chain c;
  begin(&c, 1, 1);
  LinearParams with = linear_params_default();
  LinearSolver *solver = NULL;
  assert_ok(linear_create(exec, &with, c.a, &solver));
  for (int64_t nth = 1;; ++nth) {
    const NewtonProblem problem = {&c, N, false, chain_residual, chain_tangent, NULL};
    double *u = problem_vector(exec, N, c.exact);
    /* from the solution itself, so that no step is taken: what is counted is the driver's own memory */
    const size_t before = mem_in_use(), on_exec = exec->in_use;
    NewtonReport report;
    mem_fail_nth(nth);
    const Status status = newton_solve(exec, &problem, &(NewtonParams){.rtol = 1, .atol = 1}, c.a, solver, u, &report);
    const int64_t count = mem_count();
    mem_fail_nth(0);
    assert_int_equal(mem_in_use(), before);
    assert_int_equal(exec->in_use, on_exec);
    EXEC_RELEASE(exec, u, N);
    if (count < nth) {
      assert_int_equal(status, OK);
      break;
    }
    assert_out_of_memory(status);
  }
  linear_destroy(&solver);
  end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_linear_problem_is_one_step),
      cmocka_unit_test(convergence_is_quadratic),
      cmocka_unit_test(failures_are_said),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/newton", tests, exec);
}
