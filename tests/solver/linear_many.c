/* Several right-hand sides at once: each column as if it were alone, whatever the others do. */
#include "algebra/graph/sparse_direct.h"
#include "solver/krylov/linear_many.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/precond/precond.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;
enum { MOST = 13 };

typedef struct Group {
  Problem p;
  Mat *a;
  int64_t n;
  double *b, *x;       /* on the Exec, [MOST][n] */
  double *host, *work; /* [MOST][n], [n] */
  LinearSolver *solver;
  LinearMany *many;
  LinearReport report[MOST];
  int32_t failed;
} Group;

/* A problem of which the Group owns p already; b are numbers in [-1, 1], x is 0. */
static void begin(Group *g, const char *format, const LinearParams *params, int32_t k) {
  g->a = problem_mat(exec, &g->p, format);
  g->n = mat_rows(g->a);
  g->b = problem_vector(exec, MOST * g->n, NULL);
  g->x = problem_vector(exec, MOST * g->n, NULL);
  g->host = problem_host(MOST * g->n);
  g->work = problem_host(g->n);
  assert_ok(exec_zero(exec, g->x, (size_t)(MOST * g->n) * sizeof *g->x));
  LinearParams with = *params;
  with.pattern = g->p.pattern;
  assert_ok(linear_create(exec, &with, g->a, &g->solver));
  assert_ok(linear_setup(g->solver));
  assert_ok(linear_many_create(g->solver, k, &g->many));
}

static void end(Group *g) {
  linear_many_destroy(&g->many);
  linear_destroy(&g->solver);
  EXEC_RELEASE(exec, g->b, MOST * g->n);
  EXEC_RELEASE(exec, g->x, MOST * g->n);
  FREE(g->host);
  FREE(g->work);
  mat_destroy(&g->a);
  problem_release(&g->p);
}

static Status solve(Group *g, int32_t k) { return linear_solve_many(g->many, g->b, g->x, k, g->report, &g->failed); }

static void scale_column(Group *g, int32_t c, double factor) {
  assert_ok(exec_download(exec, g->work, g->b + c * g->n, (size_t)g->n * sizeof(double)));
  for (int64_t i = 0; i < g->n; ++i) g->work[i] *= factor;
  assert_ok(exec_upload(exec, g->b + c * g->n, g->work, (size_t)g->n * sizeof(double)));
}

/* |b - A x| / |b| of a column by the reference product. */
static double residual_of(Group *g, int32_t c) {
  double rr = 0, bb = 0, *b = g->host + g->n;
  assert_ok(exec_download(exec, g->host, g->x + c * g->n, (size_t)g->n * sizeof(double)));
  assert_ok(exec_download(exec, b, g->b + c * g->n, (size_t)g->n * sizeof(double)));
  problem_apply(&g->p, g->host, g->work);
  for (int64_t i = 0; i < g->n; ++i) {
    rr += (b[i] - g->work[i]) * (b[i] - g->work[i]);
    bb += b[i] * b[i];
  }
  return sqrt(rr / bb);
}

/* Solves k columns and each again alone: the same counts give or take one, the same true residual as promised. */
static void check_against_single(Group *g, int32_t k, double rtol) {
  assert_ok(solve(g, k));
  assert_int_equal(g->failed, -1);
  for (int32_t c = 0; c < k; ++c) {
    const LinearReport *r = &g->report[c];
    assert_int_equal(r->reason, LINEAR_CONVERGED);
    assert_true(r->true_residual <= rtol && r->iterations > 0 && r->products > r->iterations);
    assert_true(fabs(residual_of(g, c) - r->true_residual) <= 0.01 * rtol + 1e-13);
    LinearReport alone;
    double *x = problem_vector(exec, g->n, NULL);
    assert_ok(exec_zero(exec, x, (size_t)g->n * sizeof *x));
    assert_ok(linear_solve(g->solver, g->b + c * g->n, x, &alone));
    assert_true(llabs(alone.iterations - r->iterations) <= 1 + alone.iterations / 50);
    assert_true(llabs(alone.products - r->products) <= 2 * (1 + alone.products / 50) + 16);
    assert_int_equal(alone.restarts, r->restarts);
    assert_near(alone.norm_b, r->norm_b, 1e-14);
    EXEC_RELEASE(exec, x, g->n);
  }
}

