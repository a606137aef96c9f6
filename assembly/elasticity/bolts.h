/* Bolts: a cut through a shank (mesh/make/slit.h), whose two sides move alike but for the opening D along the axis n,
 *   u+ - u- = D n        at all pairs of nodes of the cut.
 * Under a preload F the two sides are drawn over each other by -F n at a node ahead of the cut and F n at its partner, and D is
 * free; a locked bolt keeps the D that was reached, and bears what it bears. Equations alone say this (EquationSwitches): D is
 * written by one pair, and that row is on where the bolt is locked or D is prescribed, so that the matrix stays symmetric and positive definite.
 * docs/theory/contact.md. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* From a time on: the preload, or with `stretched` the elongation, grows from what it was then, up to `grown`; one that depends on t
 * is what it is. */
typedef struct BoltPhase {
  double begin, grown, lock; /* INFINITY: it is not locked */
  Expr value;
  bool stretched;
} BoltPhase;

/* n pairs of nodes of the mesh. Before its first phase a bolt is whole: D = 0. */
typedef struct BoltParams {
  const char *name, *where; /* borrowed, as all else, while the object lives */
  double axis[3];           /* unit vector, from behind the cut to what lies ahead */
  int32_t n;
  const int32_t *ahead, *behind;
  int32_t n_phase;
  const BoltPhase *phase;
} BoltParams;

/* What a bolt bears, and how much longer it would be without that: -D. Of the last elasticity_bolts_commit. */
typedef struct BoltSeen {
  double force, elongation;
  bool locked;
} BoltSeen;
int32_t elasticity_bolts(const Elasticity *elasticity);
BoltSeen elasticity_bolt(const Elasticity *elasticity, int32_t i);
/* A step to the time last begun ends at u; before elasticity_commit. Not recordable. */
Status elasticity_bolts_commit(Elasticity *elasticity, const double *u);

/* ---- with contacts.c: the equations are the last switched ones ---- */
/* ERR_INPUT: a node is held along the axis, or on one side alone, or takes part in another constraint. */
Status bolts_create(Elasticity *p, const ElasticityParams *params);
void bolts_release(Elasticity *p);
int32_t bolts_equations(const Elasticity *p);
/* Of one equation each: terms at most. */
int32_t bolts_terms(const Elasticity *p);
/* Writes them behind `at` terms; gives where the next one goes. */
int64_t bolts_fill(const Elasticity *p, int64_t at, EquationTerm *term, Equation *out);
void bolts_switch(const Elasticity *p, uint8_t *on, double *value);
/* Loads and what holds are those of a time; *changed: what holds is other than before. ERR_INPUT: a preload is negative then, or not
 * finite. */
Status bolts_begin(Elasticity *p, double time, bool *changed);
/* Adds the forces of the time to out[n_dof], host, in the solver's order. */
void bolts_load(const Elasticity *p, double *out);
/* What a checkpoint keeps. */
int64_t bolts_bytes(const Elasticity *p);
void bolts_save(const Elasticity *p, void *host);
void bolts_restore(Elasticity *p, const void *host);
