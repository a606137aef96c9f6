/* Vector kernels of conjugate orthogonal conjugate gradients (van der Vorst and Melissen 1990, IEEE Transactions on
 * Magnetics 26, 706-708): conjugate gradients for A = A^T complex with the product u.v = sum u_i v_i, nothing
 * conjugated. Real and imaginary parts are vectors of their own, so that real matrices and a real preconditioner M = S
 * B S serve both. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/extra_bits.h"
#include "algebra/krylov_scalars.h"

#include <math.h>

/* A bilinear product this far below what the lengths of its vectors allow counts as 0: a breakdown. */
#define COCG_BREAKDOWN 1e-14

/* Lives on the Exec. `k` has the counters, limits and the reason to stop of any Krylov method; KRYLOV_INDEFINITE means
 * here that p.Ap vanishes, KRYLOV_NEGATIVE that the preconditioner is not positive. */
typedef struct Cocg {
  Krylov k;
  double rho[2], alpha[2], beta[2]; /* real and imaginary part */
  double bb;                        /* |b|^2 of the last residual formed; its |r|^2 is k.sum[0] */
  int32_t breakdown;                /* r.z vanishes */
} Cocg;

typedef struct CocgArgs {
  double *x[2], *p[2], *q[2], *r[2], *z[2]; /* [n] each: real, imaginary */
  const double *b[2];
  const double *scale; /* S */
  double *scaled;      /* S r, input of the preconditioner */
  float *low;          /* the same in float where it works in float */
  const void *result;  /* B S r in double or float */
  const int8_t *extra; /* more bits of it; NULL: none */
  Cocg *c;
  Krylov *inner; /* the preconditioner's own scalars */
} CocgArgs;

HD int cocg_finite(double x) { return x - x == 0; }

/* p = z + beta p */
HD void cocg_direction_body(const CocgArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->c->k.stop) return;
  const double re = a->c->beta[0], im = a->c->beta[1], pr = a->p[0][i], pi = a->p[1][i];
  a->p[0][i] = a->z[0][i] + re * pr - im * pi;
  a->p[1][i] = a->z[1][i] + re * pi + im * pr;
}

/* q = A p is there: alpha = rho / p.q. */
HD void cocg_alpha_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (a->c->k.stop) return;
  const double pr = a->p[0][i], pi = a->p[1][i], qr = a->q[0][i], qi = a->q[1][i];
  sum[0] += pr * qr - pi * qi;
  sum[1] += pr * qi + pi * qr;
  sum[2] += pr * pr + pi * pi;
  sum[3] += qr * qr + qi * qi;
}
HD void cocg_alpha_finish(const CocgArgs *a, const double sum[]) {
  Cocg *c = a->c;
  if (c->k.stop) return;
  c->k.iteration += 1;
  const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
  c->k.pap = size;
  if (!cocg_finite(size) || !cocg_finite(sum[2] + sum[3])) {
    c->k.stop = KRYLOV_NAN;
  } else if (size <= COCG_BREAKDOWN * sqrt(sum[2]) * sqrt(sum[3])) {
    c->k.stop = KRYLOV_INDEFINITE;
  } else {
    const double re = sum[0] / size, im = sum[1] / size;
    c->alpha[0] = (c->rho[0] * re + c->rho[1] * im) / size;
    c->alpha[1] = (c->rho[1] * re - c->rho[0] * im) / size;
    return;
  }
  c->alpha[0] = c->alpha[1] = 0;
}

/* x += alpha p, r -= alpha q; the real part of S r for the preconditioner. */
HD double cocg_update_row(const CocgArgs *a, int64_t i, double sum[]) {
  const double re = a->c->alpha[0], im = a->c->alpha[1];
  a->x[0][i] += re * a->p[0][i] - im * a->p[1][i];
  a->x[1][i] += re * a->p[1][i] + im * a->p[0][i];
  const double rr = a->r[0][i] - (re * a->q[0][i] - im * a->q[1][i]);
  const double ri = a->r[1][i] - (re * a->q[1][i] + im * a->q[0][i]);
  a->r[0][i] = rr;
  a->r[1][i] = ri;
  sum[0] += rr * rr + ri * ri;
  return a->scaled ? a->scaled[i] = a->scale[i] * rr * a->c->k.to_unit : 0;
}
HD void cocg_update_d_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (!a->c->k.stop) cocg_update_row(a, i, sum);
}
HD void cocg_update_f_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (!a->c->k.stop) a->low[i] = (float)cocg_update_row(a, i, sum);
}
HD void cocg_update_done(const CocgArgs *a, const double sum[]) {
  if (!a->c->k.stop) krylov_residual(&a->c->k, sum[0]);
  a->inner->stop = a->c->k.stop;
  a->inner->rz = 0;
}
HD void cocg_update_d_finish(const CocgArgs *a, const double sum[]) { cocg_update_done(a, sum); }
HD void cocg_update_f_finish(const CocgArgs *a, const double sum[]) { cocg_update_done(a, sum); }

