#include "tests/solver/polynomial_oracle.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>

double pairs_coupling(int n, int i) {
  const double s = sin(0.5 * M_PI * (i + 0.5) / n);
  return 1 - s * s;
}

void pairs_create(int n, Problem *out) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  *out = (Problem){.pattern = p};
  p->n = 2 * n;
  p->block = 1;
  assert_ok(mem_alloc(2 * n + 1, sizeof *p->start, "starts", (void **)&p->start));
  assert_ok(mem_alloc(4 * n, sizeof *p->column, "columns", (void **)&p->column));
  assert_ok(mem_alloc(4 * n, sizeof *out->value, "values", (void **)&out->value));
  for (int i = 0; i < 2 * n; ++i) {
    p->start[i + 1] = 2 * (i + 1);
    for (int k = 0; k < 2; ++k) {
      p->column[2 * i + k] = i / 2 * 2 + k;
      out->value[2 * i + k] = i % 2 == k ? 1 : pairs_coupling(n, i / 2);
    }
  }
}

void applied_create(Exec *exec, const Mat *a, const PrecondParams *params, Applied *out) {
  *out = (Applied){.exec = exec};
  const Krylov fresh = {.from_unit = 1, .to_unit = 1};
  int64_t n_bad;
  double mean;
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&out->k));
  assert_ok(precond_create(a, params, out->k, &out->m));
  out->work = problem_vector(exec, mat_rows(a), NULL);
  assert_ok(precond_setup(out->m, out->work, &n_bad, &mean));
  assert_int_equal(n_bad, 0);
}

double applied_apply(const Applied *m, const double *in, double *out) {
  const size_t bytes = (size_t)m->m->n * sizeof *in;
  Krylov after;
  assert_ok(exec_upload(m->exec, m->m->residual, in, bytes));
  assert_ok(m->m->type->record(m->m));
  assert_ok(exec_download(m->exec, out, m->m->result, bytes));
  assert_ok(exec_download(m->exec, &after, m->k, sizeof after));
  return after.rz;
}

void applied_destroy(Applied *m) {
  EXEC_RELEASE(m->exec, m->work, m->m->n);
  precond_destroy(&m->m);
  EXEC_RELEASE(m->exec, m->k, 1);
}

/* Columns sqrt(weight) t T_j(1 - 2 t) at the nodes, then without a weight at the places asked for; the first N_NODE
 * rows count in inner products. */
enum { N_NODE = 401, MAX_DEGREE = 16, MAX_ROWS = N_NODE + 100 };

typedef long double Column[MAX_ROWS];

static long double dot(const Column a, const Column b) {
  long double sum = 0;
  for (int q = 0; q < N_NODE; ++q) sum += a[q] * b[q];
  return sum;
}

void least_squares_minimiser(int32_t degree, const double weight[2], int n, const double *t, double *r) {
  static Column column[MAX_DEGREE], one;
  assert_true(degree <= MAX_DEGREE && N_NODE + n <= MAX_ROWS);
  const long double alpha = weight[0], beta = weight[1], step = 10.4L / (N_NODE - 1);
  for (int q = 0; q < N_NODE + n; ++q) {
    const long double x = (q - (N_NODE - 1) / 2) * step, e = expl(M_PI * sinhl(x));
    const long double at = q < N_NODE ? e / (1 + e) : (long double)t[q - N_NODE], rest = 1 / (1 + e);
    /* dt = pi cosh(x) t (1 - t) dx */
    one[q] = q < N_NODE ? sqrtl(step * M_PI * coshl(x) * powl(at, alpha) * powl(rest, beta + 1)) : 1;
    for (int j = 0; j < degree; ++j) column[j][q] = one[q] * at * cosl(j * acosl(1 - 2 * at));
  }
  for (int j = 0; j < degree; ++j) {
    for (int turn = 0; turn < 2; ++turn)
      for (int i = 0; i < j; ++i) {
        const long double c = dot(column[i], column[j]);
        for (int q = 0; q < N_NODE + n; ++q) column[j][q] -= c * column[i][q];
      }
    const long double norm = sqrtl(dot(column[j], column[j]));
    for (int q = 0; q < N_NODE + n; ++q) column[j][q] /= norm;
  }
  for (int j = 0; j < degree; ++j) {
    const long double c = dot(column[j], one);
    for (int q = 0; q < N_NODE + n; ++q) one[q] -= c * column[j][q];
  }
  for (int i = 0; i < n; ++i) r[i] = (double)one[N_NODE + i];
}
