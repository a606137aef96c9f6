/* A chain of unknowns for tests of Newton's method and load steps: R_i = load f_i - s (A u)_i - c g(u_i) with A =
 * tridiag(-1, 2.5, -1) and the tangent s A + c diag(g'), which is symmetric positive definite for c >= 0. f is made
 * from a known solution at load 1. On the host: what is under test are the drivers, not the physics. */
#pragma once
#include "algebra/mat.h"

typedef enum ChainLaw {
  CHAIN_CUBIC,  /* g = u^3 */
  CHAIN_ARCTAN, /* g = atan u: Newton's method overshoots from far away */
  CHAIN_BARRIER /* g = -log(1 - u): no number for u >= 1 */
} ChainLaw;
enum { CHAIN = 97 };

typedef struct Chain {
  Exec *exec;
  void *system; /* Problem of problems.h */
  Mat *a;
  ChainLaw law;
  double s, c;
  double spoilt; /* no number at loads beyond it; 0: at none */
  int mended;    /* calls from which on there is one again; 0: never */
  bool says;     /* ERR_NUMERIC instead of no number */
  double end;    /* where `pulled`: u_0 = load end is prescribed */
  bool pulled;
  double f[CHAIN], exact[CHAIN];
  double residuals[64]; /* |R| of each call */
  int calls;
} Chain;

/* exact_i = size x a number of [-1, 1]; of a barrier's absolute value. */
void chain_begin(Exec *exec, ChainLaw law, double s, double c, double size, Chain *out);
void chain_end(Chain *chain);
/* u, r on the Exec. */
Status chain_residual(Chain *chain, double load, const double *u, double *r);
Status chain_tangent(Chain *chain, const double *u);
/* A vector on the Exec; host NULL: zero. The caller releases it: EXEC_RELEASE(exec, v, CHAIN). */
double *chain_vector(Exec *exec, const double *host);
/* Largest difference to the exact solution. */
double chain_error(const Chain *chain, const double *u);
