/* Solves with one look of the host: the solutions, counts and residuals of ordinary ones, and what does not go so goes the ordinary
 * way. */
#include "core/memory.h"
#include "solver/krylov/linear_record.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Pair {
  Problem p;
  Mat *a;
  int64_t n;
  double *b, *x, *host; /* on the Exec, and [n] */
  LinearSolver *solver[2];
} Pair;

static void begin(Pair *g, const char *precond, double rtol) {
  problem_grid(33, 21, 1, 1, 50, &g->p);
  g->a = problem_mat(exec, &g->p, "sbell");
  g->n = mat_rows(g->a);
  g->b = problem_vector(exec, g->n, NULL);
  g->x = problem_vector(exec, g->n, NULL);
  g->host = problem_host(2 * g->n);
  for (int k = 0; k < 2; ++k) {
    LinearParams params = linear_params_default();
    params.preconditioner = precond;
    params.pattern = g->p.pattern;
    params.rtol = rtol;
    params.at_once = k;
    params.mixed = false;
    assert_ok(linear_create(exec, &params, g->a, &g->solver[k]));
    assert_ok(linear_setup(g->solver[k]));
  }
}

static void end(Pair *g) {
  for (int k = 0; k < 2; ++k) linear_destroy(&g->solver[k]);
  EXEC_RELEASE(exec, g->b, g->n);
  EXEC_RELEASE(exec, g->x, g->n);
  FREE(g->host);
  mat_destroy(&g->a);
  problem_release(&g->p);
}

/* b is f(i) times drawn numbers, x begins at `from` times other ones; the solution of either solver to host. */
static void solve(Pair *g, int k, double factor, double from, LinearReport *report) {
  double *to = g->host + k * g->n;
  for (int64_t i = 0; i < g->n; ++i) to[i] = factor * problem_number(3 * i + 1);
  assert_ok(exec_upload(exec, g->b, to, (size_t)g->n * sizeof *to));
  for (int64_t i = 0; i < g->n; ++i) to[i] = from * problem_number(7 * i + 2);
  assert_ok(exec_upload(exec, g->x, to, (size_t)g->n * sizeof *to));
  assert_ok(linear_solve(g->solver[k], g->b, g->x, report));
  assert_ok(exec_download(exec, to, g->x, (size_t)g->n * sizeof *to));
}

/* A fall by less than what an ordinary solve looks at on the way is the same, on a CPU to the bit. */
static void as_ordinary(void **state) {
  (void)state;
  static const char *const preconds[] = {"amg", "jacobi", "chebyshev"};
  static const double rtol[] = {1e-3, 1e-9};
  for (int m = 0; m < 6; ++m) {
    Pair g = {0};
    begin(&g, preconds[m % 3], rtol[m / 3]);
    for (int t = 0; t < 3; ++t) {
      LinearReport report[2];
      for (int k = 0; k < 2; ++k) solve(&g, k, 1, t, &report[k]);
      for (int k = 0; k < 2; ++k) {
        assert_int_equal(report[k].reason, LINEAR_CONVERGED);
        assert_true(report[k].true_residual <= rtol[m / 3] && report[k].iterations > 0);
      }
      assert_true(llabs(report[0].iterations - report[1].iterations) <= (m < 3 ? 0 : 1 + report[0].iterations / 50));
      double size = 0;
      const double apart = exec_is_host(exec) ? 0 : 1e-13; /* a GPU contracts sums of each kernel in its own way */
      for (int64_t i = 0; i < g.n; ++i) size = fmax(size, fabs(g.host[i]));
      for (int64_t i = 0; i < g.n && m < 3 && t == 0; ++i)
        assert_true(fabs(g.host[i] - g.host[g.n + i]) <= apart * size);
      assert_near(report[1].norm_b, report[0].norm_b, 1e-15);
    }
    end(&g);
  }
}

/* What one look did not bring to its end goes on the ordinary way, and all iterations count. */
static void counts_both(void **state) {
  (void)state;
  Pair g = {0};
  LinearReport whole, cut;
  begin(&g, "jacobi", 1e-9);
  solve(&g, 0, 1, 0, &whole);
  linear_destroy(&g.solver[1]);
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi", params.pattern = g.p.pattern, params.rtol = 1e-9;
  params.at_once = true, params.mixed = false;
  params.max_iterations = whole.iterations * 9 / 10;
  assert_ok(linear_create(exec, &params, g.a, &g.solver[1]));
  assert_ok(linear_setup(g.solver[1]));
  solve(&g, 1, 1, 0, &cut);
  assert_int_equal(cut.reason, LINEAR_CONVERGED);
  assert_true(cut.iterations > params.max_iterations && cut.iterations <= 2 * params.max_iterations);
  end(&g);
}

