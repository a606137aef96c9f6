/* Row kernels of nonlinear time stepping, a row per unknown. Residuals are divided by mass: rho_i = r_i / (M_i m),
 * which has the unit of u and bounds its error; m is the factor `mass` of the step.
 *
 * The linear solve of a nodal problem is in y = correction of u / s with s_i = (tau0 / (M_i + tau0 K_ii))^(1/2), where
 * the matrix is m tau0 times
 *   Z + share K'',  K'' = s K s,  Z_i = w_i (1 - theta (dR/du)_i / (M_i m)),  w_i = M_i / (M_i + tau0 K_ii),
 * share = theta / (m tau0): entries of K'' are 1 at most, whatever the units and the mesh, and so can be stored in few
 * bits. */
#pragma once
#include "solver/time/evolution_clock.h"

#include <math.h>

enum {
  EVOLUTION_PAST = 4,   /* values before u_n that are kept */
  EVOLUTION_INNER = 48, /* most products of a linear solve */
  EVOLUTION_CHAIN = 64  /* most steps of a loop */
};
/* Tuning numbers, each as docs/theory/evolution.md ("What steers the linear solve") defines it. */
HD double evolution_shift_min(void) {
  return 0.05;
} /* least shift that is iterated with: where it would be
                                                                less, the step is beyond the bound of definiteness */
HD double evolution_goal_share(void) { return 0.7; }       /* of the goal: what a linear solve aims at */
HD float evolution_rate_min(void) { return 0.2f; }         /* least rate estimate */
HD float evolution_promise_kept(void) { return 0.95f; }    /* share of the interval's promise that counts as kept */
HD float evolution_shift_relaxation(void) { return 0.1f; } /* by which a kept promise raises the lower end again */
HD float evolution_shift_move_min(void) { return 0.05f; }  /* least difference of the lower end that is worth a move */
enum { EVOLUTION_LEARN_PRODUCTS = 4 /* shorter solves say nothing of the lower end */ };

/* Why a loop ended; 0 while it runs. */
typedef enum EvolutionStop {
  EVOLUTION_GOES_ON,
  EVOLUTION_DONE,     /* all steps of the loop are accepted */
  EVOLUTION_REJECTED, /* solved, but its error is larger than what is allowed */
  EVOLUTION_STUCK,    /* max_newton */
  EVOLUTION_DIVERGED, /* the residual grew by 1e4 */
  EVOLUTION_NAN
} EvolutionStop;

/* VERIFY follows each linear solve, and a first guess that is good enough. */
typedef enum EvolutionPhase { EVOLUTION_START, EVOLUTION_NEWTON, EVOLUTION_VERIFY, EVOLUTION_COMMIT } EvolutionPhase;

/* What the solves so far say about the next one: written on the Exec only, and part of checkpoints. Numbers of launches
 * come of it, so single precision does; double takes one thread of a GPU 2 us. */
typedef struct EvolutionLearned {
  /* Observed over promised logarithm of a reduction, lately: of the first and of later linear solves of a step. */
  float rate_estimate[2];
  /* How far the lower end is shifted from its estimate to the smallest Ritz value, 0 to 1 in logarithms: as learned, and
   * as it is in use. */
  float interval_low_shift, interval_low_shift_used;
  float asymptotic_rate;  /* k products leave 1 / cosh(k asymptotic_rate) of a residual, by the interval in use */
  int32_t interval_moved; /* asymptotic_rate and rate_estimate are those before the lower end moved */
} EvolutionLearned;

