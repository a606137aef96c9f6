/* What Newton's method has. For newton.c and newton_create.c only. */
#pragma once
#include "solver/time/mixing.h"
#include "solver/time/multipliers.h"
#include "solver/time/newton.h"
#include "solver/time/outer.h"

struct Newton {
  Exec *exec; /* borrowed, as are problem, a and solver */
  const Problem *problem;
  NewtonParams params;
  Mat *a;
  LinearSolver *solver;
  double *r, *du, *norm;    /* owned, on the Exec */
  double *start;            /* with room for a halo: where a line search begins; NULL: there is none */
  double length;            /* of the last Newton step */
  double chosen, forces;    /* residual when F became another last, or at the first guess; its measure, now */
  double last;              /* before the last Newton step */
  double *g[LINEAR_BORDER]; /* owned, on the Exec: the border */
  double gap[LINEAR_BORDER], size[LINEAR_BORDER];            /* of the last residual */
  double change[LINEAR_BORDER], start_factor[LINEAR_BORDER]; /* of factors, as du; and as `start` */
  bool has_hierarchy;    /* set up in this newton_solve or the newton_predict before it, or kept from before */
  bool settled;          /* the tangent serves the rest of this newton_solve */
  NewtonReport before;   /* work of newton_predict that no report has */
  Mixing *mixing;        /* owned; NULL: no multipliers */
  Outer *outer;          /* owned; of a linear problem; NULL: the tangent is all */
  Multipliers *follow;   /* owned; the same of a nonlinear one */
  double forcing;        /* of the next increment */
  const Stage *stage;    /* of the solve under way, for it */
  char why[NEWTON_TEXT]; /* of the linear solver or the problem, when it failed last */
};
