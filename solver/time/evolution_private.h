/* Inside of Evolution, shared by evolution.c (from step to step), evolution_create.c, evolution_nodal.c and
 * evolution_gauss.c (one trial), and evolution_state.c (checkpoints). */
#pragma once
#include "solver/time/evolution.h"
#include "solver/time/evolution_rows.h"

/* Of the spectrum of P^-1 (1 + tau K'), K' = M^(-1/2) K M^(-1/2). */
typedef struct EvolutionInterval {
  double lowest;    /* Ritz value */
  double low, high; /* what Chebyshev's iteration works on */
} EvolutionInterval;
enum { EVOLUTION_LADDER = 8 };

struct Evolution {
  Exec *exec; /* borrowed, as are a, solver and u */
  EvolutionProblem problem;
  EvolutionParams params; /* defaults filled in; events and pulses not kept */
  StepControl control;    /* owned */
  Mat *a;
  LinearSolver *solver;
  int64_t n;
  double *u;
  /* owned, on the Exec, [n] */
  double *before, *K_before, *past[EVOLUTION_PAST], *K_past[EVOLUTION_PAST], *Ku, *R, *current;
  double *R_before;                                        /* Crank-Nicolson */
  double *diagonal;                                        /* nodal */
  double *v, *Mv, *r, *du;                                 /* gauss */
  float *rho, *shift, *y[2], *scale, *weight, *K_diagonal; /* nodal */
  Mat *scaled;                                             /* nodal: K'' */
  EvolutionPulse *pulse;                                   /* [n_pulse] */
  double *switches;                                        /* [n_pulse] */
  EvolutionScalars *scalars;                               /* [1] */
  EvolutionScalars host;                                   /* what the Exec was told and what it answered last */
  int64_t iterations;                           /* of conjugate gradients in the present trial of a gauss problem */
  ExecLoop *loop;                               /* nodal; recorded for u */
  double volume;                                /* sum of the mass */
  double off_diagonal;                          /* nodal: largest sum of |K_ij| in a row over K_ii, */
  EvolutionInterval interval[EVOLUTION_LADDER]; /* and the spectrum for tau, tau / 2, tau / 4 ... */
  double tau;                                   /* of the longest step; the tau0 of K'' */
  double mean;                                  /* of K'_ii by mass */
  double raise;                                 /* by which upper ends had to be enlarged */
  double h[EVOLUTION_PAST];                     /* lengths of the last steps, the last one first */
  int32_t n_history;                            /* values before u_n that are worth something: 0 to EVOLUTION_PAST */
  int32_t head;                                 /* as in EvolutionScalars, */
  EvolutionLearned learned;                     /* this too */
  int32_t n_smooth;                             /* backward Euler steps still to come (Crank-Nicolson) */
  bool warned;                                  /* of a step beyond the bound of definiteness */
};

/* Arguments of a launch that belongs to a phase. */
EvolutionArgs evolution_args(const Evolution *e, EvolutionPhase phase);
/* Scalars to the Exec and back. */
Status evolution_tell(Evolution *e);
Status evolution_fetch(Evolution *e);

/* One or more steps from host (told already) on: host.stop says how it ended. ERR_* only where the machine fails. */
Status evolution_nodal_run(Evolution *e);
Status evolution_gauss_run(Evolution *e);
/* nodal: K', its bounds, and how many products a linear solve has (evolution_inner.c); then the numbers of one step
 * length. */
Status evolution_inner_create(Evolution *e);
void evolution_inner_numbers(Evolution *e);
/* Residual that ends Newton's method, relative to the reference. */
double evolution_goal(const Evolution *e);
