/* The scalars of the Krylov methods, which live on the Exec, and what is done with a complete sum. One thread runs a
 * step; nothing of it comes to the host inside a loop except through the mirror. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

/* KRYLOV_TELL: iterations between two writes to the mirror, which lies on the host: a GPU waits for each. */
enum { LANCZOS_MAX = 32, LANCZOS_OVER = 1000, KRYLOV_TELL = 16 };

/* Why a loop stopped; 0 while it runs. */
typedef enum KrylovStop {
  KRYLOV_RUNS,
  KRYLOV_CONVERGED, /* by the recursive residual */
  KRYLOV_MAX,
  KRYLOV_INDEFINITE, /* p.Ap <= 0 */
  KRYLOV_NAN,
  KRYLOV_NEGATIVE, /* r.z <= 0: the preconditioner is not positive */
  KRYLOV_STALL,    /* |r| did not fall for a window of iterations */
  KRYLOV_DIVERGED, /* |r| grew 1e10 times, more than any regular matrix in double lets it */
  KRYLOV_CHECK,    /* time to look at the true residual; the loop can go on as if nothing had been */
  KRYLOV_STEEP     /* M A has an eigenvalue beyond `max_eigenvalue`: the bound of the spectrum is not an upper bound */
} KrylovStop;

typedef enum KrylovStep { KRYLOV_STORE, KRYLOV_ALPHA, KRYLOV_BETA, KRYLOV_LANCZOS } KrylovStep;

/* Read by the host while the loop runs; written now and then and when the loop stops. */
typedef struct KrylovMirror {
  int64_t iteration;
  double rr;
} KrylovMirror;

typedef struct Krylov {
  double alpha, beta, rz, rr, pap;
  double limit;           /* converged when rr is at most this */
  double first;           /* rr at the start */
  double best;            /* smallest rr so far, */
  int64_t best_iteration; /* and when */
  int64_t iteration, max_iteration, window;
  double check_rr;           /* KRYLOV_CHECK when rr is at most this, */
  int64_t check_iteration;   /* or then */
  double max_eigenvalue;     /* largest Rayleigh quotient of M A that the preconditioner allows; HUGE_VAL: any */
  double to_unit, from_unit; /* powers of two that bring r near 1 for float, and back */
  double sum[2];             /* of KRYLOV_STORE */
  int32_t stop;              /* KrylovStop */
  int32_t lanczos_n;         /* steps done, and LANCZOS_OVER more when an invariant subspace was found */
  double lanczos_norm, lanczos_last; /* of the present vector and the one before */
  double lanczos_alpha[LANCZOS_MAX], lanczos_beta[LANCZOS_MAX];
  KrylovMirror *mirror; /* NULL: not watched */
} Krylov;

/* p.Ap is known: alpha. The diagonal of the Lanczos matrix of M A is 1/alpha_j + beta_(j-1)/alpha_(j-1) (Saad,
 * Iterative Methods, eq. 6.82), and as a Rayleigh quotient at most the largest eigenvalue. z carries the factor
 * to_unit. */
HD void krylov_alpha(Krylov *k, double pap) {
  k->iteration += 1;
  k->pap = pap;
  if (pap > 0 && pap - pap == 0) {
    const double quotient = pap / k->rz + (k->alpha > 0 ? k->beta / k->alpha : 0);
    k->alpha = k->rz / pap;
    if (!(quotient * k->from_unit > k->max_eigenvalue)) return;
    k->alpha = 0;
    k->stop = KRYLOV_STEEP;
    return;
  }
  k->alpha = 0;
  k->stop = pap <= 0 && pap - pap == 0 ? KRYLOV_INDEFINITE : KRYLOV_NAN;
}

/* r.r is known, x and r are updated: stop? */
HD void krylov_residual(Krylov *k, double rr) {
  k->rr = rr;
  if (rr < 0.99 * k->best) {
    k->best = rr;
    k->best_iteration = k->iteration;
  }
  if (!(rr - rr == 0)) k->stop = KRYLOV_NAN;
  else if (rr <= k->limit) k->stop = KRYLOV_CONVERGED;
  else if (rr > 1e20 * k->first) k->stop = KRYLOV_DIVERGED;
  else if (k->iteration >= k->max_iteration) k->stop = KRYLOV_MAX;
  else if (k->iteration - k->best_iteration > k->window) k->stop = KRYLOV_STALL;
  else if (rr <= k->check_rr || k->iteration >= k->check_iteration) k->stop = KRYLOV_CHECK;
  if (k->mirror && (k->stop || k->iteration % KRYLOV_TELL == 0)) {
    k->mirror->iteration = k->iteration;
    k->mirror->rr = rr;
  }
}

/* r.z is known: beta; the first one after a start finds rz = 0. */
HD void krylov_beta(Krylov *k, double rz) {
  k->beta = k->rz > 0 ? rz / k->rz : 0;
  k->rz = rz;
  if (!(rz > 0 && rz - rz == 0) && !k->stop) k->stop = rz <= 0 && rz - rz == 0 ? KRYLOV_NEGATIVE : KRYLOV_NAN;
}

/* t.At of a Lanczos vector t that is not normalised. */
HD void krylov_lanczos(Krylov *k, double tat) {
  if (k->lanczos_n < LANCZOS_MAX) k->lanczos_alpha[k->lanczos_n] = tat / (k->lanczos_norm * k->lanczos_norm);
}

HD void krylov_step(Krylov *k, KrylovStep step, const double sum[]) {
  if (step == KRYLOV_STORE) {
    k->sum[0] = sum[0];
    k->sum[1] = sum[1];
  } else if (step == KRYLOV_ALPHA) {
    krylov_alpha(k, sum[0]);
  } else if (step == KRYLOV_BETA) {
    krylov_beta(k, sum[0] * k->from_unit);
  } else {
    krylov_lanczos(k, sum[0]);
  }
}
