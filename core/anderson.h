/* Fixed points x = G(x), by what the last values have changed (Anderson acceleration; Walker and Ni, SIAM Journal on Numerical Analysis
 * 49, 2011). On the host, sums in one order. */
#pragma once
#include <stdint.h>

enum { ANDERSON_DEPTH = 5, ANDERSON_ROOM = 2 + 2 * ANDERSON_DEPTH }; /* values before; vectors of memory */

typedef struct Anderson {
  int64_t n;
  int32_t count; /* values so far: 0 to begin with, and where those before mean nothing any more */
  double *room;  /* [ANDERSON_ROOM * n], the caller's */
} Anderson;

/* x [n], from which `to` = G(x) [n] was found, becomes the next one. */
void anderson_next(Anderson *mixing, const double *to, double *x);
