/* Acceleration of an iteration (u, m) -> (u, m) that converges linearly, such as Newton's method where multipliers m follow
 * u: behind each step the residual is made least over what the last steps have changed (GCR, truncated: Eisenstat, Elman
 * and Schultz, Variational iterative methods for nonsymmetric systems of linear equations, 1983; for nonlinear ones Washio
 * and Oosterlee, 1997). Vectors are double[n], and [n_multiplier] of m, on the Exec. */
#pragma once
#include "solver/krylov/linear.h"

/* A state of the iteration. */
typedef struct MixState {
  double *u, *m, *r; /* r: the residual there */
  double *factor;    /* host, [n_factor] */
} MixState;

typedef struct Mixing Mixing;
Status mixing_create(Exec *exec, int64_t n, int64_t n_multiplier, int32_t n_factor, Mixing **out);
void mixing_destroy(Mixing **mixing);
/* Nothing is known of steps before this state. */
Status mixing_begin(Mixing *mixing, const MixState *at);
/* A step led here; `at` goes where the residual is least, and r there is to be found. */
Status mixing_go(Mixing *mixing, const MixState *at);
/* The residual of `at` is good: the next step begins here. */
Status mixing_accept(Mixing *mixing, const MixState *at);
/* It is not, but the problem is linear: back to where the step led to, with r there. */
Status mixing_return(Mixing *mixing, const MixState *at);
/* It is not: back to where the step led to, with r there, and nothing is known of steps before. */
Status mixing_refuse(Mixing *mixing, const MixState *at);
