/* Coefficients of backward Euler, the trapezoidal rule and variable-step BDF2 (Hairer, Norsett and Wanner, Solving
 * Ordinary Differential Equations I, III.5) in increments, the extrapolating predictor, and Milne's device: predictor
 * and scheme are wrong by C_p and C_s times the same derivative, so their difference shows both. */
#include "solver/time/transient_scheme.h"

#include <math.h>

static void scheme_numbers(TransientScheme scheme, double dt, double h1, TransientNumbers *n) {
  n->mass = 1 / dt;
  n->theta = scheme == TRANSIENT_CRANK_NICOLSON ? 0.5 : 1;
  if (scheme != TRANSIENT_BDF2) return;
  const double ratio = dt / h1;
  n->mass = (1 + 2 * ratio) / (1 + ratio) / dt;
  n->history = ratio * ratio / (1 + ratio) / dt;
}

TransientNumbers transient_numbers(TransientScheme scheme, int32_t n_history, double dt, double h1, double h2) {
  TransientNumbers n = {.share = NAN};
  scheme_numbers(scheme, dt, h1, &n);
  const bool first_order = scheme == TRANSIENT_BACKWARD_EULER;
  if (n_history == 0) return n;
  n.a1 = dt / h1;
  if (n_history == 1 || first_order) {
    /* scheme dt^2 / 2 u'', predictor dt (dt + h1) / 2 u'', of opposite sign; for schemes of second order too much */
    n.share = dt / (2 * dt + h1);
    return n;
  }
  const double wide = dt * (dt + h1), slope = wide / (h1 + h2); /* Newton's interpolation through three points */
  n.a1 += slope / h1;
  n.a2 = -slope / h2;
  const double ratio = dt / h1, predictor = wide * (dt + h1 + h2) / 6;
  const double error = scheme == TRANSIENT_BDF2 ? dt * wide * (1 + ratio) / (6 * (1 + 2 * ratio)) : dt * dt * dt / 12;
  n.share = error / (error + predictor);
  return n;
}
