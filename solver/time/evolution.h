/* Nonlinear implicit stepping of M du/dt + K u = R(u, s) + M I(t) with states s that are eliminated pointwise
 * (solver/time/evolution_clock.h has the equation of a step), by backward Euler, Crank-Nicolson or BDF2 with fixed or
 * adaptive steps on an Exec. Two kinds of problems:
 *   nodal  M is lumped and R acts node by node: the matrix is constant but for its diagonal, and nothing is assembled.
 *   A
 *          whole step is one loop on the Exec: first guess, Newton, a Chebyshev iteration of fixed length with bounds
 *          of the spectrum, residual by a true product, acceptance. The host reads one struct for it.
 *   gauss  any M and R: residual and tangent are assembled in each Newton step, which LinearSolver solves; the host
 *   reads one
 *          struct per Newton step.
 * Nothing is allocated after the first step. Equations, bounds and counts: docs/theory/evolution.md. */
#pragma once
#include "solver/time/evolution_clock.h"
#include "solver/krylov/linear.h"
#include "solver/time/step_control.h"
#include "solver/time/transient.h"

/* What a physics gives. Functions only record; `when` is int32_t on the Exec: their kernels do nothing while it is 0.
 * Vectors are double[n] on the Exec, the clock too. */
typedef struct EvolutionProblem {
  void *context;
  int64_t n;
  const double *mass;     /* the lumped mass, > 0 where not fixed; M of a nodal problem, weights of norms in any */
  const uint8_t *fixed;   /* [n] on the Exec: 1 where u stays as it is; NULL: nowhere */
  const Mat *stiffness;   /* K in double, nothing eliminated, natural numbering */
  const Mat *mass_matrix; /* gauss: M; NULL: nodal */
  double steepest; /* largest eigenvalue of M^-1 dR/du, s eliminated, that a sound solution can have, per time; >= 0 */
  /* current[i] = I_i(t) of the step, per time, where it may be other than 0; switches[n_pulse] says which pulses are
   * on. NULL: none */
  Status (*current)(void *context, const EvolutionClock *clock, const int32_t *when, const double *switches,
                    double *current);
  /* r = theta R(u, s(u)); nodal: diagonal = -theta dR/du; gauss: diagonal is NULL */
  Status (*reaction)(void *context, const EvolutionClock *clock, const int32_t *when, const double *u, double *r,
                     double *diagonal);
  /* gauss: values <- mass M + theta K - theta dR/du at the u of the last reaction, fixed unknowns eliminated */
  Status (*tangent)(void *context, const EvolutionClock *clock, double *values);
  /* The step stands: states and their history go on to s(u). Until then nothing of the problem may have changed, so
   * that a rejected step needs no undoing. Maps can be updated here: u at target, before at time. */
  Status (*commit)(void *context, const EvolutionClock *clock, const int32_t *when, const double *u,
                   const double *before);
  /* states for checkpoints, state_bytes of host memory; NULL: there are none */
  int64_t state_bytes;
  Status (*save)(void *context, void *host);
  Status (*restore)(void *context, const void *host);
} EvolutionProblem;

typedef struct EvolutionParams {
  TransientScheme scheme;
  StepControlParams control; /* order is filled in from the scheme; edges of pulses are added */
  int32_t n_pulse;
  const EvolutionPulse *pulse; /* borrowed during create */
  double reference;            /* size of u that rtol and tolerance are relative to, > 0 */
  double rtol;        /* of a step's equation: |M^-1 r| / (mass reference), weighted by mass, which bounds the error
                                of u; 0: 1e-8 */
  double share;       /* adaptive: solves no further than share tolerance, where that is more than rtol; 0: 1e-5,
                                negative: rtol alone */
  int32_t max_newton; /* 0: 12 */
  int32_t
      predictor; /* degree of the extrapolation that is the first guess, up to 4; 0: chosen by rtol, negative: none */
  int32_t smoothing; /* as in TransientParams */
  int32_t inner;     /* nodal: most products of a linear solve; 0: chosen from the spectrum and the longest step */
  Precision inner_precision; /* nodal: of the matrix in it; 0: half on a GPU where the format knows it, else float */
  double bound_factor;       /* nodal: times the estimate of the spectrum's end; 0: 1.05 (tests make it too small) */
} EvolutionParams;

/* One call of evolution_step. */
typedef struct EvolutionStep {
  double time, dt;          /* reached; of the last step */
  int64_t steps;            /* accepted in this call: 1, or more in a fixed run */
  double error;             /* of the last step relative to the reference, NaN when history was too short to know */
  double residual;          /* of the last step, as rtol counts it, by a true product */
  int32_t rejected, failed; /* trials before it: error too large; Newton gave nothing */
  int64_t newton, products; /* Newton steps, and products with a matrix in any precision, of all trials */
  int64_t iterations; /* of the linear solver: gauss, of conjugate gradients; nodal, of Chebyshev, each a product */
} EvolutionStep;

typedef struct Evolution Evolution;
/* gauss: `a` is the matrix that `solver` was created with, borrowed (its rtol is overwritten); nodal: both NULL.
 * ERR_INPUT: parameters, a fixed step beyond evolution_bound (in an adaptive run the longest step is cut to it, with a
 * warning). */
Status evolution_create(Exec *exec, const EvolutionProblem *problem, const EvolutionParams *params, Mat *a,
                        LinearSolver *solver, Evolution **out);
void evolution_destroy(Evolution **evolution);
/* Steps must be shorter than this for a positive definite matrix: 1 / steepest, that of backward Euler, which also the
 * other schemes begin with at the start and after edges. HUGE_VAL: any. */
double evolution_bound(double steepest);
/* u holds the initial values; it stays the caller's and the same memory. */
Status evolution_start(Evolution *evolution, double *u);
bool evolution_done(const Evolution *evolution);
/* Goes on by one accepted step; in a fixed run by at most max_steps (0: 1; 64 are a loop), but not beyond the next time
 * to be hit. u holds the new solution then; after an error that of the last accepted step. ERR_NUMERIC as
 * step_control's. */
Status evolution_step(Evolution *evolution, int64_t max_steps, EvolutionStep *report);
const StepControl *evolution_control(const Evolution *evolution);
const EvolutionClock *evolution_clock(const Evolution *evolution); /* on the Exec */
/* All that influences later bits: u, history, step control, states of the problem. Host memory of
 * evolution_state_bytes. A run created the same way goes on from it (restore stands for start) with the same bits.
 * ERR_RESTART when it was saved by a run of another size or scheme. */
int64_t evolution_state_bytes(const Evolution *evolution);
Status evolution_save(Evolution *evolution, void *host);
Status evolution_restore(Evolution *evolution, double *u, const void *host);
