/* What the linear solver says when there is no answer, and that it gives back what it took. */
#include "tests/solver/problems.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Case {
  Problem p;
  Mat *a;
  int64_t n;
  double *b, *x;
  LinearSolver *solver;
  LinearReport report;
} Case;

static void begin(Case *c, const LinearParams *params) {
  c->a = problem_mat(exec, &c->p, NULL);
  c->n = mat_rows(c->a);
  c->b = problem_vector(exec, c->n, NULL);
  c->x = problem_vector(exec, c->n, NULL);
  assert_ok(exec_zero(exec, c->x, (size_t)c->n * sizeof *c->x));
  LinearParams with = *params;
  with.pattern = c->p.pattern;
  assert_ok(linear_create(exec, &with, c->a, &c->solver));
  assert_ok(linear_setup(c->solver));
}

static void end(Case *c) {
  linear_destroy(&c->solver);
  EXEC_RELEASE(exec, c->b, c->n);
  EXEC_RELEASE(exec, c->x, c->n);
  mat_destroy(&c->a);
  problem_release(&c->p);
}

static void set_item(double *v, int64_t i, double value) { assert_ok(exec_upload(exec, v + i, &value, sizeof value)); }

static double item(const double *v, int64_t i) {
  double value;
  assert_ok(exec_download(exec, &value, v + i, sizeof value));
  return value;
}

/* All scalar entries of a block pair (i, j) and (j, i). */
static void set_entry(const Problem *p, int i, int r, int j, int c, double value) {
  *problem_entry(p, i, j, r, c) = value;
  *problem_entry(p, j, i, c, r) = value;
}

static void zero_right_hand_side(void **state) {
  (void)state;
  Case c = {0};
  problem_grid(5, 4, 3, 3, 1, &c.p);
  const LinearParams params = linear_params_default();
  begin(&c, &params);
  assert_ok(exec_zero(exec, c.b, (size_t)c.n * sizeof *c.b));
  set_item(c.x, 7, 3.5);
  assert_ok(linear_solve(c.solver, c.b, c.x, &c.report));
  assert_int_equal(c.report.reason, LINEAR_CONVERGED);
  assert_int_equal(c.report.iterations, 0);
  assert_true(c.report.norm_b == 0 && c.report.true_residual == 0);
  assert_true(item(c.x, 7) == 0);
  end(&c);
}

/* Every entry of the diagonal is positive, a block is not. */
static void indefinite_block_names_the_equation(void **state) {
  (void)state;
  Case c = {0};
  problem_grid(5, 4, 3, 3, 1, &c.p);
  const double d = *problem_entry(&c.p, 18, 18, 0, 0);
  *problem_entry(&c.p, 18, 18, 0, 1) = *problem_entry(&c.p, 18, 18, 1, 0) = 2 * d;
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  begin(&c, &params);
  assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC,
               "1 of its diagonal blocks are not positive definite, the first has the pivot -");
  assert_int_equal(c.report.reason, LINEAR_INDEFINITE);
  assert_int_equal(c.report.equation, 55);
  end(&c);
}

static void negative_diagonal_names_the_equation(void **state) {
  (void)state;
  Case c = {0};
  problem_grid(5, 4, 3, 3, 1, &c.p);
  *problem_entry(&c.p, 18, 18, 1, 1) = -2.5;
  const LinearParams params = linear_params_default();
  begin(&c, &params);
  assert_fails(
      linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC,
      "1 of its diagonal entries are not positive, the first is -2.5 in equation 55 (node 18 counted from 0, y)");
  assert_non_null(strstr(status_message(), "remedy"));
  assert_int_equal(c.report.reason, LINEAR_INDEFINITE);
  assert_int_equal(c.report.equation, 55);
  end(&c);
}

/* Positive diagonal, indefinite all the same: a pair of unknowns with a coupling larger than their diagonals. */
static void indefinite_matrix_stops_at_once(void **state) {
  (void)state;
  for (int32_t m = 0; m < precond_count(); ++m) {
    if (precond_type(m)->dominant || !precond_works_on(m, exec)) continue;
    Case c = {0};
    problem_grid(6, 5, 4, 3, 1, &c.p);
    set_entry(&c.p, 9, 0, 10, 2, 50 * *problem_entry(&c.p, 9, 9, 0, 0));
    LinearParams params = linear_params_default();
    params.preconditioner = precond_name(m);
    begin(&c, &params);
    assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC, "not positive definite");
    assert_non_null(strstr(status_message(), "p.Ap = -"));
    assert_int_equal(c.report.reason, LINEAR_INDEFINITE);
    assert_true(c.report.equation == 27 || c.report.equation == 32);
    assert_true(c.report.iterations <= (precond_type(m)->host ? 30 : 4)); /* direct: those of jacobi */
    end(&c);
  }
}

