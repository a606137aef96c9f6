/* Values of linear functionals with few weights each. */
#pragma once
#include "core/hd.h"

/* Rows are functionals: value[i] = sum of weight[k] x[at[k]], k from start[i] to start[i + 1]. */
typedef struct FunctionalArgs {
  const int32_t *start, *at;
  const double *weight, *x;
  double *value;
} FunctionalArgs;

HD void functional_points_body(const FunctionalArgs *a, int64_t i, double *sum) {
  (void)sum;
  double value = 0;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; ++k) value += a->weight[k] * a->x[a->at[k]];
  a->value[i] = value;
}
