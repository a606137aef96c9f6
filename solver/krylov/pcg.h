/* One run of preconditioned conjugate gradients on an Exec, recorded once. solver/krylov/linear.h is what others call;
 * it decides about restarts. */
#pragma once
#include "solver/precond/precond.h"

typedef struct Pcg {
  Exec *exec; /* borrowed, as are a and m */
  const Mat *a;
  Mat *near; /* owned: what products inside of pcg_once take; NULL: a */
  Precond *m;
  int64_t n;
  double *p, *q, *r;                    /* owned, [n]: direction, A p, recursive residual */
  Krylov *k;                            /* borrowed, on the Exec */
  Krylov host;                          /* what the Exec was told and what it answered last */
  KrylovMirror *mirror, *mirror_device; /* owned */
  ExecLoop *loop;                       /* owned; NULL before the first run */
  LoopHistory history;                  /* iterations of its runs */
  double *x;                            /* the solution that the loop was recorded with */
  int32_t version;                      /* of the preconditioner, then */
  bool once;                            /* its iterations begin with the preconditioner */
  int32_t made;                         /* how often it was made */
  const double
      *border; /* borrowed, [n_border][n], orthonormal: all vectors stay at right angles to them; see pcg_border */
  int32_t n_border, n_recorded; /* now, and in the loop */
  double *border_dot;           /* borrowed, on the Exec */
} Pcg;

/* Allocates; a and m outlive it. Destroy accepts a partly created one. */
Status pcg_create(const Mat *a, Precond *m, Krylov *k, Pcg *pcg);
void pcg_release(Pcg *pcg);
/* Another preconditioner of the same matrix: the loop is recorded again. */
void pcg_use(Pcg *pcg, Precond *m);
/* From the values that A has now: products inside of pcg_once read half the bytes, by conductances that are off by 3e-8 (tiled.h),
 * which the true residual at its end is not. Nothing changes where tiled_allows says no. */
Status pcg_draw_near(Pcg *pcg);
/* From now on A is P A P with P = 1 - sum g g^T: b and x are at right angles to the g, and A has to be positive definite
 * there alone (Gould, Hribar and Nocedal, On the solution of equality constrained quadratic programming problems arising
 * in optimization, 2001). `border` [n][rows] is orthonormal; n 0: none. Borrowed, with LINEAR_BORDER doubles on the Exec. */
void pcg_border(Pcg *pcg, int32_t n, const double *border, double *dot);
/* v -= sum g (g.v) */
Status pcg_project(const Pcg *pcg, double *v);
/* out = M v times a power of two. Overwrites what a run works in. */
Status pcg_precondition(Pcg *pcg, const double *v, double *out);
/* x += M r, of r as pcg_residual has left it. Overwrites what a run works in, but for r. */
Status pcg_correct(Pcg *pcg, double *x);
/* r = b - A x in double; host.sum[0] = |r|^2, host.sum[1] = |b|^2. */
Status pcg_residual(Pcg *pcg, const double *b, const double *x);
/* From r = b - A x on: iterates until host.stop says why it ended. `limit` is on |r|^2. */
typedef struct PcgRun {
  double limit, mean_scale;
  double max_eigenvalue; /* stops when M A has a larger eigenvalue; 0: never */
  int64_t max_iteration; /* counted from host.iteration on, which goes on over restarts */
  int64_t window;
  double check_drop;   /* KRYLOV_CHECK when |r| has fallen by this factor, 0: never, */
  int64_t check_every; /* or after that many iterations; 0: never */
} PcgRun;
Status pcg_run(Pcg *pcg, double *x, const PcgRun *run, LoopPoll poll, void *poll_context);
/* After KRYLOV_CHECK: |b - A x|^2 to host.sum[0], the iteration untouched; and goes on with it until the next stop. */
Status pcg_check(Pcg *pcg, const double *b, const double *x);
Status pcg_continue(Pcg *pcg, const PcgRun *run, LoopPoll poll, void *poll_context);
/* pcg_residual, pcg_run without checks, and pcg_check, as the Exec goes from one to the next by itself: no number of it comes to the
 * host, so that it may be recorded as a part of a loop, once `pcg_once_prepare` has made its own loop, which stays as long as x and the
 * preconditioner do. run->limit is that of (|r| / |b|)^2, `rtol` its root; `range` holds the least and the most of squares that it takes.
 * k->stop KRYLOV_NAN where they are beyond it, too. k->sum[0] is the square of the true residual at the end, k->first at the start. */
Status pcg_once_prepare(Pcg *pcg, double *x);
Status pcg_once(Pcg *pcg, const double *b, const PcgRun *run, double rtol, const double range[2]);
/* pcg_once, and k to pcg->host. */
Status pcg_run_once(Pcg *pcg, const double *b, double *x, const PcgRun *run, double rtol, const double range[2]);
/* Scalars of a fresh start of run `run` from |r|^2 = rr: stop 0, and as iterations go on, k->iteration. `unit`: r needs
 * no power of two, as with a diagonal. The mirror is the caller's. */
void pcg_start(Krylov *k, const PcgRun *run, double rr, bool unit);
/* When to stop for the next look at the true residual. */
void pcg_plan_check(Krylov *k, const PcgRun *run);
/* Bytes that one iteration must move. */
double pcg_bytes(const Pcg *pcg);
