/* What a Transient holds. For transient.c, which steps, and transient_state.c, which saves and restores. */
#pragma once
#include "solver/time/rows.h"
#include "solver/time/transient.h"

struct Transient {
  Exec *exec; /* borrowed, as are a, solver and u */
  TransientProblem problem;
  TransientParams params;
  StepControl control; /* owned */
  Mat *a;
  LinearSolver *solver;
  Mat *stiffness, *mass; /* owned, the operators with nothing eliminated */
  int64_t n;
  double *u;
  /* owned, on the Exec, [n] */
  double *d, *predicted, *last, *older, *v, *w, *Kv, *Mw, *r, *f_new, *f_old;
  double *g;            /* NULL when prescribed values do not change */
  double *factor;       /* [2] */
  TransientSums *sums;  /* [1] */
  double made_with[2];  /* the factors that the matrix has now; NaN: none */
  double first_with[2]; /* those of the first matrix, from which a preconditioner may keep something; NaN: none yet */
  double h1, h2;        /* lengths of the last two steps */
  int32_t n_history;
  int32_t n_smooth; /* backward Euler steps still to come (Crank-Nicolson) */
  double reference, mean_start;
};

/* A <- factor[0] K + factor[1] M and the solver's setup. */
Status transient_matrix(Transient *transient, const double factor[2]);
