/* Row kernels of time stepping; one row per unknown. The increment d = u_new - u is g - u at supports, known, and
 * solved for elsewhere. */
#pragma once
#include "core/hd.h"

/* What the host reads once per trial. */
typedef struct TransientSums {
  double error, change; /* sums of (d - predicted)^2 and d^2 over free unknowns */
  double sum, square;   /* of u + d and its square, over all */
  double unit;          /* the power of two that values were multiplied by before they were squared */
} TransientSums;

typedef struct TransientArgs {
  const uint8_t *fixed;
  const double *u, *g;         /* g NULL: values at supports stay as they are */
  const double *last, *older;  /* increments of the last step and of the one before */
  double a1, a2;               /* predicted increment a1 last + a2 older */
  double theta, mass, history; /* rhs = f - K (u + theta d) - M (mass d - history last), d at supports only */
  const double *f_new, *f_old; /* f = theta f_new + (1 - theta) f_old */
  const double *Kv, *Mw;       /* Mw NULL: 0 */
  double *d, *predicted, *v, *w, *r;
  double *u_new, *last_new;
  TransientSums *sums;
  double unit; /* of the squares in them */
} TransientArgs;

/* First guess of d, and the vectors that K and M are applied to. */
HD void transient_predict_body(const TransientArgs *s, int64_t i, double *sum) {
  (void)sum;
  const double u = s->u[i], known = s->fixed[i] && s->g ? s->g[i] - u : 0;
  const double guess = s->fixed[i] ? 0 : s->a1 * s->last[i] + s->a2 * s->older[i];
  s->d[i] = guess;
  s->predicted[i] = guess;
  s->v[i] = u + s->theta * known;
  s->w[i] = s->mass * known - s->history * s->last[i];
}

/* Right-hand side, zero at supports. */
HD void transient_rhs_body(const TransientArgs *s, int64_t i, double *sum) {
  (void)sum;
  const double f = s->theta * s->f_new[i] + (1 - s->theta) * s->f_old[i];
  s->r[i] = s->fixed[i] ? 0 : f - s->Kv[i] - (s->Mw ? s->Mw[i] : 0);
}

/* Completes d at supports and measures the trial. */
HD void transient_measure_body(const TransientArgs *s, int64_t i, double *sum) {
  if (s->fixed[i]) s->d[i] = s->g ? s->g[i] - s->u[i] : 0;
  else {
    const double e = (s->d[i] - s->predicted[i]) * s->unit;
    sum[0] += e * e;
    const double d = s->d[i] * s->unit;
    sum[3] += d * d;
  }
  const double u = s->u[i] + s->d[i], in_unit = u * s->unit;
  sum[1] += u;
  sum[2] += in_unit * in_unit;
}
HD void transient_measure_finish(const TransientArgs *s, const double *sum) {
  s->sums->error = sum[0];
  s->sums->sum = sum[1];
  s->sums->square = sum[2];
  s->sums->change = sum[3];
  s->sums->unit = s->unit;
}

/* The step is accepted; at supports u becomes g itself, so that rounding does not add up. */
HD void transient_accept_body(const TransientArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->last_new[i] = s->d[i];
  s->u_new[i] = s->fixed[i] && s->g ? s->g[i] : s->u[i] + s->d[i];
}

/* rate = last_factor last + older_factor older */
typedef struct TransientRateArgs {
  const double *last, *older;
  double last_factor, older_factor;
  double *rate;
} TransientRateArgs;
HD void transient_rate_body(const TransientRateArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->rate[i] = s->last_factor * s->last[i] + s->older_factor * s->older[i];
}