static void some_problem(int which, Problem *p) {
  if (which == 0) problem_grid(300, 1, 1, 1, 1, p);
  else if (which == 1) problem_grid(17, 9, 1, 2, 100, p);
  else if (which == 2) problem_grid(9, 7, 6, 3, 1, p);
  else problem_random(100, 3, 9, p);
}

/* The CPU executor keeps its buffer of partial sums, so that memory counts are steady only from a large sum on. */
static void grow_partial_sums(void) {
  double *x = problem_vector(exec, 1 << 18, NULL), *out = problem_vector(exec, 1, NULL);
  assert_ok(vec_norm(exec, 1 << 18, x, out));
  EXEC_RELEASE(exec, x, 1 << 18);
  EXEC_RELEASE(exec, out, 1);
}

static bool factors(void) {
  if (sparse_direct_there() && exec_is_host(exec)) return true;
  print_message("skipped the factor: %s\n",
                sparse_direct_there() ? "it solves on the CPU only" : sparse_direct_why_not());
  return false;
}

static void every_kind_as_if_alone(void **state) {
  (void)state;
  static const char *const preconds[] = {"least-squares", "jacobi",  "block-jacobi", "chebyshev",
                                         "none",          "neumann", "amg",          "direct"};
  const int kinds = factors() ? 8 : 7;
  static const int32_t counts[] = {2, 3, 5, 8, 11};
  grow_partial_sums();
  const size_t before = mem_in_use();
  int turn = 0;
  for (int which = 0; which < 4; ++which)
    for (int m = 0; m < kinds; ++m)
      for (int mixed = 0; mixed < 2; ++mixed, ++turn) {
        if (testing_checks() && (which != 3 || turn % 3)) continue;
        if (mixed && m != 0 && m != 3 && m != 6) continue;
        Group g = {0};
        some_problem(which, &g.p);
        LinearParams params = linear_params_default();
        params.preconditioner = preconds[m];
        params.mixed = mixed;
        if (m == 5) params.degree = 1 + which;
        begin(&g, turn / 2 % 2 ? "csr" : "sbell", &params, counts[turn % 5]);
        assert_null(linear_many_note(g.many));
        check_against_single(&g, counts[turn % 5], params.rtol);
        assert_int_equal(g.report[0].precision, mixed ? PRECISION_FLOAT : PRECISION_DOUBLE);
        end(&g);
      }
  assert_int_equal(mem_in_use(), before);
}

/* A factor that takes the place of multigrid between two solves of the same columns. */
static void factor_in_between(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  Group g = {0};
  bool taken = false;
  if (!factors()) return;
  some_problem(2, &g.p);
  LinearParams params = linear_params_default();
  params.preconditioner = "amg";
  params.spare = g.p.pattern;
  begin(&g, "csr", &params, 5);
  check_against_single(&g, 5, params.rtol);
  assert_ok(linear_take_spare(g.solver, "tried", &taken));
  assert_true(taken);
  assert_ok(linear_setup(g.solver));
  assert_ok(exec_zero(exec, g.x, (size_t)(MOST * g.n) * sizeof *g.x));
  check_against_single(&g, 5, params.rtol);
  assert_true(!strcmp(g.report[4].preconditioner, "direct") && g.report[4].iterations <= 2);
  end(&g);
  assert_int_equal(mem_in_use(), before);
}

/* Copies in fewer bits serve several columns too. */
static void low_precision_as_if_alone(void **state) {
  (void)state;
  static const struct {
    const char *preconditioner;
    LinearInner inner;
    Precision used;
  } rows[] = {{"least-squares", LINEAR_INNER_INT8, PRECISION_INT8},
              {"chebyshev", LINEAR_INNER_HALF, PRECISION_HALF},
              {"neumann", LINEAR_INNER_BFLOAT16, PRECISION_BFLOAT16},
              {"amg", LINEAR_INNER_INT8, PRECISION_INT8}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Group g = {0};
    some_problem(2, &g.p);
    LinearParams params = linear_params_default();
    params.preconditioner = rows[i].preconditioner;
    params.inner = rows[i].inner;
    begin(&g, "sbell", &params, 3 + (int32_t)i);
    assert_null(linear_many_note(g.many));
    check_against_single(&g, 3 + (int32_t)i, params.rtol);
    assert_int_equal(g.report[0].precision, rows[i].used);
    end(&g);
  }
}

