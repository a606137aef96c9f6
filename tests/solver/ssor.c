/* Symmetric over-relaxation in colours against its definition on the host; symmetric, positive, the same bits for any
 * number of threads; what it saves; odd matrices, wrong parameters, failures. */
#include "core/memory.h"
#include "algebra/graph/coloring.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* A preconditioner with what it hangs on. */
typedef struct Setting {
  const Problem *p;
  Mat *a;
  Krylov *k;
  Precond *m;
  int64_t n;
  double omega;
  int sweeps;
} Setting;

static Status try_create(Setting *s, Precision precision) {
  const double value[] = {s->omega, s->sweeps};
  const PrecondParams params = {.name = "ssor", .value = value, .storage = precision, .pattern = s->p->pattern};
  return precond_create(s->a, &params, s->k, &s->m);
}

static Setting begin_bare(const Problem *p, const char *format, double omega, int sweeps) {
  Setting s = {.p = p, .a = problem_mat(exec, p, format), .omega = omega, .sweeps = sweeps};
  s.n = mat_rows(s.a);
  const Krylov fresh = {.from_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&s.k));
  return s;
}

static Setting begin(const Problem *p, const char *format, double omega, int sweeps, Precision precision) {
  Setting s = begin_bare(p, format, omega, sweeps);
  assert_ok(try_create(&s, precision));
  assert_ok(problem_precond_set_up(s.m));
  return s;
}

static void end(Setting *s) {
  precond_destroy(&s->m);
  EXEC_RELEASE(exec, s->k, 1);
  mat_destroy(&s->a);
}

/* Solves the block of row i, d x = t, by elimination. */
static void solve_block(int B, const double *block, const double scale[], double x[]) {
  double d[9];
  for (int e = 0; e < B * B; ++e) d[e] = scale[e / B] * block[e] * scale[e % B];
  for (int k = 0; k < B; ++k)
    for (int r = k + 1; r < B; ++r) {
      const double f = d[r * B + k] / d[k * B + k];
      for (int c = k; c < B; ++c) d[r * B + c] -= f * d[k * B + c];
      x[r] -= f * x[k];
    }
  for (int r = B - 1; r >= 0; --r) {
    for (int c = r + 1; c < B; ++c) x[r] -= d[r * B + c] * x[c];
    x[r] /= d[r * B + r];
  }
}

/* t - omega times the couplings of block row i to colours before it (way < 0), after it (> 0), or all with its own
 * (0). */
static void subtract(const Problem *p, const Coloring *colors, const double *s, int i, int way, double omega,
                     const double *x, double t[]) {
  const int B = p->pattern->block;
  for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k) {
    const int j = p->pattern->column[k], order = colors->color[j] - colors->color[i];
    if (way && order * way <= 0) continue;
    for (int r = 0; r < B; ++r)
      for (int c = 0; c < B; ++c)
        t[r] -= omega * s[i * B + r] * p->value[(k * B + r) * B + c] * s[j * B + c] * x[j * B + c];
  }
}

/* z = B r by the definition, with A' = S A S = L + D + U in the order of the colours:
 * y <- z + omega (2 - omega) (D + omega U)^-1 D (D + omega L)^-1 (r - A' y) for each sweep, from zero. */
static void reference(const Problem *p, double omega, int sweeps, const double *r, double *z) {
  Coloring *colors = NULL;
  assert_ok(coloring_create(p->pattern, &colors));
  const int B = p->pattern->block, n = p->pattern->n;
  double *s = problem_host((int64_t)n * B), *y = problem_host((int64_t)n * B), *rest = problem_host((int64_t)n * B);
  for (int i = 0; i < n * B; ++i) {
    s[i] = 1 / sqrt(*problem_entry(p, i / B, i / B, i % B, i % B));
    z[i] = 0;
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < B; ++c) rest[i * B + c] = r[i * B + c];
      subtract(p, colors, s, i, 0, 1, z, rest + i * B);
    }
    for (int at = 0; at < n; ++at) {
      const int i = colors->row[at];
      memcpy(y + i * B, rest + i * B, (size_t)B * sizeof *y);
      subtract(p, colors, s, i, -1, omega, y, y + i * B);
      solve_block(B, problem_entry(p, i, i, 0, 0), s + i * B, y + i * B);
    }
    /* (D + omega U) v = D y: v_i = y_i - omega D_i^-1 U_i v; v overwrites y */
    for (int at = n - 1; at >= 0; --at) {
      const int i = colors->row[at];
      double t[3] = {0};
      subtract(p, colors, s, i, 1, omega, y, t);
      solve_block(B, problem_entry(p, i, i, 0, 0), s + i * B, t);
      for (int c = 0; c < B; ++c) y[i * B + c] += t[c];
    }
    for (int i = 0; i < n * B; ++i) z[i] += omega * (2 - omega) * y[i];
  }
  FREE(s);
  FREE(y);
  FREE(rest);
  coloring_destroy(&colors);
}

