/* Row kernels of plain vectors. Declared in core/vec.h, listed in core/rows.def. */
#pragma once
#include "core/hd.h"

#include <math.h>

typedef struct VecFillArgs {
  double *x;
  double value;
} VecFillArgs;
HD void vec_fill_body(const VecFillArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->x[i] = a->value;
}

typedef struct VecConvertArgs {
  double *d;
  float *f;
} VecConvertArgs;
HD void vec_narrow_body(const VecConvertArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->f[i] = (float)a->d[i];
}
HD void vec_widen_body(const VecConvertArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->d[i] = (double)a->f[i];
}

typedef struct VecAxpyArgs {
  double alpha;
  const double *x;
  double *y;
} VecAxpyArgs;
HD void vec_axpy_body(const VecAxpyArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->y[i] += a->alpha * a->x[i];
}

typedef struct VecLessArgs {
  const double *alpha, *x;
  double *y;
} VecLessArgs;
HD void vec_less_body(const VecLessArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->y[i] -= *a->alpha * a->x[i];
}

typedef struct VecDotArgs {
  const double *x, *y;
  double *out;
} VecDotArgs;
HD void vec_dot_body(const VecDotArgs *a, int64_t i, double sum[]) { sum[0] += a->x[i] * a->y[i]; }
HD void vec_dot_finish(const VecDotArgs *a, const double sum[]) { *a->out = sum[0]; }
/* y is not read. */
HD void vec_norm_body(const VecDotArgs *a, int64_t i, double sum[]) { sum[0] += a->x[i] * a->x[i]; }
HD void vec_norm_finish(const VecDotArgs *a, const double sum[]) { *a->out = sqrt(sum[0]); }

/* y = factor again x, which may be y: in two steps, as a power of two can be beyond double where the product is not. */
typedef struct VecScaleArgs {
  const double *x;
  double *y;
  double factor, again;
} VecScaleArgs;
HD void vec_scale_body(const VecScaleArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->y[i] = a->x[i] * a->factor * a->again;
}

/* *out = |factor x|_2 */
typedef struct VecUnitNormArgs {
  const double *x;
  double factor;
  double *out;
} VecUnitNormArgs;
HD void vec_unit_norm_body(const VecUnitNormArgs *a, int64_t i, double sum[]) {
  const double t = a->factor * a->x[i];
  sum[0] += t * t;
}
HD void vec_unit_norm_finish(const VecUnitNormArgs *a, const double sum[]) { *a->out = sqrt(sum[0]); }

typedef struct VecCountdownArgs {
  int32_t *left, *stop;
} VecCountdownArgs;
/* One row. */
HD void vec_countdown_body(const VecCountdownArgs *a, int64_t i, double sum[]) {
  (void)sum, (void)i;
  if (--*a->left <= 0) *a->stop = 1;
}