/* One column is linear_solve, to the bit; so is the ninth. */
static void one_column_is_linear_solve(void **state) {
  (void)state;
  Group g = {0};
  some_problem(2, &g.p);
  const LinearParams params = linear_params_default();
  begin(&g, NULL, &params, 9);
  assert_ok(solve(&g, 9));
  LinearReport alone;
  double *x = g.x + 9 * g.n;
  assert_ok(linear_solve(g.solver, g.b + 8 * g.n, x, &alone));
  assert_ok(exec_download(exec, g.host, g.x + 8 * g.n, (size_t)(2 * g.n) * sizeof *x));
  assert_memory_equal(g.host, g.host + g.n, (size_t)g.n * sizeof *x);
  assert_int_equal(alone.iterations, g.report[8].iterations);
  end(&g);
}

/* First guesses and magnitudes far apart; what stands still keeps its bits whatever runs beside it. */
static void columns_end_on_their_own(void **state) {
  (void)state;
  Group g = {0};
  some_problem(2, &g.p);
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  begin(&g, NULL, &params, 8);
  assert_ok(solve(&g, 1)); /* a column that is solved before */
  scale_column(&g, 1, 1e-150);
  scale_column(&g, 2, 1e120);
  assert_ok(exec_zero(exec, g.b + 3 * g.n, (size_t)g.n * sizeof(double))); /* zero, from a guess that is not */
  assert_ok(exec_copy(exec, g.x + 3 * g.n, g.b, (size_t)g.n * sizeof(double)));
  assert_ok(exec_copy(exec, g.x + 4 * g.n, g.x, (size_t)g.n * sizeof(double))); /* near b_0's, for another b */
  assert_ok(exec_download(exec, g.host, g.x, (size_t)g.n * sizeof(double)));
  for (int64_t i = 0; i < g.n; ++i) g.host[i] *= 1 + 1e-6 * problem_number(i);
  assert_ok(exec_upload(exec, g.x + 5 * g.n, g.host, (size_t)g.n * sizeof(double))); /* nearly solved: b_5 = b_0 */
  assert_ok(exec_copy(exec, g.b + 5 * g.n, g.b, (size_t)g.n * sizeof(double)));
  double *solved = problem_host(g.n);
  assert_ok(exec_download(exec, solved, g.x, (size_t)g.n * sizeof(double)));
  assert_ok(solve(&g, 7));
  assert_ok(exec_download(exec, g.host, g.x, (size_t)(4 * g.n) * sizeof(double)));
  assert_memory_equal(solved, g.host, (size_t)g.n * sizeof(double));
  assert_int_equal(g.report[0].iterations, 0);
  for (int64_t i = 0; i < g.n; ++i) assert_true(g.host[3 * g.n + i] == 0);
  assert_true(g.report[3].iterations == 0 && g.report[3].true_residual == 0 && g.report[3].norm_b == 0);
  assert_in_range(g.report[5].iterations, 1, g.report[6].iterations / 2);
  for (int32_t c = 0; c < 7; ++c) {
    assert_int_equal(g.report[c].reason, LINEAR_CONVERGED);
    assert_true(g.report[c].true_residual <= params.rtol);
    if (c != 3 && c != 1) assert_true(residual_of(&g, c) <= 1.01 * params.rtol);
  }
  /* the same columns beside others have the same bits */
  assert_ok(exec_download(exec, g.host, g.x + 6 * g.n, (size_t)g.n * sizeof(double)));
  memcpy(solved, g.host, (size_t)g.n * sizeof(double));
  assert_ok(exec_zero(exec, g.x, (size_t)(8 * g.n) * sizeof(double)));
  scale_column(&g, 0, 3);
  assert_ok(solve(&g, 8));
  assert_ok(exec_download(exec, g.host, g.x + 6 * g.n, (size_t)g.n * sizeof(double)));
  assert_memory_equal(solved, g.host, (size_t)g.n * sizeof(double));
  FREE(solved);
  end(&g);
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Exec *shared = exec;
  double *first = NULL;
  for (int threads = 1; threads <= 3; ++threads) {
    Group g = {0};
    assert_ok(exec_create_cpu(threads, &exec));
    problem_grid(14, 12, 9, 3, 1, &g.p); /* four chunks of scalar rows */
    const LinearParams params = linear_params_default();
    begin(&g, "csr", &params, 5);
    assert_ok(solve(&g, 5));
    if (!first) first = problem_host(5 * g.n);
    assert_ok(exec_download(exec, threads == 1 ? first : g.host, g.x, (size_t)(5 * g.n) * sizeof(double)));
    if (threads > 1) assert_memory_equal(first, g.host, (size_t)(5 * g.n) * sizeof(double));
    end(&g);
    exec_destroy(&exec);
  }
  FREE(first);
  exec = shared;
}