/* All scalars of stepping, on the Exec: the host writes them before a loop and reads them after it. */
typedef struct EvolutionScalars {
  EvolutionClock clock;
  double p[EVOLUTION_PAST + 1]; /* first guess: p_0 u_n + p_1 u_(n-1) + ... */
  int32_t head;                 /* u_(n-k) is past[(head + k - 1) % EVOLUTION_PAST] */
  double e0, e1, e2; /* local error e0 (u - u_n) + e1 (u_n - u_(n-1)) + e2 (u_(n-1) - u_(n-2)); 0 when unknown */
  double limit;      /* on the sum of M rho^2; a step is accepted when the root of the sum of M error^2 is at most */
  double allowed, per_change;     /* allowed + per_change times the root of the sum of M (u - u_n)^2 */
  double target[EVOLUTION_CHAIN]; /* of each step of this loop */
  double residual, first, error,
      change;  /* sums of M rho^2 now and at the first guess, of M error^2, of M (u - u_n)^2 */
  double bad;  /* nodes where dR/du is too large for the step, at the last look */
  double lead; /* q as it is expected: q + lead (q - q of the step before) */
  int64_t steps, max_steps, newton, products;
  int32_t step_newton, max_newton;
  int32_t n_inner, max_inner;          /* products of this linear solve, the last one of them in double, and at most */
  int32_t skip_start;                  /* products at the beginning of a step are not to be done now; */
  int32_t skip_product;                /* nor the true one; */
  int32_t skip_inner[EVOLUTION_INNER]; /* nor those of the linear solve; 1 from max_inner - 1 on */
  int32_t stop;                        /* EvolutionStop */
  /* The interval of the spectrum that Chebyshev's iteration works on: upper end, lower end as estimated, and the log of
   * the smallest Ritz value over that. */
  double interval_high, interval_low, interval_log_depth;
  int32_t interval_stale; /* semi is to be made again as the step begins */
  EvolutionLearned learned;
  double semi[EVOLUTION_INNER][3]; /* numbers of MAT_SEMI: Chebyshev's, and share */
  int32_t pulses_switch;           /* stages: some pulse begins or ends with this step */
  double stage_part, stage_slope;  /* stages: see stage_rows.h */
  /* Stages: steps whose end is sampled; whether the last one's was, into which row; rows so far. */
  uint8_t samples[EVOLUTION_CHAIN];
  int32_t sample, sample_row, n_sample;
} EvolutionScalars;

/* One argument list for all of them. */
typedef struct EvolutionArgs {
  EvolutionScalars *s;
  const int32_t *when;  /* the flag of this launch */
  EvolutionPhase phase; /* and its phase */
  const EvolutionPulse *pulse;
  double *switches;
  int32_t n_pulse;
  const double *mass;
  const uint8_t *fixed;                                  /* NULL: none */
  double *u, *Ku;                                        /* iterate; K u by a true product, or its extrapolation */
  double *before, *K_before;                             /* u_n and K u_n */
  double *past[EVOLUTION_PAST], *K_past[EVOLUTION_PAST]; /* of the steps before */
  double *R_before;                                      /* Crank-Nicolson; else NULL: it is in R */
  double *current, *R, *diagonal;                        /* what the problem gives: I, theta R, -theta dR/du */
  const double *known;                                   /* what is added to I; NULL: nothing */
  double *v, *Mv, *r;                                    /* gauss: I - rate, M times it, the residual */
  double *q, *q_before, *lag;                            /* nodal with a share of consistent mass; else NULL */
  double consistent;                                     /* that share */
  float *y[2];                                           /* nodal: two iterates in turn, */
  float *rho, *shift;                                    /* right-hand side and Z */
  const float *scale, *weight;                           /* s and w */
  const double *line, *line_slope;                       /* stages: as in Problem; NULL: R and diagonal */
  float *unscaled;                                       /* stages: in place of the diagonal of K'' (stage_rows.h), */
  const float *own;                                      /* and what part of the mass of K'' is `mass` */
  double tau0;
  const double *stiffest; /* diagonal of K, at the beginning only */
} EvolutionArgs;

HD int evolution_runs(const EvolutionArgs *a) { return *a->when; }
/* I, and what is known of it before a step begins. */
HD double evolution_current(const EvolutionArgs *a, int64_t i) {
  return a->known ? a->current[i] + a->known[i] : a->current[i];
}
HD int evolution_is_fixed(const EvolutionArgs *a, int64_t i) { return a->fixed && a->fixed[i]; }

/* v = s, scale = s, weight = w; s is 0 where u is fixed or there is no mass. */
HD void evolution_scale_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const double mass = a->mass[i], all = mass + a->tau0 * a->stiffest[i];
  const int none = evolution_is_fixed(a, i) || !(mass > 0);
  a->v[i] = none ? 0 : sqrt(a->tau0 / all);
  a->y[0][i] = (float)a->v[i];
  a->y[1][i] = none ? 1 : (float)(mass / all);
}

HD void evolution_switches_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (evolution_runs(a)) a->switches[i] = evolution_switch(&a->s->clock, &a->pulse[i]);
}