/* The preconditioner has the real part: z = S B S r; then S r of the imaginary one for it. */
HD double cocg_between_row(const CocgArgs *a, int64_t i, double result, double sum[]) {
  const double z = a->scale[i] * result * a->c->k.from_unit;
  a->z[0][i] = z;
  sum[0] += z * a->r[0][i];
  return a->scaled[i] = a->scale[i] * a->r[1][i] * a->c->k.to_unit;
}
HD void cocg_between_d_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (!a->c->k.stop) cocg_between_row(a, i, ((const double *)a->result)[i], sum);
}
HD void cocg_between_f_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (!a->c->k.stop)
    a->low[i] = (float)cocg_between_row(a, i, extra_read_f((const float *)a->result, a->extra, i), sum);
}
/* A real part that is 0 has r.z = 0, which the preconditioner took for a breakdown. */
HD void cocg_between_done(const CocgArgs *a, const double sum[]) {
  Cocg *c = a->c;
  if (!c->k.stop && !(sum[0] >= 0)) c->k.stop = sum[0] < 0 ? KRYLOV_NEGATIVE : KRYLOV_NAN;
  a->inner->stop = c->k.stop;
  a->inner->rz = 0;
}
HD void cocg_between_d_finish(const CocgArgs *a, const double sum[]) { cocg_between_done(a, sum); }
HD void cocg_between_f_finish(const CocgArgs *a, const double sum[]) { cocg_between_done(a, sum); }

/* The products of r and z: r.z, |r| |z| at most, and the imaginary part by itself. */
HD void cocg_products(const CocgArgs *a, int64_t i, double zr, double zi, double sum[]) {
  const double rr = a->r[0][i], ri = a->r[1][i];
  sum[0] += rr * zr - ri * zi;
  sum[1] += rr * zi + ri * zr;
  sum[2] += rr * zr + ri * zi;
  sum[3] += ri * zi;
}
HD void cocg_last_d_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (a->c->k.stop) return;
  const double z = a->scale[i] * ((const double *)a->result)[i] * a->c->k.from_unit;
  a->z[1][i] = z;
  cocg_products(a, i, a->z[0][i], z, sum);
}
HD void cocg_last_f_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (a->c->k.stop) return;
  const double z = a->scale[i] * extra_read_f((const float *)a->result, a->extra, i) * a->c->k.from_unit;
  a->z[1][i] = z;
  cocg_products(a, i, a->z[0][i], z, sum);
}
/* A diagonal preconditioner: z = S S r. */
HD void cocg_diagonal_body(const CocgArgs *a, int64_t i, double sum[]) {
  if (a->c->k.stop) return;
  const double s = a->scale[i] * a->scale[i];
  a->z[0][i] = s * a->r[0][i];
  a->z[1][i] = s * a->r[1][i];
  cocg_products(a, i, a->z[0][i], a->z[1][i], sum);
}
/* beta = rho / rho before; the first one after a start finds rho = 0. */
HD void cocg_beta_done(const CocgArgs *a, const double sum[]) {
  Cocg *c = a->c;
  if (c->k.stop) return;
  const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
  const double before = c->rho[0] * c->rho[0] + c->rho[1] * c->rho[1];
  if (!cocg_finite(size) || !cocg_finite(sum[2] + sum[3])) {
    c->k.stop = KRYLOV_NAN;
  } else if (sum[3] < 0 || !(sum[2] > 0)) {
    c->k.stop = KRYLOV_NEGATIVE;
  } else if (size <= COCG_BREAKDOWN * sum[2]) {
    c->breakdown = 1;
    c->k.stop = KRYLOV_INDEFINITE;
  } else {
    c->beta[0] = before > 0 ? (sum[0] * c->rho[0] + sum[1] * c->rho[1]) / before : 0;
    c->beta[1] = before > 0 ? (sum[1] * c->rho[0] - sum[0] * c->rho[1]) / before : 0;
    c->rho[0] = sum[0];
    c->rho[1] = sum[1];
  }
}
HD void cocg_last_d_finish(const CocgArgs *a, const double sum[]) { cocg_beta_done(a, sum); }
HD void cocg_last_f_finish(const CocgArgs *a, const double sum[]) { cocg_beta_done(a, sum); }
HD void cocg_diagonal_finish(const CocgArgs *a, const double sum[]) { cocg_beta_done(a, sum); }

/* r = b - A x is in r: its length and that of b. */
HD void cocg_norms_body(const CocgArgs *a, int64_t i, double sum[]) {
  sum[0] += a->r[0][i] * a->r[0][i] + a->r[1][i] * a->r[1][i];
  sum[1] += a->b[0][i] * a->b[0][i] + a->b[1][i] * a->b[1][i];
}
HD void cocg_norms_finish(const CocgArgs *a, const double sum[]) {
  a->c->k.sum[0] = sum[0];
  a->c->bb = sum[1];
}
