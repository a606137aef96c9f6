/* Inside of LinearSolver, shared by linear.c (what to do next) and linear_message.c (how to say what went wrong). */
#pragma once
#include "solver/linear.h"
#include "solver/pcg.h"

struct LinearSolver {
  Exec *exec;          /* borrowed, as is a */
  const Mat *a;
  LinearParams params; /* preconditioner name not kept */
  Krylov *krylov;      /* owned, on the Exec */
  Precond *m;          /* owned */
  Pcg pcg;             /* owned content */
  double mean_scale, setup_seconds;
  bool is_set_up;
  int64_t n_bad;       /* entries of the diagonal that are not positive */
  LinearPoll poll;
  void *poll_context;
};

/* Finds the place, fills report->reason and equation, and returns ERR_NUMERIC with the whole message. */
Status linear_failure(LinearSolver *s, LinearReason reason, const double *b, LinearReport *report);
