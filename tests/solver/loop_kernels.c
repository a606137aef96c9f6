/* What the solvers record in loops is what the kernel that stays on the GPU is built with: nothing is missing there, which
 * would send small systems to the graph in silence, and nothing stands there in vain, which costs minutes of compilation.
 * Looked at on the CPU, where loops are recorded by the same calls. Loops of several right-hand sides and of hearts are not
 * meant: they have kernels of their own (gpu/formats/many.cu, gpu/persistent/persist_heart.cu). */
#include "gpu/persistent/persist_formats.h"
#include "solver/krylov/cocg.h"
#include "solver/multigrid/multigrid.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/vec_rows.h"
#include "solver/krylov/linear.h"

#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)
#define LOOP_ROWS(NAME, ARGS)
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)
#include "gpu/persistent/persist_rows.def" /* the headers with the bodies */
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define LOOP_ROWS(NAME, ARGS) #NAME,
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM) #NAME,
static const char *const row_names[] = {
#include "gpu/persistent/persist_rows.def"
};
#define PRODUCT(OP, NAME, SUMS, KIND, BEFORE, AFTER, ...) BEFORE #NAME AFTER,
#define PRODUCTS(SET, ...) PERSIST_##SET(PRODUCT, __VA_ARGS__)
static const char *const product_names[] = {PERSIST_FORMATS(PRODUCTS)};
enum { N_ROWS = sizeof row_names / sizeof *row_names, N_PRODUCT = sizeof product_names / sizeof *product_names };

static bool row_seen[N_ROWS], product_seen[N_PRODUCT];
static char missing[2000];

static bool mark_seen(const char *name, int n, const char *const *names, bool *seen) {
  for (int k = 0; k < n; ++k)
    if (!strcmp(names[k], name)) return seen[k] = true;
  return false;
}

/* The CPU's table with a look at what is recorded. */
static Status (*cpu_rows)(Exec *, const RowKernel *, const void *, int64_t);
static Status watched_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n) {
  const size_t used = strlen(missing);
  if (exec->recording && !mark_seen(kernel->name, N_ROWS, row_names, row_seen) &&
      !mark_seen(kernel->name, N_PRODUCT, product_names, product_seen) && !strstr(missing, kernel->name))
    snprintf(missing + used, sizeof missing - used, " %s", kernel->name);
  return cpu_rows(exec, kernel, args, n);
}

static Exec *watched_exec(ExecTable *table) {
  Exec *exec = NULL;
  assert_ok(exec_create_cpu(1, &exec));
  *table = *exec->table;
  cpu_rows = table->rows;
  table->rows = watched_rows;
  exec->table = table;
  return exec;
}

static void solve_once(Exec *exec, const Problem *p, const char *format, const LinearParams *params) {
  Mat *a = problem_mat(exec, p, format);
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, NULL), *x = problem_vector(exec, n, NULL);
  LinearSolver *s = NULL;
  LinearReport report;
  assert_ok(linear_create(exec, params, a, &s));
  assert_ok(linear_setup(s));
  assert_ok(linear_solve(s, b, x, &report));
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
}

static void solve_complex(Exec *exec, const Problem *p, const char *format, LinearParams params) {
  params.rtol = 1e-6;
  Mat *a = problem_mat(exec, p, format), *imaginary = problem_mat(exec, p, format);
  const int64_t n = mat_rows(a);
  double *b[2], *x[2];
  for (int k = 0; k < 2; ++k) {
    b[k] = problem_vector(exec, n, NULL);
    x[k] = problem_vector(exec, n, NULL);
  }
  CocgSolver *s = NULL;
  LinearReport report;
  assert_ok(cocg_create(exec, &params, a, imaginary, a, &s));
  assert_ok(cocg_setup(s));
  assert_ok(cocg_solve(s, (const double *const *)b, (double *const *)x, &report));
  cocg_destroy(&s);
  for (int k = 0; k < 2; ++k) {
    EXEC_RELEASE(exec, b[k], n);
    EXEC_RELEASE(exec, x[k], n);
  }
  mat_destroy(&imaginary);
  mat_destroy(&a);
}

/* One preconditioner in all precisions that the format has. */
static void solve_all(Exec *exec, const Problem *p, const char *format, LinearParams params) {
  static const LinearInner inner[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT, LINEAR_INNER_HALF, LINEAR_INNER_INT8};
  const bool low = !strcmp(format, "sbell"),
             complex = !strcmp(params.preconditioner, "jacobi") || !strcmp(params.preconditioner, "least-squares");
  for (int k = 0; k < (low ? 4 : 2); ++k) {
    params.inner = inner[k];
    solve_once(exec, p, format, &params);
    if (complex && k < 2) solve_complex(exec, p, format, params);
  }
  if (!strcmp(params.preconditioner, "least-squares")) { /* a polynomial of one term has a kernel of its own */
    params.degree = 1;
    solve_once(exec, p, format, &params);
  }
}

static void loops_know_their_kernels(void **state) {
  (void)state;
  static const char *const formats[] = {"sbell", "sell", "csr"};
  ExecTable table;
  Exec *exec = watched_exec(&table);
  for (int block = 1; block <= 3; ++block) {
    Problem p;
    if (block == 1) problem_grid(12, 9, 1, 1, 1, &p);
    else problem_grid(7, 6, block == 3 ? 3 : 1, block, 1, &p);
    for (int32_t m = 0; m < precond_count(); ++m) {
      const char *name = precond_name(m);
      if ((precond_type(m)->dominant && block > 1) || precond_type(m)->host) continue;
      const bool amg = !strcmp(name, "amg"), levels = amg || !strcmp(name, "cmg");
      for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f)
        for (int cycle = MG_V; cycle <= (levels ? MG_K : MG_V); ++cycle) {
          LinearParams params = linear_params_default();
          params.preconditioner = name;
          params.pattern = p.pattern;
          params.has_values = levels;
          if (amg) memcpy(params.values, (double[]){0.06, cycle, 0, 10}, sizeof params.values);
          else memcpy(params.values, (double[]){cycle, 0, 10, 1}, sizeof params.values);
          solve_all(exec, &p, formats[f], params);
        }
    }
    problem_release(&p);
  }
  exec_destroy(&exec);
  if (*missing) fail_msg("recorded in loops, but LOOP_ROWS or PERSIST_FORMATS do not have them:%s", missing);
}

/* Kernels of core/ are recorded by anyone. */
static void nothing_stands_there_in_vain(void **state) {
  (void)state;
  char vain[2000] = "";
  for (int k = 0; k < N_ROWS; ++k)
    if (!row_seen[k] && strncmp(row_names[k], "vec_", 4) != 0)
      snprintf(vain + strlen(vain), sizeof vain - strlen(vain), " %s", row_names[k]);
  for (int k = 0; k < N_PRODUCT; ++k)
    if (!product_seen[k]) snprintf(vain + strlen(vain), sizeof vain - strlen(vain), " %s", product_names[k]);
  if (*vain) fail_msg("LOOP_ROWS or PERSIST_FORMATS have them, but no loop records them:%s", vain);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_know_their_kernels),
                                     cmocka_unit_test(nothing_stands_there_in_vain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
