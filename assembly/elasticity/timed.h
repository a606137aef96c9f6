/* Equations that hold between two times (Equation.timed). */
#pragma once
#include "assembly/elasticity/elasticity.h"

typedef struct TimedEquation {
  double from, until, value;
  bool on, kept; /* at the time last asked for, and at the end of the last step */
  bool over;     /* a span of motion has begun at `until`: it holds no more at that time itself */
} TimedEquation;

bool elasticity_timed(const Elasticity *elasticity);
/* A step has ended at the time last asked for, or a run begins there. */
void timed_commit(Elasticity *elasticity);
/* A span of motion begins: what holds just behind `time` is another from here on. Unknowns that depended are first given their
 * displacements and velocities, which they go on with. */
Status elasticity_renew_equations(Elasticity *elasticity, double time, double *u, double *v);

/* ---- between the files of this folder ---- */

/* The last equations of the list. */
Status timed_create(Elasticity *p, const EquationList *list);
/* *changed becomes true where others hold than at the time before. */
void timed_begin(Elasticity *p, double time, bool *changed);
/* The same as timed_begin, where unknowns that depended at the end of the last step are given to u. */
Status timed_follow(Elasticity *p, double time, double *u);
void timed_switch(const Elasticity *p, uint8_t *on, double *value);
