/* Conjugate orthogonal conjugate gradients against dense elimination: every preconditioner, every format, both
 * precisions; definite, indefinite and undamped systems; reasons, repeatability, failures of memory. */
#include "tests/solver/problems.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/cocg.h"
#include "solver/precond/precond.h"
#include "tests/testing.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

/* (1 + i loss) K - shift M + i viscous M, and |1 + i loss| K + |viscous + i shift| M; M couples blocks as K does. */
typedef struct System {
  Problem real, imaginary, positive;
  Mat *a, *b, *p;
  int64_t n;
} System;

static int pattern_block_is_diagonal(const Pattern *pattern, int64_t k) {
  int32_t i = 0;
  while (pattern->start[i + 1] <= k) ++i;
  return pattern->column[k] == i;
}

static void make(const char *format, int size, double shift, double loss, double viscous, System *s) {
  const int nodes = size;
  problem_grid(nodes, nodes, size > 4 ? 1 : nodes, 2 + (size <= 4), 30, &s->real);
  problem_grid(nodes, nodes, size > 4 ? 1 : nodes, 2 + (size <= 4), 30, &s->imaginary);
  problem_grid(nodes, nodes, size > 4 ? 1 : nodes, 2 + (size <= 4), 30, &s->positive);
  const Pattern *pattern = s->real.pattern;
  const int32_t B = pattern->block;
  for (int64_t k = 0; k < pattern->start[pattern->n]; ++k)
    for (int r = 0; r < B; ++r)
      for (int c = 0; c < B; ++c) {
        const int64_t at = k * B * B + r * B + c;
        const double K = s->real.value[at];
        const double M = r != c ? 0 : pattern_block_is_diagonal(pattern, k) ? 1 : K != 0 ? 0.02 : 0;
        s->real.value[at] = K - shift * M;
        s->imaginary.value[at] = loss * K + viscous * M;
        s->positive.value[at] = hypot(1, loss) * K + hypot(shift, viscous) * M;
      }
  const MatParams params = {.format = format};
  assert_ok(mat_create(exec, &params, pattern, &s->a));
  assert_ok(mat_create_like(s->a, PRECISION_DOUBLE, &s->b));
  assert_ok(mat_create_like(s->a, PRECISION_DOUBLE, &s->p));
  problem_fill(&s->real, s->a);
  problem_fill(&s->imaginary, s->b);
  problem_fill(&s->positive, s->p);
  s->n = mat_rows(s->a);
}

static void release(System *s) {
  mat_destroy(&s->b);
  mat_destroy(&s->p);
  mat_destroy(&s->a);
  problem_release(&s->real);
  problem_release(&s->imaginary);
  problem_release(&s->positive);
}

/* The answer by elimination with pivots; b is what the solver is given. */
static void eliminate(const System *s, double complex *b) {
  const Pattern *pattern = s->real.pattern;
  const int64_t n = s->n, B = pattern->block;
  double complex *a = NULL;
  assert_ok(mem_alloc(n * n, sizeof *a, "a dense matrix", (void **)&a));
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int64_t r = 0; r < B; ++r)
        for (int64_t c = 0; c < B; ++c)
          a[(i * B + r) * n + pattern->column[k] * B + c] =
              s->real.value[(k * B + r) * B + c] + I * s->imaginary.value[(k * B + r) * B + c];
  for (int64_t i = 0; i < n; ++i) {
    int64_t pivot = i;
    for (int64_t j = i; j < n; ++j)
      if (cabs(a[j * n + i]) > cabs(a[pivot * n + i])) pivot = j;
    for (int64_t c = 0; c < n; ++c) {
      const double complex t = a[i * n + c];
      a[i * n + c] = a[pivot * n + c];
      a[pivot * n + c] = t;
    }
    const double complex t = b[i];
    b[i] = b[pivot], b[pivot] = t;
    for (int64_t j = i + 1; j < n; ++j) {
      const double complex factor = a[j * n + i] / a[i * n + i];
      if (factor == 0) continue;
      for (int64_t c = i; c < n; ++c) a[j * n + c] -= factor * a[i * n + c];
      b[j] -= factor * b[i];
    }
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t c = i + 1; c < n; ++c) b[i] -= a[i * n + c] * b[c];
    b[i] /= a[i * n + i];
  }
  FREE(a);
}

