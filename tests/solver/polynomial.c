/* The polynomial preconditioners against closed forms: what B does to eigenvectors of pairs [1 c; c 1], whose
 * eigenvalues 1 + c and 1 - c are known, is 1 - R there. Degree 1 is a constant; all others are symmetric and
 * positive. */
#include "tests/solver/polynomial_oracle.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;
enum { PAIRS = 40, POINTS = 2 * PAIRS };

/* R of a polynomial at POINTS places t[] in (0, 1]: all of the spectrum over the bound 2. */
static void residual_polynomial(const char *name, int32_t degree, const double *value, double t[POINTS],
                                double r[POINTS]) {
  Problem p;
  pairs_create(PAIRS, &p);
  Mat *a = problem_mat(exec, &p, "csr");
  Applied m;
  applied_create(exec, a, &(PrecondParams){.name = name, .degree = degree, .value = value}, &m);
  assert_near(m.m->bound, 2, 1e-14);
  double in[POINTS], out[POINTS];
  for (int sign = -1; sign < 2; sign += 2) {
    for (int i = 0; i < PAIRS; ++i) in[2 * i] = 1, in[2 * i + 1] = sign;
    applied_apply(&m, in, out);
    for (int i = 0; i < PAIRS; ++i) {
      const double at = (1 + sign * pairs_coupling(PAIRS, i)) / 2;
      t[2 * i + (sign > 0)] = at;
      r[2 * i + (sign > 0)] = 1 - at * out[2 * i];
      assert_near(out[2 * i + 1], sign * out[2 * i], 1e-11);
      assert_true(out[2 * i] > 0);
    }
  }
  applied_destroy(&m);
  mat_destroy(&a);
  problem_release(&p);
}

static const int32_t degrees[] = {2, 3, 4, 5, 6, 7, 8, 11, 16, 25, 32};
enum { N_DEGREES = sizeof degrees / sizeof *degrees };

static void neumann_is_a_power(void **state) {
  (void)state;
  const double omegas[] = {1, 0.5, 1.9};
  for (int w = 0; w < 3; ++w)
    for (int d = 0; d < N_DEGREES; ++d) {
      const double value[] = {omegas[w], 2};
      double t[POINTS], r[POINTS];
      residual_polynomial("neumann", degrees[d], value, t, r);
      for (int i = 0; i < POINTS; ++i) assert_near(r[i], pow(1 - omegas[w] * t[i], degrees[d]), 1e-10);
    }
}

/* T_d outside of [-1, 1] too. */
static double chebyshev(int32_t d, double x) { return fabs(x) <= 1 ? cos(d * acos(x)) : cosh(d * acosh(x)); }

static void chebyshev_is_the_first_kind(void **state) {
  (void)state;
  const double lowers[] = {0.001, 0.03, 0.4, 0}, good[][2] = {{4, 30}, {8, 100}, {16, 300}};
  for (int l = 0; l < 4; ++l)
    for (int d = 0; d < N_DEGREES; ++d) {
      const double value[] = {lowers[l], 0, 2};
      double t[POINTS], r[POINTS], a = lowers[l];
      for (int k = 0; k < 3; ++k)
        if (a == 0 && degrees[d] == (int32_t)good[k][0]) a = 1 / good[k][1];
      residual_polynomial("chebyshev", degrees[d], value, t, r);
      if (a == 0) continue;
      const double top = chebyshev(degrees[d], (1 + a) / (1 - a));
      for (int i = 0; i < POINTS; ++i)
        assert_near(r[i], chebyshev(degrees[d], (1 + a - 2 * t[i]) / (1 - a)) / top, 1e-10);
    }
}

/* W_d(cos x) = sin((d + 1/2) x) / sin(x / 2), W_d(1) = 2 d + 1. */
static void default_is_the_fourth_kind(void **state) {
  (void)state;
  const double value[] = {0.5, -0.5, 2};
  for (int d = 0; d < N_DEGREES; ++d) {
    double t[POINTS], r[POINTS];
    residual_polynomial("least-squares", degrees[d], value, t, r);
    for (int i = 0; i < POINTS; ++i) {
      const double x = acos(1 - 2 * t[i]);
      assert_near(r[i], sin((degrees[d] + 0.5) * x) / sin(x / 2) / (2 * degrees[d] + 1), 1e-10);
    }
  }
}