static void check_against_reference(const Problem *p, const Setting *s, double tolerance) {
  double *r = problem_host(s->n), *z = problem_host(s->n), *wanted = problem_host(s->n), largest = 0;
  for (int64_t i = 0; i < s->n; ++i) r[i] = problem_number(i + 4242);
  reference(p, s->omega, s->sweeps, r, wanted);
  for (int turn = 0; turn < 2; ++turn) { /* nothing of the last application is left */
    problem_precond(s->m, s->k, 1e-13, r, z);
    for (int64_t i = 0; i < s->n; ++i) largest = fmax(largest, fabs(wanted[i]));
    for (int64_t i = 0; i < s->n; ++i) assert_true(fabs(z[i] - wanted[i]) <= tolerance * largest);
  }
  FREE(r);
  FREE(z);
  FREE(wanted);
}

enum { N_ZOO = 8 };
static void zoo(int which, Problem *p) {
  if (which == 0) problem_grid(19, 13, 1, 1, 100, p);
  else if (which == 1) problem_grid(14, 9, 1, 2, 10, p);
  else if (which == 2) problem_grid(7, 6, 5, 3, 10, p);
  else if (which == 3) problem_random(90, 1, 3, p); /* a dense row */
  else if (which == 4) problem_random(70, 2, 4, p);
  else if (which == 5) problem_random(60, 3, 5, p);
  else if (which == 6) problem_random(1, 1, 1, p);
  else problem_grid(1, 40, 1, 3, 1, p); /* diagonal blocks only count: all couplings are zero */
}

static void it_is_what_it_is_called(void **state) {
  (void)state;
  const struct {
    double omega;
    int sweeps;
  } cases[] = {{1, 1}, {1.6, 1}, {0.3, 2}, {1, 2}, {1.3, 3}};
  for (int which = 0; which < N_ZOO; ++which) {
    Problem p;
    zoo(which, &p);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
      for (int precision = PRECISION_DOUBLE; precision <= PRECISION_FLOAT; ++precision) {
        Setting s = begin(&p, NULL, cases[k].omega, cases[k].sweeps, (Precision)precision);
        assert_int_equal(s.m->products, cases[k].sweeps);
        assert_true(s.m->bytes > 0);
        check_against_reference(&p, &s, precision == PRECISION_FLOAT ? 3e-6 : 1e-13);
        end(&s);
      }
    problem_release(&p);
  }
}

static void from_every_format(void **state) {
  (void)state;
  for (int which = 2; which < N_ZOO; ++which) {
    Problem p;
    zoo(which, &p);
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Setting s = begin(&p, mat_format_name(f), 1.2, 1, PRECISION_DOUBLE);
      check_against_reference(&p, &s, 1e-13);
      end(&s);
    }
    problem_release(&p);
  }
}

/* New values of the matrix are taken over by setup. */
static void values_change(void **state) {
  (void)state;
  Problem p;
  zoo(5, &p);
  Setting s = begin(&p, "sell", 1.1, 2, PRECISION_DOUBLE);
  for (int64_t e = 0; e < p.pattern->start[p.pattern->n] * 9; ++e) p.value[e] *= 3;
  for (int i = 0; i < p.pattern->n; i += 3) *problem_entry(&p, i, i, 1, 1) *= 2;
  problem_fill(&p, s.a);
  assert_ok(problem_precond_set_up(s.m));
  check_against_reference(&p, &s, 1e-13);
  end(&s);
  problem_release(&p);
}

/* All of B by its columns: symmetric, and a Cholesky factorisation exists. */
static void symmetric_and_positive(void **state) {
  (void)state;
  const double omegas[] = {0.05, 1, 1.95};
  for (int which = 0; which < N_ZOO; ++which)
    for (int k = 0; k < 3; ++k) {
      Problem p;
      zoo(which, &p);
      Setting s = begin(&p, NULL, omegas[k], 1 + k, PRECISION_DOUBLE);
      problem_precond_symmetric(s.m, s.k, 1e-14);
      end(&s);
      problem_release(&p);
    }
}

