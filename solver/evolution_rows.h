/* Row kernels of nonlinear time stepping, a row per unknown. Residuals are divided by mass: rho_i = r_i / (M_i m), which has
 * the unit of u and bounds its error; m is the factor `mass` of the step.
 *
 * The linear solve of a nodal problem is in float and in y = M^(1/2) x, where the matrix is m times
 *   shift + (theta/m) K',  K' = M^(-1/2) K M^(-1/2),  shift_i = 1 - theta (dR/du)_i / (M_i m),
 * scaled by its diagonal P = shift + (theta/m) K'_ii. */
#pragma once
#include "solver/evolution_clock.h"

#include <math.h>

enum {
  EVOLUTION_INNER = 48, /* most products of a linear solve */
  EVOLUTION_CHAIN = 64  /* most steps of a loop */
};
/* Least shift that is iterated with: where it would be less, the step is beyond the bound of definiteness. */
#define EVOLUTION_LEAST_SHIFT 0.05

/* Why a loop ended; 0 while it runs. */
typedef enum EvolutionStop {
  EVOLUTION_GOES_ON,
  EVOLUTION_DONE,     /* all steps of the loop stand */
  EVOLUTION_REJECTED, /* solved, but its error is larger than accept_limit */
  EVOLUTION_STUCK,    /* max_newton */
  EVOLUTION_DIVERGED, /* the residual grew beyond sense */
  EVOLUTION_NAN
} EvolutionStop;

typedef enum EvolutionPhase { EVOLUTION_START, EVOLUTION_NEWTON, EVOLUTION_VERIFY, EVOLUTION_COMMIT } EvolutionPhase;

/* All scalars of stepping, on the Exec: the host writes them before a loop and reads them after it. */
typedef struct EvolutionScalars {
  EvolutionClock clock;
  double p1, p2;              /* first guess u_n + p1 last + p2 older */
  double e0, e1, e2;          /* local error e0 (u - u_n) + e1 last + e2 older; all 0 when unknown */
  double limit, accept_limit; /* on sums of M rho^2 and M error^2 */
  double target[EVOLUTION_CHAIN]; /* of each step of this loop */
  double residual, first, error; /* sums of M rho^2 now and at the first guess, of M error^2 */
  double bad;                 /* nodes where dR/du is too large for the step, at the last look */
  int64_t steps, max_steps, newton, products;
  int32_t step_newton, max_newton, n_inner;
  int32_t skip_product;       /* the true product is not to be done now; */
  int32_t skip_inner[EVOLUTION_INNER]; /* nor those of the linear solve */
  int32_t stop;               /* EvolutionStop */
  float a[EVOLUTION_INNER], b[EVOLUTION_INNER]; /* Chebyshev: d = a d + b P^-1 rho */
} EvolutionScalars;

/* One argument list for all of them. */
typedef struct EvolutionArgs {
  EvolutionScalars *s;
  const int32_t *when;        /* the flag of this launch */
  EvolutionPhase phase;       /* and its phase */
  int32_t inner;              /* index of the product before it */
  const EvolutionPulse *pulse;
  double *switches;
  const double *mass;
  const uint8_t *fixed;       /* NULL: none */
  double *u, *Ku;             /* iterate; K u by a true product, or its extrapolation */
  double *before, *last, *older, *K_before, *K_last, *K_older, *R_before;
  double *current, *R, *diagonal; /* what the problem gives: I, theta R, -theta dR/du */
  double *R_used;             /* theta R that the residual was formed with */
  double *v, *Mv, *r;         /* gauss: I - rate, M times it, the residual */
  float *rho, *shift, *y, *d; /* nodal: times M^(1/2): residual, correction, direction; and the changing diagonal */
  const float *Kd, *K_diagonal; /* nodal: K' d, diagonal of K' */
} EvolutionArgs;

HD int evolution_runs(const EvolutionArgs *a) { return *a->when; }
HD int evolution_is_fixed(const EvolutionArgs *a, int64_t i) { return a->fixed && a->fixed[i]; }

/* v = M^(-1/2), 0 where u is fixed or there is no mass. */
HD void evolution_scale_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->v[i] = evolution_is_fixed(a, i) || !(a->mass[i] > 0) ? 0 : 1 / sqrt(a->mass[i]);
}

HD void evolution_switches_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (evolution_runs(a)) a->switches[i] = evolution_switch(&a->s->clock, &a->pulse[i]);
}

/* First guess. */
HD void evolution_guess_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const double p1 = a->s->p1, p2 = a->s->p2;
  a->u[i] = a->before[i] + p1 * a->last[i] + p2 * a->older[i];
  a->Ku[i] = a->K_before[i] + p1 * a->K_last[i] + p2 * a->K_older[i];
}