HD const double *evolution_past(const EvolutionArgs *a, double *const past[], int32_t age) {
  return past[(a->s->head + age - 1) % EVOLUTION_PAST];
}

/* First guess. */
HD void evolution_guess_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const double *p = a->s->p;
  double u = p[0] * a->before[i], Ku = p[0] * a->K_before[i];
  for (int32_t k = 1; k <= EVOLUTION_PAST; ++k) {
    if (p[k] == 0) continue;
    u += p[k] * evolution_past(a, a->past, k)[i];
    Ku += p[k] * evolution_past(a, a->K_past, k)[i];
  }
  a->u[i] = u;
  a->Ku[i] = Ku;
}

HD double evolution_rate(const EvolutionArgs *a, int64_t i) {
  const EvolutionClock *c = &a->s->clock;
  const double before = a->before[i], rate = c->mass * (a->u[i] - before);
  return c->history != 0 ? rate - c->history * (before - evolution_past(a, a->past, 1)[i]) : rate;
}
/* theta (R - K u) + (1 - theta) (R_n - K u_n) */
HD double evolution_force(const EvolutionArgs *a, int64_t i) {
  const double theta = a->s->clock.theta, now = a->R[i] - theta * a->Ku[i];
  return theta < 1 ? now + (1 - theta) * ((a->R_before ? a->R_before[i] : 0) - a->K_before[i]) : now;
}

/* A share of consistent mass, M = M_lumped - share B with B = M_lumped - M_consistent, which multiplies the rate and all that
 * is per node, q = rate - R - I: M_lumped q = -(K u)_mid + share B q. The part with B is small, h^2 times what is smooth,
 * and taken from the steps before (lead), so that the matrix of the step stays as it is. What is known is in what B multiplies, but
 * not in q, since it may jump. (K u)_mid is theta K u + (1 - theta) K u_n. */
HD void evolution_expect_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const double known = a->known ? a->known[i] : 0;
  a->v[i] = a->q[i] + a->s->lead * (a->q[i] - a->q_before[i]) + known;
}
HD void evolution_lag_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const int none = evolution_is_fixed(a, i) || !(a->mass[i] > 0);
  a->lag[i] = none ? 0 : a->consistent * (a->v[i] - a->Mv[i] / a->mass[i]);
}
/* q of the step that is accepted. */
HD double evolution_balance_of(const EvolutionArgs *a, int64_t i) {
  const double theta = a->s->clock.theta;
  const int none = evolution_is_fixed(a, i) || !(a->mass[i] > 0);
  return none ? 0 : a->lag[i] - (theta * a->Ku[i] + (1 - theta) * a->K_before[i]) / a->mass[i];
}
/* Asked for in the last step of a loop only. */
HD double evolution_error(const EvolutionArgs *a, int64_t i) {
  const EvolutionScalars *s = a->s;
  if (s->e0 == 0 || s->steps + 1 < s->max_steps) return 0;
  const double before = a->before[i], one = evolution_past(a, a->past, 1)[i];
  const double error = s->e0 * (a->u[i] - before) + s->e1 * (before - one);
  return s->e2 == 0 ? error : error + s->e2 * (one - evolution_past(a, a->past, 2)[i]);
}

/* Is the error of a solved step small enough? */
HD int evolution_exact_enough(const EvolutionScalars *s, double error, double change) {
  return sqrt(error) <= s->allowed + s->per_change * sqrt(change);
}

/* The phase that runs from now on; -1: none. */
HD void evolution_go(EvolutionScalars *s, int32_t phase) {
  s->clock.start = phase == EVOLUTION_START;
  s->clock.newton = phase == EVOLUTION_NEWTON;
  s->clock.verify = phase == EVOLUTION_NEWTON || phase == EVOLUTION_VERIFY;
  s->clock.commit = phase == EVOLUTION_COMMIT;
  s->skip_start = !s->clock.start;
  s->skip_product = !s->clock.verify;
  for (int32_t k = 0; k + 1 < s->max_inner; ++k) s->skip_inner[k] = phase != EVOLUTION_NEWTON || k + 1 >= s->n_inner;
}
HD void evolution_end(EvolutionScalars *s, EvolutionStop stop) {
  evolution_go(s, -1);
  s->stop = (int32_t)stop;
}
HD float evolution_acosh(float x) { return x > 1 ? logf(x + sqrtf(x * x - 1)) : 0; }
/* A linear solve of as many products as the goal needs, and a bit more: the least k with cosh(k asymptotic_rate) >= wanted. */
HD void evolution_solve(EvolutionScalars *s) {
  const float logarithm =
      0.5f * logf((float)(s->residual / (evolution_goal_share() * evolution_goal_share() * s->limit)));
  const float k = ceilf(evolution_acosh(expf(logarithm / s->learned.rate_estimate[s->step_newton > 0])) /
                        s->learned.asymptotic_rate);
  s->n_inner = k < (float)s->max_inner ? (int32_t)k : s->max_inner;
  if (s->n_inner < 1) s->n_inner = 1;
  evolution_go(s, EVOLUTION_NEWTON);
}
HD double evolution_interval_low(const EvolutionScalars *s) {
  return s->interval_low * exp((double)s->learned.interval_low_shift_used * s->interval_log_depth);
}
/* The first n numbers of Chebyshev's semi-iteration on the interval middle - half to middle + half (Saad, Iterative Methods,
 * algorithm 12.1). */