static void any_weight_is_minimised(void **state) {
  (void)state;
  const double weights[][2] = {{0.5, -0.5}, {1, 0}, {1, 0.5}, {0.3, -0.7}, {2, 1}, {4, -0.9}};
  for (int w = 0; w < 6; ++w)
    for (int d = 0; d < N_DEGREES && degrees[d] <= 16; ++d) {
      const double value[] = {weights[w][0], weights[w][1], 2};
      double t[POINTS], r[POINTS], wanted[POINTS];
      residual_polynomial("least-squares", degrees[d], value, t, r);
      least_squares_minimiser(degrees[d], weights[w], POINTS, t, wanted);
      for (int i = 0; i < POINTS; ++i) assert_near(r[i], wanted[i], 1e-10);
    }
}

static void symmetric_and_positive_in_every_degree(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 7, 5, 3, 50, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  enum { N = 9 * 7 * 5 * 3 };
  static double u[N], v[N], mu[N], mv[N];
  assert_int_equal(mat_rows(a), N);
  for (int i = 0; i < N; ++i) u[i] = problem_number(i), v[i] = problem_number(i + 77777);
  const char *const names[] = {"neumann", "least-squares", "chebyshev"};
  for (int k = 0; k < 3; ++k)
    for (int32_t degree = 1; degree <= 32; ++degree) {
      Applied m;
      applied_create(exec, a, &(PrecondParams){.name = names[k], .degree = degree}, &m);
      const double uu = applied_apply(&m, u, mu), vv = applied_apply(&m, v, mv);
      double umv = 0, vmu = 0, vmv = 0;
      for (int i = 0; i < N; ++i) umv += u[i] * mv[i], vmu += v[i] * mu[i], vmv += v[i] * mv[i];
      assert_true(vmv > 0 && uu > 0);
      assert_true(fabs(umv - vmu) <= 1e-12 * sqrt(uu * vv));
      assert_true(fabs(vv - vmv) <= 1e-12 * vmv);
      for (int i = 0; i < N && degree == 1; ++i) assert_true(mu[i] == u[i]);
      applied_destroy(&m);
    }
  mat_destroy(&a);
  problem_release(&p);
}

static int32_t n_params(const char *name) {
  for (int32_t i = 0; i < precond_count(); ++i)
    if (!strcmp(precond_name(i), name)) return precond_type(i)->n_param;
  fail_msg("no preconditioner %s", name);
  return 0;
}

static Status create(const Mat *a, const char *name, int32_t degree, const double *value) {
  LinearSolver *s = NULL;
  LinearParams params = linear_params_default();
  params.preconditioner = name;
  params.degree = degree;
  params.has_values = value != NULL;
  if (value) memcpy(params.values, value, (size_t)n_params(name) * sizeof *value);
  const Status status = linear_create(exec, &params, a, &s);
  linear_destroy(&s);
  return status;
}

static void wrong_parameters(void **state) {
  (void)state;
  Problem p;
  pairs_create(4, &p);
  Mat *a = problem_mat(exec, &p, "csr");
  const char *const names[] = {"neumann", "least-squares", "chebyshev"};
  for (int k = 0; k < 3; ++k) {
    assert_fails(create(a, names[k], 65, NULL), ERR_INPUT, "must lie in [1, 64]");
    assert_fails(create(a, names[k], -1, NULL), ERR_INPUT, names[k]);
    for (int32_t degree = 1; degree < 4; ++degree) assert_ok(create(a, names[k], degree, NULL));
  }
  assert_fails(create(a, "least-squares", 4, (const double[]){0.5, 0.5, 0}), ERR_INPUT, "less than alpha (0.5)");
  assert_fails(create(a, "least-squares", 4, (const double[]){0, -0.5, 0}), ERR_INPUT, "alpha is 0");
  assert_fails(create(a, "least-squares", 4, (const double[]){0.5, -1, 0}), ERR_INPUT, "beta is -1");
  assert_fails(create(a, "least-squares", 4, (const double[]){0.5, NAN, 0}), ERR_INPUT, "beta is not a number");
  assert_fails(create(a, "least-squares", 4, (const double[]){0.5, -0.5, 0.5}), ERR_INPUT,
               "bound is 0.5, must be at least 1");
  assert_fails(create(a, "neumann", 4, (const double[]){2, 0}), ERR_INPUT, "omega is 2, must lie in (0, 2)");
  assert_fails(create(a, "neumann", 4, (const double[]){1, -3}), ERR_INPUT, "bound is -3");
  assert_fails(create(a, "chebyshev", 4, (const double[]){1, 0, 0}), ERR_INPUT, "lower is 1, must lie in [0, 1)");
  assert_fails(create(a, "chebyshev", 4, (const double[]){0.1, 10, 0}), ERR_INPUT, "only one of them");
  assert_fails(create(a, "chebyshev", 4, (const double[]){0, 2.5, 0}), ERR_INPUT, "whole number");
  assert_fails(create(a, "chebyshev", 4, (const double[]){0, 33, 0}), ERR_INPUT, "lanczos is 33");
  mat_destroy(&a);
  problem_release(&p);
}

