#include "core/anderson.h"

#include <math.h>

/* gamma of least |r - sum of gamma_j change_j|, by normal equations that Cholesky's method solves; a change that those before it in
 * the list have in common counts as none. */
static void least_squares(int32_t m, int64_t n, const double *r, const double *const *change,
                          double gamma[ANDERSON_DEPTH]) {
  static const double SINGULAR = 1e-12;
  double A[ANDERSON_DEPTH][ANDERSON_DEPTH] = {{0}};
  for (int32_t i = 0; i < m; ++i) {
    const double *di = change[i];
    gamma[i] = 0;
    for (int64_t k = 0; k < n; ++k) gamma[i] += di[k] * r[k];
    for (int32_t j = 0; j <= i; ++j)
      for (int64_t k = 0; k < n; ++k) A[i][j] += di[k] * change[j][k];
  }
  for (int32_t i = 0; i < m; ++i) {
    const double before = A[i][i];
    for (int32_t j = 0; j <= i; ++j) {
      for (int32_t k = 0; k < j; ++k) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] = i > j ? A[i][j] / A[j][j] : A[i][j] > SINGULAR * before ? sqrt(A[i][j]) : (double)INFINITY;
    }
    for (int32_t k = 0; k < i; ++k) gamma[i] -= A[i][k] * gamma[k];
    gamma[i] /= A[i][i];
  }
  for (int32_t i = m - 1; i >= 0; --i) {
    for (int32_t k = i + 1; k < m; ++k) gamma[i] -= A[k][i] * gamma[k];
    gamma[i] /= A[i][i];
  }
}

void anderson_next(Anderson *mixing, const double *to, double *x) {
  const int64_t n = mixing->n;
  double *const r = mixing->room, *const last = r + n, *const change_r = last + n,
                *const change = change_r + ANDERSON_DEPTH * n;
  const double *newest[ANDERSON_DEPTH];
  double gamma[ANDERSON_DEPTH];
  const int32_t count = mixing->count,
                m = count < 0                ? 0
                    : count < ANDERSON_DEPTH ? count
                                             : ANDERSON_DEPTH,
                at = (count + ANDERSON_DEPTH - 1) % ANDERSON_DEPTH;
  for (int32_t i = 0; i < m; ++i) newest[i] = change_r + (at + ANDERSON_DEPTH - i) % ANDERSON_DEPTH * n;
  for (int64_t k = 0; k < n; ++k) {
    const double step = to[k] - x[k];
    if (m) change_r[at * n + k] = step - r[k], change[at * n + k] = to[k] - last[k];
    r[k] = step, last[k] = to[k];
  }
  ++mixing->count;
  if (m) least_squares(m, n, r, newest, gamma);
  for (int64_t k = 0; k < n; ++k) {
    x[k] = to[k];
    for (int32_t i = 0; i < m; ++i) x[k] -= gamma[i] * change[newest[i] - change_r + k];
  }
}
