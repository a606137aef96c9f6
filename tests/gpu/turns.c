/* A loop that idles after its stop (exec_loop_idles) is recorded several turns at a time: as many count, and to the
 * same bits, as when each turn is launched and looked at. Preconditioners of few and many launches, stops by
 * convergence, by a limit and to be looked at in between. And the other ways of doing a loop agree, each with itself to
 * the bit. */
#include "tests/testing.h"

#include <string.h>

#include "core/memory.h"
#include "core/vec.h"
#include "gpu/exec/cuda_exec.h"
#include "solver/krylov/linear.h"
#include "tests/solver/problems.h"

enum { MOST = 3 * 10 * 6 * 5 };

static Exec *exec; /* NULL without a GPU */

typedef struct Outcome {
  Status status;
  LinearReason reason;
  int64_t iterations, products;
  int32_t restarts;
  double residual, x[MOST];
} Outcome;

static void solve(const Problem *p, const Mat *a, const LinearParams *like, bool checked, Outcome *out) {
  const int64_t n = mat_rows(a);
  LinearParams params = *like;
  params.pattern = p->pattern;
  LinearSolver *solver = NULL;
  LinearReport report = {0};
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
  memset(out, 0, sizeof *out);
  assert_in_range(n, 1, MOST);
  exec->check = checked;
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  assert_ok(linear_create(exec, &params, a, &solver));
  assert_ok(linear_setup(solver));
  out->status = linear_solve(solver, b, x, &report);
  exec->check = false;
  out->reason = report.reason;
  out->iterations = report.iterations;
  out->products = report.products;
  out->restarts = report.restarts;
  out->residual = report.true_residual;
  assert_ok(exec_download(exec, out->x, x, (size_t)n * sizeof *x));
  linear_destroy(&solver);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
}

static void test_same_turns(void **state) {
  (void)state;
  if (!exec) skip();
  const bool follow = !getenv("SINEW_TEST_CHECK"); /* compute-sanitizer does not follow graphs (tests/testing.h) */
  static const struct {
    const char *preconditioner;
    int32_t degree;
    int64_t max_iterations;
    LinearReason reason;
  } tries[] = {{"jacobi", 0, 0, LINEAR_CONVERGED},
               {"jacobi", 0, 1, LINEAR_MAX_ITERATIONS},
               {"jacobi", 0, 8, LINEAR_MAX_ITERATIONS},
               {"jacobi", 0, 13, LINEAR_MAX_ITERATIONS},
               {"least-squares", 3, 0, LINEAR_CONVERGED},
               {"least-squares", 8, 0, LINEAR_CONVERGED},
               {"least-squares", 8, 5, LINEAR_MAX_ITERATIONS},
               {"ssor", 0, 0, LINEAR_CONVERGED},
               {"amg", 0, 0, LINEAR_CONVERGED}};
  Outcome *checked = NULL, *graph = NULL, *again = NULL;
  Problem p;
  assert_ok(mem_alloc(1, sizeof *checked, "an outcome", (void **)&checked));
  assert_ok(mem_alloc(1, sizeof *graph, "an outcome", (void **)&graph));
  assert_ok(mem_alloc(1, sizeof *again, "an outcome", (void **)&again));
  problem_grid(follow ? 10 : 4, follow ? 6 : 3, follow ? 5 : 2, 3, 1e3, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  setenv("SINEW_GPU_LOOP", "graph", 1);
  for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
    LinearParams params = linear_params_default();
    params.preconditioner = tries[i].preconditioner;
    params.degree = tries[i].degree;
    params.max_iterations = tries[i].max_iterations;
    solve(&p, a, &params, true, checked);
    solve(&p, a, &params, !follow, graph);
    if (follow) assert_int_equal(checked->reason, tries[i].reason);
    if (follow && tries[i].max_iterations) assert_int_equal(checked->iterations, tries[i].max_iterations);
    assert_memory_equal(graph, checked, sizeof *graph);
    for (int w = 0; w < 2; ++w) { /* in one kernel sums are added in another order, but always in that */
      setenv("SINEW_GPU_LOOP", w ? "grid" : "cluster", 1);
      solve(&p, a, &params, false, checked);
      solve(&p, a, &params, false, again);
      assert_memory_equal(again, checked, sizeof *again);
      assert_int_equal(again->reason, graph->reason);
      assert_in_range(again->iterations, graph->iterations - 1, graph->iterations + 1);
      if (follow && tries[i].max_iterations) assert_int_equal(again->iterations, tries[i].max_iterations);
      for (int64_t k = 0; again->iterations == graph->iterations && k < mat_rows(a); ++k)
        assert_near(again->x[k], graph->x[k], 1e-7);
    }
    setenv("SINEW_GPU_LOOP", "graph", 1);
  }
  unsetenv("SINEW_GPU_LOOP");
  mat_destroy(&a);
  problem_release(&p);
  mem_free((void **)&checked);
  mem_free((void **)&graph);
  mem_free((void **)&again);
}

