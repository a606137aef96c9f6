/* What `auto` stands for: by size, dimension and device, and what happens when a hierarchy does not come about. */
#include "solver/precond/precond_choice.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <string.h>

static Exec *exec;

/* The price of setting up counts once: what it is worth grows with the solves, and with the couplings of a mesh of
 * simplices, which a diagonal needs more iterations for. */
static void goes_by_price(void **state) {
  (void)state;
  char why[PRECOND_CHOICE_TEXT];
  PrecondFacts f = {.rows = 8000, .block = 3, .entries = 81, .has_graph = true, .has_modes = true};
  assert_string_equal(precond_choice(&f), "jacobi");
  precond_choice_why(&f, why);
  assert_non_null(strstr(why, "amg 1."));
  assert_non_null(strstr(why, " times as long for set-up and 1 solve"));
  f.solves = 100;
  assert_string_equal(precond_choice(&f), "amg");
  precond_choice_why(&f, why);
  assert_non_null(strstr(why, "jacobi "));
  assert_non_null(strstr(why, " for set-up and 4 solves and more"));
  f.solves = 1;
  f.entries = 43;
  assert_string_equal(precond_choice(&f), "amg");
  f = (PrecondFacts){.on_gpu = true, .rows = 2970000, .block = 3, .entries = 43, .has_graph = true, .has_modes = true};
  assert_string_equal(precond_choice(&f), "amg");
  f.rows = 100;
  precond_choice_why(&f, why);
  assert_string_equal(why, "");
}

static int rank(const char *name) { return !strcmp(name, "jacobi") ? 0 : !strcmp(name, "least-squares") ? 1 : 2; }

/* From the diagonal over polynomials to a hierarchy as systems grow, earlier in the plane, on the CPU and for many
 * solves; never a hierarchy where its vectors or the graph are missing. */
static void goes_by_size(void **state) {
  (void)state;
  for (int gpu = 0; gpu < 2; ++gpu)
    for (int block = 1; block <= 3; ++block) {
      int last = 0;
      for (double rows = 10; rows < 1e9; rows *= 1.5) {
        PrecondFacts f = {.on_gpu = gpu, .rows = (int64_t)rows, .block = block, .has_graph = true, .has_modes = true};
        const int one = rank(precond_choice(&f));
        assert_true(one >= last);
        last = one;
        f.solves = 1000;
        assert_true(rank(precond_choice(&f)) >= one);
        f.solves = 0;
        f.has_graph = false;
        assert_true(rank(precond_choice(&f)) < 2);
        f.has_modes = false;
        f.has_graph = true;
        assert_int_equal(rank(precond_choice(&f)), rows < 200 ? 0 : 1);
        f.block = 6;
        f.has_modes = true;
        assert_int_equal(rank(precond_choice(&f)), rows < 200 ? 0 : 1);
      }
      assert_int_equal(last, 2);
    }
  PrecondFacts f = {.rows = 100000, .block = 3, .has_graph = true, .has_modes = true};
  assert_int_equal(rank(precond_choice(&f)), 2);
  f.on_gpu = true;
  assert_int_equal(rank(precond_choice(&f)), 1);
  f.rows = 200000;
  f.block = 2;
  assert_string_equal(precond_choice(&f), "amg");
  f.order = 2;
  assert_string_equal(precond_choice(&f), "pmg");
  f = (PrecondFacts){.rows = 8000, .block = 3, .order = 2, .has_graph = true, .has_modes = true};
  assert_string_equal(precond_choice(&f), "pmg");
  f.order = 1;
  assert_string_equal(precond_choice(&f), "jacobi");
}

typedef struct System {
  Problem p;
  Mat *a;
  double *b, *x;
} System;

/* A chain of 120,000 nodes; `shift` on the diagonal makes all ties weak. */
static System chain(double shift) {
  System s = {0};
  problem_grid(120000, 1, 1, 1, 1, &s.p);
  for (int64_t i = 0; i < s.p.pattern->n; ++i)
    for (int64_t k = s.p.pattern->start[i]; k < s.p.pattern->start[i + 1]; ++k)
      if (s.p.pattern->column[k] == i) s.p.value[k] += shift;
  s.a = problem_mat(exec, &s.p, NULL);
  s.b = problem_vector(exec, s.p.pattern->n, NULL);
  s.x = problem_vector(exec, s.p.pattern->n, NULL);
  return s;
}

