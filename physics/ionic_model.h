/* What all ionic models share. A model describes one kind of cell by its potential V (mV) and n states s (gates,
 * recovery variables, concentrations; n is the model's own, 1 to IONIC_STATES) in time (ms), whatever scaling its
 * authors used:
 *   dV/dt = f(V, s) + div(D grad V) + stimulus      ds/dt = g(V, s)
 * The time stepping schemes all solve s = known + step g(V, s) for the states of a given V (backward Euler: known is
 * the last states and step is dt; Crank-Nicolson and BDF2 have other numbers), so that V is the only global unknown and
 * the states are functions of it: the reaction is f(V, s(V)) and its tangent the total derivative. A model's kernels:
 *   void   name_state(c, V, known, step, s, by_V)    the states with s = known + step g(V, s), step >= 0, and ds/dV,
 *   1/mV; in
 *                                                    closed form, or by Newton's method (physics/ionic_newton.h)
 *   void   name_rate(c, V, s, g)                     g(V, s), 1/ms
 *   double name_reaction(c, V, s, by_V, by_s)        f(V, s), mV/ms; df/dV, 1/ms, and df/ds[n], mV/ms
 *   double name_rest(c, s)                           resting potential, and the states there
 *   double name_steepest(c)                          largest df/dV that a sound solution has, 1/ms; >= 0 */
#pragma once
#include "core/hd.h"

enum { IONIC_PARAMS = 32, IONIC_STATES = 8 };

/* Checked parameters as the kernels take them. */
typedef struct IonicConstants {
  double value[IONIC_PARAMS]; /* in the order of the model's parameter table */
  int32_t kind;               /* which model: index into physics/ionics.def */
} IonicConstants;

/* The states of one cell among those of all cells: state j lies at state[j * stride]. */
typedef struct IonicCell {
  double *state;
  double *history; /* as state; NULL: none */
  int64_t stride;
  double carry; /* what is known of the next states: state + carry history */
} IonicCell;