/* With one colour and omega 1 it is the inverse of the diagonal blocks, exactly what a diagonal matrix needs. */
static void a_diagonal_matrix(void **state) {
  (void)state;
  Problem p;
  problem_random(1, 1, 1, &p);
  Problem d = {.pattern = NULL};
  assert_ok(mem_alloc(1, sizeof *d.pattern, "pattern", (void **)&d.pattern));
  *d.pattern = (Pattern){.n = 400, .block = 1};
  assert_ok(mem_alloc(401, sizeof(int64_t), "starts", (void **)&d.pattern->start));
  assert_ok(mem_alloc(400, sizeof(int32_t), "columns", (void **)&d.pattern->column));
  assert_ok(mem_alloc(400, sizeof(double), "values", (void **)&d.value));
  for (int i = 0; i < 400; ++i) d.pattern->start[i + 1] = i + 1, d.pattern->column[i] = i, d.value[i] = 1 + i;
  const Problem *both[] = {&p, &d};
  for (int which = 0; which < 2; ++which)
    for (int sweeps = 1; sweeps < 4; ++sweeps) {
      Setting s = begin(both[which], "csr", 1, sweeps, PRECISION_DOUBLE);
      double *r = problem_host(s.n), *z = problem_host(s.n);
      for (int64_t i = 0; i < s.n; ++i) r[i] = problem_number(i);
      problem_precond(s.m, s.k, 1e-13, r, z);
      for (int64_t i = 0; i < s.n; ++i) assert_near(z[i], r[i], 1e-15);
      FREE(r);
      FREE(z);
      end(&s);
    }
  problem_release(&p);
  problem_release(&d);
}

static void nothing_happens_after_a_stop(void **state) {
  (void)state;
  Problem p;
  zoo(2, &p);
  Setting s = begin(&p, NULL, 1, 2, PRECISION_DOUBLE);
  problem_precond_stopped(s.m, s.k, 1e-13);
  end(&s);
  problem_release(&p);
}

/* Solves with b = numbers in [-1, 1]; the solution stays in x when that is given (host, [n]). */
static LinearReport solve(const Problem *p, const LinearParams *params, double *x) {
  Mat *a = problem_mat(exec, p, NULL);
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *on_exec = problem_vector(exec, n, NULL);
  assert_ok(exec_zero(exec, on_exec, (size_t)n * sizeof *b));
  LinearParams with = *params;
  with.pattern = p->pattern;
  LinearSolver *s = NULL;
  LinearReport report;
  assert_ok(linear_create(exec, &with, a, &s));
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, on_exec, &report));
  assert_int_equal(report.reason, LINEAR_CONVERGED);
  if (x) assert_ok(exec_download(exec, x, on_exec, (size_t)n * sizeof *x));
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, on_exec, n);
  mat_destroy(&a);
  return report;
}

static int64_t iterations(const Problem *p, const char *name, double omega, int sweeps, bool mixed) {
  const double value[] = {omega, sweeps};
  LinearParams params = linear_params_default();
  params.preconditioner = name;
  params.has_values = true;
  memcpy(params.values, value, sizeof value);
  params.mixed = mixed;
  return solve(p, &params, NULL).iterations;
}

/* Poisson's equation and elasticity: fewer iterations than Jacobi, still fewer with more sweeps; float costs
 * nothing. */
