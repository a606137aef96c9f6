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

enum { FUNCTIONAL_WHOLES = 4 };
/* value[k] = sum over rows of whole[k][i] x[i], of up to four at once: x is read once for them. */
typedef struct FunctionalWholesArgs {
  int32_t n;
  int64_t stride; /* between two of whole */
  const double *whole, *x;
  double *value;
} FunctionalWholesArgs;

HD void functional_wholes_body(const FunctionalWholesArgs *a, int64_t i, double *sum) {
  for (int k = 0; k < FUNCTIONAL_WHOLES; ++k)
    if (k < a->n) sum[k] += a->whole[k * a->stride + i] * a->x[i];
}
HD void functional_wholes_finish(const FunctionalWholesArgs *a, const double *sum) {
  for (int k = 0; k < FUNCTIONAL_WHOLES; ++k)
    if (k < a->n) a->value[k] = sum[k];
}
