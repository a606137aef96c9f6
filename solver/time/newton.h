/* Newton's method on an Exec for R(u) = 0 with the tangent A = -dR/du: A du = R, u += lambda du. A linear problem is
 * one step of it, without any test: its linear solver has judged the residual.
 *   tolerances    |R| <= max(rtol |R(first guess)|, atol), where atol carries the scale of the problem; a problem with
 *                 a scale of its own has that in the place of |R(first guess)|
 *   line search   lambda < 1 where |R| does not fall enough (Armijo's rule on |R|; parabola through |R|^2, safeguarded:
 *                 Dennis and Schnabel, Numerical Methods for Unconstrained Optimization, section 6.3)
 *   forcing       a linear solve is no more exact than Newton's method can use (Eisenstat and Walker 1996, choice 2):
 *                 its tolerance falls with the square of what the last step gained, begins
 *                 anew where F became another, and ends where the goal does
 *   border        of a problem with unknown factors: A and what a step changes in them are one system
 *                 (linear_solve_border), and |R| has its gaps in it, relative ones times the scale of the problem
 *   multipliers   are increments beside du of one linear system (solver/time/multipliers.h) and follow u once behind each Newton
 *                 step; where the problem has no such system they only follow, which makes the method converge linearly:
 *                 steps are mixed (solver/time/mixing.h), and near the end a tangent stays
 *   failure       is a reason and no status, so that whoever asked can cut the step and try again
 * The host reads one norm per residual, and with multipliers some products per Newton step. All memory is taken by newton_create. */
#pragma once
#include "solver/time/problem.h"

/* A residual of the iteration: of the first guess, then after each Newton step. */
typedef struct NewtonIteration {
  double time;               /* that the step leads to */
  int32_t step;              /* 0: the first guess */
  double residual, goal;     /* |R| and where it ends */
  double relative;           /* |R| over what the goal is rtol times of; |R| where that is nothing */
  double correction, length; /* |u - u before|, and what the line search left of the Newton step */
  int64_t iterations;        /* of the linear solve */
} NewtonIteration;
typedef struct NewtonWatch {
  void (*iteration)(void *context, const NewtonIteration *iteration); /* NULL: nobody */
  void *context;
} NewtonWatch;

typedef struct NewtonParams {
  int32_t max_steps; /* 0: 25 */
  bool line_search, forcing;
  bool keep; /* a hierarchy stays while it serves, within a solve (linear_keep) */
  bool
      near; /* guesses are so near that Newton's method leaves the square of |R| over what it is measured against, not so where
                   bodies bend: the first linear solve goes as far */
  bool by_work; /* the line search is content too where the work of the residual along the step falls */
  bool
      bold; /* the first step is whole, though the residual rises: what bends stretches first, and comes back in the second */
  NewtonWatch watch;
} NewtonParams;

typedef enum NewtonReason {
  NEWTON_CONVERGED,
  NEWTON_STUCK,     /* max_steps */
  NEWTON_DIVERGED,  /* the residual grew by more than any Newton step may */
  NEWTON_NAN,       /* no residual: not a number, or the problem said ERR_NUMERIC */
  NEWTON_ASCENT,    /* no length of the step makes the residual smaller */
  NEWTON_UNSOLVABLE /* the linear solver failed */
} NewtonReason;

typedef struct NewtonReport {
  NewtonReason reason;
  int32_t steps, cuts;          /* Newton steps; shortened trials of line searches */
  double residual, first, goal; /* |R| at the end, at the first guess, and what was asked for */
  LinearReport linear;          /* of the last linear solve; iterations, products, seconds of all of them together */
  double assembly_seconds;      /* residual and tangent of a static problem, with the Exec waited for */
} NewtonReport;

/* One equation. */
typedef struct NewtonStep {
  Stage stage;
  double rtol, atol;
  /* r = R(u), 0 at fixed unknowns, and its norm. `first`: u is the first guess. NULL: r is the force, |r| Euclidean. */
  Status (*residual)(void *context, const Stage *stage, const double *u, bool first, double *r, double *norm);
  void *context; /* of residual */
  bool
      keeps; /* with NewtonParams.keep: the hierarchy of the newton_solve before this one serves while it is good enough */
  const double *
      scale; /* where it writes what StaticPart.scale says of F, as that stands for the last force; NULL: that is asked */
} NewtonStep;

typedef struct Newton Newton;
/* `a` is the matrix that `solver` was created with; both are borrowed. With forcing the solver's rtol is
 * overwritten. */
Status newton_create(Exec *exec, const Problem *problem, const NewtonParams *params, Mat *a, LinearSolver *solver,
                     Newton **out);
void newton_destroy(Newton **newton);
/* u in: first guess with prescribed values, out: solution, or where it failed anything. A status other than OK: the
 * machine failed, or the linear solver of a linear problem. */
Status newton_solve(Newton *newton, const NewtonStep *step, double *u, NewtonReport *report);
/* u has the values prescribed for the step, `from` those before it, and is the same elsewhere: u += the answer of the
 * tangent at `from` to that motion and to the loads of the step, as a first guess for newton_solve; with a line search
 * only. Nothing where there is none. With a border factors go there too. Its work is in the report of the newton_solve that follows.
 * *asked: |R| of the motion alone, 0 where there is none. */
Status newton_predict(Newton *newton, const NewtonStep *step, const double *from, double *u, double *asked);
/* A vector that is free between solves, [n] on the Exec; NULL: there is no line search. And |x| of such a vector. */
double *newton_room(const Newton *newton);
Status newton_length(Newton *newton, const double *x, double *length);
/* Why it failed, as context of the message: residuals are shown in this unit. The reason of a linear solver is that of
 * the last newton_solve. */
enum { NEWTON_TEXT = 1024 };
/* Of the linear solver or the problem, when it failed last; "": nothing. */
const char *newton_why(const Newton *newton);
const char *newton_failure(const Newton *newton, const NewtonReport *report, double unit, char text[NEWTON_TEXT]);
