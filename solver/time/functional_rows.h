/* Values of linear functionals with few weights each. */
#pragma once
#include "core/hd.h"

/* FunctionalRing of functional.h. */
typedef struct FunctionalTo {
  const int32_t *row;
  int64_t stride;
  double *value;
} FunctionalTo;
HD double *functional_to_row(const FunctionalTo *to) { return to->value + *to->row * to->stride; }

/* Rows are functionals: value[i] = sum of weight[k] x[at[k]], k from start[i] to start[i + 1]. */
typedef struct FunctionalArgs {
  const int32_t *when; /* 1, or 0: nothing is done now */
  const int32_t *start, *at;
  const double *weight, *x;
  FunctionalTo to;
} FunctionalArgs;

HD void functional_points_body(const FunctionalArgs *a, int64_t i, double *sum) {
  (void)sum;
  if (*a->when == 0) return;
  double value = 0;
  for (int32_t k = a->start[i]; k < a->start[i + 1]; ++k) value += a->weight[k] * a->x[a->at[k]];
  functional_to_row(&a->to)[i] = value;
}

enum { FUNCTIONAL_WHOLES = 4, FUNCTIONAL_WIDE = 12 /* functional_wide */ };
/* value[k] = sum over rows of whole[k][i] x[i], of up to four, or as many as an ECG has leads, at once: x is read once for them. */
typedef struct FunctionalWholesArgs {
  const int32_t *when; /* as above */
  int32_t n;
  int64_t stride; /* between two of whole */
  const double *whole, *x;
  FunctionalTo to;
} FunctionalWholesArgs;

/* A product, as a branch around the sums changes how compilers round them. */
HD int32_t functional_wholes_now(const FunctionalWholesArgs *a) { return *a->when * a->n; }
HD void functional_wholes_body(const FunctionalWholesArgs *a, int64_t i, double *sum) {
  const int32_t n = functional_wholes_now(a);
  for (int k = 0; k < FUNCTIONAL_WHOLES; ++k)
    if (k < n) sum[k] += a->whole[k * a->stride + i] * a->x[i];
}
HD void functional_wholes_finish(const FunctionalWholesArgs *a, const double *sum) {
  const int32_t n = functional_wholes_now(a);
  double *value = functional_to_row(&a->to);
  for (int k = 0; k < FUNCTIONAL_WHOLES; ++k)
    if (k < n) value[k] = sum[k];
}
HD void functional_wide_body(const FunctionalWholesArgs *a, int64_t i, double *sum) {
  const double x = a->x[i];
  for (int k = 0; k < FUNCTIONAL_WIDE; ++k)
    if (k < a->n) sum[k] += a->whole[k * a->stride + i] * x;
}
HD void functional_wide_finish(const FunctionalWholesArgs *a, const double *sum) {
  double *value = functional_to_row(&a->to);
  for (int k = 0; k < FUNCTIONAL_WIDE; ++k)
    if (k < a->n) value[k] = sum[k];
}
