/* Inside of CocgSolver, shared by cocg.c (what to do next), cocg_loop.c (what is recorded) and cocg_message.c. */
#pragma once
#include "solver/krylov/cocg.h"
#include "solver/krylov/cocg_rows.h"
#include "solver/krylov/linear_solver.h"

struct CocgSolver {
  Exec *exec; /* borrowed, as are the matrices */
  const Mat *real, *imaginary, *positive;
  double rtol;
  int64_t max_iterations, n;
  int64_t most;                         /* iterations of this run */
  Cocg *scalars;                        /* owned, on the Exec */
  Krylov *inner;                        /* owned, on the Exec: the preconditioner's */
  Precond *m;                           /* owned */
  double *p[2], *q[2], *r[2], *z[2];    /* owned, [n] */
  Renumbered renumbered[2];             /* owned content */
  Cocg host;                            /* what the Exec was told and what it answered last */
  KrylovMirror *mirror, *mirror_device; /* owned */
  ExecLoop *loop;                       /* owned; NULL before the first run */
  double *x[2];                         /* the solution that the loop was recorded with */
  int32_t version;                      /* of the preconditioner, then */
  double *scaled_b[2]; /* owned, [n]: of a right-hand side beyond the range of squares; NULL until one comes */
  double mean_scale, setup_seconds;
  bool is_set_up;
  int64_t n_bad;        /* entries of the diagonal of P that are not positive */
  const Pattern *spare; /* of P, for a factor of it where the iteration fails; NULL: it cannot be had, or is in use */
  int64_t spare_after;  /* iterations that take as long */
  char why[PRECOND_CHOICE_TEXT]; /* it is; else empty */
  LinearPoll poll;
  void *poll_context;
};

/* ---- cocg_loop.c ---- */
/* r = b - A x in double; host.k.sum[0] = |r|^2, host.bb = |b|^2. */
Status cocg_residual(CocgSolver *s, const double *const b[2], double *const x[2]);
/* From r = b - A x on, until host.k.stop says why it ended; `limit` is on |r|^2. */
Status cocg_run(CocgSolver *s, double *const x[2], double limit, int64_t window);
/* Products with matrices of the size of A and bytes, per iteration. */
int64_t cocg_products_each(const CocgSolver *s);
double cocg_bytes(const CocgSolver *s);

/* ---- cocg.c ---- */
/* A LoopPoll with the solver as its context. */
void cocg_poll(void *solver);

/* ---- cocg_message.c ---- */
/* Fills report->reason and returns ERR_NUMERIC with the whole message. */
Status cocg_failure(CocgSolver *s, LinearReason reason, LinearReport *report);
