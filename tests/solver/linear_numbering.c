/* Matrices that number the unknowns in their own order: solves take and give vectors in natural order, failures name
 * rows in natural order, and preconditioners that go by the graph refuse. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>

static Exec *exec;

static Mat *create(const Problem *p, const char *variant) {
  Mat *a = NULL;
  const MatParams params = {.format = "ell-warp", .variant = variant, .threshold = variant[1] == '2' ? 5 : 0};
  assert_ok(mat_create(exec, &params, p->pattern, &a));
  problem_fill(p, a);
  return a;
}

/* x [rows] on the host: from that guess to the solution for a right-hand side of deterministic numbers. */
static LinearReport solve(const Mat *a, const char *preconditioner, double *x) {
  const int64_t n = mat_rows(a);
  LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  LinearReport report;
  params.rtol = 1e-12;
  params.preconditioner = preconditioner;
  double *b = problem_vector(exec, n, NULL), *there = problem_vector(exec, n, x);
  assert_ok(linear_create(exec, &params, a, &s));
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, there, &report));
  assert_ok(exec_download(exec, x, there, (size_t)n * sizeof *x));
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, there, n);
  return report;
}

static void solutions_are_in_natural_order(void **state) {
  (void)state;
  static const char *const variant[] = {"k1r", "k1rs", "k2r", "k2rs"}, *const with[] = {"jacobi", "least-squares"};
  for (int block = 1; block <= 3; ++block) {
    Problem p;
    problem_grid(9, block > 1 ? 7 : 1, block > 2 ? 4 : 1, block, 10, &p);
    const int64_t n = (int64_t)p.pattern->n * block;
    double *x = NULL, *wanted = NULL;
    assert_ok(mem_alloc(n, sizeof *x, "solution", (void **)&x));
    assert_ok(mem_alloc(n, sizeof *wanted, "solution", (void **)&wanted));
    Mat *csr = problem_mat(exec, &p, "csr");
    for (int k = 0; k < 8; ++k) {
      Mat *a = create(&p, variant[k / 2]);
      assert_non_null(mat_numbering(a));
      for (int64_t i = 0; i < n; ++i) x[i] = wanted[i] = 0;
      const LinearReport natural = solve(csr, with[k % 2], wanted), report = solve(a, with[k % 2], x);
      assert_int_equal(report.reason, LINEAR_CONVERGED);
      /* Lanczos starts elsewhere, so that the bound of the polynomial differs a little */
      const long long apart = llabs((long long)(report.iterations - natural.iterations));
      if (apart > (k % 2 ? 3 : 1))
        fail_msg("%s, %s, block %d: %lld iterations, %lld in natural order", variant[k / 2], with[k % 2], block,
                 (long long)report.iterations, (long long)natural.iterations);
      double size = 0;
      for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(wanted[i]));
      for (int64_t i = 0; i < n; ++i)
        if (!(fabs(x[i] - wanted[i]) <= 1e-8 * size))
          fail_msg("%s, block %d: x[%lld] is %.12g, must be %.12g", variant[k / 2], block, (long long)i, x[i],
                   wanted[i]);
      assert_int_equal(solve(a, with[k % 2], x).iterations, 0); /* a guess is taken in natural order, too */
      mat_destroy(&a);
    }
    mat_destroy(&csr);
    FREE(x);
    FREE(wanted);
    problem_release(&p);
  }
}

/* A negative diagonal at node 11 of a grid whose rows are sorted by length. */
static void failures_name_the_natural_row(void **state) {
  (void)state;
  Problem p;
  problem_grid(7, 5, 1, 2, 1, &p);
  *problem_entry(&p, 11, 11, 1, 1) *= -1;
  Mat *a = create(&p, "k2r");
  assert_int_not_equal(mat_numbering(a)[23], 23);
  const int64_t n = mat_rows(a);
  const LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  LinearReport report;
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
  assert_ok(linear_create(exec, &params, a, &s));
  assert_ok(linear_setup(s));
  assert_fails(linear_solve(s, b, x, &report), ERR_NUMERIC, "equation 23 (node 11 counted from 0, y)");
  assert_int_equal(report.equation, 23);
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  problem_release(&p);
}

static void graphs_need_the_natural_order(void **state) {
  (void)state;
  Problem p;
  problem_grid(7, 5, 1, 2, 1, &p);
  Mat *a = create(&p, "k1r");
  LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  params.preconditioner = "ssor";
  params.pattern = p.pattern;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "use variant 'k1'");
  assert_null(s);
  mat_destroy(&a);
  problem_release(&p);
}

static Status try_solver(void *a) {
  const LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  const Status status = linear_create(exec, &params, a, &s);
  linear_destroy(&s);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_grid(5, 4, 1, 1, 1, &p);
  Mat *a = create(&p, "k2r");
  testing_fail_each(exec, try_solver, a);
  mat_destroy(&a);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_in_natural_order), cmocka_unit_test(failures_name_the_natural_row),
      cmocka_unit_test(graphs_need_the_natural_order), cmocka_unit_test(every_allocation_failed_once)};
  return testing_run("solver/linear_numbering", tests, exec);
}
