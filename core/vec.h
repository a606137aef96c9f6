/* What is done with plain vectors on an Exec. All pointers are memory of the Exec and all calls may be recorded.
 * double x[n], y[n]; ERR_GPU where a launch fails. */
#pragma once
#include "core/exec.h"

#define ROWS_DECLARE
#include "core/rows.h"
#include "core/rows.def"
#include "core/rows_end.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x = value (exec_zero is cheaper for 0). */
Status vec_fill(Exec *exec, int64_t n, double value, double *x);
/* y = (float) x, rounded to nearest; y = (double) x. */
Status vec_narrow(Exec *exec, int64_t n, const double *x, float *y);
Status vec_widen(Exec *exec, int64_t n, const float *x, double *y);
/* y += alpha x */
Status vec_axpy(Exec *exec, int64_t n, double alpha, const double *x, double *y);
/* y -= *alpha x, with *alpha on the Exec, not in y. */
Status vec_less(Exec *exec, int64_t n, const double *alpha, const double *x, double *y);
/* *out = x.y and *out = |x|_2, out on the Exec; 0 for n = 0. */
Status vec_dot(Exec *exec, int64_t n, const double *x, const double *y, double *out);
Status vec_norm(Exec *exec, int64_t n, const double *x, double *out);
/* y = 2^exponent x, free of rounding where y is a normal number; x and y may be the same. */
Status vec_scale(Exec *exec, int64_t n, int exponent, const double *x, double *y);
/* |x|_2 = value 2^exponent for all that double holds, also where the squares overflow or vanish: value 0 means that x
 * is 0, and a value that is not finite that x is not. exponent is 0 where |x| is between 1e-100 and 1e100. `room` is a
 * double on the Exec. Waits for the Exec. */
typedef struct VecLength {
  double value;
  int exponent;
} VecLength;
Status vec_length(Exec *exec, int64_t n, const double *x, double *room, VecLength *out);
/* (|a|^2 + |b|^2)^(1/2) */
VecLength vec_length_join(VecLength a, VecLength b);
/* *left -= 1, and *stop = 1 when that leaves nothing: ends a loop after a number of turns that the Exec knows. */
Status vec_countdown(Exec *exec, int32_t *left, int32_t *stop);

#ifdef __cplusplus
}
#endif
