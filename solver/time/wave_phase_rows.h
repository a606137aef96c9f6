/* The angle of a state in the plane of a value now and a while ago. Bytes per row: three doubles. */
#pragma once
#include "core/hd.h"

#include <math.h>

typedef struct WavePhaseArgs {
  const double *u, *past; /* now and a while ago */
  double center;
  double *angle;
} WavePhaseArgs;

HD void wave_phase_angle_body(const WavePhaseArgs *a, int64_t i, double *sum) {
  (void)sum;
  a->angle[i] = atan2(a->past[i] - a->center, a->u[i] - a->center);
}