/* What is solved already, nothing, squares beyond double, numbers that are none. */
static void at_the_edges(void **state) {
  (void)state;
  static const double factor[] = {0, 1e-180, 1e180};
  Pair g = {0};
  LinearReport report[2], again;
  begin(&g, "amg", 1e-8);
  solve(&g, 1, 1, 0, &report[1]);
  assert_ok(linear_solve(g.solver[1], g.b, g.x, &again));
  assert_int_equal(again.reason, LINEAR_CONVERGED);
  assert_int_equal(again.iterations, 0);
  for (int t = 0; t < 3; ++t) {
    for (int k = 0; k < 2; ++k) solve(&g, k, factor[t], 1, &report[k]);
    assert_int_equal(report[1].reason, report[0].reason);
    for (int64_t i = 0; i < g.n; ++i) assert_true(fabs(g.host[i] - g.host[g.n + i]) <= 1e-6 * factor[t]);
  }
  g.host[0] = (double)NAN;
  assert_ok(exec_upload(exec, g.b, g.host, sizeof *g.host));
  assert_int_equal(linear_solve(g.solver[1], g.b, g.x, &report[1]), ERR_NUMERIC);
  assert_int_equal(report[1].reason, LINEAR_NAN);
  status_clear();
  end(&g);
}

/* Copies in tiles, of differences in float and in half of what is scaled: as many iterations, and the true residual of the
 * matrix itself. Where that is to be less than such a copy allows the matrix stays in its place. */
static void in_tiles(void **state) {
  (void)state;
  static const double rtol[] = {1e-6, 1e-8, 1e-11};
  for (int m = 0; m < 3; ++m) {
    Pair g = {0};
    begin(&g, "amg", rtol[m]);
    for (int k = 0; k < 2; ++k) linear_destroy(&g.solver[k]);
    mat_destroy(&g.a);
    assert_ok(mat_create(exec, &(MatParams){.format = "sbell", .window = 1}, g.p.pattern, &g.a));
    problem_fill(&g.p, g.a);
    for (int k = 0; k < 2; ++k) {
      LinearParams params = linear_params_default();
      params.preconditioner = "amg", params.pattern = g.p.pattern, params.rtol = rtol[m];
      params.at_once = true, params.inner = LINEAR_INNER_HALF;
      params.tiles = k;
      assert_ok(linear_create(exec, &params, g.a, &g.solver[k]));
      assert_ok(linear_setup(g.solver[k]));
      assert_true((linear_recorded_matrix(g.solver[k]) != g.a) == (k == 1 && m < 2));
    }
    LinearReport report[2];
    double rr = 0, bb = 0, *x = g.host + g.n;
    for (int k = 0; k < 2; ++k) {
      solve(&g, k, 1, 0, &report[k]);
      for (int64_t i = 0; i < g.n; ++i) x[i] = problem_number(3 * i + 1) + 1e-3 * problem_number(5 * i);
      assert_ok(exec_upload(exec, g.b, x, (size_t)g.n * sizeof *x));
      assert_ok(linear_solve(g.solver[k], g.b, g.x, &report[k]));
      assert_int_equal(report[k].reason, LINEAR_CONVERGED);
    }
    assert_true(llabs(report[0].iterations - report[1].iterations) <= 1 && report[1].iterations > 2);
    assert_ok(exec_download(exec, x, g.x, (size_t)g.n * sizeof *x));
    for (int32_t i = 0; i < g.n; ++i) {
      const double b = problem_number(3 * i + 1) + 1e-3 * problem_number(5 * i);
      double r = b;
      for (int64_t e = g.p.pattern->start[i]; e < g.p.pattern->start[i + 1]; ++e)
        r -= g.p.value[e] * x[g.p.pattern->column[e]];
      rr += r * r, bb += b * b;
    }
    assert_true(sqrt(rr / bb) <= 1.001 * rtol[m]);
    end(&g);
  }
}

int main(void) {
  exec = testing_exec();
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_ordinary), cmocka_unit_test(counts_both),
                                     cmocka_unit_test(at_the_edges), cmocka_unit_test(in_tiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