static double complex load_at(int64_t i, bool real_load) {
  return problem_number(i) + (real_load ? 0 : I * problem_number(i + 7919));
}

/* On the Exec: parts of the load and a zero start. */
typedef struct Vectors {
  double *b[2], *x[2];
  int64_t n;
} Vectors;

static void take(const System *s, bool real_load, Vectors *v) {
  double *part = NULL;
  v->n = s->n;
  assert_ok(mem_alloc(s->n, sizeof *part, "a load", (void **)&part));
  for (int k = 0; k < 2; ++k) {
    for (int64_t i = 0; i < s->n; ++i) part[i] = k ? cimag(load_at(i, real_load)) : creal(load_at(i, real_load));
    v->b[k] = problem_vector(exec, s->n, part);
    memset(part, 0, (size_t)s->n * sizeof *part);
    v->x[k] = problem_vector(exec, s->n, part);
  }
  FREE(part);
}

static void put_away(Vectors *v) {
  for (int k = 0; k < 2; ++k) {
    EXEC_RELEASE(exec, v->b[k], v->n);
    EXEC_RELEASE(exec, v->x[k], v->n);
  }
}

static Status solve_with(const System *s, const LinearParams *params, Vectors *v, LinearReport *report) {
  CocgSolver *solver = NULL;
  LinearParams own = *params;
  own.pattern = s->real.pattern;
  Status status = cocg_create(exec, &own, s->a, s->b, s->p, &solver);
  if (status == OK) status = cocg_setup(solver);
  if (status == OK)
    status =
        cocg_solve(solver, (const double *const[2]){v->b[0], v->b[1]}, (double *const[2]){v->x[0], v->x[1]}, report);
  cocg_destroy(&solver);
  return status;
}

/* Largest difference from the answer over the largest entry of it. */
static double difference(const Vectors *v, const double complex *answer) {
  double *x[2] = {0}, worst = 0, largest = 0;
  for (int k = 0; k < 2; ++k) {
    assert_ok(mem_alloc(v->n, sizeof *x[k], "x", (void **)&x[k]));
    assert_ok(exec_download(exec, x[k], v->x[k], (size_t)v->n * sizeof *x[k]));
  }
  for (int64_t i = 0; i < v->n; ++i) {
    worst = fmax(worst, cabs(x[0][i] + I * x[1][i] - answer[i]));
    largest = fmax(largest, cabs(answer[i]));
  }
  FREE(x[0]);
  FREE(x[1]);
  return worst / largest;
}

static double complex *answer_of(const System *s, bool real_load) {
  double complex *answer = NULL;
  assert_ok(mem_alloc(s->n, sizeof *answer, "the answer", (void **)&answer));
  for (int64_t i = 0; i < s->n; ++i) answer[i] = load_at(i, real_load);
  eliminate(s, answer);
  return answer;
}

static void every_preconditioner(void **state) {
  (void)state;
  System s;
  make(NULL, 4, 0.4, 0.05, 0.1, &s);
  double complex *answer = answer_of(&s, false);
  for (int32_t m = 0; m < precond_count(); ++m) {
    if (precond_type(m)->dominant || !precond_works_on(m, exec)) continue; /* for one unknown per node */
    for (int mixed = 0; mixed < 2; ++mixed) {
      LinearParams params = linear_params_default();
      params.preconditioner = precond_name(m);
      params.mixed = mixed;
      params.rtol = 1e-10;
      Vectors v;
      LinearReport report;
      take(&s, false, &v);
      assert_ok(solve_with(&s, &params, &v, &report));
      assert_int_equal(report.reason, LINEAR_CONVERGED);
      assert_true(report.true_residual <= 1e-10 && report.iterations > 0 && report.products > report.iterations);
      const double error = difference(&v, answer);
      if (error > 1e-8) fail_msg("%s, mixed %d: off by %g", precond_name(m), mixed, error);
      put_away(&v);
    }
  }
  FREE(answer);
  release(&s);
}

