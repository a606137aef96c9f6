/* Row kernels of mixing.h: a vector and several others in one pass. */
#pragma once
#include "core/hd.h"

enum { MIX_DOTS = 4, MIX_DEPTH = 12 };

/* out[k] = x.y[k] */
typedef struct MixDotsArgs {
  const double *x, *y[MIX_DOTS];
  double *out;
} MixDotsArgs;
HD void mix_dots_body(const MixDotsArgs *a, int64_t i, double sum[]) {
  for (int k = 0; k < MIX_DOTS; ++k) sum[k] += a->x[i] * a->y[k][i];
}
HD void mix_dots_finish(const MixDotsArgs *a, const double sum[]) {
  for (int k = 0; k < MIX_DOTS; ++k) a->out[k] = sum[k];
}

/* to = scale (to - sum of factor[k] from[k]) */
typedef struct MixTakeArgs {
  const double *from[MIX_DEPTH];
  double factor[MIX_DEPTH], scale;
  double *to;
  int32_t count;
} MixTakeArgs;
HD void mix_take_body(const MixTakeArgs *a, int64_t i, double sum[]) {
  (void)sum;
  double value = a->to[i];
  for (int32_t k = 0; k < a->count; ++k) value -= a->factor[k] * a->from[k][i];
  a->to[i] = a->scale * value;
}
