/* Where a solve begins that is one of many with the same matrix and right-hand sides that change little, as of steps in time: at the
 * combination of the last solutions that is nearest to the solution in the norm of A (Fischer 1998, Computer Methods in Applied
 * Mechanics and Engineering 163, 193-204, who keeps them orthogonal; here they are as they were, with the products x_i.A x_j beside
 * them). No worse in that norm than a line or a parabola through the last ones, which are among the combinations.
 *
 * Where x is known to be near factor v, with v known before the solve, what is left of it changes less: then y = x - factor v is what
 * is kept and combined, and b is that of y, b - factor A v. */
#pragma once
#include "core/exec.h"

typedef struct Warm Warm;
/* Of n rows on the Exec, without solutions. */
Status warm_create(Exec *exec, int64_t n, Warm **out);
void warm_destroy(Warm **warm);
/* No solutions any more. */
Status warm_forget(Warm *warm);
/* v [n] on the Exec; NULL: there is none. */
typedef struct WarmNear {
  const double *v;
  double factor;
} WarmNear;
/* Recordable: x where a solve begins, b of y; factor v where there is no solution yet. Moves 20 n doubles. */
Status warm_begin(Warm *warm, const double *b, const WarmNear *near, double *x);
/* Recordable: x takes the place of the oldest, with its residual r, b and v as they were at the begin. *skip on the Exec not 0: it is none
 * that counts; NULL: it is one. Moves 17 n doubles. */
Status warm_keep(Warm *warm, const double *b, const double *r, const WarmNear *near, double *x, const int32_t *skip);
/* What the bits of later solves depend on: *vector, [*n_vector][n], and *number, [*n_number], on the Exec, of the Warm. */
void warm_state(Warm *warm, double **vector, int32_t *n_vector, double **number, int32_t *n_number);
