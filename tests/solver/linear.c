/* Conjugate gradients with every preconditioner: counts, tolerances, reasons, repeatability, failures. */
#include "tests/solver/problems.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "solver/precond/eigenvalue_bound.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

/* |b - A x| / |b| by the reference product, on the host. */
static double reference_residual(const Problem *p, int64_t n, const double *b, const double *x) {
  double *ax = NULL, *hb = NULL, *hx = NULL, rr = 0, bb = 0;
  assert_ok(mem_alloc(n, sizeof *ax, "A x", (void **)&ax));
  assert_ok(mem_alloc(n, sizeof *hb, "b", (void **)&hb));
  assert_ok(mem_alloc(n, sizeof *hx, "x", (void **)&hx));
  assert_ok(exec_download(exec, hb, b, (size_t)n * sizeof *hb));
  assert_ok(exec_download(exec, hx, x, (size_t)n * sizeof *hx));
  problem_apply(p, hx, ax);
  for (int64_t i = 0; i < n; ++i) {
    rr += (hb[i] - ax[i]) * (hb[i] - ax[i]);
    bb += hb[i] * hb[i];
  }
  FREE(ax);
  FREE(hb);
  FREE(hx);
  return sqrt(rr / bb);
}

static Status solve_with(const Mat *a, const LinearParams *params, const double *b, double *x, LinearReport *report) {
  LinearSolver *s = NULL;
  Status status = linear_create(exec, params, a, &s);
  if (status == OK) status = linear_setup(s);
  if (status == OK) status = linear_solve(s, b, x, report);
  linear_destroy(&s);
  return status;
}

static double *zeros(int64_t n) {
  double *x = problem_vector(exec, n, NULL);
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  return x;
}

/* Solves with b = numbers in [-1, 1] and checks the answer by the reference product. */
static LinearReport check_solve(const Problem *p, const char *format, const LinearParams *params) {
  Mat *a = problem_mat(exec, p, format);
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = zeros(n);
  LinearReport report;
  assert_ok(solve_with(a, params, b, x, &report));
  assert_int_equal(report.reason, LINEAR_CONVERGED);
  assert_true(report.true_residual <= params->rtol);
  const double residual = reference_residual(p, n, b, x);
  /* apart from the rounding of the products themselves */
  assert_true(fabs(residual - report.true_residual) <= 0.01 * params->rtol + 1e-13);
  assert_true(report.iterations > 0 && report.products > report.iterations && report.bytes_per_iteration > 0);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  return report;
}

/* The CPU executor keeps its buffer of partial sums, so that memory counts are steady only from a large sum on. */
static void grow_partial_sums(void) {
  double *x = zeros(1 << 18), *out = zeros(1);
  assert_ok(vec_norm(exec, 1 << 18, x, out));
  EXEC_RELEASE(exec, x, 1 << 18);
  EXEC_RELEASE(exec, out, 1);
}

static void all_preconditioners_formats_and_precisions(void **state) {
  (void)state;
  grow_partial_sums();
  const size_t before = mem_in_use();
  for (int which = testing_checks() ? 1 : 0; which < 4; ++which) {
    Problem p;
    if (which == 1 && testing_checks()) problem_grid(9, 5, 1, 2, 100, &p);
    else if (which == 2 && testing_checks()) problem_grid(4, 3, 3, 3, 1, &p);
    else if (which == 0) problem_grid(300, 1, 1, 1, 1, &p);
    else if (which == 1) problem_grid(31, 17, 1, 2, 100, &p);
    else if (which == 2) problem_grid(12, 9, 8, 3, 1, &p);
    else problem_random(100, 3, 9, &p);
    for (int32_t m = 0; m < precond_count(); ++m)
      if (!(p.pattern->block > 1 && precond_type(m)->dominant) && precond_works_on(m, exec))
        for (int32_t f = 0; f < mat_format_count(); ++f)
          for (int mixed = 0; mixed < 2; ++mixed) {
            if (testing_checks() && (m + f + mixed + which) % 4) continue;
            LinearParams params = linear_params_default();
            params.preconditioner = precond_name(m);
            params.mixed = mixed;
            params.pattern = p.pattern;
            const LinearReport report = check_solve(&p, mat_format_name(f), &params);
            assert_string_equal(report.preconditioner, precond_name(m));
            assert_int_equal(report.restarts, 0);
          }
    problem_release(&p);
  }
  assert_int_equal(mem_in_use(), before);
}

