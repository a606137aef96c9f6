/* Row kernels of dynamics, M a + C v + K u = f with C = alpha M + beta K, by the generalised-alpha method (Chung and
 * Hulbert, Journal of Applied Mechanics 60, 1993, 371-375); one row per unknown. The increment d = u_new - u is known at
 * supports and solved for elsewhere; velocity and acceleration of the end follow from it by Newmark's formulae. */
#pragma once
#include "core/hd.h"

/* What the host reads once per trial: sums over all unknowns. */
typedef struct DynamicSums {
  double error, change, square; /* of the local error, of d and of u + d, squared */
  double unit;                  /* the power of two that values were multiplied by before they were squared */
} DynamicSums;

typedef struct DynamicArgs {
  double dt, newmark_beta, gamma; /* of Newmark's formulae */
  double alpha_m, alpha_f;        /* where in the step the equation holds: shares of its beginning */
  double mass, stiffness;         /* Rayleigh's alpha and beta */
  double *u, *v, *a;              /* of the beginning; accept writes those of the end */
  const double *g;                /* values at supports at the end; NULL: they stay as they are */
  double *d, *known;              /* increments: of free unknowns, 0 at supports; of supports, 0 elsewhere */
  double *stiff, *heavy, *slow;   /* what K, M and C of dashpots are applied to; slow NULL: there is no C */
  DynamicSums *sums;
  double unit;
} DynamicArgs;

/* Velocity and acceleration of the end for an increment d. */
HD void dynamic_newmark(const DynamicArgs *s, const int64_t i, const double d, double *v, double *a) {
  const double b = s->newmark_beta, dt = s->dt;
  *a = d / (b * dt * dt) - s->v[i] / (b * dt) - (0.5 / b - 1) * s->a[i];
  *v = s->v[i] + dt * ((1 - s->gamma) * s->a[i] + s->gamma * *a);
}

/* First guess of the increment: the acceleration stays. */
HD void dynamic_predict_body(const DynamicArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->d[i] = s->dt * (s->v[i] + 0.5 * s->dt * s->a[i]);
  s->known[i] = s->g ? s->g[i] - s->u[i] : 0;
}

/* What K, M and C are applied to where d is known only: the right-hand side is f - K stiff - M heavy - C slow. */
HD void dynamic_balance_body(const DynamicArgs *s, int64_t i, double *sum) {
  (void)sum;
  double v, a;
  dynamic_newmark(s, i, s->known[i], &v, &a);
  const double between = (1 - s->alpha_f) * v + s->alpha_f * s->v[i];
  s->stiff[i] = s->u[i] + (1 - s->alpha_f) * s->known[i] + s->stiffness * between;
  s->heavy[i] = (1 - s->alpha_m) * a + s->alpha_m * s->a[i] + s->mass * between;
  if (s->slow) s->slow[i] = between;
}

/* The same at the beginning, for its acceleration, of which that of supports is known. */
HD void dynamic_start_body(const DynamicArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->stiff[i] = s->u[i] + s->stiffness * s->v[i];
  s->heavy[i] = s->a[i] + s->mass * s->v[i];
  if (s->slow) s->slow[i] = s->v[i];
}

/* Completes d and measures the trial. The error is the difference of Newmark's displacement and that of an acceleration
 * that is linear in the step (Zienkiewicz and Xie, Earthquake Engineering and Structural Dynamics 20, 1991, 871-887). */
HD void dynamic_measure_body(const DynamicArgs *s, int64_t i, double *sum) {
  double v, a;
  const double d = s->d[i] + s->known[i], u = (s->u[i] + d) * s->unit;
  dynamic_newmark(s, i, d, &v, &a);
  const double e = s->dt * s->dt * (s->newmark_beta - 1.0 / 6) * (a - s->a[i]) * s->unit;
  sum[0] += s->known[i] != 0 ? 0 : e * e;
  sum[1] += d * s->unit * (d * s->unit);
  sum[2] += u * u;
}
HD void dynamic_measure_finish(const DynamicArgs *s, const double *sum) {
  s->sums->error = sum[0];
  s->sums->change = sum[1];
  s->sums->square = sum[2];
  s->sums->unit = s->unit;
}

/* The step is accepted; at supports u becomes g itself, so that rounding does not add up. */
HD void dynamic_accept_body(const DynamicArgs *s, int64_t i, double *sum) {
  (void)sum;
  double v, a;
  dynamic_newmark(s, i, s->d[i] + s->known[i], &v, &a);
  s->u[i] = s->known[i] != 0 ? s->g[i] : s->u[i] + s->d[i];
  s->v[i] = v;
  s->a[i] = a;
}