HD double evolution_rate(const EvolutionArgs *a, int64_t i) {
  const EvolutionClock *c = &a->s->clock;
  return c->mass * (a->u[i] - a->before[i]) - c->history * a->last[i];
}
/* theta (R - K u) + (1 - theta) (R_n - K u_n) */
HD double evolution_force(const EvolutionArgs *a, int64_t i) {
  const double theta = a->s->clock.theta, now = a->R[i] - theta * a->Ku[i];
  return theta < 1 ? now + (1 - theta) * (a->R_before[i] - a->K_before[i]) : now;
}
HD double evolution_error(const EvolutionArgs *a, int64_t i) {
  const EvolutionScalars *s = a->s;
  return s->e0 * (a->u[i] - a->before[i]) + s->e1 * a->last[i] + s->e2 * a->older[i];
}

/* The phase that runs from now on; -1: none. */
HD void evolution_go(EvolutionScalars *s, int32_t phase) {
  s->clock.start = phase == EVOLUTION_START;
  s->clock.newton = phase == EVOLUTION_NEWTON;
  s->clock.verify = phase == EVOLUTION_VERIFY;
  s->clock.commit = phase == EVOLUTION_COMMIT;
  s->skip_product = phase != EVOLUTION_VERIFY;
  for (int32_t k = 0; k < EVOLUTION_INNER; ++k) s->skip_inner[k] = phase != EVOLUTION_NEWTON || k >= s->n_inner;
}
HD void evolution_end(EvolutionScalars *s, EvolutionStop stop) {
  evolution_go(s, -1);
  s->stop = (int32_t)stop;
}

/* Sums of M rho^2 and, in VERIFY, of M error^2, else of nodes with too small a shift: which phase is next? */
HD void evolution_judge(EvolutionScalars *s, EvolutionPhase phase, const double sum[]) {
  s->residual = sum[0];
  if (phase == EVOLUTION_START) {
    s->first = sum[0];
    s->step_newton = 0;
  } else if (phase == EVOLUTION_NEWTON) {
    s->step_newton += 1;
    s->newton += 1;
    s->products += s->n_inner;
  } else {
    s->products += 1;
    s->error = sum[1];
  }
  if (phase != EVOLUTION_VERIFY) s->bad = sum[1];
  const int solved = sum[0] <= s->limit;
  if (!(sum[0] - sum[0] == 0) || !(sum[1] - sum[1] == 0)) evolution_end(s, EVOLUTION_NAN);
  else if (solved && phase != EVOLUTION_VERIFY) evolution_go(s, EVOLUTION_VERIFY);
  else if (solved && sum[1] <= s->accept_limit) evolution_go(s, EVOLUTION_COMMIT);
  else if (solved) evolution_end(s, EVOLUTION_REJECTED);
  else if (s->step_newton >= s->max_newton) evolution_end(s, EVOLUTION_STUCK);
  else if (s->step_newton > 1 && sum[0] > 1e8 * s->first) evolution_end(s, EVOLUTION_DIVERGED);
  else evolution_go(s, EVOLUTION_NEWTON);
}

/* Nodal: residual of the iterate and what the linear solve starts from. In NEWTON what that solve left over is exact but for
 * the curvature of R, so no product is needed. */
HD void evolution_residual_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  if (!evolution_runs(a)) return;
  const EvolutionScalars *s = a->s;
  const double m = s->clock.mass;
  if (evolution_is_fixed(a, i)) {
    a->rho[i] = a->d[i] = a->y[i] = 0;
    a->shift[i] = 1;
    return;
  }
  const double mass = a->mass[i], root = sqrt(mass);
  double rho;
  if (a->phase == EVOLUTION_NEWTON)
    rho = (double)a->rho[i] + ((double)a->shift[i] - 1) * (double)a->y[i] + (a->R[i] - a->R_used[i]) / (root * m);
  else
    rho = root / m * (evolution_force(a, i) / mass + a->current[i] - evolution_rate(a, i));
  double shift = 1 + a->diagonal[i] / (mass * m);
  const int bad = !(shift >= EVOLUTION_LEAST_SHIFT);
  if (bad) shift = EVOLUTION_LEAST_SHIFT;
  sum[0] += rho * rho;
  if (a->phase == EVOLUTION_VERIFY) {
    const double error = evolution_error(a, i);
    sum[1] += mass * error * error;
  } else {
    sum[1] += bad;
  }
  a->R_used[i] = a->R[i];
  a->shift[i] = (float)shift;
  a->rho[i] = (float)rho;
  const float d = s->b[0] * (float)(rho / (shift + s->clock.theta / m * (double)a->K_diagonal[i]));
  a->d[i] = d;
  a->y[i] = d;
}
HD void evolution_residual_finish(const EvolutionArgs *a, const double sum[]) {
  if (evolution_runs(a)) evolution_judge(a->s, a->phase, sum);
}

