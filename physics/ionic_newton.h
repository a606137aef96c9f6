/* The implicit states of a model by Newton's method, for models without a closed form (the paper's local iteration,
 * `ell-warp-heart-fem`): a model gives name_rate and
 *   void name_jacobian(c, V, s, by_s, by_V)    dg/ds [n][n], row j is that of g_j, and dg/dV [n]
 * and IONIC_NEWTON(name, n) makes name_state of them. States that are not found are NaN, which no step in time
 * accepts. */
#pragma once
#include "physics/ionic_model.h"

#include <math.h>

/* The iteration ends when the states change by less than this part of 1 + |s|; the next change would be its square. */
enum { IONIC_NEWTON_MOST = 30 };
HD double ionic_newton_small(void) { return 1e-9; }

/* A row of elimination without a change of rows: I - step dg/ds is near I for steps that follow the states. */
HD void ionic_eliminate(const int n, double *A, double *x, double *y) {
  for (int k = 0; k < n; ++k) {
    const double pivot = 1 / A[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] * pivot;
      for (int j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
      y[i] -= factor * y[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) {
      x[k] -= A[k * n + j] * x[j];
      y[k] -= A[k * n + j] * y[j];
    }
    x[k] /= A[k * n + k];
    y[k] /= A[k * n + k];
  }
}

/* One step: s moves on, by_V becomes ds/dV there, g and by_s (rates and their derivatives at s) are overwritten.
 * Returns the largest change of a state, as a part of 1 + |s|. */
HD double ionic_newton_step(const int n, const double *known, const double step, double *g, double *by_s, double *s,
                            double *by_V) {
  for (int j = 0; j < n; ++j) {
    g[j] = known[j] + step * g[j] - s[j];
    by_V[j] *= step;
    for (int i = 0; i < n; ++i) by_s[j * n + i] = (i == j ? 1 : 0) - step * by_s[j * n + i];
  }
  ionic_eliminate(n, by_s, g, by_V);
  double most = 0;
  for (int j = 0; j < n; ++j) {
    const double change = fabs(g[j]) / (1 + fabs(s[j]));
    most = change <= most ? most : change; /* NaN stays */
    s[j] += g[j];
  }
  return most;
}

#define IONIC_NEWTON(name, n)                                                                                          \
  HD void name##_state(const IonicConstants *c, const double V, const double *known, const double step, double *s,     \
                       double *by_V) {                                                                                 \
    double g[n], by_s[n * n], change = 1;                                                                              \
    for (int j = 0; j < n; ++j) s[j] = known[j];                                                                       \
    for (int i = 0; i < IONIC_NEWTON_MOST && !(change <= ionic_newton_small()); ++i) {                                 \
      name##_rate(c, V, s, g);                                                                                         \
      name##_jacobian(c, V, s, by_s, by_V);                                                                            \
      change = ionic_newton_step(n, known, step, g, by_s, s, by_V);                                                    \
    }                                                                                                                  \
    for (int j = 0; j < n && !(change <= ionic_newton_small()); ++j) s[j] = (double)NAN;                               \
  }
