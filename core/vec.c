/* The row kernels of core/rows.def for the CPU, and their wrappers. */
#include "core/vec.h"

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

Status vec_dot(Exec *exec, int64_t n, const double *x, const double *y, double *out) {
  const VecDotArgs args = {x, y, out};
  return exec_rows(exec, &vec_dot_kernel, &args, n);
}

Status vec_norm(Exec *exec, int64_t n, const double *x, double *out) {
  const VecDotArgs args = {x, x, out};
  return exec_rows(exec, &vec_norm_kernel, &args, n);
}

Status vec_countdown(Exec *exec, int32_t *left, int32_t *stop) {
  const VecCountdownArgs args = {left, stop};
  return exec_rows(exec, &vec_countdown_kernel, &args, 1);
}
