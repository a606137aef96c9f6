/* Equations that hold in spans of time (Equation.timed): supports and joints that begin and end with steps. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* At the end of a step; numbers of a checkpoint. */
typedef struct TimedState {
  double sum;         /* of its terms; only known where it holds, or a span that starts from it begins there */
  double span, start; /* the last span, -1: none yet, and the sum when that began */
} TimedState;

typedef struct TimedEquation {
  const EquationSpan *span; /* views of Timed */
  const EquationTerm *term;
  int32_t n_span, n_term;
  TimedState state;
  int32_t now;              /* the span of the time last asked for; -1: it does not hold */
  bool on, kept;            /* at the time last asked for, and at the end of the last step, */
  double value, kept_value; /* with these values; 0: it does not hold */
  double over; /* a span of motion has begun at this time: what ends there holds no more at that time itself */
} TimedEquation;

bool elasticity_timed(const Elasticity *elasticity);
/* A step has ended at the time last asked for, or a run begins there. */
void timed_commit(Elasticity *elasticity);
/* Before that, with the displacement of a step: sums that later spans start from. */
Status elasticity_timed_see(Elasticity *elasticity, const double *u);
/* With a part of what values of ramps change by since the end of the last step left out: of an easier problem; 0: of none. */
void elasticity_ease_equations(Elasticity *elasticity, double part);
/* A span of motion begins: what holds just behind `time` is another from here on. Unknowns that depended are first given their
 * displacements and velocities, which they go on with. */
Status elasticity_renew_equations(Elasticity *elasticity, double time, double *u, double *v);

/* ---- between the files of this folder ---- */

/* The last equations of the list. */
Status timed_create(Elasticity *p, const EquationList *list);
void timed_release(Elasticity *p);
/* *changed becomes true where others hold than at the time before, or with other values. */
void timed_begin(Elasticity *p, double time, bool *changed);
/* The same as timed_begin, where unknowns that depended at the end of the last step are given to u. */
Status timed_follow(Elasticity *p, double time, double *u);
void timed_switch(const Elasticity *p, uint8_t *on, double *value);
/* States, a TimedState for each. */
int64_t timed_bytes(const Elasticity *p);
void timed_save(const Elasticity *p, void *host);
void timed_restore(Elasticity *p, const void *host);