/* The preconditioner must not care for the precision, and a polynomial must pay. */
static void iteration_counts(void **state) {
  (void)state;
  Problem p;
  problem_grid(16, 16, 16, 3, 1, &p);
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  const LinearReport jacobi = check_solve(&p, "sbell", &params);
  params.preconditioner = "least-squares";
  const LinearReport mixed = check_solve(&p, "sbell", &params);
  params.mixed = false;
  const LinearReport full = check_solve(&p, "csr", &params);
  assert_in_range(jacobi.iterations, 120, 190);
  assert_true(llabs(mixed.iterations - full.iterations) <= 1);
  assert_true(mixed.iterations * 5 < jacobi.iterations);
  assert_int_equal(mixed.products, mixed.iterations * 8 + 9 + 1); /* one look at the true residual on the way */
  assert_int_equal(mixed.degree, 8);
  assert_true(mixed.bound > 1 && mixed.bound < 3);
  for (int32_t degree = 2; degree <= 5; ++degree) {
    params.degree = degree;
    const LinearReport report = check_solve(&p, "sbell", &params);
    assert_true(report.iterations < jacobi.iterations && report.iterations > mixed.iterations);
    assert_true((double)report.iterations * degree < 1.6 * (double)jacobi.iterations);
  }
  problem_release(&p);
}

static void tight_tolerance_in_mixed_precision(void **state) {
  (void)state;
  Problem p;
  problem_grid(14, 12, 10, 3, 10, &p);
  LinearParams params = linear_params_default();
  params.rtol = 1e-12;
  const LinearReport report = check_solve(&p, "sbell", &params);
  assert_string_equal(report.preconditioner, "least-squares");
  problem_release(&p);
}

static void scaling_of_the_units_does_not_matter(void **state) {
  (void)state;
  int64_t iterations[3];
  const double unit[3] = {1, 1e-40, 1e60};
  for (int k = 0; k < 3; ++k) {
    Problem p;
    problem_grid(9, 9, 9, 3, 1, &p);
    for (int64_t e = 0; e < p.pattern->start[p.pattern->n] * 9; ++e) p.value[e] *= unit[k];
    const LinearParams params = linear_params_default();
    iterations[k] = check_solve(&p, "sbell", &params).iterations;
    problem_release(&p);
  }
  assert_true(llabs(iterations[0] - iterations[1]) <= 1 && llabs(iterations[0] - iterations[2]) <= 1);
}