/* The bound is far too small: raised by one column, good for all. */
static void bound_too_small_is_raised(void **state) {
  (void)state;
  Group g = {0};
  problem_grid(14, 10, 9, 3, 1, &g.p);
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.bound_factor = 0.55;
  begin(&g, "sbell", &params, 4);
  int32_t restarts = 0;
  assert_ok(solve(&g, 4));
  for (int32_t c = 0; c < 4; ++c) {
    restarts += g.report[c].restarts;
    assert_true(residual_of(&g, c) <= 1.01 * params.rtol && g.report[c].iterations < 2000);
  }
  assert_true(restarts > 0);
  assert_ok(exec_zero(exec, g.x, (size_t)(4 * g.n) * sizeof(double)));
  assert_ok(solve(&g, 4)); /* it stays raised */
  for (int32_t c = 0; c < 4; ++c) assert_true(g.report[c].restarts == 0 && g.report[c].true_residual <= params.rtol);
  end(&g);
}

/* Beyond what the recursion reaches in one run. */
static void true_residual_replaces_the_recursive_one(void **state) {
  (void)state;
  Group g = {0};
  problem_grid(14, 12, 10, 3, 1e5, &g.p);
  LinearParams params = linear_params_default();
  params.rtol = 1e-12;
  begin(&g, NULL, &params, 3);
  assert_ok(solve(&g, 3));
  for (int32_t c = 0; c < 3; ++c) assert_true(residual_of(&g, c) <= 1.1e-12);
  end(&g);
}

static void not_a_number(void **state) {
  (void)state;
  Group g = {0};
  some_problem(2, &g.p);
  const LinearParams params = linear_params_default();
  begin(&g, NULL, &params, 4);
  const double nan_value = NAN;
  assert_ok(exec_upload(exec, g.b + 2 * g.n + 7, &nan_value, sizeof nan_value));
  assert_fails(solve(&g, 4), ERR_NUMERIC, "the right-hand side is not a number in equation 7");
  assert_int_equal(g.failed, 2);
  assert_int_equal(g.report[2].reason, LINEAR_NAN);
  assert_int_equal(g.report[2].equation, 7);
  end(&g);
}

/* A pair of unknowns with a coupling larger than their diagonals; for the diagonal, told before the loop. */
static void indefinite_has_the_same_reason(void **state) {
  (void)state;
  for (int diagonal = 0; diagonal < 2; ++diagonal) {
    Group g = {0};
    problem_grid(6, 5, 4, 3, 1, &g.p);
    const double big = 50 * *problem_entry(&g.p, 9, 9, 0, 0);
    if (diagonal) *problem_entry(&g.p, 18, 18, 1, 1) = -2.5;
    else *problem_entry(&g.p, 9, 10, 0, 2) = *problem_entry(&g.p, 10, 9, 2, 0) = big;
    const LinearParams params = linear_params_default();
    begin(&g, NULL, &params, 3);
    assert_ok(exec_zero(exec, g.b, (size_t)g.n * sizeof(double)));
    if (!diagonal) {
      assert_fails(solve(&g, 3), ERR_NUMERIC, "p.Ap = -");
      assert_int_equal(g.failed, 1);
      assert_true(g.report[1].equation == 27 || g.report[1].equation == 32);
      assert_int_equal(g.report[0].reason, LINEAR_CONVERGED);
    } else {
      assert_fails(solve(&g, 3), ERR_NUMERIC, "the first is -2.5 in equation 55");
      assert_int_equal(g.failed, 0);
    }
    assert_int_equal(g.report[g.failed].reason, LINEAR_INDEFINITE);
    end(&g);
  }
}

static void iterations_run_out(void **state) {
  (void)state;
  Group g = {0};
  some_problem(2, &g.p);
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  params.max_iterations = 7;
  begin(&g, NULL, &params, 2);
  assert_fails(solve(&g, 2), ERR_NUMERIC, "did not converge in 7 iterations");
  assert_int_equal(g.failed, 0);
  assert_int_equal(g.report[0].reason, LINEAR_MAX_ITERATIONS);
  assert_int_equal(g.report[0].iterations, 7);
  assert_true(g.report[0].true_residual > params.rtol && g.report[0].true_residual < 1);
  end(&g);
}

