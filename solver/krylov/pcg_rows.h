/* Vector kernels of preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad, Iterative Methods, alg. 9.1).
 * The preconditioner is M = S B S with S diagonal: for Jacobi B = 1, else B acts on S r, brought near 1 by a power of
 * two (krylov.h) so that float neither overflows nor underflows. */
#pragma once
#include "algebra/extra_bits.h"
#include "algebra/krylov_scalars.h"

typedef struct PcgArgs {
  double *x, *p, *r;
  const double *q;     /* A p */
  const double *scale; /* S */
  double *scaled;      /* S r */
  float *low;          /* the same in float, where B works in float */
  const void *z;       /* B S r in double or float */
  const int8_t *extra; /* more bits of z in float; NULL: none */
  Krylov *k;
} PcgArgs;

/* What solves that no host looks at have done, on the Exec. */
typedef struct PcgTally {
  int64_t solves, iterations;
  int32_t failed; /* the last of them did not converge */
} PcgTally;

/* Jacobi: x += alpha p, r -= alpha q; sums r.r and r.z */
HD void pcg_update_jacobi_body(const PcgArgs *a, int64_t i, double sum[]) {
  if (a->k->stop) return;
  /* all is read before anything is written, else a GPU waits for memory twice */
  const double alpha = a->k->alpha, s = a->scale[i], p = a->p[i], q = a->q[i], x = a->x[i], before = a->r[i];
  const double r = before - alpha * q;
  a->x[i] = x + alpha * p;
  a->r[i] = r;
  sum[0] += r * r;
  sum[1] += s * r * (s * r);
}
HD void pcg_update_jacobi_finish(const PcgArgs *a, const double sum[]) {
  if (a->k->stop) return;
  krylov_residual(a->k, sum[0]);
  krylov_beta(a->k, sum[1]);
}

/* Others: the same with S r written for the preconditioner; sum r.r */
HD double pcg_update_row(const PcgArgs *a, int64_t i, double sum[]) {
  const double alpha = a->k->alpha, s = a->scale[i], p = a->p[i], q = a->q[i], x = a->x[i], before = a->r[i];
  const double r = before - alpha * q, scaled = s * r * a->k->to_unit;
  a->x[i] = x + alpha * p;
  a->r[i] = r;
  sum[0] += r * r;
  a->scaled[i] = scaled;
  return scaled;
}
HD void pcg_update_d_body(const PcgArgs *a, int64_t i, double sum[]) {
  if (!a->k->stop) pcg_update_row(a, i, sum);
}
HD void pcg_update_f_body(const PcgArgs *a, int64_t i, double sum[]) {
  if (!a->k->stop) a->low[i] = (float)pcg_update_row(a, i, sum);
}
HD void pcg_update_d_finish(const PcgArgs *a, const double sum[]) {
  if (!a->k->stop) krylov_residual(a->k, sum[0]);
}
HD void pcg_update_f_finish(const PcgArgs *a, const double sum[]) {
  if (!a->k->stop) krylov_residual(a->k, sum[0]);
}

/* p = z + beta p */
HD void pcg_direction_jacobi_body(const PcgArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!a->k->stop) a->p[i] = a->scale[i] * a->scale[i] * a->r[i] + a->k->beta * a->p[i];
}
HD void pcg_direction_d_body(const PcgArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!a->k->stop) a->p[i] = a->scale[i] * ((const double *)a->z)[i] + a->k->beta * a->p[i];
}
HD void pcg_direction_f_body(const PcgArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!a->k->stop) a->p[i] = a->scale[i] * extra_read_f((const float *)a->z, a->extra, i) + a->k->beta * a->p[i];
}

/* For a preconditioner that is not a linear function, after z = B S r: beta = -z.A p / p.A p makes the next direction
 * conjugate to this one whatever B is (Notay 2000, "Flexible conjugate gradients"). */
HD void pcg_flexible_d_body(const PcgArgs *a, int64_t i, double sum[]) {
  if (!a->k->stop) sum[0] += a->scale[i] * ((const double *)a->z)[i] * a->q[i];
}
HD void pcg_flexible_f_body(const PcgArgs *a, int64_t i, double sum[]) {
  if (!a->k->stop) sum[0] += a->scale[i] * extra_read_f((const float *)a->z, a->extra, i) * a->q[i];
}
HD void pcg_flexible_end(const PcgArgs *a, const double sum[]) {
  if (!a->k->stop) a->k->beta = a->k->pap > 0 ? -sum[0] / a->k->pap : 0;
}
HD void pcg_flexible_d_finish(const PcgArgs *a, const double sum[]) { pcg_flexible_end(a, sum); }
HD void pcg_flexible_f_finish(const PcgArgs *a, const double sum[]) { pcg_flexible_end(a, sum); }

/* Powers of two that bring S r near 1 for float, and back. */
HD void pcg_unit(Krylov *k, double rr, double mean_scale) {
  int exponent;
  k->to_unit = k->from_unit = 1;
  if (!(rr > 0) || !(rr - rr == 0) || !(mean_scale > 0)) return;
  frexp(sqrt(rr) * mean_scale, &exponent);
  k->to_unit = ldexp(1.0, -exponent);
  k->from_unit = ldexp(1.0, exponent);
}

/* The start of a run from the squares of |r| and |b| that are there: it does not begin where r is small enough already, as where both
 * are 0, or where squares are beyond what it can be held against. */
typedef struct PcgBeginArgs {
  Krylov *k;
  double rtol, mean_scale; /* 0: r needs no power of two */
  double least, most;      /* of squares */
} PcgBeginArgs;
HD void pcg_begin_body(const PcgBeginArgs *a, int64_t i, double sum[]) {
  (void)i;
  (void)sum;
  Krylov *k = a->k;
  const double rr = k->sum[0], bb = k->sum[1], z = a->mean_scale > 0 ? sqrt(bb) * a->mean_scale : sqrt(bb);
  const int fits = bb >= a->least && bb <= a->most && z * z >= a->least && z * z <= a->most && rr <= a->most;
  k->rr = k->first = rr;
  k->limit = a->rtol * a->rtol * bb;
  pcg_unit(k, rr, a->mean_scale);
  if (rr == 0 && bb == 0) k->stop = KRYLOV_CONVERGED;
  else if (!fits) k->stop = KRYLOV_NAN;
  else if (sqrt(rr / bb) <= a->rtol) k->stop = KRYLOV_CONVERGED;
}

/* One row: all scalars as a run begins with them. */
typedef struct PcgResetArgs {
  Krylov *k;
  Krylov value;
} PcgResetArgs;
HD void pcg_reset_body(const PcgResetArgs *a, int64_t i, double sum[]) {
  (void)i;
  (void)sum;
  *a->k = a->value;
}

/* One row, behind a run and its true residual: adds up what was done. A run that has not converged by that ends the loop that it is
 * a part of, by `end`, if nothing has ended it yet. */
typedef struct PcgTallyArgs {
  const Krylov *k;
  double rtol;
  PcgTally *tally;
  int32_t *stop, end;
} PcgTallyArgs;
HD void pcg_tally_body(const PcgTallyArgs *a, int64_t i, double sum[]) {
  (void)i;
  (void)sum;
  const Krylov *k = a->k;
  a->tally->solves += 1;
  a->tally->iterations += k->iteration;
  a->tally->failed = !(k->stop == KRYLOV_CONVERGED && sqrt(k->sum[0]) <= a->rtol * sqrt(k->sum[1]));
  if (a->tally->failed && !*a->stop) *a->stop = a->end;
}
