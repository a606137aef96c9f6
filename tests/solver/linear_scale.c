/* Right-hand sides whose squares vanish or overflow: the same bits as for ordinary ones, times the power of two. */
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/cocg.h"
#include "solver/krylov/linear_many.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;
static const int EXPONENTS[] = {-900, -534, -512, -340, 0, 340, 512, 534, 900};
enum { N_EXPONENT = sizeof EXPONENTS / sizeof *EXPONENTS };

static double *numbers(int64_t n, int exponent) {
  double *v = problem_host(n);
  for (int64_t i = 0; i < n; ++i) v[i] = ldexp(problem_number(i), exponent);
  return v;
}

static double *scaled_vector(int64_t n, int exponent) {
  double *v = numbers(n, exponent), *out = problem_vector(exec, n, v);
  FREE(v);
  return out;
}

/* out = x times 2^-exponent */
static void download(int64_t n, const double *x, int exponent, double *out) {
  assert_ok(exec_download(exec, out, x, (size_t)n * sizeof *x));
  for (int64_t i = 0; i < n; ++i) out[i] = ldexp(out[i], -exponent);
}

/* The matrix times 2^of_matrix: what every exponent of b gives, in units of the first. */
static void same_bits(Problem *p, const char *preconditioner, int of_matrix) {
  for (int64_t k = 0; k < p->pattern->start[p->pattern->n] * p->pattern->block * p->pattern->block; ++k)
    p->value[k] = ldexp(p->value[k], of_matrix);
  Mat *a = problem_mat(exec, p, NULL);
  const int64_t n = mat_rows(a);
  LinearParams params = linear_params_default();
  params.preconditioner = preconditioner;
  params.pattern = p->pattern;
  LinearSolver *solver = NULL;
  assert_ok(linear_create(exec, &params, a, &solver));
  assert_ok(linear_setup(solver));
  double *first = problem_host(n), *x = problem_host(n);
  for (int turn = -1; turn < N_EXPONENT; ++turn) {
    const int exponent = turn < 0 ? 0 : EXPONENTS[turn];
    if (abs(exponent - of_matrix) > 950) continue; /* x itself is beyond double */
    double *b = scaled_vector(n, exponent), *dx = problem_vector(exec, n, NULL);
    assert_ok(exec_zero(exec, dx, (size_t)n * sizeof *dx));
    LinearReport report;
    assert_ok(linear_solve(solver, b, dx, &report));
    assert_true(report.true_residual > 0 && report.true_residual <= 1e-8 && report.iterations > 1);
    assert_true(report.norm_b > 0 && isfinite(report.norm_b));
    download(n, dx, exponent - of_matrix, turn < 0 ? first : x);
    if (turn >= 0) assert_memory_equal(x, first, (size_t)n * sizeof *x);
    EXEC_RELEASE(exec, b, n);
    EXEC_RELEASE(exec, dx, n);
  }
  FREE(first);
  FREE(x);
  linear_destroy(&solver);
  mat_destroy(&a);
  problem_release(p);
}

static void one_right_hand_side(void **state) {
  (void)state;
  static const char *const preconditioners[] = {"jacobi", "least-squares", "block-jacobi", "ssor", "amg"};
  for (size_t k = 0; k < sizeof preconditioners / sizeof *preconditioners; ++k) {
    Problem p;
    problem_grid(9, 7, 1, 2, 100, &p);
    same_bits(&p, preconditioners[k], 0);
  }
}

static void matrices_far_from_one(void **state) {
  (void)state;
  static const int of_matrix[] = {-400, 400, 36, -900, 900};
  for (size_t k = 0; k < sizeof of_matrix / sizeof *of_matrix; ++k) {
    Problem p;
    problem_grid(9, 7, 1, 2, 1, &p);
    same_bits(&p, "jacobi", of_matrix[k]);
  }
}

