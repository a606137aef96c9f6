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
  bool automatic;      /* the precision, as long as it is not double */
  Precision first_precision;
  int32_t fallbacks;   /* since the last linear_setup began */
  double stored_error;
  LinearPoll poll;
  void *poll_context;
};

/* ---- linear_precision.c ---- */
/* Of a new solver, for what params->inner says. */
Precision linear_first_precision(const LinearParams *params, const Mat *a);
/* After precond_setup: goes up while the stored matrix is too far from the true one for this polynomial. */
Status linear_check_stored(LinearSolver *s);
/* To a higher precision, set up anew; `why` goes into a warning. */
Status linear_fall(LinearSolver *s, Precision to, const char *why);
Precision precision_above(Precision precision);
Status linear_setup_precond(LinearSolver *s);

/* Finds the place, fills report->reason and equation, and returns ERR_NUMERIC with the whole message. */
Status linear_failure(LinearSolver *s, LinearReason reason, const double *b, LinearReport *report);
