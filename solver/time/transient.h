/* Steps M du/dt + K u = f(t) with u = g(t) at supports, by backward Euler, Crank-Nicolson or BDF2 with fixed or
 * adaptive steps, on an Exec. K and M are constant and symmetric. What is solved for is the increment, warm-started by
 * extrapolation; the matrix is built again only when its factors change, and nothing is allocated after the first step.
 * The equations are in docs/theory/diffusion.md. */
#pragma once
#include "solver/krylov/linear.h"
#include "solver/time/step_control.h"

/* What a physics gives. All vectors double[n] on the Exec; value arrays in the slots of the matrix. */
typedef struct TransientProblem {
  void *context;
  int64_t n;
  const uint8_t *fixed;                /* [n] on the Exec, borrowed: 1 where u is prescribed */
  bool load_varies, prescribed_varies; /* f, g depend on t */
  /* values of K and M, nothing eliminated */
  Status (*operators)(void *context, double *stiffness, double *mass);
  /* values <- factor[0] K + factor[1] M with supports eliminated; factor is on the Exec */
  Status (*combine)(void *context, const double *stiffness, const double *mass, const double *factor, double *values);
  Status (*load)(void *context, double time, double *f);
  Status (*prescribed)(void *context, double time, double *u); /* leaves the free ones as they are */
  /* A strict bound of the spectrum of any theta K + mass M, neither factor negative, scaled by its diagonal; NULL:
   * there is none. Asked for once, where the preconditioner looks at it. */
  Status (*bound)(void *context, double *bound);
} TransientProblem;

typedef enum TransientScheme { TRANSIENT_BACKWARD_EULER, TRANSIENT_CRANK_NICOLSON, TRANSIENT_BDF2 } TransientScheme;

typedef struct TransientParams {
  TransientScheme scheme;
  StepControlParams control; /* order is filled in from the scheme */
  double reference;  /* size of u that the tolerance is relative to; 0: the largest seen so far of the spread of u
                                and of the change of its mean, which does not depend on where the scale has its zero */
  int32_t smoothing; /* Crank-Nicolson: backward Euler steps at the start and after edges (Rannacher 1984), so
                                that jumps do not ring; 0: 2, negative: none */
} TransientParams;

/* One accepted step. */
typedef struct TransientStep {
  double time, dt;
  double error;     /* relative to the reference, NaN when history was too short to know */
  int32_t rejected; /* trials before it */
  bool matrix_rebuilt;
  LinearReport linear; /* of the last trial; iterations, products and seconds of all trials together */
  double sum;          /* of u over all nodes */
} TransientStep;

typedef struct Transient Transient;
/* `a` is the matrix that `solver` was created with; both, and what the problem points to, are borrowed and outlive it.
 * Allocates all workspaces. */
Status transient_create(Exec *exec, const TransientProblem *problem, const TransientParams *params, Mat *a,
                        LinearSolver *solver, Transient **out);
void transient_destroy(Transient **transient);
/* u holds the initial values; g(start) is written into it at supports. u stays the caller's and the same memory. */
Status transient_start(Transient *transient, double *u);
/* For checkpoints: all that later bits depend on, host[transient_state_bytes], after transient_start. Restoring takes
 * the place of transient_start in a run with the same parameters. ERR_RESTART: a state of something else. */
int64_t transient_state_bytes(const Transient *transient);
Status transient_save(Transient *transient, void *host);
Status transient_restore(Transient *transient, double *u, const void *host);
bool transient_done(const Transient *transient);
/* Goes on by one accepted step; u holds the new solution then. Trials that are rejected leave it as it was. */
Status transient_step(Transient *transient, TransientStep *report);
const StepControl *transient_control(const Transient *transient);
/* du/dt at the time reached, from the last increments, for reactions: the difference that backward Euler and BDF2 put
 * into the equation, so that theirs balance exactly; for Crank-Nicolson that of BDF2, of second order. After the first
 * step. */
Status transient_rate(Transient *transient, double *rate);