/* (u, M v) = (v, M u) and (v, M v) > 0 for M = S B S: what record() does with S folded away. */
static void preconditioners_are_symmetric_and_positive(void **state) {
  (void)state;
  Problem p;
  problem_grid(13, 7, 6, 3, 50, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  const int64_t n = mat_rows(a);
  double *work = zeros(n), *u = NULL, *v = NULL, *mu = NULL, *mv = NULL;
  double **host[] = {&u, &v, &mu, &mv};
  for (int i = 0; i < 4; ++i) assert_ok(mem_alloc(n, sizeof(double), "vector", (void **)host[i]));
  for (int32_t t = 0; t < precond_count(); ++t) {
    if (precond_type(t)->dominant || !precond_works_on(t, exec)) continue;
    Krylov *k = NULL;
    const Krylov fresh = {.from_unit = 1};
    assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
    Precond *m = NULL;
    assert_ok(
        precond_create(a, &(PrecondParams){.name = precond_name(t), .pattern = p.pattern}, k, &m)); /* all double */
    int64_t n_bad;
    double mean;
    assert_ok(precond_setup(m, work, &n_bad, &mean));
    assert_int_equal(n_bad, 0);
    if (m->type->record) {
      double *from[] = {u, v}, *to[] = {mu, mv};
      for (int i = 0; i < 2; ++i) {
        for (int64_t j = 0; j < n; ++j) from[i][j] = problem_number(j + 77777 * i);
        assert_ok(exec_upload(exec, m->residual, from[i], (size_t)n * sizeof *u));
        assert_ok(m->type->record(m));
        assert_ok(exec_download(exec, to[i], m->result, (size_t)n * sizeof *u));
      }
      double umv = 0, vmu = 0, vmv = 0;
      for (int64_t j = 0; j < n; ++j) {
        umv += u[j] * mv[j];
        vmu += v[j] * mu[j];
        vmv += v[j] * mv[j];
      }
      assert_true(vmv > 0);
      assert_true(fabs(umv - vmu) <= 1e-13 * vmv);
      Krylov after;
      assert_ok(exec_download(exec, &after, k, sizeof after));
      assert_true(fabs(after.rz - vmv) <= 1e-12 * vmv);
    }
    precond_destroy(&m);
    EXEC_RELEASE(exec, k, 1);
  }
  for (int i = 0; i < 4; ++i) mem_free((void **)host[i]);
  EXEC_RELEASE(exec, work, n);
  mat_destroy(&a);
  problem_release(&p);
}

/* On the matrix 1 (one unknown, S A S / bound = 1 / bound) the polynomial of degree d is known in closed form: the
 * residual polynomial is W_d(1 - 2 t) / (2 d + 1) with W_d(cos x) = sin((d + 1/2) x) / sin(x / 2). */
static void polynomial_is_the_fourth_kind(void **state) {
  (void)state;
  for (int32_t degree = 2; degree <= 13; ++degree) {
    Problem p;
    problem_random(1, 1, 3, &p);
    p.value[0] = 7;
    Mat *a = problem_mat(exec, &p, "csr");
    Krylov *k = NULL;
    const Krylov fresh = {.from_unit = 1};
    assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
    Precond *m = NULL;
    assert_ok(precond_create(a, &(PrecondParams){.name = "least-squares", .degree = degree, .bound_factor = 1}, k, &m));
    int64_t n_bad;
    double mean, one = 1, result, *work = zeros(1);
    assert_ok(precond_setup(m, work, &n_bad, &mean));
    for (int i = 1; i < 5; ++i) {
      if (i > 1) assert_ok(m->type->raise(m, (double)i / (i - 1)));
      const double t = 1 / m->bound, x = acos(fmax(-1, 1 - 2 * t));
      assert_near(m->bound, i, 1e-12);
      const double wanted = (1 - sin((degree + 0.5) * x) / sin(x / 2) / (2 * degree + 1)) / t;
      assert_ok(exec_upload(exec, m->residual, &one, sizeof one));
      assert_ok(m->type->record(m));
      assert_ok(exec_download(exec, &result, m->result, sizeof result));
      assert_near(result, wanted, 1e-13);
    }
    EXEC_RELEASE(exec, work, 1);
    precond_destroy(&m);
    EXEC_RELEASE(exec, k, 1);
    mat_destroy(&a);
    problem_release(&p);
  }
}

static void tridiagonal_eigenvalues(void **state) {
  (void)state;
  double alpha[20], beta[20];
  for (int i = 0; i < 20; ++i) alpha[i] = 2, beta[i] = -1;
  for (int k = 0; k < 20; ++k)
    assert_near(tridiagonal_eigenvalue(20, alpha, beta, k), 2 - 2 * cos(M_PI * (k + 1) / 21), 1e-12);
  beta[7] = 0;
  assert_near(tridiagonal_eigenvalue(8, alpha, beta, 7), 2 - 2 * cos(M_PI * 8 / 9), 1e-12);
  assert_near(tridiagonal_eigenvalue(1, alpha, beta, 0), 2, 1e-12);
}

/* Never below the largest eigenvalue, which power iteration finds, never above the row sum. CSR: scaled by points. */
static void bound_of_the_spectrum_holds(void **state) {
  (void)state;
  for (int which = 0; which < 3; ++which) {
    Problem p;
    if (which == 0) problem_grid(15, 12, 10, 3, 1, &p);
    else if (which == 1) problem_grid(40, 30, 1, 2, 1e4, &p);
    else problem_random(80, 2, 3, &p);
    LinearParams params = linear_params_default();
    params.preconditioner = "least-squares";
    const LinearReport report = check_solve(&p, "csr", &params);
    const int B = p.pattern->block, n = p.pattern->n * B;
    double *x = NULL, *y = NULL, *d = NULL, largest = 0;
    assert_ok(mem_alloc(n, sizeof *x, "x", (void **)&x));
    assert_ok(mem_alloc(n, sizeof *y, "y", (void **)&y));
    assert_ok(mem_alloc(n, sizeof *d, "d", (void **)&d));
    for (int i = 0; i < n; ++i) {
      d[i] = 1 / sqrt(*problem_entry(&p, i / B, i / B, i % B, i % B));
      y[i] = problem_number(i);
    }
    for (int turn = 0; turn < 400; ++turn) {
      double norm = 0;
      for (int i = 0; i < n; ++i) norm += y[i] * y[i];
      largest = sqrt(norm);
      for (int i = 0; i < n; ++i) x[i] = d[i] * y[i] / largest;
      problem_apply(&p, x, y);
      for (int i = 0; i < n; ++i) y[i] *= d[i];
    }
    assert_true(report.bound >= largest && report.bound <= 1.06 * largest);
    FREE(x);
    FREE(y);
    FREE(d);
    problem_release(&p);
  }
}

static void bound_too_small_is_noticed(void **state) {
  (void)state;
  Problem p;
  problem_grid(14, 10, 9, 3, 1, &p);
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.bound_factor = 0.55;
  const LinearReport report = check_solve(&p, "sbell", &params);
  assert_true(report.restarts > 0);
  assert_true(report.bound > 0.55 * 2 && report.iterations < 2000);
  problem_release(&p);
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Problem p;
  problem_grid(23, 17, 13, 3, 5, &p);
  const int64_t n = (int64_t)p.pattern->n * 3;
  double *reference = NULL;
  assert_ok(mem_alloc(n, sizeof *reference, "x", (void **)&reference));
  const int threads[] = {1, 2, 3, 7, 2};
  LinearReport first = {0};
  Exec *shared = exec;
  for (int t = 0; t < 5; ++t) {
    assert_ok(exec_create_cpu(threads[t], &exec));
    Mat *a = problem_mat(exec, &p, "sbell");
    double *b = problem_vector(exec, n, NULL), *x = zeros(n);
    LinearReport report;
    const LinearParams params = linear_params_default();
    assert_ok(solve_with(a, &params, b, x, &report));
    if (t == 0) {
      memcpy(reference, x, (size_t)n * sizeof *x);
      first = report;
    }
    assert_memory_equal(reference, x, (size_t)n * sizeof *x);
    assert_memory_equal(&first.true_residual, &report.true_residual, sizeof(double));
    EXEC_RELEASE(exec, b, n);
    EXEC_RELEASE(exec, x, n);
    mat_destroy(&a);
    exec_destroy(&exec);
  }
  exec = shared;
  FREE(reference);
  problem_release(&p);
}

/* The same solver again: new right-hand side, new values, a first guess, another place for x; same bits when
 * repeated. */
static void a_solver_is_used_again(void **state) {
  (void)state;
  Problem p;
  problem_grid(12, 9, 7, 3, 1, &p);
  Mat *a = problem_mat(exec, &p, "sbell");
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = zeros(n), *y = zeros(n), *hx = NULL, *hy = NULL;
  assert_ok(mem_alloc(n, sizeof *hx, "x", (void **)&hx));
  assert_ok(mem_alloc(n, sizeof *hy, "y", (void **)&hy));
  const LinearParams params = linear_params_default();
  LinearSolver *s = NULL;
  LinearReport report;
  assert_ok(linear_create(exec, &params, a, &s));
  assert_fails(linear_solve(s, b, x, &report), ERR_BUG, "before linear_setup");
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, x, &report));
  const int64_t iterations = report.iterations;
  assert_ok(linear_solve(s, b, y, &report));
  assert_ok(exec_download(exec, hx, x, (size_t)n * sizeof *hx));
  assert_ok(exec_download(exec, hy, y, (size_t)n * sizeof *hy));
  assert_memory_equal(hx, hy, (size_t)n * sizeof *hx);
  assert_int_equal(report.iterations, iterations);
  /* the solution as first guess: nothing to do */
  assert_ok(linear_solve(s, b, x, &report));
  assert_int_equal(report.iterations, 0);
  assert_int_equal(report.reason, LINEAR_CONVERGED);
  /* a matrix twice as large: half the solution, same iterations */
  for (int64_t e = 0; e < p.pattern->start[p.pattern->n] * 9; ++e) p.value[e] *= 2;
  problem_fill(&p, a);
  assert_ok(linear_setup(s));
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  assert_ok(linear_solve(s, b, x, &report));
  assert_true(llabs(report.iterations - iterations) <= 1);
  assert_true(reference_residual(&p, n, b, x) <= 1.01e-8);
  linear_destroy(&s);
  FREE(hx);
  FREE(hy);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  EXEC_RELEASE(exec, y, n);
  mat_destroy(&a);
  problem_release(&p);
}