HD void evolution_semi_numbers(EvolutionScalars *s, int32_t n, double middle, double half) {
  const double twice = 2 / half;
  double last = half / middle, now = 1 / middle, before = 0;
  for (int32_t k = 0; k < n; ++k) {
    s->semi[k][0] = before;
    s->semi[k][1] = now;
    const double next = 1 / (twice * middle - last);
    before = next * last;
    now = twice * next;
    last = next;
  }
}
/* One row: Chebyshev's numbers for the interval with the lower end in use. Where it has moved, the solves so far are
 * counted by the new one. */
HD void evolution_interval_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)i, (void)sum;
  if (!evolution_runs(a)) return;
  EvolutionScalars *s = a->s;
  EvolutionLearned *l = &s->learned;
  const double low = evolution_interval_low(s), middle = 0.5 * (s->interval_high + low),
               half = 0.5 * (s->interval_high - low);
  const float rate_before = l->asymptotic_rate;
  evolution_semi_numbers(s, s->max_inner, middle, half);
  l->asymptotic_rate = evolution_acosh((float)(middle / half));
  for (int32_t k = 0; k < 2 && l->interval_moved; ++k)
    l->rate_estimate[k] = l->rate_estimate[k] * rate_before < l->asymptotic_rate
                              ? l->rate_estimate[k] * rate_before / l->asymptotic_rate
                              : 1;
  l->interval_moved = 0;
}
/* Where the mode lies that n products have reduced by no more than exp(-seen), as the part of depth: T_n(at it)/T_n(at
 * 0) is what Chebyshev's polynomial leaves of a mode below the interval. */
HD float evolution_slowest_shift(const EvolutionScalars *s, float by_interval, float seen) {
  const float high = (float)s->interval_high, depth = (float)s->interval_log_depth,
              low = (float)s->interval_low * expf(s->learned.interval_low_shift_used * depth);
  const float slower = expf(evolution_acosh(expf(by_interval - seen)) / (float)s->n_inner);
  const float mode = 0.5f * (high + low) - 0.25f * (high - low) * (slower + 1 / slower);
  const float part = logf(mode / (float)s->interval_low) / depth;
  return part == part && part < 1 ? part : 1;
}
/* What a linear solve has left, square over square, says how many products the next one needs, and, where it was long
 * enough, whether the interval should begin further down from the next step on: guesses carry the errors of the steps
 * before, which are the modes that the solves there have reduced least. */
HD void evolution_learn(EvolutionScalars *s, double left) {
  EvolutionLearned *l = &s->learned;
  float *rate = &l->rate_estimate[s->step_newton > 0];
  const float far = (float)s->n_inner * l->asymptotic_rate,
              by_interval = far + logf(0.5f + 0.5f * expf(-2 * far)); /* log cosh far */
  const float seen = -0.5f * logf((float)left), share = seen / by_interval;
  if (share - share != 0) return;
  *rate = 0.5f * (*rate + (share < evolution_rate_min() ? evolution_rate_min() : share > 1 ? 1 : share));
  if (!(s->interval_log_depth < 0) || s->n_inner < EVOLUTION_LEARN_PRODUCTS) return;
  l->interval_low_shift =
      0.5f * (l->interval_low_shift + (share < evolution_promise_kept()
                                           ? evolution_slowest_shift(s, by_interval, seen)
                                           : l->interval_low_shift_used - evolution_shift_relaxation()));
  if (l->interval_low_shift < 0) l->interval_low_shift = 0;
}
/* Between two steps: the first iterate of a linear solve is made with its residual. */
HD void evolution_interval_move(EvolutionScalars *s) {
  if (fabsf(s->learned.interval_low_shift - s->learned.interval_low_shift_used) < evolution_shift_move_min()) return;
  s->learned.interval_low_shift_used = s->learned.interval_low_shift;
  s->learned.interval_moved = s->interval_stale = 1;
}

