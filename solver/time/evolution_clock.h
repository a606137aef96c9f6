/* The clock of nonlinear time stepping as kernels see it, on the Exec. One step, from `time` to `target`, of
 *   M du/dt + K u = R(u, s) + M I(t),   ds/dt = g(u, s)
 * is M (mass (u - u_n) - history (u_n - u_(n-1))) + theta (K u - R(u, s)) + (1 - theta) (K u_n - R_n) = M I,
 * and for states s = s_n + theta/mass g(u, s) + carry h, where h is g(u_n, s_n) in Crank-Nicolson (carry (1 -
 * theta)/mass) and s_n - s_(n-1) in BDF2 (carry history/mass). Backward Euler: theta 1, history 0, carry 0; a run of
 * another scheme takes such steps at its start and after edges. In Rush-Larsen the states go first, by states_dt, from the
 * middle of the last step to the middle of this one, at u_n; the first time from the start. Pulses are constant within a step, since steps end at
 * their edges. Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

typedef struct EvolutionClock {
  double theta, mass, carry, states_dt; /* in this order: an array of four numbers for whoever steps states */
  double history;
  double time, target, dt;
  /* A step is one loop on the Exec whose turns record everything: a kernel does nothing unless the flag of its phase is
   * 1. */
  int32_t start;  /* first guess, currents, first residual */
  int32_t newton; /* linear solve, new u, its residual */
  int32_t verify; /* residual by a true product */
  int32_t commit; /* the step is accepted */
} EvolutionClock;

/* A current that is on from start + k period to start + k period + duration, k < count. */
typedef struct EvolutionPulse {
  double start, duration;
  double period; /* > duration where count > 1 */
  int64_t count; /* >= 1 */
} EvolutionPulse;

/* 1 when the pulse is on at the middle of the step, else 0. */
HD double evolution_switch(const EvolutionClock *clock, const EvolutionPulse *pulse) {
  const double since = 0.5 * (clock->time + clock->target) - pulse->start;
  if (since < 0) return 0;
  double k = pulse->count > 1 ? (double)(int64_t)(since / pulse->period) : 0;
  if (k > (double)(pulse->count - 1)) k = (double)(pulse->count - 1);
  return since - k * pulse->period < pulse->duration ? 1 : 0;
}
