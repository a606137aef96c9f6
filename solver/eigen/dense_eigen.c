/* Householder's reduction to a tridiagonal matrix and the implicit QL method (Golub and Van Loan, Matrix Computations,
 * sections 8.3.1 and 8.3.3; Wilkinson's shift). */
#include "solver/eigen/dense_eigen.h"
#include "core/memory.h"

#include <math.h>

/* T = Q^T A Q with diagonal d and e[i] beside it at (i, i + 1); row k of a becomes column k of Q. */
static void dense_tridiagonal(int32_t n, double *a, double *d, double *e, double *v) {
  double *beta = e + n; /* of the reflector that column k made */
  for (int32_t k = 0; k + 2 < n; ++k) {
    double *column = a + (int64_t)k * n, length = 0, dot = 0; /* its entries below the diagonal, by symmetry */
    for (int32_t i = k + 1; i < n; ++i) length += column[i] * column[i];
    length = sqrt(length);
    const double alpha = column[k + 1] > 0 ? -length : length;
    e[k] = alpha;
    beta[k] = 0;
    if (length == 0) continue;
    column[k + 1] -= alpha; /* the reflector stays here */
    beta[k] = 1 / (length * length + fabs(alpha * (column[k + 1] + alpha)));
    for (int32_t i = k + 1; i < n; ++i) {
      v[i] = 0;
      for (int32_t j = k + 1; j < n; ++j) v[i] += a[(int64_t)i * n + j] * column[j];
      v[i] *= beta[k];
      dot += v[i] * column[i];
    }
    for (int32_t i = k + 1; i < n; ++i) v[i] -= 0.5 * beta[k] * dot * column[i];
    for (int32_t i = k + 1; i < n; ++i)
      for (int32_t j = k + 1; j < n; ++j) a[(int64_t)i * n + j] -= column[i] * v[j] + v[i] * column[j];
  }
  for (int32_t i = 0; i < n; ++i) d[i] = a[(int64_t)i * n + i];
  if (n > 1) e[n - 2] = a[(int64_t)(n - 2) * n + n - 1];
  e[n - 1] = 0;
}

/* The product of the reflectors in place of them: row k of a is column k of Q. */
static void dense_reflectors(int32_t n, double *a, const double *beta, double *v) {
  for (int32_t k = n - 1; k >= 0; --k) {
    double *row = a + (int64_t)k * n;
    for (int32_t i = 0; i < n; ++i) v[i] = k + 2 < n && i > k ? row[i] : 0;
    for (int32_t i = 0; i < n; ++i) row[i] = i == k; /* columns k + 1 .. of Q are there, of the smaller problem */
    if (k + 2 >= n || beta[k] == 0) continue;
    for (int32_t c = k + 1; c < n; ++c) {
      double *q = a + (int64_t)c * n, dot = 0;
      for (int32_t i = k + 1; i < n; ++i) dot += v[i] * q[i];
      for (int32_t i = k + 1; i < n; ++i) q[i] -= beta[k] * dot * v[i];
      q[k] = 0;
    }
  }
}

/* One sweep of QL from m down to l. */
static void dense_sweep(int32_t n, int32_t l, int32_t m, double *a, double *d, double *e) {
  double g = (d[l + 1] - d[l]) / (2 * e[l]), r = hypot(g, 1), s = 1, c = 1, p = 0;
  g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
  int32_t i = m - 1;
  for (; i >= l; --i) {
    const double f = s * e[i], b = c * e[i];
    r = hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    double *upper = a + (int64_t)(i + 1) * n, *lower = a + (int64_t)i * n;
    for (int32_t k = 0; k < n; ++k) {
      const double t = upper[k];
      upper[k] = s * lower[k] + c * t;
      lower[k] = c * lower[k] - s * t;
    }
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

static Status dense_ql(int32_t n, double *a, double *d, double *e) {
  enum { SWEEPS = 60 };
  for (int32_t l = 0; l < n; ++l)
    for (int32_t sweep = 0;; ++sweep) {
      int32_t m = l;
      while (m + 1 < n && fabs(e[m]) > 0x1p-53 * (fabs(d[m]) + fabs(d[m + 1]))) ++m;
      if (m == l) break;
      CHECK(sweep < SWEEPS, ERR_NUMERIC, "a small symmetric matrix has no eigenvalues: its entries are not finite");
      dense_sweep(n, l, m, a, d, e);
    }
  return OK;
}

static void dense_order(int32_t n, double *a, double *value) {
  for (int32_t i = 0; i < n; ++i) {
    int32_t least = i;
    for (int32_t k = i + 1; k < n; ++k)
      if (value[k] < value[least]) least = k;
    if (least == i) continue;
    const double swap = value[i];
    value[i] = value[least];
    value[least] = swap;
    for (int32_t k = 0; k < n; ++k) {
      const double t = a[(int64_t)i * n + k];
      a[(int64_t)i * n + k] = a[(int64_t)least * n + k];
      a[(int64_t)least * n + k] = t;
    }
  }
}

Status dense_eigen(int32_t n, double *a, double *value) {
  double *work = NULL;
  if (n < 1) return OK;
  for (int64_t k = 0; k < (int64_t)n * n; ++k)
    CHECK(isfinite(a[k]), ERR_NUMERIC, "a small symmetric matrix has entries that are not finite");
  ALLOC(work, 3 * (int64_t)n, "work of a small eigenvalue problem");
  dense_tridiagonal(n, a, value, work, work + 2 * (int64_t)n);
  dense_reflectors(n, a, work + n, work + 2 * (int64_t)n);
  const Status status = dense_ql(n, a, value, work);
  if (status == OK) dense_order(n, a, value);
  FREE(work);
  return status;
}
