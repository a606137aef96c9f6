/* Cholesky (Golub and Van Loan, 4.2) with U = L^T by rows, so that all inner loops add rows to rows and vectorise. */
#include "solver/multigrid/multigrid_dense.h"
#include "core/parts.h"

#include <math.h>
#include <stdbool.h>

/* Rows and columns that threads take together; PANEL is a multiple of the rows that are added at once. */
enum { PANEL = 64, COLUMNS = 16 };

/* row[from .. n) -= sum over k in [begin, end) of f_k a_k[from .. n), four rows at a time; f_k = a[k * step + at] */
typedef struct Rows {
  int64_t n;
  const double *a;
} Rows;
static void multigrid_dense_subtract(const Rows *m, const double *factor, int64_t factor_step, int64_t begin,
                                     int64_t end, int64_t from, int64_t to, double *row) {
  int64_t k = begin;
  for (; k + 4 <= end; k += 4) {
    const double f0 = factor[k * factor_step], f1 = factor[(k + 1) * factor_step], f2 = factor[(k + 2) * factor_step],
                 f3 = factor[(k + 3) * factor_step];
    const double *a0 = m->a + k * m->n, *a1 = a0 + m->n, *a2 = a1 + m->n, *a3 = a2 + m->n;
    for (int64_t j = from; j < to; ++j) row[j] -= f0 * a0[j] + f1 * a1[j] + f2 * a2[j] + f3 * a3[j];
  }
  for (; k < end; ++k) {
    const double f = factor[k * factor_step];
    const double *other = m->a + k * m->n;
    for (int64_t j = from; j < to; ++j) row[j] -= f * other[j];
  }
}

/* Upper triangle <- U with A = U^T U; rows of bad pivots are zero. *negative: one is, beyond rounding. A panel of rows at
 * a time, which all rows below then subtract: what each of them does, and in which order, is as row by row. */
static int32_t multigrid_dense_factor(int64_t n, double *a, double *diagonal, bool *negative) {
  const Rows rows = {n, a};
  int32_t bad = 0;
  for (int64_t i = 0; i < n; ++i) diagonal[i] = fabs(a[i * n + i]);
  for (int64_t begin = 0; begin < n; begin += PANEL) {
    const int64_t end = begin + PANEL < n ? begin + PANEL : n;
    for (int64_t i = begin; i < end; ++i) {
      double *row = a + i * n;
      multigrid_dense_subtract(&rows, a + i, n, begin, i, i, n, row);
      const bool good = row[i] > 1e-12 * diagonal[i] && isfinite(row[i]);
      bad += !good;
      *negative = *negative || !(row[i] >= -1e-8 * diagonal[i]);
      const double s = good ? 1 / sqrt(row[i]) : 0;
      for (int64_t j = i; j < n; ++j) row[j] *= s;
    }
#pragma omp parallel for schedule(dynamic, 8) num_threads(parts_of(n *(n - end) / COLUMNS))
    for (int64_t i = end; i < n; ++i) multigrid_dense_subtract(&rows, a + i, n, begin, end, i, n, a + i * n);
  }
  return bad;
}

/* Columns from .. to of the upper triangle V = U^-1, row by row from the last: V_i = (e_i - sum over k > i of U_ik V_k) /
 * U_ii */
static void invert_columns(int64_t n, const double *a, int64_t from, int64_t to, double *inverse) {
  for (int64_t i = to - 1; i >= 0; --i) {
    const double *u = a + i * n, s = u[i] > 0 ? 1 / u[i] : 0;
    double row[COLUMNS] = {0};
    if (i >= from) row[i - from] = 1;
    for (int64_t k = i + 1; k < to; ++k) {
      const double f = u[k], *v = inverse + k * n + from;
      for (int64_t j = k > from ? k - from : 0; j < to - from; ++j) row[j] -= f * v[j];
    }
    for (int64_t j = i > from ? i : from; j < to; ++j) inverse[i * n + j] = row[j - from] * s;
  }
}

static void invert_triangle(int64_t n, const double *a, double *inverse) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(parts_of(n *n / COLUMNS))
  for (int64_t c = (n - 1) / COLUMNS; c >= 0; --c) { /* the longest first */
    const int64_t end = (c + 1) * COLUMNS;
    invert_columns(n, a, c * COLUMNS, end < n ? end : n, inverse);
  }
}

static double multigrid_dense_dot(int64_t n, const double *x, const double *y) {
  double s[8] = {0}, sum = 0;
  int64_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int t = 0; t < 8; ++t) s[t] += x[j + t] * y[j + t];
  for (; j < n; ++j) sum += x[j] * y[j];
  for (int t = 0; t < 8; ++t) sum += s[t];
  return sum;
}

/* a = V V^T */
static void multigrid_dense_multiply(int64_t n, const double *v, double *a) {
#pragma omp parallel for schedule(dynamic, 4) num_threads(parts_of(n *n / COLUMNS))
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i; j < n; ++j)
      a[i * n + j] = a[j * n + i] = multigrid_dense_dot(n - j, v + i * n + j, v + j * n + j);
}

int32_t dense_invert(int32_t n, double *a, double *work) {
  bool negative = false;
  const int32_t bad = multigrid_dense_factor(n, a, work, &negative);
  if (negative) {
    for (int64_t k = 0; k < (int64_t)n * n; ++k) a[k] = k / n == k % n;
    return n;
  }
  invert_triangle(n, a, work);
  multigrid_dense_multiply(n, work, a);
  for (int64_t i = 0; i < n; ++i)
    if (!(a[i * n + i] > 0)) a[i * n + i] = 1;
  return bad;
}