static void several_at_once(void **state) {
  (void)state;
  enum { K = 7 };
  static const int exponents[K] = {0, -900, 900, -534, 0, 534, -400};
  Problem p;
  problem_grid(9, 7, 1, 2, 1, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  const int64_t n = mat_rows(a);
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  LinearSolver *solver = NULL;
  LinearMany *many = NULL;
  assert_ok(linear_create(exec, &params, a, &solver));
  assert_ok(linear_setup(solver));
  assert_ok(linear_many_create(solver, K, &many));
  assert_null(linear_many_note(many));
  double *b = problem_host(K * n), *x = problem_host(K * n);
  for (int c = 0; c < K; ++c)
    for (int64_t i = 0; i < n && c != 4; ++i) b[c * n + i] = ldexp(problem_number(i), exponents[c]); /* column 4 is 0 */
  double *db = problem_vector(exec, K * n, b), *dx = problem_vector(exec, K * n, x);
  LinearReport report[K];
  int32_t failed;
  assert_ok(linear_solve_many(many, db, dx, K, report, &failed));
  download(K * n, dx, 0, x);
  for (int c = 1; c < K; ++c) {
    if (c != 4) assert_true(report[c].true_residual > 0 && report[c].true_residual <= 1e-8);
    for (int64_t i = 0; i < n; ++i) assert_true(x[c * n + i] == (c == 4 ? 0 : ldexp(x[i], exponents[c])));
  }
  FREE(b);
  FREE(x);
  EXEC_RELEASE(exec, db, K * n);
  EXEC_RELEASE(exec, dx, K * n);
  linear_many_destroy(&many);
  linear_destroy(&solver);
  mat_destroy(&a);
  problem_release(&p);
}

static void complex_systems(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 7, 1, 2, 1, &p);
  Mat *a = problem_mat(exec, &p, NULL), *imaginary = problem_mat(exec, &p, NULL);
  const int64_t n = mat_rows(a);
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  CocgSolver *solver = NULL;
  assert_ok(cocg_create(exec, &params, a, imaginary, a, &solver));
  assert_ok(cocg_setup(solver));
  double *first = problem_host(2 * n), *x = problem_host(2 * n);
  for (int turn = -1; turn < N_EXPONENT; ++turn) {
    const int exponent = turn < 0 ? 0 : EXPONENTS[turn];
    double *b[2], *dx[2];
    for (int part = 0; part < 2; ++part) {
      b[part] = scaled_vector(n, exponent - 3 * part);
      dx[part] = problem_vector(exec, n, NULL);
      assert_ok(exec_zero(exec, dx[part], (size_t)n * sizeof(double)));
    }
    LinearReport report;
    assert_ok(cocg_solve(solver, (const double *const[2]){b[0], b[1]}, dx, &report));
    assert_true(report.true_residual > 0 && report.true_residual <= 1e-8 && report.iterations > 1);
    for (int part = 0; part < 2; ++part) {
      download(n, dx[part], exponent, (turn < 0 ? first : x) + part * n);
      EXEC_RELEASE(exec, b[part], n);
      EXEC_RELEASE(exec, dx[part], n);
    }
    if (turn >= 0) assert_memory_equal(x, first, (size_t)(2 * n) * sizeof *x);
  }
  FREE(first);
  FREE(x);
  cocg_destroy(&solver);
  mat_destroy(&imaginary);
  mat_destroy(&a);
  problem_release(&p);
}

/* What double cannot hold is told: digits lost below the smallest normal number, and no number at all. */
static void answers_beyond_double(void **state) {
  (void)state;
  Problem p;
  problem_grid(9, 7, 1, 2, 1, &p);
  status_warnings_clear();
  for (int large = 0; large < 2; ++large) {
    for (int64_t k = 0; k < p.pattern->start[p.pattern->n] * 4; ++k) p.value[k] = ldexp(p.value[k], large ? -120 : 60);
    Mat *a = problem_mat(exec, &p, NULL);
    const int64_t n = mat_rows(a);
    LinearParams params = linear_params_default();
    LinearSolver *solver = NULL;
    assert_ok(linear_create(exec, &params, a, &solver));
    assert_ok(linear_setup(solver));
    double *b = scaled_vector(n, large ? 1000 : -1000), *x = problem_vector(exec, n, NULL);
    assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
    LinearReport report;
    if (large) {
      assert_fails(linear_solve(solver, b, x, &report), ERR_NUMERIC, "larger than any number");
      assert_int_equal(report.reason, LINEAR_OVERFLOW);
    } else {
      assert_fails(linear_solve(solver, b, x, &report), ERR_NUMERIC, "cannot hold its digits");
      assert_true(report.true_residual > 1e-8 && report.reason == LINEAR_UNDERFLOW);
    }
    EXEC_RELEASE(exec, b, n);
    EXEC_RELEASE(exec, x, n);
    linear_destroy(&solver);
    mat_destroy(&a);
  }
  problem_release(&p);
}

static void lengths(void **state) {
  (void)state;
  static const double sizes[] = {5e-324, 1e-310, 1e-160, 1, 1e160, 1.7e308};
  double *room = problem_vector(exec, 1, NULL);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    double host[4] = {3 * (sizes[k] / 5), -sizes[k] / 5 * 4, 0, 0};
    if (sizes[k] < 1e-300) host[0] = sizes[k], host[1] = 0;
    double *x = problem_vector(exec, 4, host);
    VecLength length;
    assert_ok(vec_length(exec, 4, x, room, &length));
    assert_relative(ldexp(length.value, length.exponent), sizes[k], 1e-14);
    EXEC_RELEASE(exec, x, 4);
  }
  const VecLength joined = vec_length_join((VecLength){3, -600}, (VecLength){ldexp(4, -600), 0});
  assert_near(ldexp(joined.value, joined.exponent + 600), 5, 1e-14);
  EXEC_RELEASE(exec, room, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths),         cmocka_unit_test(one_right_hand_side), cmocka_unit_test(matrices_far_from_one),
      cmocka_unit_test(several_at_once), cmocka_unit_test(complex_systems),     cmocka_unit_test(answers_beyond_double),
  };
  return testing_run("solver/linear_scale", tests, exec);
}