typedef struct Polled {
  int calls;
  int64_t iteration;
  double residual;
} Polled;
static void remember(void *context, int64_t iteration, double relative_residual) {
  Polled *polled = context;
  polled->calls += 1;
  polled->iteration = iteration;
  polled->residual = relative_residual;
}

static void progress_is_reported(void **state) {
  (void)state;
  Problem p;
  problem_grid(16, 16, 16, 3, 1, &p);
  Mat *a = problem_mat(exec, &p, "csr");
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = zeros(n);
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  LinearSolver *s = NULL;
  LinearReport report;
  Polled polled = {0};
  assert_ok(linear_create(exec, &params, a, &s));
  linear_set_poll(s, remember, &polled);
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, x, &report));
  /* how often depends on the machine; what was seen must make sense */
  if (polled.calls) {
    assert_in_range(polled.iteration, 1, report.iterations);
    assert_true(polled.residual > 0 && isfinite(polled.residual));
  }
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_preconditioners_formats_and_precisions),
      cmocka_unit_test(iteration_counts),
      cmocka_unit_test(tight_tolerance_in_mixed_precision),
      cmocka_unit_test(scaling_of_the_units_does_not_matter),
      cmocka_unit_test(preconditioners_are_symmetric_and_positive),
      cmocka_unit_test(polynomial_is_the_fourth_kind),
      cmocka_unit_test(tridiagonal_eigenvalues),
      cmocka_unit_test(bound_of_the_spectrum_holds),
      cmocka_unit_test(bound_too_small_is_noticed),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(a_solver_is_used_again),
      cmocka_unit_test(progress_is_reported),
  };
  return testing_run("solver/linear", tests, exec);
}
