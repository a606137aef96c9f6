/* What all ionic models share. A model describes one kind of cell by its potential V (mV) and n states s (gates,
 * recovery variables, concentrations) in time (ms), whatever scaling its authors used:
 *   dV/dt = f(V, s) + div(D grad V) + stimulus      ds/dt = g(V, s)
 * It is integrated in one of two ways, or in both (docs/theory/monodomain.md):
 *
 * Implicit elimination, for models of few states (at most IONIC_ELIMINATED). The schemes solve s = known + step g(V, s)
 * for the states of a given V (backward Euler: known is the last states and step is dt; Crank-Nicolson and BDF2 have
 * other numbers), so that V is the only global unknown and the states are functions of it: the reaction is f(V, s(V))
 * and its tangent the total derivative. The kernels of a model, a line IONIC in physics/ionics.def:
 *   void   name_state(c, V, known, step, s, by_V)    the states with s = known + step g(V, s), step >= 0, and ds/dV,
 *                                                    1/mV; in closed form, or by Newton's method (ionic_newton.h)
 *   void   name_rate(c, V, s, g)                     g(V, s), 1/ms
 *   double name_reaction(c, V, s, by_V, by_s)        f(V, s), mV/ms; df/dV, 1/ms, and df/ds[n], mV/ms
 *
 * States first (Rush and Larsen 1978), for any number of states: those of a step are found from the last potential, and
 * the reaction is linear in the new one, f + theta df/dV (V - V_n) with these states. Of the states the first n_gate
 * are gates, which obey a linear equation while all else stays as it is. A line IONIC_GATES:
 *   void   name_gates(c, V, s, rate, target)         of each gate j: ds_j/dt = rate_j (target_j - s_j), 1/ms, rate_j >= 0
 *   double name_currents(c, V, stimulus, s, by_V, g, decay)
 *                                                    f(V, s) and df/dV with s fixed, as above; of the states j >= n_gate,
 *                                                    with the gates as they are now: g_j, per ms, and decay_j = -dg_j/ds_j,
 *                                                    per ms, >= 0, where the state is stiff, else 0. stimulus, mV/ms,
 *                                                    is for concentrations that it changes; it is no part of f
 * A step takes the gates to target + (s - target) exp(-rate dt), then the others to s + dt phi(decay dt) g with
 * phi(x) = (1 - exp(-x))/x: forward Euler where decay is 0. Models of
 * the first way go first by the trapezoidal rule. A line IONIC_FLOAT besides: the same steps with
 *   void   name_gates_float(c, V, s, rate, target)   rates and targets in float, to some 1e-6; states stay double
 *
 * All models:
 *   double name_rest(c, s)                           resting potential, and the states there: initial values
 *   double name_max_slope(c)                          largest df/dV, states fixed, that a sound solution has, 1/ms; >= 0
 *   double name_front_slope(c)                        states first only: by which a front rises, with the gates that
 *                                                    follow it, 1/ms; > 0. Elsewhere name_max_slope is that
 *   name_states(STATE)                               a macro: STATE(word, "meaning") of each state, in their order;
 *                                                    the word, such as "xr1", is its name in the case file, which
 *                                                    models may have in common
 */
#pragma once
#include "core/hd.h"

enum {
  IONIC_PARAMS = 128,          /* most parameters of a model */
  IONIC_IMPORTED_STATES = 160, /* most states of a model that is read from a file */
  IONIC_ELIMINATED = 8         /* most states of a model whose states are eliminated: registers hold them */
};

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
