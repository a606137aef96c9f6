/* Row kernels of bordered systems (linear.h): a vector goes to right angles to an orthonormal border. */
#pragma once
#include "core/hd.h"
#include "solver/krylov/linear.h"

typedef struct BorderArgs {
  const double *q; /* [n][stride] */
  int64_t stride;
  int32_t n;   /* at most LINEAR_BORDER */
  double *dot; /* [LINEAR_BORDER]: q_k . v */
  double *v;
} BorderArgs;

HD void border_dots_body(const BorderArgs *a, int64_t i, double sum[]) {
  const double v = a->v[i];
  for (int32_t k = 0; k < a->n; ++k) sum[k] += a->q[k * a->stride + i] * v;
}
HD void border_dots_finish(const BorderArgs *a, const double sum[]) {
  for (int32_t k = 0; k < a->n; ++k) a->dot[k] = sum[k];
}
HD void border_less_body(const BorderArgs *a, int64_t i, double sum[]) {
  (void)sum;
  double v = a->v[i];
  for (int32_t k = 0; k < a->n; ++k) v -= a->dot[k] * a->q[k * a->stride + i];
  a->v[i] = v;
}
