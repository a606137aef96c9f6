/* Nonlinear implicit stepping of M du/dt + K u = I(u, s, t) with states s that belong to nodes or to integration points and
 * are eliminated pointwise, by backward Euler, Crank-Nicolson or BDF2 with fixed or adaptive steps on an Exec. Two kinds of
 * problems:
 *   nodal  M is lumped and I acts node by node: the matrix is constant but for its diagonal, and nothing is assembled. A whole
 *          step is one loop on the Exec: predictor, Newton, a Chebyshev iteration of fixed length with rigorous bounds,
 *          true residual, acceptance. The host reads one struct for it.
 *   gauss  any M and I: residual and tangent are assembled in each Newton step and solved by LinearSolver; the host reads one
 *          struct per Newton step.
 * Nothing is allocated after the first step. Equations, bounds and counts: docs/theory/evolution.md. */
#pragma once
#include "solver/evolution_clock.h"
#include "solver/evolution_rows.h"
#include "solver/linear.h"
#include "solver/step_control.h"
#include "solver/transient.h"

/* What belongs to a step, on the Exec, double[n]; pointers never change. */
typedef struct EvolutionLevels {
  const EvolutionClock *clock;
  const double *u;         /* at target: the iterate */
  const double *before;    /* u_n */
  const double *last;      /* u_n - u_(n-1), 0 where history does not reach so far */
} EvolutionLevels;

/* What a physics gives. Functions only record; NULL where the comment says so. */
typedef struct EvolutionProblem {
  void *context;
  int64_t n;
  const double *mass;      /* [n] on the Exec: the lumped mass, > 0; weights of norms, and M of a nodal problem */
  double steepest;         /* largest dI/du per mass and time that a sound solution can have, >= 0; see evolution_bound */
  /* once, before the first step, from the initial values; NULL */
  Status (*start)(void *context, const EvolutionLevels *levels);
  /* phase START: what depends on the clock only, such as stimuli; NULL */
  Status (*begin)(void *context, const EvolutionClock *clock);
  /* nodal: one kernel with four sums whose body is evolution_open, the source, evolution_close, and whose finish is
   * evolution_finish (evolution_rows.h). The source per mass q = theta I(u, s) + (1 - theta) I(u_n, s_n) with
   * dq/du, s eliminated, stimuli included. */
  Status (*source)(void *context, const EvolutionNode *node);
  const Mat *stiffness;    /* nodal: K in double, symmetric, positive semidefinite, block 1 */
  const Pattern *pattern;  /* nodal: of K, read by evolution_create only */
  /* gauss: r = theta I + (1 - theta) I_n - M rate(u) - K (theta u + (1 - theta) u_n); values of
   * mass M + theta (K - dI/du), into the matrix */
  Status (*residual)(void *context, const EvolutionLevels *levels, double *r);
  Status (*tangent)(void *context, const EvolutionLevels *levels, double *values);
  /* phase COMMIT: states at target become those of u_n, and their history moves on; maps are updated. `before` is still u_n,
   * u is final. Until then nothing of the problem may have changed, so that a rejected step needs no undoing. */
  Status (*commit)(void *context, const EvolutionLevels *levels);
  /* states for checkpoints: host memory of state_bytes; all that influences later bits. NULL: there are none */
  int64_t state_bytes;
  Status (*save)(void *context, void *host);
  Status (*restore)(void *context, const void *host);
} EvolutionProblem;

typedef struct EvolutionParams {
  TransientScheme scheme;
  StepControlParams control; /* order is filled in from the scheme */
  double rtol;               /* of a step's equation: |M^-1 r| / (mass reference) in the norm weighted by mass, which bounds the
                                error of u; 0: 1e-8 */
  double share;              /* adaptive: solves no further than share tolerance, where that is more than rtol; 0: 1e-3,
                                negative: rtol alone */
  double reference;          /* size of u that rtol and tolerance are relative to, > 0 */
  int32_t max_newton;        /* 0: 12 */
  int32_t predictor;         /* degree of the extrapolation: 0: 2, negative: none (the first guess is u_n) */
  int32_t smoothing;         /* as in TransientParams */
} EvolutionParams;

/* One call of evolution_step. */
typedef struct EvolutionStep {
  double time, dt;         /* reached; of the last step */
  int64_t steps;           /* accepted in this call: 1, or more in a fixed run */
  double error;            /* of the last step relative to the reference, NaN when history was too short to know */
  double residual;         /* of the last step, as rtol counts it, from a true product */
  int32_t rejected, failed; /* trials before it: error too large; Newton gave nothing */
  int64_t newton, products; /* Newton steps and products with the matrix in any precision, of all trials */
} EvolutionStep;

typedef struct Evolution Evolution;
/* gauss: `a` is the matrix that `solver` was created with, borrowed (rtol of the solver is not looked at when it is larger than
 * what Newton asks for); nodal: both NULL. ERR_INPUT: parameters, a fixed step beyond evolution_bound. */
Status evolution_create(Exec *exec, const EvolutionProblem *problem, const EvolutionParams *params, Mat *a,
                        LinearSolver *solver, Evolution **out);
void evolution_destroy(Evolution **evolution);
/* The longest step with a positive definite matrix: mass > theta steepest. HUGE_VAL: any. The first steps and those after
 * edges are backward Euler, whatever the scheme. */
double evolution_bound(TransientScheme scheme, double steepest);
/* u holds the initial values; it stays the caller's and the same memory. */
Status evolution_start(Evolution *evolution, double *u);
bool evolution_done(const Evolution *evolution);
/* Goes on by one accepted step; in a fixed run by at most max_steps (0: 1) up to the next time to be hit, with the same
 * bits. u holds the new solution then. After an error u is that of the last accepted step. */
Status evolution_step(Evolution *evolution, int64_t max_steps, EvolutionStep *report);
const StepControl *evolution_control(const Evolution *evolution);
/* All that influences later bits but for u itself: history, step control, states of the problem. Host memory of
 * evolution_state_bytes. A run that goes on from it, created the same way, u restored by the caller (instead of
 * evolution_start), has the same bits. restore: ERR_RESTART when it was saved by a run of another size or scheme. */
int64_t evolution_state_bytes(const Evolution *evolution);
Status evolution_save(Evolution *evolution, void *host);
Status evolution_restore(Evolution *evolution, double *u, const void *host);