/* Singular and inconsistent: nothing is held, and the load has a part that moves the whole body. */
static void singular_matrix_gives_up(void **state) {
  (void)state;
  for (int32_t m = 0; m < precond_count(); ++m) {
    if (precond_type(m)->dominant || !precond_works_on(m, exec)) continue;
    Case c = {0};
    problem_grid(30, 1, 1, 1, 1, &c.p);
    *problem_entry(&c.p, 1, 1, 0, 0) = 1; /* the first unknown is held, the rest of the chain hangs on nothing */
    LinearParams params = linear_params_default();
    params.preconditioner = precond_name(m);
    begin(&c, &params);
    const Status status = linear_solve(c.solver, c.b, c.x, &c.report);
    assert_int_equal(status, ERR_NUMERIC);
    assert_int_equal(c.report.reason, LINEAR_INDEFINITE);
    assert_true(c.report.true_residual > 1e-3 && c.report.iterations <= (precond_type(m)->host ? 80 : 60));
    assert_non_null(strstr(status_message(), "likely: a part that is not held"));
    end(&c);
  }
}

/* What hangs on nothing in the first matrix is told, once; a later one, as Newton tries them, is not. */
static void first_matrix_is_told(void **state) {
  (void)state;
  LinearParams params = linear_params_default();
  params.preconditioner = "amg";
  for (int held = 0; held < 2; ++held) {
    Case c = {0};
    problem_grid(26, 1, 1, 1, 1, &c.p);
    const double diagonal = *problem_entry(&c.p, 1, 1, 0, 0);
    if (!held) *problem_entry(&c.p, 1, 1, 0, 0) = 1;
    status_warnings_clear();
    begin(&c, &params);
    assert_int_equal(status_warning_count(), !held);
    if (!held) assert_non_null(strstr(status_warning(0), "amg' left out 1 combinations"));
    assert_true(diagonal > 1.5);
    *problem_entry(&c.p, 1, 1, 0, 0) = 0.9; /* not positive definite */
    problem_fill(&c.p, c.a);
    assert_ok(linear_setup(c.solver));
    assert_int_equal(status_warning_count(), !held);
    status_warnings_clear();
    end(&c);
  }
}

static void not_a_number(void **state) {
  (void)state;
  const LinearParams params = linear_params_default();
  Case c = {0};
  problem_grid(6, 5, 4, 3, 1, &c.p);
  begin(&c, &params);
  set_item(c.b, 100, NAN);
  assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC,
               "right-hand side is not a number in equation 100 (node 33 counted from 0, y)");
  assert_int_equal(c.report.reason, LINEAR_NAN);
  assert_int_equal(c.report.iterations, 0);
  set_item(c.b, 100, INFINITY);
  assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC,
               "right-hand side is not a number in equation 100");
  end(&c);

  /* off the diagonal, and on it */
  for (int on = 0; on < 2; ++on)
    for (int32_t m = 0; m < precond_count(); ++m) {
      if (precond_type(m)->dominant || !precond_works_on(m, exec)) continue;
      LinearParams with = params;
      with.preconditioner = precond_name(m);
      Case d = {0};
      problem_grid(6, 5, 4, 3, 1, &d.p);
      set_entry(&d.p, 14, 1, on ? 14 : 15, on ? 1 : 2, NAN);
      begin(&d, &with);
      assert_fails(linear_solve(d.solver, d.b, d.x, &d.report), ERR_NUMERIC, "not a number");
      assert_int_equal(d.report.reason, LINEAR_NAN);
      assert_int_equal(d.report.equation, 43);
      assert_true(d.report.iterations <= 1);
      end(&d);
    }
}

static void iterations_run_out(void **state) {
  (void)state;
  for (int32_t m = 0; m < precond_count(); ++m) {
    if (precond_type(m)->dominant || precond_type(m)->host) continue;
    LinearParams params = linear_params_default();
    params.max_iterations = 5;
    params.preconditioner = precond_name(m);
    Case c = {0};
    problem_grid(9, 9, 9, 3, 1, &c.p);
    begin(&c, &params);
    assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC, "did not converge in 5 iterations");
    const bool higher = strstr(status_message(), "preconditioner of higher degree") != NULL;
    assert_int_equal(higher, precond_type(m)->degree_max > precond_type(m)->degree_default);
    assert_int_equal(!higher, strstr(status_message(), "a stronger preconditioner ('amg'") != NULL);
    assert_int_equal(c.report.reason, LINEAR_MAX_ITERATIONS);
    assert_int_equal(c.report.iterations, 5);
    assert_true(c.report.true_residual > 1e-8 && c.report.true_residual < 10);
    assert_true(fabs(c.report.true_residual - c.report.recursive_residual) < 1e-6);
    end(&c);
  }
}

/* An accuracy that double precision does not hold: a chain of 400 springs with contrast 1e6. */
/* From a first guess so large that its rounding drowns b, the recursive residual falls on where the true one stays.
 * That is seen on the way, not only when the recursion is content. */
