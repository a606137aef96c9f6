/* Row kernels of nonlinear time stepping. For whoever writes the source of a nodal problem:
 *
 *   typedef struct MySourceArgs { EvolutionNode node; ... } MySourceArgs;
 *   HD void my_source_body(const MySourceArgs *a, int64_t i, double sum[]) {
 *     if (!evolution_node_runs(&a->node)) return;
 *     const double u = evolution_open(&a->node, i);
 *     double q = ..., dq = ...;             (per mass, of the step from clock.time to clock.target)
 *     evolution_close(&a->node, i, u, q, dq, sum);
 *   }
 *   HD void my_source_finish(const MySourceArgs *a, const double sum[]) { evolution_finish(&a->node, sum); }
 * and ROWS_SUM(my_source, MySourceArgs, EVOLUTION_SUMS); EvolutionProblem.source fills in `node` and runs it over n rows.
 *
 * Everything is divided by mass M_i: rho = M^-1 r / m has the unit of u and bounds its error, and the matrix is
 * M m (shift + (theta/m) K''), K''_ij = K_ij / M_i, shift_i = 1 - (dq/du)_i / m. */
#pragma once
#include "solver/evolution_clock.h"

enum { EVOLUTION_SUMS = 2, EVOLUTION_INNER = 24 };

/* Why a loop ended; 0 while it runs. */
typedef enum EvolutionStop {
  EVOLUTION_GOES_ON,
  EVOLUTION_DONE,     /* all steps of the loop stand */
  EVOLUTION_REJECTED, /* solved, but its error is larger than accept_limit */
  EVOLUTION_STUCK,    /* max_newton */
  EVOLUTION_DIVERGED, /* the residual grew beyond sense */
  EVOLUTION_NAN
} EvolutionStop;

/* All scalars of stepping, on the Exec: the host writes them before a loop and reads them after it. */
typedef struct EvolutionScalars {
  EvolutionClock clock;
  double p1, p2;              /* first guess u_n + p1 last + p2 older */
  double e0, e1, e2;          /* local error e0 (u - u_n) + e1 last + e2 older; all 0 when unknown */
  double limit, accept_limit; /* on sums of M rho^2 and M error^2 */
  double base;                /* of the step control: targets are base + k dt */
  int64_t n_base;
  double last_target;         /* of the last step of this loop */
  double residual, first, error; /* sums of M rho^2 now and at the first guess, of M error^2 */
  double bad;                 /* nodes where dq/du is too large for the step, at the last look */
  int64_t steps, max_steps, newton, products;
  int32_t step_newton, max_newton, n_inner;
  int32_t no_product;         /* the true product is not to be done now */
  int32_t stop;               /* EvolutionStop */
  float a[EVOLUTION_INNER], b[EVOLUTION_INNER]; /* Chebyshev: d = a d + b P^-1 rho */
} EvolutionScalars;

/* Vectors of a nodal problem, [n]. */
typedef struct EvolutionNode {
  EvolutionScalars *scalars;
  EvolutionPhase phase;       /* that this launch is for */
  const double *mass;
  double *u, *Ku;             /* iterate; K u by a true product, or its extrapolation */
  const double *before, *last, *older, *K_before, *K_last, *K_older;
  double *q;                  /* source at the iterate */
  float *rho, *shift, *x, *d; /* residual, changing diagonal, correction, direction */
  const float *diagonal;      /* of K'' */
} EvolutionNode;

HD int evolution_node_runs(const EvolutionNode *e) { return evolution_runs(&e->scalars->clock, e->phase); }

/* The iterate of this phase at node i, written to u. */
HD double evolution_open(const EvolutionNode *e, int64_t i) {
  const EvolutionScalars *s = e->scalars;
  if (e->phase == EVOLUTION_VERIFY) return e->u[i];
  double u;
  if (e->phase == EVOLUTION_START) {
    u = e->before[i] + s->p1 * e->last[i] + s->p2 * e->older[i];
    e->Ku[i] = e->K_before[i] + s->p1 * e->K_last[i] + s->p2 * e->K_older[i];
  } else {
    u = e->u[i] + (double)e->x[i];
  }
  e->u[i] = u;
  return u;
}