static LinearReport solve(LinearSolver *s, int64_t n, const double *b, double *x) {
  LinearReport report;
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, x, &report));
  assert_true(report.true_residual <= 1e-8);
  return report;
}

/* A bound far too small makes B negative in even degrees and merely bad in odd ones: both are seen and raised. */
static void small_bound_is_raised(void **state) {
  (void)state;
  Problem p;
  problem_grid(14, 10, 9, 3, 1, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
  const char *const names[] = {"least-squares", "chebyshev"};
  for (int k = 0; k < 2; ++k)
    for (int32_t degree = 7; degree <= 8; ++degree) {
      LinearParams params = linear_params_default();
      params.preconditioner = names[k];
      params.degree = degree;
      LinearSolver *s = NULL;
      assert_ok(linear_create(exec, &params, a, &s));
      const LinearReport good = solve(s, n, b, x);
      assert_int_equal(good.restarts, 0);
      linear_destroy(&s);
      params.has_values = true;
      params.values[0] = k ? 0 : 0.5;
      params.values[1] = k ? 0 : -0.5;
      params.values[2] = 1.001;
      assert_true(good.bound > 1.5);
      assert_ok(linear_create(exec, &params, a, &s));
      status_warnings_clear();
      const LinearReport raised = solve(s, n, b, x);
      assert_int_equal(status_warning_count(), 1);
      assert_non_null(strstr(status_warning(0), "the bound of the spectrum was too small"));
      assert_true(raised.restarts > 0 && raised.bound > 0.8 * good.bound && raised.bound < 1.2 * good.bound);
      assert_true(raised.iterations <= 2 * good.iterations + raised.restarts * 5);
      const LinearReport again = solve(s, n, b, x); /* what was learnt is kept */
      assert_true(again.restarts < raised.restarts);
      linear_destroy(&s);
    }
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  problem_release(&p);
}

/* With the lower end from Lanczos the coefficients are those of the matrix: a used solver does what a new one does. */
static void lanczos_end_follows_the_matrix(void **state) {
  (void)state;
  Problem p;
  problem_grid(300, 1, 1, 1, 1, &p);
  Mat *a = problem_mat(exec, &p, "csr");
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL), used[300], fresh[300];
  LinearParams params = linear_params_default();
  params.preconditioner = "chebyshev";
  params.has_values = true;
  params.values[1] = 10;
  LinearSolver *s = NULL;
  assert_ok(linear_create(exec, &params, a, &s));
  const LinearReport before = solve(s, n, b, x);
  for (int i = 0; i < p.pattern->n; ++i) *problem_entry(&p, i, i, 0, 0) *= 1.5;
  problem_fill(&p, a);
  const LinearReport after = solve(s, n, b, x);
  assert_ok(exec_download(exec, used, x, sizeof used));
  linear_destroy(&s);
  assert_ok(linear_create(exec, &params, a, &s));
  const LinearReport again = solve(s, n, b, x);
  assert_ok(exec_download(exec, fresh, x, sizeof fresh));
  assert_true(after.iterations < before.iterations);
  assert_int_equal(after.iterations, again.iterations);
  assert_memory_equal(used, fresh, sizeof used);
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neumann_is_a_power),
      cmocka_unit_test(chebyshev_is_the_first_kind),
      cmocka_unit_test(default_is_the_fourth_kind),
      cmocka_unit_test(any_weight_is_minimised),
      cmocka_unit_test(symmetric_and_positive_in_every_degree),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(small_bound_is_raised),
      cmocka_unit_test(lanczos_end_follows_the_matrix),
  };
  return testing_run("solver/polynomial", tests, exec);
}