/* Nodal: one step of Chebyshev's iteration after the product Kd = K' d; the last one ends in the new u. */
HD void evolution_inner_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const EvolutionScalars *s = a->s;
  if (!evolution_runs(a) || a->inner >= s->n_inner) return;
  const float share = (float)(s->clock.theta / s->clock.mass), shift = a->shift[i], d = a->d[i];
  const float rho = a->rho[i] - (shift * d + share * a->Kd[i]);
  a->rho[i] = rho;
  if (a->inner + 1 < s->n_inner) {
    const float next = s->a[a->inner + 1] * d + s->b[a->inner + 1] * (rho / (shift + share * a->K_diagonal[i]));
    a->d[i] = next;
    a->y[i] += next;
  } else if (!evolution_is_fixed(a, i)) {
    a->u[i] += (double)a->y[i] / sqrt(a->mass[i]);
  }
}

/* Gauss: what M is applied to, and the residual. */
HD void evolution_balance_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->v[i] = a->current[i] - evolution_rate(a, i);
}
HD void evolution_gauss_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  if (evolution_is_fixed(a, i)) {
    a->r[i] = 0;
    return;
  }
  const double r = evolution_force(a, i) + a->Mv[i], rho = r / a->s->clock.mass, error = evolution_error(a, i);
  a->r[i] = r;
  sum[0] += rho * rho / a->mass[i];
  sum[1] += a->mass[i] * error * error;
}
HD void evolution_gauss_finish(const EvolutionArgs *a, const double sum[]) {
  a->s->residual = sum[0];
  a->s->error = sum[1];
}

/* The step stands; then the next one begins, or the loop ends. */
HD void evolution_accept_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const double u = a->u[i], Ku = a->Ku[i], last = a->last[i], K_last = a->K_last[i];
  a->older[i] = last;
  a->K_older[i] = K_last;
  a->last[i] = u - a->before[i];
  a->K_last[i] = Ku - a->K_before[i];
  a->before[i] = u;
  a->K_before[i] = Ku;
  a->R_before[i] = a->R[i] / a->s->clock.theta;
}
HD void evolution_accept_finish(const EvolutionArgs *a, const double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  EvolutionScalars *s = a->s;
  EvolutionClock *c = &s->clock;
  s->steps += 1;
  if (s->steps >= s->max_steps) {
    evolution_end(s, EVOLUTION_DONE);
    return;
  }
  c->time = c->target;
  c->target = s->target[s->steps];
  evolution_go(s, EVOLUTION_START);
}

/* Lanczos steps for the spectrum of B = P^(-1/2) (1 + tau K') P^(-1/2), P its diagonal before scaling; setup only. */
typedef struct EvolutionLanczosArgs {
  float *v, *before, *w, *d;
  const float *Kd, *K_diagonal;
  double tau, alpha, beta;
  double *sum;
} EvolutionLanczosArgs;

/* A vector that is smooth and rough in parts. */
HD void evolution_lanczos_start_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const uint32_t h = (uint32_t)i * 2654435761u;
  const float v = 0.5f + (float)((h ^ h >> 15) & 0xffff) / 65536.0f;
  a->w[i] = v;
  a->v[i] = 0;
  sum[0] += (double)v * (double)v;
}
HD void evolution_lanczos_start_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }

/* The next vector, w / beta, and what K' is applied to. */
HD void evolution_lanczos_next_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const double v = (double)a->w[i] / a->beta;
  a->before[i] = a->v[i];
  a->v[i] = (float)v;
  a->d[i] = (float)(v / sqrt(1 + a->tau * (double)a->K_diagonal[i]));
}
/* w = B v; sum v.w */
HD void evolution_lanczos_apply_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const double w =
      ((double)a->d[i] + a->tau * (double)a->Kd[i]) / sqrt(1 + a->tau * (double)a->K_diagonal[i]);
  a->w[i] = (float)w;
  sum[0] += (double)a->v[i] * w;
}
HD void evolution_lanczos_apply_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }
/* w -= alpha v + beta before; sum w.w */
HD void evolution_lanczos_part_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const double w = (double)a->w[i] - a->alpha * (double)a->v[i] - a->beta * (double)a->before[i];
  a->w[i] = (float)w;
  sum[0] += w * w;
}
HD void evolution_lanczos_part_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }
