/* The numbers of n explicit stages of Runge, Kutta and Chebyshev of second order (Sommeijer, Shampine and Verwer, J. Comput. Appl.
 * Math. 88 (1998) 315) for u' = F_0 + J (u - u_n): u - u_n = part y, where y is what n steps of Chebyshev's semi-iteration make of 0
 * for -dt J y = dt F_0 with the interval [(w0 - 1)/w1, (w0 + 1)/w1] (docs/theory/evolution.md). */
#pragma once
#include <stdint.h>

typedef struct StageNumbers {
  int32_t n;
  double w0, w1, part; /* part: b_n T_n(w0) */
  double reach;        /* stable as long as the step times an eigenvalue is at most this */
} StageNumbers;
/* Of n >= 2. */
StageNumbers stage_numbers(int32_t n);
