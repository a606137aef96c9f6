/* Bordered systems: both equations hold, also where the matrix is definite at right angles to the border alone. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>

static Exec *exec;
enum { MOST = 2 };

/* The network with a pull at `n` nodes along x that makes it indefinite, and those motions and a few more as border. */
static void bordered(const char *preconditioner, int n, double pull, bool chain, double gives) {
  Problem p;
  if (chain) problem_grid(400, 1, 1, 3, 0, &p);
  else problem_grid(6, 5, 4, 3, 0, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  const int64_t rows = mat_rows(a);
  LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  LinearReport report;
  double *g[MOST] = {NULL}, *host = problem_host(rows), *ax = problem_host(rows), gap[MOST] = {0.7, -0.3}, factor[MOST];
  double *b = problem_vector(exec, rows, NULL), *x = problem_vector(exec, rows, NULL), *column[MOST] = {NULL};
  const double C[2][4] = {{gives}, {gives, 0.3 * gives, 0.3 * gives, 0.2 * gives}};
  params.rtol = 1e-10;
  params.preconditioner = preconditioner;
  if (chain) params.spare = p.pattern;
  assert_ok(linear_create(exec, &params, a, &s));
  assert_ok(linear_setup(s));
  for (int k = 0; k < n; ++k) {
    const int node = 40 + 30 * k;
    column[k] = problem_host(rows);
    for (int64_t i = 0; i < rows; ++i) column[k][i] = i == 3 * node ? 1 : i > 60 ? 0.01 * problem_number(i + k) : 0;
    *problem_entry(&p, node, node, 0, 0) -= pull;
    g[k] = problem_vector(exec, rows, column[k]);
  }
  problem_fill(&p, a);
  linear_hold(s);
  assert_ok(linear_set_border(s, n, (const double *const *)g, gives > 0 ? C[n - 1] : NULL));
  assert_ok(linear_solve_border(s, b, gap, x, factor, &report));
  if (chain) assert_true(report.iterations > 300 && report.restarts < 10);
  assert_ok(exec_download(exec, host, x, (size_t)rows * sizeof *x));
  problem_apply(&p, host, ax);
  double most = 0, size = 0;
  for (int64_t i = 0; i < rows; ++i) {
    double left = ax[i] - problem_number(i);
    for (int k = 0; k < n; ++k) left -= column[k][i] * factor[k];
    most = fmax(most, fabs(left));
    for (int k = 0; k < n; ++k) size = fmax(size, fabs(column[k][i] * factor[k]));
  }
  assert_true(most <= 1e-8 * fmax(1, size));
  for (int k = 0; k < n; ++k) {
    double sum = 0;
    for (int64_t i = 0; i < rows; ++i) sum += column[k][i] * host[i];
    for (int j = 0; j < n; ++j) sum += C[n - 1][n * k + j] * factor[j];
    assert_within(sum, gap[k], 1e-9 * fmax(1, gives));
    EXEC_RELEASE(exec, g[k], rows);
    FREE(column[k]);
  }
  if (pull > 0) { /* the matrix alone is not positive definite */
    assert_ok(exec_zero(exec, x, (size_t)rows * sizeof *x));
    assert_int_equal(linear_solve(s, b, x, &report), ERR_NUMERIC);
  }
  FREE(host);
  FREE(ax);
  EXEC_RELEASE(exec, b, rows);
  EXEC_RELEASE(exec, x, rows);
  linear_destroy(&s);
  mat_destroy(&a);
  problem_release(&p);
}

static void definite(void **state) {
  (void)state;
  bordered("jacobi", 1, 0, false, 0);
  bordered("chebyshev", 2, 0, false, 0);
}

/* A direct solver that waits for conjugate gradients to fail takes no border: they are not cut short for it. */
static void beside_a_spare(void **state) {
  (void)state;
  bordered("jacobi", 1, 0, true, 0);
}

static void indefinite(void **state) {
  (void)state;
  bordered("jacobi", 1, 40, false, 0);
  bordered("jacobi", 2, 40, false, 0);
  bordered("chebyshev", 2, 40, false, 0);
}

/* What is prescribed gives way to the factors: hardly, and so much that they are nearly prescribed. */
static void compliant(void **state) {
  (void)state;
  bordered("jacobi", 1, 0, false, 1e-3);
  bordered("chebyshev", 2, 0, false, 1);
  bordered("jacobi", 2, 0, false, 1e3);
  bordered("chebyshev", 2, 40, false, 1e-3);
}

int main(void) {
  exec = testing_exec();
  const struct CMUnitTest tests[] = {cmocka_unit_test(definite), cmocka_unit_test(beside_a_spare),
                                     cmocka_unit_test(indefinite), cmocka_unit_test(compliant)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
