/* Newton's method for R(u) = 0 on an Exec; a linear problem is one step of it. */
#pragma once
#include "core/exec.h"
#include "solver/krylov/linear.h"

/* What a physics gives to the solver. All vectors double[n] on the Exec. */
typedef struct NewtonProblem {
  void *context;
  int64_t n;
  bool linear;                                                       /* one step, then done */
  Status (*residual)(void *context, const double *u, double *r);     /* r = f_ext - f_int(u), zero at supports */
  Status (*tangent)(void *context, const double *u, double *values); /* writes the matrix' value array */
  /* A strict bound of the spectrum of the tangent last made, scaled by its diagonal or diagonal blocks
   * (linear_set_bound); NULL: there is none. Asked for where the preconditioner looks at it. */
  Status (*bound)(void *context, bool blocks, double *bound);
} NewtonProblem;

typedef struct NewtonParams {
  double rtol, atol; /* on |r| against the first one */
  int32_t max_steps; /* 0: 25 */
} NewtonParams;

typedef struct NewtonReport {
  int32_t steps;
  double residual, first_residual; /* |r| in double at the end and at the start */
  LinearReport linear;             /* of the last step; iterations, products, seconds summed over the steps */
  double assembly_seconds;         /* residual and tangent */
} NewtonReport;

/* u in: start (supports filled in), out: solution. `a` is the matrix that `solver` was created with. */
Status newton_solve(Exec *exec, const NewtonProblem *problem, const NewtonParams *params, Mat *a, LinearSolver *solver,
                    double *u, NewtonReport *report);