/* Sums of M rho^2, M error^2, of nodes with too small a shift, of M (u - u_n)^2: which phase is next? */
HD void evolution_judge(EvolutionScalars *s, EvolutionPhase phase, const double sum[]) {
  if (phase == EVOLUTION_START) s->interval_stale = 0;
  if (phase == EVOLUTION_VERIFY && s->clock.newton) evolution_learn(s, sum[0] / s->residual);
  s->residual = sum[0];
  s->bad = sum[2];
  if (phase == EVOLUTION_START) {
    s->first = sum[0];
    s->step_newton = 0;
  } else {
    s->step_newton += s->clock.newton;
    s->newton += s->clock.newton;
    s->products += s->clock.newton ? s->n_inner : 1;
    s->error = sum[1];
    s->change = sum[3];
  }
  const int solved = sum[0] <= s->limit;
  if (!(sum[0] - sum[0] == 0) || !(sum[1] - sum[1] == 0)) evolution_end(s, EVOLUTION_NAN);
  else if (solved && phase == EVOLUTION_START) evolution_go(s, EVOLUTION_VERIFY);
  else if (solved && evolution_exact_enough(s, sum[1], sum[3])) evolution_go(s, EVOLUTION_COMMIT);
  else if (solved) evolution_end(s, EVOLUTION_REJECTED);
  else if (s->step_newton >= s->max_newton) evolution_end(s, EVOLUTION_STUCK);
  else if (s->step_newton > 1 && sum[0] > 1e8 * s->first) evolution_end(s, EVOLUTION_DIVERGED);
  else evolution_solve(s);
}

/* Nodal: residual of the iterate and what the linear solve starts from. */
HD void evolution_residual_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  if (!evolution_runs(a)) return;
  const EvolutionScalars *s = a->s;
  if (evolution_is_fixed(a, i)) {
    a->rho[i] = a->y[0][i] = a->y[1][i] = 0;
    a->shift[i] = 1;
    return;
  }
  const double m = s->clock.mass, mass = a->mass[i], weight = (double)a->weight[i];
  const double lag = a->lag ? a->lag[i] : 0;
  const double rho = (evolution_force(a, i) / mass + evolution_current(a, i) + lag - evolution_rate(a, i)) / m;
  double shift = 1 + a->diagonal[i] / (mass * m);
  const int bad = !(shift >= evolution_shift_min());
  if (bad) shift = evolution_shift_min();
  sum[0] += mass * rho * rho;
  if (a->phase == EVOLUTION_VERIFY) {
    const double error = evolution_error(a, i), change = a->u[i] - a->before[i];
    sum[1] += mass * error * error;
    sum[3] += mass * change * change;
  }
  sum[2] += bad;
  const double right = (double)a->scale[i] * mass / a->tau0 * rho, share = s->semi[0][2];
  a->shift[i] = (float)(weight * shift);
  a->rho[i] = (float)right;
  a->y[0][i] = (float)(s->semi[0][1] * right / (weight * shift + share * (1 - weight)));
  a->y[1][i] = 0;
}
HD void evolution_residual_finish(const EvolutionArgs *a, const double sum[]) {
  if (evolution_runs(a)) evolution_judge(a->s, a->phase, sum);
}

/* Nodal: the end of a linear solve. */
HD void evolution_correct_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (evolution_runs(a)) a->u[i] += (double)a->scale[i] * (double)a->y[(a->s->n_inner + 1) % 2][i];
}