/* Formats that number the unknowns in their own order among them. */
static void every_format(void **state) {
  (void)state;
  for (int32_t f = 0; f < mat_format_count(); ++f) {
    System s;
    make(mat_format_name(f), 8, 0.3, 0.02, 0, &s);
    double complex *answer = answer_of(&s, true);
    LinearParams params = linear_params_default();
    Vectors v;
    LinearReport report;
    take(&s, true, &v);
    assert_ok(solve_with(&s, &params, &v, &report));
    const double error = difference(&v, answer);
    if (error > 1e-6) fail_msg("%s: off by %g", mat_format_name(f), error);
    put_away(&v);
    FREE(answer);
    release(&s);
  }
}

/* Shifts beyond several eigenvalues, with and without damping; far above all of them A is negative definite. */
static void indefinite(void **state) {
  (void)state;
  static const double shift[] = {0, 1.3, 5, 20, 60, 1000};
  for (int damped = 0; damped < 2; ++damped)
    for (size_t k = 0; k < sizeof shift / sizeof *shift; ++k) {
      System s;
      make(NULL, 8, shift[k], damped ? 0.03 : 0, damped ? 0.01 : 0, &s);
      double complex *answer = answer_of(&s, true);
      LinearParams params = linear_params_default();
      params.rtol = 1e-11;
      Vectors v;
      LinearReport report;
      take(&s, true, &v);
      assert_ok(solve_with(&s, &params, &v, &report));
      const double error = difference(&v, answer);
      if (error > 1e-7) fail_msg("shift %g, damped %d: off by %g", shift[k], damped, error);
      put_away(&v);
      FREE(answer);
      release(&s);
    }
}

/* Without an imaginary matrix and with a real load every imaginary part stays exactly 0, and the system is solved like
 * any. */
static void real_system(void **state) {
  (void)state;
  System s;
  make(NULL, 4, 0, 0, 0, &s);
  Vectors v;
  LinearReport report, plain;
  take(&s, true, &v);
  LinearParams params = linear_params_default();
  CocgSolver *solver = NULL;
  assert_ok(cocg_create(exec, &params, s.a, NULL, s.p, &solver));
  assert_ok(cocg_setup(solver));
  assert_ok(cocg_solve(solver, (const double *const[2]){v.b[0], v.b[1]}, (double *const[2]){v.x[0], v.x[1]}, &report));
  cocg_destroy(&solver);
  double *x[2] = {0}, *y = NULL;
  for (int k = 0; k < 2; ++k) {
    assert_ok(mem_alloc(s.n, sizeof *x[k], "x", (void **)&x[k]));
    assert_ok(exec_download(exec, x[k], v.x[k], (size_t)s.n * sizeof *x[k]));
  }
  LinearSolver *linear = NULL;
  assert_ok(exec_zero(exec, v.x[0], (size_t)s.n * sizeof(double)));
  assert_ok(linear_create(exec, &params, s.a, &linear));
  assert_ok(linear_setup(linear));
  assert_ok(linear_solve(linear, v.b[0], v.x[0], &plain));
  linear_destroy(&linear);
  assert_ok(mem_alloc(s.n, sizeof *y, "y", (void **)&y));
  assert_ok(exec_download(exec, y, v.x[0], (size_t)s.n * sizeof *y));
  for (int64_t i = 0; i < s.n; ++i) {
    assert_true(x[1][i] == 0);
    assert_near(x[0][i], y[i], 1e-6);
  }
  assert_int_equal(report.iterations, plain.iterations);
  FREE(x[0]);
  FREE(x[1]);
  FREE(y);
  put_away(&v);
  release(&s);
}

