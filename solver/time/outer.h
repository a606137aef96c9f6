/* Solves a linear system of x and of multipliers that follow x, [A G; -Q^T 1] with a matrix of A alone: a solve of A, the
 * multipliers held, is a step, a turn of them brings them nearer to those of x, and both go to where the residual is least over
 * what the last steps have changed (mixing.h). A is solved loosely, as the preconditioner of flexible methods (Saad, A flexible
 * inner-outer preconditioned GMRES algorithm, 1993): a step gains little more than a digit. Where the multipliers are
 * pressures this is Uzawa's method for the augmented Lagrangian (Glowinski and Le Tallec, 1989), accelerated. */
#pragma once
#include "solver/krylov/linear.h"

typedef struct OuterParams {
  Exec *exec;
  const Mat *a;         /* the matrix of `solver`; borrowed, as that is */
  LinearSolver *solver; /* its rtol is overwritten */
  int64_t n_multiplier;
  double *multiplier; /* [n_multiplier] on the Exec, borrowed */
  /* Multipliers m follow x; change[n]: of the residual, with `everywhere` where x is fixed too. */
  Status (*eliminate)(void *context, const double *x, double *m, bool everywhere, double *change);
  /* change[n]: of the residual along x, linear in it, beyond that by A. NULL: none; with no `residual` only */
  Status (*beyond)(void *context, const double *x, double *change);
  /* The residual at x and the multipliers, made anew: it alone says that they are a solution. NULL: that of all steps is enough. */
  Status (*residual)(void *context, const double *x, double *r);
  int32_t n_border;       /* of A, which belongs to `solver` (linear_solve_border); with no `residual` only */
  const double *const *g; /* [n_border], borrowed */
  void *context;
} OuterParams;

typedef struct Outer Outer;
/* Takes all memory. */
Status outer_create(const OuterParams *params, Outer **out);
void outer_destroy(Outer **outer);
/* x [mat_columns] in: first guess, out: solution; r [mat_rows] in: the residual there, out: that at the end, at most rtol times what
 * it was. gap, factor [n_border] on the host: what x has to change of the border, and what that takes, from 0 on. The report has the
 * iterations of all solves of A, its residuals are those of the system. ERR_NUMERIC: A is not solved, or rtol is not met (LINEAR_STAGNATED); all is of the last step that was taken. */
Status outer_solve(Outer *outer, double rtol, const double *gap, double *x, double *factor, double *r,
                   LinearReport *report);
