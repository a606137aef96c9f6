/* What all ionic models share. A model describes one kind of cell by its potential V (mV) and one state s (the recovery
 * variable, dimensionless) in time (ms), whatever scaling its authors used:
 *   dV/dt = f(V, s) + div(D grad V) + stimulus      ds/dt = g(V, s)
 * The time stepping schemes all solve s = known + step g(V, s) for the state of a given V (backward Euler: known is the
 * last state and step is dt; Crank-Nicolson and BDF2 have other numbers), so that V is the only global unknown and the
 * state is a function of it: the reaction is f(V, s(V)) and its tangent the total derivative. */
#pragma once
#include "core/hd.h"

enum { IONIC_PARAMS = 10 };

/* Checked parameters as the kernels take them. */
typedef struct IonicConstants {
  double value[IONIC_PARAMS]; /* in the order of the model's parameter table */
  int32_t kind;               /* which model: index into physics/ionics.def */
} IonicConstants;

/* The state that belongs to a potential, s = known + step g(V, s). */
typedef struct IonicState {
  double state;
  double slope; /* ds/dV, 1/mV */
} IonicState;

/* f(V, s) and its partial derivatives. */
typedef struct IonicReaction {
  double value;    /* mV/ms */
  double by_V;     /* 1/ms */
  double by_state; /* mV/ms */
} IonicReaction;