/* What cannot be done for all at once is done for one after another, and that is said. */
static void others_say_what_they_do(void **state) {
  (void)state;
  static const struct {
    const char *format, *preconditioner, *precision, *note;
    Precision used;
  } rows[] = {{"ell", "amg", "mixed", "one after another: format 'ell', preconditioner 'amg'; the matrix' format",
               PRECISION_FLOAT},
              {"sbell", "ssor", "mixed", "works on one vector at a time", PRECISION_FLOAT},
              {"ell", "least-squares", "mixed", "one after another: format 'ell'", PRECISION_FLOAT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Group g = {0};
    some_problem(2, &g.p);
    LinearParams params = linear_params_default();
    params.preconditioner = rows[i].preconditioner;
    assert_ok(linear_params_precision(&params, rows[i].precision));
    begin(&g, rows[i].format, &params, 4);
    assert_non_null(linear_many_note(g.many));
    assert_non_null(strstr(linear_many_note(g.many), rows[i].note));
    assert_ok(solve(&g, 4));
    for (int32_t c = 0; c < 4; ++c) assert_true(residual_of(&g, c) <= 1.01 * params.rtol);
    assert_int_equal(g.report[3].precision, rows[i].used);
    end(&g);
  }
}

/* New values of the matrix: the copy of the polynomial's matrix must follow. */
static void new_values_are_noticed(void **state) {
  (void)state;
  Group g = {0};
  some_problem(2, &g.p);
  LinearParams params = linear_params_default();
  params.inner = LINEAR_INNER_INT8;
  params.preconditioner = "least-squares";
  begin(&g, NULL, &params, 2);
  assert_ok(solve(&g, 2));
  const int64_t first = g.report[1].iterations;
  for (int64_t e = 0; e < g.p.pattern->start[g.p.pattern->n] * 9; ++e) g.p.value[e] *= 1e9;
  problem_fill(&g.p, g.a);
  assert_ok(linear_setup(g.solver));
  assert_ok(exec_zero(exec, g.x, (size_t)(2 * g.n) * sizeof(double)));
  assert_ok(solve(&g, 2));
  assert_true(llabs(g.report[1].iterations - first) <= 1 && residual_of(&g, 1) <= 1.01e-8);
  end(&g);
}

typedef struct Attempt {
  const Mat *a;
  const double *b;
  double *x;
  LinearParams params;
} Attempt;
static Status attempt(void *context) {
  Attempt *t = context;
  LinearSolver *s = NULL;
  LinearMany *many = NULL;
  LinearReport report[3];
  int32_t failed;
  Status status = exec_zero(exec, t->x, (size_t)(3 * mat_rows(t->a)) * sizeof(double));
  if (status == OK) status = linear_create(exec, &t->params, t->a, &s);
  if (status == OK) status = linear_setup(s);
  if (status == OK) status = linear_many_create(s, 3, &many);
  if (status == OK) status = linear_solve_many(many, t->b, t->x, 3, report, &failed);
  linear_many_destroy(&many);
  linear_destroy(&s);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  grow_partial_sums();
  static const LinearInner inners[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT, LINEAR_INNER_INT8};
  for (int i = 0; i < 3; ++i) {
    Problem p;
    problem_grid(4, 4, 4, 3, 1, &p);
    Mat *a = problem_mat(exec, &p, NULL);
    double *b = problem_vector(exec, 3 * mat_rows(a), NULL), *x = problem_vector(exec, 3 * mat_rows(a), NULL);
    Attempt t = {a, b, x, linear_params_default()};
    t.params.preconditioner = "least-squares";
    t.params.inner = inners[i];
    assert_true(testing_fail_each(exec, attempt, &t) > 20);
    EXEC_RELEASE(exec, b, 3 * mat_rows(a));
    EXEC_RELEASE(exec, x, 3 * mat_rows(a));
    mat_destroy(&a);
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_as_if_alone),
      cmocka_unit_test(factor_in_between),
      cmocka_unit_test(low_precision_as_if_alone),
      cmocka_unit_test(one_column_is_linear_solve),
      cmocka_unit_test(columns_end_on_their_own),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(bound_too_small_is_raised),
      cmocka_unit_test(true_residual_replaces_the_recursive_one),
      cmocka_unit_test(not_a_number),
      cmocka_unit_test(indefinite_has_the_same_reason),
      cmocka_unit_test(iterations_run_out),
      cmocka_unit_test(others_say_what_they_do),
      cmocka_unit_test(new_values_are_noticed),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/linear_many", tests, exec);
}