/* Least shift that is iterated with: a step for which it would be less is beyond the bound of definiteness there. */
#define EVOLUTION_LEAST_SHIFT 0.05

/* Residual, changing diagonal, first direction of the linear solve; sum 0: M rho^2; sum 1: M error^2 in VERIFY, else nodes
 * whose shift is too small. In NEWTON what the linear solve left (rho) is exact but for the curvature of q. */
HD void evolution_close(const EvolutionNode *e, int64_t i, double u, double q, double dq, double sum[]) {
  const EvolutionScalars *s = e->scalars;
  const EvolutionClock *c = &s->clock;
  const double mass = e->mass[i];
  double rho;
  if (e->phase == EVOLUTION_NEWTON) {
    rho = (double)e->rho[i] + ((double)e->shift[i] - 1) * (double)e->x[i] + (q - e->q[i]) / c->mass;
  } else {
    const double Ku = c->theta * e->Ku[i] + (1 - c->theta) * e->K_before[i];
    rho = (q - evolution_rate(c, u, e->before[i], e->last[i]) - Ku / mass) / c->mass;
  }
  double shift = 1 - dq / c->mass;
  const int bad = !(shift >= EVOLUTION_LEAST_SHIFT);
  if (bad) shift = EVOLUTION_LEAST_SHIFT;
  sum[0] += mass * rho * rho;
  if (e->phase == EVOLUTION_VERIFY) {
    const double error = s->e0 * (u - e->before[i]) + s->e1 * e->last[i] + s->e2 * e->older[i];
    sum[1] += mass * error * error;
  } else {
    sum[1] += bad;
  }
  e->q[i] = q;
  e->shift[i] = (float)shift;
  e->rho[i] = (float)rho;
  const float d = s->b[0] * (float)(rho / (shift + c->theta / c->mass * (double)e->diagonal[i]));
  e->d[i] = d;
  e->x[i] = d;
}

HD void evolution_go(EvolutionScalars *s, EvolutionPhase phase) {
  s->clock.runs = (int32_t)phase;
  s->no_product = phase != EVOLUTION_VERIFY;
}
HD void evolution_end(EvolutionScalars *s, EvolutionStop stop) {
  s->clock.runs = 0;
  s->no_product = 1;
  s->stop = (int32_t)stop;
}

/* The sums of a phase are known: which phase is next? */
HD void evolution_judge(EvolutionScalars *s, EvolutionPhase phase, const double sum[]) {
  s->residual = sum[0];
  if (phase == EVOLUTION_START) {
    s->first = sum[0];
    s->step_newton = 0;
  }
  if (phase == EVOLUTION_NEWTON) {
    s->step_newton += 1;
    s->newton += 1;
    s->products += s->n_inner;
  }
  if (phase == EVOLUTION_VERIFY) {
    s->products += 1;
    s->error = sum[1];
  } else {
    s->bad = sum[1];
  }
  if (!(sum[0] - sum[0] == 0) || !(sum[1] - sum[1] == 0)) evolution_end(s, EVOLUTION_NAN);
  else if (sum[0] <= s->limit && phase != EVOLUTION_VERIFY) evolution_go(s, EVOLUTION_VERIFY);
  else if (sum[0] <= s->limit && sum[1] <= s->accept_limit) evolution_go(s, EVOLUTION_COMMIT);
  else if (sum[0] <= s->limit) evolution_end(s, EVOLUTION_REJECTED);
  else if (s->step_newton >= s->max_newton) evolution_end(s, EVOLUTION_STUCK);
  else if (sum[0] > 1e8 * s->first && s->step_newton > 1) evolution_end(s, EVOLUTION_DIVERGED);
  else evolution_go(s, EVOLUTION_NEWTON);
}

HD void evolution_finish(const EvolutionNode *e, const double sum[]) {
  if (evolution_node_runs(e)) evolution_judge(e->scalars, e->phase, sum);
}
