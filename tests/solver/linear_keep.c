/* A hierarchy that stays while the values of the matrix change serves as long as it takes few iterations. */
#include "solver/krylov/linear.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>

static Exec *exec;

typedef struct Changing {
  Problem p;
  Mat *a;
  double *b, *x;
  LinearSolver *solver;
} Changing;

static void changing_create(const char *preconditioner, Changing *c) {
  LinearParams params = linear_params_default();
  problem_grid(12, 12, 12, 1, 1, &c->p);
  c->a = problem_mat(exec, &c->p, "sbell");
  c->b = problem_vector(exec, mat_rows(c->a), NULL);
  c->x = problem_vector(exec, mat_rows(c->a), NULL);
  params.preconditioner = preconditioner;
  params.pattern = c->p.pattern;
  assert_ok(linear_create(exec, &params, c->a, &c->solver));
  assert_ok(linear_setup(c->solver));
}

static void changing_release(Changing *c) {
  const int64_t n = mat_rows(c->a);
  linear_destroy(&c->solver);
  EXEC_RELEASE(exec, c->b, n);
  EXEC_RELEASE(exec, c->x, n);
  mat_destroy(&c->a);
  problem_release(&c->p);
}

/* A becomes D A D with entries of D in 10^[-size, size]. */
static void change(Changing *c, double size) {
  const Pattern *pattern = c->p.pattern;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      c->p.value[k] *= pow(10, size * (problem_number(i) + problem_number(pattern->column[k])));
  problem_fill(&c->p, c->a);
}

static LinearReport solve(Changing *c) {
  LinearReport report;
  assert_ok(exec_zero(exec, c->x, (size_t)mat_rows(c->a) * sizeof *c->x));
  assert_ok(linear_solve(c->solver, c->b, c->x, &report));
  assert_true(report.true_residual <= 1e-8);
  return report;
}

static void serves(void **state) {
  (void)state;
  Changing c;
  changing_create("amg", &c);
  assert_false(linear_keep(c.solver)); /* nothing is known of it */
  const LinearReport first = solve(&c);
  assert_true(linear_keep(c.solver));
  change(&c, 0.02);
  const LinearReport second = solve(&c);
  assert_true(second.setup_seconds == 0 && second.iterations <= 2 * first.iterations);
  assert_true(linear_keep(c.solver));
  change(&c, 1);
  const LinearReport third = solve(&c);
  assert_true(third.iterations > 2 * first.iterations || third.setup_seconds > 0);
  assert_true(third.setup_seconds > 0 || !linear_keep(c.solver));
  assert_ok(linear_setup(c.solver));
  assert_true(solve(&c).iterations <= 2 * first.iterations);
  changing_release(&c);
}

/* What takes no longer to set up than an iteration is made for each matrix. */
static void jacobi_does_not(void **state) {
  (void)state;
  Changing c;
  changing_create("jacobi", &c);
  (void)solve(&c);
  assert_false(linear_keep(c.solver));
  changing_release(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(serves), cmocka_unit_test(jacobi_does_not)};
  return testing_run("solver/linear_keep", tests, exec);
}
