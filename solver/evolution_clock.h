/* The clock of nonlinear time stepping as kernels see it, on the Exec: one step from `time` to `target` of
 *   M du/dt + K u = I(u, s, t),   ds/dt = g(u, s)
 * is M rate(u) + theta K u + (1 - theta) K u_n = theta I(u, s) + (1 - theta) I(u_n, s_n) with
 *   rate(u) = mass (u - u_n) - history (u_n - u_(n-1)),
 * and the same rate for s. Backward Euler: theta 1, history 0; Crank-Nicolson: theta 1/2, history 0; BDF2: theta 1. Factors
 * change from step to step; whoever holds history of its own (s_(n-1)) finds history 0 where it must not be used.
 * A pulse is constant within a step, since steps end at its edges: it is on when the middle of the step lies in it.
 * Compiled by gcc and nvcc. */
#pragma once
#include "core/hd.h"

/* What a kernel belongs to. A step is one loop on the Exec whose turns record all phases: a kernel whose phase it is not
 * must do nothing, and asks evolution_runs first of all. */
typedef enum EvolutionPhase {
  EVOLUTION_START = 1,   /* first guess and its residual; begin() belongs to it */
  EVOLUTION_NEWTON = 2,  /* linear solve, new u and its residual */
  EVOLUTION_VERIFY = 4,  /* residual with a true product */
  EVOLUTION_COMMIT = 8   /* the step stands: states of time `target` become those of the next step's beginning */
} EvolutionPhase;

typedef struct EvolutionClock {
  double time, target, dt;     /* dt = target - time but for rounding */
  double mass, history, theta;
  int32_t runs;                /* EvolutionPhase bits of kernels that work now */
} EvolutionClock;

HD int evolution_runs(const EvolutionClock *clock, EvolutionPhase phase) { return (clock->runs & (int32_t)phase) != 0; }
/* A time inside the step: says whether a pulse is on. */
HD double evolution_middle(const EvolutionClock *clock) { return 0.5 * (clock->time + clock->target); }
/* rate of a quantity with the value now at target, before at time, and last = before minus the value a step earlier. */
HD double evolution_rate(const EvolutionClock *clock, double now, double before, double last) {
  return clock->mass * (now - before) - (clock->history != 0 ? clock->history * last : 0);
}