static void residuals_apart_are_seen_early(void **state) {
  (void)state;
  int64_t iterations[2];
  for (int far = 0; far < 2; ++far) {
    LinearParams params = linear_params_default();
    params.preconditioner = "jacobi";
    Case c = {0};
    problem_grid(24, 24, 1, 1, 1, &c.p);
    begin(&c, &params);
    for (int64_t i = 0; i < c.n; ++i) set_item(c.x, i, far ? 1e12 * (1 + (double)(i * i % 97)) : 0);
    assert_ok(linear_solve(c.solver, c.b, c.x, &c.report));
    assert_true(c.report.true_residual <= params.rtol);
    assert_true(far ? c.report.restarts >= 1 : c.report.restarts == 0);
    iterations[far] = c.report.iterations;
    end(&c);
  }
  print_message("%lld iterations from 0, %lld from 1e14\n", (long long)iterations[0], (long long)iterations[1]);
  assert_true(100 * iterations[1] < 270 * iterations[0]); /* 277 where only the end is looked at */
}

static void stagnation_is_said(void **state) {
  (void)state;
  for (int32_t m = 0; m < (testing_checks() ? 1 : precond_count()); ++m) {
    if (precond_type(m)->dominant || !precond_works_on(m, exec)) continue;
    LinearParams params = linear_params_default();
    params.rtol = 1e-19;
    params.preconditioner = precond_name(m);
    Case c = {0};
    problem_grid(60, 3, 1, 2, 1e4, &c.p);
    begin(&c, &params);
    assert_fails(linear_solve(c.solver, c.b, c.x, &c.report), ERR_NUMERIC, "stagnate");
    assert_int_equal(c.report.reason, LINEAR_STAGNATED);
    assert_true(c.report.true_residual < 1e-9);
    assert_true(c.report.restarts >= 3);
    end(&c);
  }
}

static void wrong_parameters(void **state) {
  (void)state;
  Problem p;
  problem_grid(3, 3, 3, 3, 1, &p);
  Mat *a = problem_mat(exec, &p, NULL), *f = NULL;
  LinearSolver *s = NULL;
  LinearParams params = linear_params_default();
  params.preconditioner = "jakobi";
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "did you mean 'jacobi'?");
  params.preconditioner = "least-squares";
  params.degree = 65;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "[1, 64]");
  params = linear_params_default();
  params.rtol = 0;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "rtol is 0");
  params.rtol = NAN;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "rtol");
  params = linear_params_default();
  params.max_iterations = -1;
  assert_fails(linear_create(exec, &params, a, &s), ERR_INPUT, "max_iterations");
  assert_null(s);
  params = linear_params_default();
  assert_ok(mat_create_like(a, PRECISION_FLOAT, &f));
  assert_fails(linear_create(exec, &params, f, &s), ERR_BUG, "double");
  mat_destroy(&f);
  mat_destroy(&a);
  problem_release(&p);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  /* the executor keeps its buffer of partial sums: let it grow before memory is counted */
  double *big = problem_vector(exec, 1 << 18, NULL), *out = problem_vector(exec, 1, NULL);
  assert_ok(vec_norm(exec, 1 << 18, big, out));
  EXEC_RELEASE(exec, big, 1 << 18);
  EXEC_RELEASE(exec, out, 1);
  for (int broken = 0; broken < 2; ++broken)
    for (int32_t m = 0; m < precond_count(); ++m)
      if (!precond_type(m)->dominant && precond_works_on(m, exec))
        for (int64_t nth = 1;; ++nth) {
          Problem p;
          problem_grid(4, 4, 4, 3, 1, &p);
          if (broken)
            set_entry(&p, 9, 0, 10, 2, 50 * *problem_entry(&p, 9, 9, 0, 0)); /* the search for the cause too */
          Mat *a = problem_mat(exec, &p, NULL);
          double *b = problem_vector(exec, mat_rows(a), NULL), *x = problem_vector(exec, mat_rows(a), NULL);
          const size_t before = mem_in_use(), on_exec = exec->in_use;
          LinearParams params = linear_params_default();
          params.preconditioner = precond_name(m);
          params.pattern = p.pattern;
          LinearSolver *s = NULL;
          LinearReport report;
          mem_fail_nth(nth);
          Status status = linear_create(exec, &params, a, &s);
          if (status == OK) status = linear_setup(s);
          if (status == OK) status = linear_solve(s, b, x, &report);
          const int64_t count = mem_count();
          mem_fail_nth(0);
          linear_destroy(&s);
          assert_int_equal(mem_in_use(), before);
          assert_int_equal(exec->in_use, on_exec);
          EXEC_RELEASE(exec, b, mat_rows(a));
          EXEC_RELEASE(exec, x, mat_rows(a));
          mat_destroy(&a);
          problem_release(&p);
          if (count < nth) {
            assert_int_equal(status, broken ? ERR_NUMERIC : OK);
            break;
          }
          assert_out_of_memory(status);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zero_right_hand_side),
      cmocka_unit_test(negative_diagonal_names_the_equation),
      cmocka_unit_test(indefinite_block_names_the_equation),
      cmocka_unit_test(indefinite_matrix_stops_at_once),
      cmocka_unit_test(singular_matrix_gives_up),
      cmocka_unit_test(first_matrix_is_told),
      cmocka_unit_test(not_a_number),
      cmocka_unit_test(iterations_run_out),
      cmocka_unit_test(residuals_apart_are_seen_early),
      cmocka_unit_test(stagnation_is_said),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/reasons", tests, exec);
}
