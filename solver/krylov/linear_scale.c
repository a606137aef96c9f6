/* Right-hand sides whose squares are beyond double: below 1e-154 |b|^2 vanishes and with it every test of the
 * iteration, above 1e154 it overflows. Solved times a power of two, which rounds nothing. */
#include "solver/krylov/linear_solver.h"
#include "core/memory.h"

#include <math.h>

/* The iteration goes down from here by rtol^2, and sums of squares a little up. */
const double linear_range[2] = {1e-200, 1e200};

static bool may_be_squared(double square) { return square >= linear_range[0] && square <= linear_range[1]; }

bool linear_in_range(double bb, double mean_scale) {
  const double z = mean_scale > 0 ? sqrt(bb) * mean_scale : sqrt(bb);
  return may_be_squared(bb) && may_be_squared(z * z);
}

/* r.r and r.z = |S r|^2, with S of the size mean_scale, lie on both sides of 1 then. */
LinearScale linear_scale_of(VecLength length, double mean_scale) {
  LinearScale scale = {0, ldexp(length.value, length.exponent)};
  int of_b, of_scale = 0;
  if (length.value == 0 || !isfinite(length.value)) return scale;
  frexp(length.value, &of_b);
  if (mean_scale > 0 && isfinite(mean_scale)) frexp(mean_scale, &of_scale);
  scale.exponent = -(of_b + length.exponent) - of_scale / 2;
  return scale;
}

Status linear_find_scale(Exec *exec, int64_t n, const double *b, double bb, double mean_scale, double *room,
                         LinearScale *out) {
  *out = (LinearScale){0, sqrt(bb)};
  if (linear_in_range(bb, mean_scale)) return OK;
  VecLength length;
  TRY(vec_length(exec, n, b, room, &length));
  *out = linear_scale_of(length, mean_scale);
  return OK;
}

Status linear_judge_scaled(double residual, double rtol, LinearReport *report) {
  if (residual <= rtol) return OK;
  report->reason = isfinite(residual) ? LINEAR_UNDERFLOW : LINEAR_OVERFLOW;
  CHECK(isfinite(residual), ERR_NUMERIC,
        "the solution is larger than any number in double precision (1.8e308)\n  remedy: smaller loads or prescribed "
        "values, "
        "or units in which they are");
  return FAIL(
      ERR_NUMERIC,
      "the solution is so small (below 2.2e-308) that double precision cannot hold its digits: the true relative "
      "residual is %.1e, asked for %.1e\n  remedy: larger loads or prescribed values, or units in which they are",
      residual, rtol);
}

/* b times the power of two, in a vector that is there from the first time on. */
static Status take_scaled(LinearSolver *s, const LinearScale *scale, const double *b) {
  if (!s->scaled_b) EXEC_ALLOC(s->exec, s->scaled_b, s->pcg.n, "scaled right-hand side");
  return vec_scale(s->exec, s->pcg.n, scale->exponent, b, s->scaled_b);
}

/* limit: of the relative residual, what the scaled solution has reached. */
static Status linear_scale_check(LinearSolver *s, const LinearScale *scale, double limit, double *x,
                                 LinearReport *report) {
  double norm;
  TRY(vec_scale(s->exec, s->pcg.n, scale->exponent, x, x));
  TRY(linear_true_residual(s, s->scaled_b, x, &report->true_residual, &norm));
  TRY(vec_scale(s->exec, s->pcg.n, -scale->exponent, x, x));
  return linear_judge_scaled(report->true_residual, limit, report);
}

Status linear_check_scaled(LinearSolver *s, const LinearScale *scale, const double *b, double *x,
                           LinearReport *report) {
  TRY(take_scaled(s, scale, b));
  return linear_scale_check(s, scale, s->params.rtol, x, report);
}

Status linear_solve_scaled(LinearSolver *s, const LinearScale *scale, const double *b, double *x,
                           LinearReport *report) {
  TRY(take_scaled(s, scale, b));
  TRY(vec_scale(s->exec, s->pcg.n, scale->exponent, x, x));
  TRY(linear_true_residual(s, s->scaled_b, x, &report->true_residual, &report->norm_b));
  if (!(report->true_residual <= 1)) { /* a first guess that is worth nothing */
    TRY(exec_zero(s->exec, x, (size_t)s->pcg.n * sizeof *x));
    TRY(linear_true_residual(s, s->scaled_b, x, &report->true_residual, &report->norm_b));
  }
  Status status = linear_solve_on(s, s->scaled_b, x, report);
  if (status != OK && status != ERR_NUMERIC) return status;
  TRY(vec_scale(s->exec, s->pcg.n, -scale->exponent, x, x));
  if (status == OK) status = linear_scale_check(s, scale, fmax(s->params.rtol, report->true_residual), x, report);
  report->norm_b = scale->norm;
  return status;
}
