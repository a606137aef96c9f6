/* The numbers of one step of a scheme: what the increments of the steps before give, and how the error shows. Pure
 * functions of the step lengths, so that tests see them alone. Derivations: docs/theory/diffusion.md. */
#pragma once
#include "solver/time/transient.h"

/* M (mass d - history last) + K (u + theta d) = theta f_new + (1 - theta) f_old. */
typedef struct TransientNumbers {
  double mass, history, theta;
  double a1, a2; /* predictor a1 last + a2 older */
  double share;  /* of |d - predicted| that is the local error; NaN: history is too short to know */
} TransientNumbers;

/* dt of this step, h1 and h2 of the last two; n_history: how many of them there are (0, 1, 2). */
TransientNumbers transient_numbers(TransientScheme scheme, int32_t n_history, double dt, double h1, double h2);