static void put_away(System *s) {
  EXEC_RELEASE(exec, s->b, s->p.pattern->n);
  EXEC_RELEASE(exec, s->x, s->p.pattern->n);
  mat_destroy(&s->a);
  problem_release(&s->p);
}

static LinearReport solve(System *s, const LinearParams *params) {
  LinearSolver *solver = NULL;
  LinearReport report;
  assert_ok(linear_create(exec, params, s->a, &solver));
  assert_ok(linear_setup(solver));
  assert_ok(linear_solve(solver, s->b, s->x, &report));
  assert_true(report.true_residual <= params->rtol);
  linear_destroy(&solver);
  return report;
}

static void is_what_the_solver_takes(void **state) {
  (void)state;
  System s = chain(1e-3);
  LinearParams params = linear_params_default();
  params.pattern = s.p.pattern;
  params.preconditioner = "auto";
  assert_string_equal(linear_choice(exec, &params, s.a), "least-squares"); /* nothing is known of the matrix */
  params.has_modes = true;
  assert_string_equal(linear_choice(exec, &params, s.a), "amg");
  const LinearReport report = solve(&s, &params);
  assert_string_equal(report.preconditioner, "amg");
  assert_int_equal(report.precision, PRECISION_FLOAT);
  params.degree = 12;
  assert_string_equal(linear_choice(exec, &params, s.a), "least-squares");
  params.preconditioner = "jacobi";
  assert_string_equal(linear_choice(exec, &params, s.a), "jacobi");
  assert_int_equal(status_warning_count(), 0);
  put_away(&s);
}

/* Asked for by name it is an error, as tests/solver/amg.c holds. */
static void gives_way_where_nothing_coarsens(void **state) {
  (void)state;
  System s = chain(1000);
  LinearParams params = linear_params_default();
  params.pattern = s.p.pattern;
  params.has_modes = true;
  params.inner = LINEAR_INNER_AUTO;
  assert_string_equal(linear_choice(exec, &params, s.a), "amg");
  const LinearReport report = solve(&s, &params);
  assert_string_equal(report.preconditioner, "least-squares");
  assert_int_equal(status_warning_count(), 1);
  status_warnings_clear();
  params.preconditioner = "amg";
  LinearSolver *solver = NULL;
  assert_ok(linear_create(exec, &params, s.a, &solver));
  assert_fails(linear_setup(solver), ERR_NUMERIC, "cannot be coarsened");
  linear_destroy(&solver);
  put_away(&s);
}

/* Low precision where they win: on a GPU. On a CPU polynomials are fastest in double, the rest in float. */
static void precision_goes_by_device(void **state) {
  (void)state;
  Problem p;
  LinearReport report;
  problem_grid(12, 10, 8, 3, 1, &p);
  System s = {p, problem_mat(exec, &p, "sbell"), problem_vector(exec, p.pattern->n * 3, NULL),
              problem_vector(exec, p.pattern->n * 3, NULL)};
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.inner = LINEAR_INNER_AUTO;
  report = solve(&s, &params);
  assert_int_equal(report.first_precision, exec_is_host(exec) ? PRECISION_DOUBLE : PRECISION_INT8);
  params.inner = LINEAR_INNER_LOWEST;
  report = solve(&s, &params);
  assert_int_equal(report.first_precision, PRECISION_INT8);
  params.inner = LINEAR_INNER_AUTO;
  params.pattern = s.p.pattern;
  const char *const others[] = {"amg", "ssor"};
  for (int k = 0; k < 2; ++k) {
    params.preconditioner = others[k];
    report = solve(&s, &params);
    if (exec_is_host(exec)) assert_int_equal(report.first_precision, PRECISION_FLOAT);
  }
  status_warnings_clear();
  EXEC_RELEASE(exec, s.b, p.pattern->n * 3);
  EXEC_RELEASE(exec, s.x, p.pattern->n * 3);
  mat_destroy(&s.a);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_by_size), cmocka_unit_test(goes_by_price), cmocka_unit_test(is_what_the_solver_takes),
      cmocka_unit_test(gives_way_where_nothing_coarsens), cmocka_unit_test(precision_goes_by_device)};
  return testing_run("solver/precond_choice", tests, exec);
}
