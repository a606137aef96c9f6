/* Inside of LinearSolver, shared by linear.c (what to do next) and linear_message.c (how to say what went wrong). */
#pragma once
#include "solver/linear.h"
#include "solver/pcg.h"

/* Copies of b and x in the numbering of the matrix, where it has one of its own; place NULL: it has none. */
typedef struct Renumbered {
  int64_t n;
  int32_t *place; /* owned, as are b and x, on the Exec, [n] */
  double *b, *x;
} Renumbered;

struct LinearSolver {
  Exec *exec;          /* borrowed, as is a */
  const Mat *a;
  LinearParams params; /* preconditioner name not kept */
  Krylov *krylov;      /* owned, on the Exec */
  Precond *m;          /* owned */
  Pcg pcg;             /* owned content */
  Renumbered renumbered; /* owned content */
  double mean_scale, setup_seconds;
  bool is_set_up;
  int64_t n_bad;       /* entries of the diagonal that are not positive */
  bool automatic;      /* the precision, as long as it is not double */
  bool chosen;         /* the preconditioner, by linear_choice */
  Precision first_precision;
  int32_t fallbacks;   /* since the last linear_setup began */
  int32_t raised;      /* how often the bound was raised since the preconditioner's last setup */
  double stored_error;
  int64_t iterations_before; /* the next solve goes on counting from here: linear_many.c */
  LinearPoll poll;
  void *poll_context;
};

/* A true residual LINEAR_DRIFT times the recursive one replaces it; LINEAR_TRIES replacements without gain are stagnation. */
enum { LINEAR_DRIFT = 10, LINEAR_TRIES = 3 };
/* A run to |r| <= limit |b|. may_raise: the bound of the spectrum can still be raised. */
PcgRun linear_run(const LinearSolver *s, double limit, double bb, bool may_raise);
void linear_begin_report(const LinearSolver *s, LinearReport *report);

/* ---- linear_precision.c ---- */
/* Whether the precision goes up by itself. */
bool linear_is_automatic(const LinearParams *params);
/* Of a new solver with this preconditioner, for what params->inner says. */
Precision linear_first_precision(const LinearParams *params, const Mat *a, const char *precond);
/* The type of that name; NULL: unknown. */
const PrecondType *linear_precond_type(const char *name);
/* After precond_setup: goes up while the stored matrix is too far from the true one for this polynomial. */
Status linear_check_stored(LinearSolver *s);
/* To a higher precision, set up anew; `why` goes into a warning. */
Status linear_fall(LinearSolver *s, Precision to, const char *why);
/* From a preconditioner that cannot be set up to one that always can. */
Status linear_fall_back(LinearSolver *s);
Precision precision_above(Precision precision);
Status linear_setup_precond(LinearSolver *s);
/* The preconditioner, more careful by this factor: a bound of the spectrum that was too small. */
#define LINEAR_RAISE 1.1
Status linear_raise(LinearSolver *s);

/* ---- linear_numbering.c ---- */
Status renumbered_create(Exec *exec, const Mat *a, Renumbered *out);
void renumbered_release(Exec *exec, Renumbered *renumbered);
/* b and x into the numbering of the matrix; x back. */
Status renumbered_enter(Exec *exec, const Renumbered *renumbered, const double *b, const double *x);
Status renumbered_leave(Exec *exec, const Renumbered *renumbered, double *x);
/* The row whose number that is; -1 stays. */
int64_t renumbered_row(const Mat *a, int64_t number);

/* Finds the place, fills report->reason and equation, and returns ERR_NUMERIC with the whole message. */
Status linear_failure(LinearSolver *s, LinearReason reason, const double *b, LinearReport *report);