/* Ten short solves, ten long ones and so on by one solver, whose loop learns their lengths: x after all of them, and
 * the iterations of each. The short ones begin with the solution for another load, which is 1e-6 off. */
enum { SOLVES = 40 };
static void solve_often(const Problem *p, const Mat *a, const char *turns, double *out, int64_t iterations[SOLVES]) {
  const int64_t n = mat_rows(a);
  LinearParams params = linear_params_default();
  params.pattern = p->pattern;
  params.preconditioner = "jacobi";
  LinearSolver *solver = NULL;
  double *load[2], *x = problem_vector(exec, n, NULL);
  for (int k = 0; k < 2; ++k) load[k] = problem_vector(exec, n, NULL);
  assert_ok(vec_axpy(exec, n, 1e-6, load[0], load[1]));
  setenv("SINEW_GPU_TURNS", turns, 1);
  assert_ok(linear_create(exec, &params, a, &solver));
  assert_ok(linear_setup(solver));
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  for (int k = 0; k < SOLVES; ++k) {
    LinearReport report = {0};
    if (k / 10 % 2) assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
    assert_ok(linear_solve(solver, load[k % 2], x, &report));
    iterations[k] = report.iterations;
  }
  unsetenv("SINEW_GPU_TURNS");
  assert_ok(exec_download(exec, out, x, (size_t)n * sizeof *x));
  linear_destroy(&solver);
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(exec, load[k], n);
  EXEC_RELEASE(exec, x, n);
}

static void test_learns(void **state) {
  (void)state;
  if (!exec || getenv("SINEW_TEST_CHECK")) skip();
  static const char *const turns[] = {"1", "3", "8", "auto"};
  static double x[2][MOST];
  int64_t iterations[2][SOLVES];
  Problem p;
  problem_grid(4, 3, 2, 3, 10, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  setenv("SINEW_GPU_LOOP", "graph", 1);
  for (size_t k = 0; k < sizeof turns / sizeof *turns; ++k) {
    solve_often(&p, a, turns[k], x[k > 0], iterations[k > 0]);
    assert_true(iterations[0][5] < iterations[0][15]);
    if (k) assert_memory_equal(iterations[1], iterations[0], sizeof *iterations);
    if (k) assert_memory_equal(x[1], x[0], sizeof *x);
  }
  setenv("SINEW_GPU_TURNS", "9", 1);
  LinearParams params = linear_params_default();
  LinearSolver *solver = NULL;
  LinearReport report;
  double *b = problem_vector(exec, mat_rows(a), NULL), *y = problem_vector(exec, mat_rows(a), NULL);
  params.preconditioner = "jacobi";
  assert_ok(linear_create(exec, &params, a, &solver));
  assert_ok(linear_setup(solver));
  assert_fails(linear_solve(solver, b, y, &report), ERR_INPUT, "SINEW_GPU_TURNS is '9', must be auto or 1 to 8");
  unsetenv("SINEW_GPU_TURNS");
  unsetenv("SINEW_GPU_LOOP");
  EXEC_RELEASE(exec, b, mat_rows(a));
  EXEC_RELEASE(exec, y, mat_rows(a));
  linear_destroy(&solver);
  mat_destroy(&a);
  problem_release(&p);
}

static int set_up(void **state) {
  (void)state;
  char why[256];
  return cuda_usable(why, sizeof why) ? exec_create_cuda(&exec) != OK : 0;
}
static int tear_down(void **state) {
  (void)state;
  exec_destroy(&exec);
  return mem_in_use() != 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_turns), cmocka_unit_test(test_learns)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