static void what_it_saves(void **state) {
  (void)state;
  for (int which = 0; which < 3; ++which) {
    Problem p;
    if (which == 0) problem_grid(40, 30, 1, 1, 1, &p);
    else if (which == 1) problem_grid(30, 20, 1, 2, 1, &p);
    else problem_grid(12, 10, 9, 3, 1, &p);
    const int64_t jacobi = iterations(&p, "jacobi", 1, 1, false), one = iterations(&p, "ssor", 1, 1, false),
                  three = iterations(&p, "ssor", 1, 3, false), low = iterations(&p, "ssor", 1, 1, true);
    print_message("jacobi %d, ssor %d, mixed %d, 3 sweeps %d\n", (int)jacobi, (int)one, (int)low, (int)three);
    assert_true(5 * one < 3 * jacobi && 10 * one > jacobi);
    assert_true(4 * three < 3 * one);
    assert_true(llabs(low - one) <= 1);
    problem_release(&p);
  }
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Problem p;
  problem_grid(26, 24, 20, 3, 5, &p); /* more than 3 chunks of rows in a colour */
  const int64_t n = (int64_t)p.pattern->n * 3;
  double *first = problem_host(n), *x = problem_host(n), *z = problem_host(n);
  Exec *shared = exec;
  const int threads[] = {1, 2, 3, 7};
  for (int t = 0; t < 4; ++t) {
    assert_ok(exec_create_cpu(threads[t], &exec));
    Setting s = begin(&p, NULL, 1.2, 1, PRECISION_FLOAT);
    for (int64_t i = 0; i < n; ++i) x[i] = problem_number(i);
    problem_precond(s.m, s.k, 1e-13, x, z);
    if (t == 0) memcpy(first, z, (size_t)n * sizeof *z);
    assert_memory_equal(first, z, (size_t)n * sizeof *z);
    end(&s);
    exec_destroy(&exec);
  }
  exec = shared;
  FREE(first);
  FREE(x);
  FREE(z);
  problem_release(&p);
}

/* A block with positive diagonal that is not positive definite is kept out of the factors; CG finds the reason. */
static void an_indefinite_block(void **state) {
  (void)state;
  Problem p;
  zoo(2, &p);
  *problem_entry(&p, 50, 50, 0, 1) = *problem_entry(&p, 50, 50, 1, 0) = 5 * *problem_entry(&p, 50, 50, 0, 0);
  Mat *a = problem_mat(exec, &p, NULL);
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
  LinearParams params = linear_params_default();
  params.preconditioner = "ssor";
  params.pattern = p.pattern;
  LinearSolver *s = NULL;
  LinearReport report;
  assert_ok(linear_create(exec, &params, a, &s));
  assert_ok(linear_setup(s));
  assert_fails(linear_solve(s, b, x, &report), ERR_NUMERIC, "");
  assert_int_equal(report.reason, LINEAR_INDEFINITE);
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  problem_release(&p);
}

static void wrong_parameters(void **state) {
  (void)state;
  Problem p, other;
  zoo(2, &p);
  zoo(1, &other);
  const struct {
    double omega, sweeps;
    const char *says;
  } cases[] = {{0, 1, "omega is 0, must lie in (0, 2)"},
               {2, 1, "omega is 2"},
               {-1, 1, "omega is -1"},
               {NAN, 1, "omega is"},
               {1, 0, "sweeps is 0"},
               {1, 101, "sweeps is 101"},
               {1, 1.5, "must be a whole number"}};
  Setting s = begin_bare(&p, NULL, 1, 1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const double value[] = {cases[k].omega, cases[k].sweeps};
    const PrecondParams params = {.name = "ssor", .value = value, .pattern = p.pattern};
    assert_fails(precond_create(s.a, &params, s.k, &s.m), ERR_INPUT, cases[k].says);
    assert_null(s.m);
  }
  assert_fails(precond_create(s.a, &(PrecondParams){.name = "ssor"}, s.k, &s.m), ERR_BUG, "graph of the matrix");
  const PrecondParams foreign = {.name = "ssor", .pattern = other.pattern};
  assert_fails(precond_create(s.a, &foreign, s.k, &s.m), ERR_BUG, "not that of the matrix");
  end(&s);
  problem_release(&p);
  problem_release(&other);
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  zoo(4, &p);
  for (int precision = PRECISION_DOUBLE; precision <= PRECISION_FLOAT; ++precision)
    for (int32_t f = 0; f < mat_format_count(); ++f) {
      Setting s = begin_bare(&p, mat_format_name(f), 1, 2);
      const size_t on_exec = exec->in_use;
      testing_fail_each_of(try_create(&s, (Precision)precision), {
        assert_true(!s.m == failed);
        precond_destroy(&s.m);
        assert_int_equal(exec->in_use, on_exec);
      });
      end(&s);
    }
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_what_it_is_called),
      cmocka_unit_test(from_every_format),
      cmocka_unit_test(values_change),
      cmocka_unit_test(symmetric_and_positive),
      cmocka_unit_test(a_diagonal_matrix),
      cmocka_unit_test(nothing_happens_after_a_stop),
      cmocka_unit_test(what_it_saves),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(an_indefinite_block),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/ssor", tests, exec);
}
