/* What the tests of the polynomial preconditioners hold them against, and how B is applied alone. */
#pragma once
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "tests/solver/problems.h"

/* n pairs of unknowns [1 c; c 1], so that eigenvalues are 1 - c and 1 + c with eigenvectors (1, -1) and (1, 1). */
void pairs_create(int n, Problem *out);
/* c of pair i, in (0, 1), dense near both ends. */
double pairs_coupling(int n, int i);

/* A preconditioner by itself. */
typedef struct Applied {
  Exec *exec;
  Krylov *k; /* on the Exec */
  Precond *m;
  double *work;
} Applied;
void applied_create(Exec *exec, const Mat *a, const PrecondParams *params, Applied *out);
/* out = B in, host [n], in double; returns in.out as KRYLOV_BETA was given it. */
double applied_apply(const Applied *m, const double *in, double *out);
void applied_destroy(Applied *m);

/* R(t) at n places that minimises int_0^1 t^(weight[0]-1) (1-t)^weight[1] R(t)^2 dt over R(t) = 1 - t s(t) of this
 * degree: quadrature that does not mind singular ends (Takahasi and Mori 1974), orthogonalised columns, long double. */
void least_squares_minimiser(int32_t degree, const double weight[2], int n, const double *t, double *r);