/* Gauss: what M is applied to, and the residual. */
HD void evolution_balance_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->v[i] = evolution_current(a, i) - evolution_rate(a, i);
}
HD void evolution_gauss_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  if (evolution_is_fixed(a, i)) {
    a->r[i] = 0;
    return;
  }
  const double r = evolution_force(a, i) + a->Mv[i], rho = r / a->s->clock.mass, error = evolution_error(a, i);
  const double change = a->u[i] - a->before[i];
  a->r[i] = r;
  sum[0] += rho * rho / a->mass[i];
  sum[1] += a->mass[i] * error * error;
  sum[2] += a->mass[i] * change * change;
}
HD void evolution_gauss_finish(const EvolutionArgs *a, const double sum[]) {
  a->s->residual = sum[0];
  a->s->error = sum[1];
  a->s->change = sum[2];
}

/* The step is accepted; then the next one begins, or the loop ends. */
HD int32_t evolution_newest(const EvolutionScalars *s) { return (s->head + EVOLUTION_PAST - 1) % EVOLUTION_PAST; }
HD void evolution_accept_body(const EvolutionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  const int32_t newest = evolution_newest(a->s);
  if (a->lag) {
    a->q_before[i] = a->q[i];
    a->q[i] = evolution_balance_of(a, i);
  }
  a->past[newest][i] = a->before[i];
  a->K_past[newest][i] = a->K_before[i];
  a->before[i] = a->u[i];
  a->K_before[i] = a->Ku[i];
  if (a->R_before) a->R_before[i] = a->R[i] / a->s->clock.theta;
}
HD void evolution_accept_finish(const EvolutionArgs *a, const double sum[]) {
  (void)sum;
  if (!evolution_runs(a)) return;
  EvolutionScalars *s = a->s;
  EvolutionClock *c = &s->clock;
  s->head = evolution_newest(s);
  s->steps += 1;
  evolution_interval_move(s);
  if (s->steps >= s->max_steps) {
    evolution_end(s, EVOLUTION_DONE);
    return;
  }
  c->time = c->target;
  c->target = s->target[s->steps];
  evolution_go(s, EVOLUTION_START);
}

/* Lanczos steps for the spectrum of B = P^(-1/2) (1 + tau K') P^(-1/2), K' = M^(-1/2) K M^(-1/2), P its diagonal before
 * scaling; setup only. With K'' as above, ratio = tau / tau0 and q = w + ratio (1 - w): B = w/q + ratio q^(-1/2) K''
 * q^(-1/2). */
typedef struct EvolutionLanczosArgs {
  float *v, *before, *w, *d; /* w: K'' d, then the next vector */
  const float *weight;
  int64_t first;   /* row of all ranks that the first one is */
  double implicit; /* 1; 0: B = tau K', with ratio 1 */
  double ratio, alpha, beta;
  double *sum;
} EvolutionLanczosArgs;
HD double evolution_lanczos_q(const EvolutionLanczosArgs *a, int64_t i) {
  return (double)a->weight[i] + a->implicit * a->ratio * (1 - (double)a->weight[i]);
}

/* A vector that is smooth and rough in parts. */
HD void evolution_lanczos_start_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const uint32_t h = (uint32_t)(a->first + i) * 2654435761u;
  const float v = 0.5f + (float)((h ^ h >> 15) & 0xffff) / 65536.0f;
  a->w[i] = v;
  a->v[i] = 0;
  sum[0] += (double)v * (double)v;
}
HD void evolution_lanczos_start_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }

/* The next vector, w / beta, and what K'' is applied to. */
HD void evolution_lanczos_next_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  (void)sum;
  const double v = (double)a->w[i] / a->beta;
  a->before[i] = a->v[i];
  a->v[i] = (float)v;
  a->d[i] = (float)(v / sqrt(evolution_lanczos_q(a, i)));
}
/* w = B v; sum v.w */
HD void evolution_lanczos_apply_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const double q = evolution_lanczos_q(a, i), v = (double)a->v[i];
  const double w = a->implicit * v * (double)a->weight[i] / q + a->ratio * (double)a->w[i] / sqrt(q);
  a->w[i] = (float)w;
  sum[0] += v * w;
}
HD void evolution_lanczos_apply_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }
/* w -= alpha v + beta before; sum w.w */
HD void evolution_lanczos_part_body(const EvolutionLanczosArgs *a, int64_t i, double sum[]) {
  const double w = (double)a->w[i] - a->alpha * (double)a->v[i] - a->beta * (double)a->before[i];
  a->w[i] = (float)w;
  sum[0] += w * w;
}
HD void evolution_lanczos_part_finish(const EvolutionLanczosArgs *a, const double sum[]) { *a->sum = sum[0]; }