/* Held unknowns have 1 in K and in M: shifted by 1 the matrix is singular, a resonance without damping. */
static void resonance(void **state) {
  (void)state;
  System s;
  make(NULL, 8, 1, 0, 0, &s);
  Vectors v;
  LinearReport report;
  LinearParams params = linear_params_default();
  take(&s, true, &v);
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "natural frequency");
  put_away(&v);
  release(&s);
}

/* Same bits every time, and a loop that is kept serves new values and loads. */
static void repeats(void **state) {
  (void)state;
  System s;
  make(NULL, 4, 0.4, 0.05, 0.1, &s);
  Vectors v;
  take(&s, false, &v);
  LinearParams params = linear_params_default();
  CocgSolver *solver = NULL;
  double *first = NULL, *again = NULL;
  assert_ok(mem_alloc(s.n, sizeof *first, "x", (void **)&first));
  assert_ok(mem_alloc(s.n, sizeof *again, "x", (void **)&again));
  assert_ok(cocg_create(exec, &params, s.a, s.b, s.p, &solver));
  LinearReport report;
  for (int turn = 0; turn < 2; ++turn) {
    assert_ok(exec_zero(exec, v.x[0], (size_t)s.n * sizeof(double)));
    assert_ok(exec_zero(exec, v.x[1], (size_t)s.n * sizeof(double)));
    assert_ok(cocg_setup(solver));
    assert_ok(
        cocg_solve(solver, (const double *const[2]){v.b[0], v.b[1]}, (double *const[2]){v.x[0], v.x[1]}, &report));
    assert_ok(exec_download(exec, turn ? again : first, v.x[1], (size_t)s.n * sizeof(double)));
  }
  assert_memory_equal(first, again, (size_t)s.n * sizeof *first);
  /* the solution as first guess: nothing is left to do */
  assert_ok(cocg_solve(solver, (const double *const[2]){v.b[0], v.b[1]}, (double *const[2]){v.x[0], v.x[1]}, &report));
  assert_int_equal(report.iterations, 0);
  /* no load */
  assert_ok(exec_zero(exec, v.b[0], (size_t)s.n * sizeof(double)));
  assert_ok(exec_zero(exec, v.b[1], (size_t)s.n * sizeof(double)));
  assert_ok(cocg_solve(solver, (const double *const[2]){v.b[0], v.b[1]}, (double *const[2]){v.x[0], v.x[1]}, &report));
  assert_ok(exec_download(exec, again, v.x[1], (size_t)s.n * sizeof(double)));
  for (int64_t i = 0; i < s.n; ++i) assert_true(again[i] == 0);
  cocg_destroy(&solver);
  FREE(first);
  FREE(again);
  put_away(&v);
  release(&s);
}

/* b = (1, i, 0 ...) and A = P = 1: r.r = 1 - 1 = 0 although r is not. */
static void breakdown(void **state) {
  (void)state;
  System s;
  make("csr", 8, 0, 0, 0, &s);
  const Pattern *pattern = s.real.pattern;
  for (int64_t k = 0; k < pattern->start[pattern->n] * pattern->block * pattern->block; ++k) {
    const int64_t entry = k % (pattern->block * pattern->block);
    const bool one =
        entry % (pattern->block + 1) == 0 && pattern_block_is_diagonal(pattern, k / (pattern->block * pattern->block));
    s.real.value[k] = s.positive.value[k] = one;
  }
  problem_fill(&s.real, s.a);
  problem_fill(&s.positive, s.p);
  Vectors v;
  take(&s, true, &v);
  double *host = NULL;
  assert_ok(mem_alloc(s.n, sizeof *host, "b", (void **)&host));
  host[0] = 1;
  assert_ok(exec_upload(exec, v.b[0], host, (size_t)s.n * sizeof *host));
  host[0] = 0, host[1] = 1;
  assert_ok(exec_upload(exec, v.b[1], host, (size_t)s.n * sizeof *host));
  LinearReport report;
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "r.z vanishes");
  assert_int_equal(report.reason, LINEAR_BREAKDOWN);
  /* A = 0: p.Ap */
  for (int64_t k = 0; k < pattern->start[pattern->n] * pattern->block * pattern->block; ++k) s.real.value[k] = 0;
  problem_fill(&s.real, s.a);
  assert_ok(exec_zero(exec, v.b[1], (size_t)s.n * sizeof *host));
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "p.Ap vanishes");
  assert_int_equal(report.reason, LINEAR_BREAKDOWN);
  FREE(host);
  put_away(&v);
  release(&s);
}

