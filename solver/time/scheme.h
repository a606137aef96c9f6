/* Schemes in time. One is a file that fills in a TimeScheme and a line in schemes.def, which makes its name a word
 * of the case file. They are one family, with increments d = u_new - u_n and last = u_n - u_(n-1):
 *   M (mass d - history last) + theta (K u_new - F_new - f_new) + (1 - theta) (K u_n - F_n - f_n) = M I
 * and for states s_new = s_n + theta/mass g(u_new, s_new) + carry h, where h is what the scheme carries on. A scheme
 * of another family (explicit stages, `stages` below; second order in time) has factors theta and mass of its own and asks a
 * Problem for the same parts. Derivations: docs/theory/diffusion.md and evolution.md. */
#pragma once
#include <stdint.h>

/* The h of states: nothing, g(u_n, s_n), or s_n - s_(n-1); or there is no h, since states go first (rush_larsen.c). */
typedef enum SchemeCarry {
  SCHEME_CARRIES_NOTHING,
  SCHEME_CARRIES_RATE,
  SCHEME_CARRIES_INCREMENT,
  SCHEME_STATES_FIRST
} SchemeCarry;

/* The factors of one step. */
typedef struct SchemeFactors {
  double mass, history, theta;
  double a1, a2; /* increment predicted by extrapolation: a1 last + a2 older */
  double share;  /* of |d - predicted| that is the local error; NaN: history is too short to know */
} SchemeFactors;

typedef struct TimeScheme {
  int32_t order;     /* of the error at a fixed time */
  int32_t n_history; /* increments before the step that it needs; backward Euler takes its place until they are there */
  int rings;         /* jumps are hardly damped: backward Euler takes the first steps after one (Rannacher 1984) */
  int stages;        /* explicit: u by stages, of nodal problems whose states go first and steps of one length */
  SchemeCarry carries;
  /* What the errors of all steps may add up to, times the tolerance: of linear problems, which forget errors, so
   * that about a third is left where the error is largest (docs/theory/diffusion.md); of nonlinear ones, so that the
   * speed of a wave is wrong by about the tolerance (docs/theory/evolution.md). Measured. */
  double budget_linear, budget_nonlinear;
  /* mass, history, theta for a step dt after one of h1. */
  void (*factors)(double dt, double h1, SchemeFactors *out);
  /* Local error of such a step: order 1, over dt^2/2 u''; order 2, over u'''. */
  double (*error)(double dt, double h1);
} TimeScheme;

#define TIME_SCHEME(id, name) extern const TimeScheme id##_scheme;
#include "solver/time/schemes.def"
#undef TIME_SCHEME

/* mass 1/dt, theta 1: also of schemes that ask for nothing else. */
void backward_euler_factors(double dt, double h1, SchemeFactors *out);
/* Of problems of second order; in no list (stepper_dynamic.c). */
extern const TimeScheme generalized_alpha_scheme;

int32_t time_scheme_count(void);
const TimeScheme *time_scheme(int32_t i); /* in the order of schemes.def; NULL when there is none */
/* dt of this step, h1 and h2 of the last two; n_history: how many increments there are. */
SchemeFactors scheme_factors(const TimeScheme *scheme, int32_t n_history, double dt, double h1, double h2);
