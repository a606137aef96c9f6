/* The row kernels of core/rows.def for the CPU, and their wrappers. */
#include "core/vec.h"

#include <math.h>

#include "core/rows.h"
#include "core/rows.def"
#include "core/rows_end.h"

Status vec_fill(Exec *exec, int64_t n, double value, double *x) {
  const VecFillArgs args = {x, value};
  return exec_rows(exec, &vec_fill_kernel, &args, n);
}

/* The kernels read only one of the two; the cast is for the field of the other direction. */
Status vec_narrow(Exec *exec, int64_t n, const double *x, float *y) {
  const VecConvertArgs args = {(double *)x, y};
  return exec_rows(exec, &vec_narrow_kernel, &args, n);
}

Status vec_widen(Exec *exec, int64_t n, const float *x, double *y) {
  const VecConvertArgs args = {y, (float *)x};
  return exec_rows(exec, &vec_widen_kernel, &args, n);
}

Status vec_axpy(Exec *exec, int64_t n, double alpha, const double *x, double *y) {
  const VecAxpyArgs args = {alpha, x, y};
  return exec_rows(exec, &vec_axpy_kernel, &args, n);
}

Status vec_less(Exec *exec, int64_t n, const double *alpha, const double *x, double *y) {
  const VecLessArgs args = {alpha, x, y};
  return exec_rows(exec, &vec_less_kernel, &args, n);
}

Status vec_dot(Exec *exec, int64_t n, const double *x, const double *y, double *out) {
  const VecDotArgs args = {x, y, out};
  return exec_rows(exec, &vec_dot_kernel, &args, n);
}

Status vec_norm(Exec *exec, int64_t n, const double *x, double *out) {
  const VecDotArgs args = {x, x, out};
  return exec_rows(exec, &vec_norm_kernel, &args, n);
}

/* Two powers of two whose product is 2^exponent. */
static void vec_halves(int exponent, double half[2]) {
  half[0] = ldexp(1, exponent / 2);
  half[1] = ldexp(1, exponent - exponent / 2);
}

Status vec_scale(Exec *exec, int64_t n, int exponent, const double *x, double *y) {
  double half[2];
  vec_halves(exponent, half);
  const VecScaleArgs args = {x, y, half[0], half[1]};
  return exec_rows(exec, &vec_scale_kernel, &args, n);
}

static Status unit_norm(Exec *exec, int64_t n, const double *x, int exponent, double *room, double *value) {
  const VecUnitNormArgs args = {x, ldexp(1, exponent), room};
  TRY(exec_rows(exec, &vec_unit_norm_kernel, &args, n));
  return exec_download(exec, value, room, sizeof *value);
}

/* 2^600 brings the smallest number to 2^-474, whose square is normal; 2^-600 the largest to 2^424. */
Status vec_length(Exec *exec, int64_t n, const double *x, double *room, VecLength *out) {
  enum { FAR = 600 };
  *out = (VecLength){0, 0};
  TRY(unit_norm(exec, n, x, 0, room, &out->value));
  if (out->value >= 1e-100 && out->value <= 1e100) return OK;
  const int up = out->value < 1 ? FAR : -FAR;
  TRY(unit_norm(exec, n, x, up, room, &out->value));
  out->exponent = out->value == 0 ? 0 : -up;
  return OK;
}

VecLength vec_length_join(VecLength a, VecLength b) {
  if (a.value == 0) return b;
  if (b.value == 0) return a;
  const int exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
  return (VecLength){hypot(ldexp(a.value, a.exponent - exponent), ldexp(b.value, b.exponent - exponent)), exponent};
}

Status vec_countdown(Exec *exec, int32_t *left, int32_t *stop) {
  const VecCountdownArgs args = {left, stop};
  return exec_rows(exec, &vec_countdown_kernel, &args, 1);
}