static void other_reasons(void **state) {
  (void)state;
  System s;
  make("csr", 8, 0.4, 0.05, 0.1, &s);
  Vectors v;
  LinearReport report;
  LinearParams params = linear_params_default();
  take(&s, true, &v);
  params.max_iterations = 3;
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "did not converge in 3 iterations");
  assert_int_equal(report.reason, LINEAR_MAX_ITERATIONS);
  params = linear_params_default();
  params.preconditioner = "nonsense";
  assert_fails(solve_with(&s, &params, &v, &report), ERR_INPUT, "unknown preconditioner");
  params.preconditioner = NULL;
  const double broken = (double)NAN;
  assert_ok(exec_upload(exec, v.b[1], &broken, sizeof broken));
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "not a number");
  assert_int_equal(report.reason, LINEAR_NAN);
  *problem_entry(&s.positive, 20, 20, 1, 1) = -1;
  problem_fill(&s.positive, s.p);
  assert_fails(solve_with(&s, &params, &v, &report), ERR_NUMERIC, "not positive definite");
  assert_int_equal(report.equation, 41);
  assert_int_equal(report.reason, LINEAR_INDEFINITE);
  put_away(&v);
  release(&s);
}

/* A bound of the spectrum that is too small makes the polynomial negative somewhere: it is raised. */
static void bound_is_raised(void **state) {
  (void)state;
  System s;
  make(NULL, 4, 0.4, 0.05, 0.1, &s);
  double complex *answer = answer_of(&s, true);
  Vectors v;
  LinearReport report;
  LinearParams params = linear_params_default();
  params.preconditioner = "neumann";
  params.degree = 3;
  params.bound_factor = 0.3;
  take(&s, true, &v);
  assert_ok(solve_with(&s, &params, &v, &report));
  assert_true(difference(&v, answer) < 1e-6);
  put_away(&v);
  FREE(answer);
  release(&s);
}

static System *failing;
static Vectors *failing_vectors;

static Status attempt(void *context) {
  LinearReport report;
  (void)context;
  LinearParams params = linear_params_default();
  for (int k = 0; k < 2; ++k) TRY(exec_zero(exec, failing_vectors->x[k], (size_t)failing_vectors->n * sizeof(double)));
  return solve_with(failing, &params, failing_vectors, &report);
}

static void memory_fails(void **state) {
  (void)state;
  System s;
  Vectors v;
  make(NULL, 8, 0.4, 0.05, 0.1, &s);
  take(&s, true, &v);
  failing = &s;
  failing_vectors = &v;
  assert_true(testing_fail_each(exec, attempt, NULL) > 10);
  put_away(&v);
  release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_preconditioner), cmocka_unit_test(every_format), cmocka_unit_test(indefinite),
      cmocka_unit_test(real_system),          cmocka_unit_test(repeats),      cmocka_unit_test(breakdown),
      cmocka_unit_test(other_reasons),        cmocka_unit_test(resonance),    cmocka_unit_test(bound_is_raised),
      cmocka_unit_test(memory_fails),
  };
  return testing_run("solver/cocg", tests, exec);
}
