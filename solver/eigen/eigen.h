/* The lowest eigenvalues of A x = theta B x on an Exec, A and B sparse and symmetric, B positive definite on the unknowns
 * that are free and zero elsewhere, by the locally optimal block preconditioned conjugate gradient method (LOBPCG:
 * Knyazev 2001; its basis as Hetmaniuk and Lehoucq 2006, and Duersch, Shao, Yang and Gu 2018). Vectors of the null space
 * that are known, the motions of a body that nothing holds, are deflated. Numbers of the length of a vector stay on the
 * Exec; what comes to the host in an iteration are residuals and products of the block with itself. Of several ranks each
 * has its rows of all vectors, and all the same small problems: sums go over the parts of exec_sum_over, all calls but
 * eigen_vector and eigen_combine are collective.
 * docs/theory/modal.md. */
#pragma once
#include "solver/krylov/linear.h"

/* Most values at once: three blocks of them, with spare vectors, are EIGEN_TILES tiles. */
enum { EIGEN_MOST = 200 };

typedef struct EigenParams {
  const Mat *a, *b; /* in double, of one structure (mat_create_like), borrowed, as are the next two */
  /* What is preconditioned: a itself, b, or with `shifted` one like them for a + shift b, where a is singular. */
  Mat *positive;
  bool shifted;
  bool indefinite; /* a is the sum of a stiffness and of that of a stress: what values <= 0 mean the caller says */
  const Mat *mass; /* positive diagonal at unknowns that are free, and 0 elsewhere; NULL: b is so, and theta positive */
  const LinearParams *linear; /* of the preconditioner of that; rtol: of residuals. Read by eigen_create only */
  int32_t values;             /* EIGEN_MOST at most */
  int64_t free;               /* unknowns that are free, of all ranks */
} EigenParams;

typedef struct EigenReport {
  int64_t iterations, products; /* of blocks; of vectors with A, B or in the preconditioner */
  int32_t vectors, shifts;      /* of the block; preconditioners made */
  double shift;
  double residual; /* the worst of the values asked for: |A x - theta B x| / |theta|, in the norm of B's diagonal^-1 */
  bool whole;      /* few unknowns: the block was all of them */
  bool stalled;    /* not converged, and no longer falling: the preconditioner is too weak */
  double setup_seconds, solve_seconds;
  const char *preconditioner;
  int32_t degree;
  Precision precision;
  int64_t equation;
} EigenReport;

typedef struct EigenSolver EigenSolver;
Status eigen_create(Exec *exec, const EigenParams *params, EigenSolver **out);
/* Accepts NULL, sets NULL. */
void eigen_destroy(EigenSolver **solver);
void eigen_set_poll(EigenSolver *solver, LinearPoll poll, void *context);
/* The values of the matrices are there; before eigen_deflate and eigen_solve. ERR_NUMERIC: B has another number of
 * positive entries on its diagonal than there are free unknowns. */
Status eigen_begin(EigenSolver *solver);
/* The combinations of these columns, host [n][8], that A maps to zero, of which there are `count`, are none of the
 * vectors that eigen_solve finds. Any number of times. *worst: their largest value over the largest of the columns. */
Status eigen_deflate(EigenSolver *solver, const double *columns, int32_t count, double *worst);
/* ERR_NUMERIC with reason and remedy when it does not converge; the report is filled in either way. */
Status eigen_solve(EigenSolver *solver, EigenReport *report);
/* [values]: theta, rising, and residuals. */
const double *eigen_values(const EigenSolver *solver);
const double *eigen_residuals(const EigenSolver *solver);
/* x [n] on the Exec = vector k, with x.B x = 1. */
Status eigen_vector(EigenSolver *solver, int32_t k, double *x);
/* out [0], out [1] [n] on the Exec = sums of the vectors times factor, host [values][2]. */
Status eigen_combine(EigenSolver *solver, const double *factor, double *const out[2]);
/* out [values][8] = products of the vectors with columns, host [n][8]. */
Status eigen_project(EigenSolver *solver, const double *columns, double *out);
/* out [values], on the host = products of the vectors with x, [n] on the Exec. */
Status eigen_project_one(EigenSolver *solver, const double *x, double *out);
