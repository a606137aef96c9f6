/* What acts on a body of elasticity, by the rows of app/input/acts.def. */
#pragma once
#include "app/setup/act.h"

/* Bits. */
typedef enum ActRole {
  ACT_MOTION = 1,    /* may prescribe a motion */
  ACT_LOAD = 1 << 1, /* drives the body: belongs to one load case, and does not act on the modes of an unloaded body */
  ACT_CAVITY = 1 << 2,    /* prescribes a volume, whose pressure is unknown; at finite strain only */
  ACT_STIFFNESS = 1 << 3, /* is part of the stiffness, which all load cases share */
  ACT_VISCOUS = 1 << 4,   /* resists velocities */
  ACT_ANY = (1 << 5) - 1
} ActRole;

enum { ACT_EXPRS = 6 };
extern const ActTable elastic_acts, elastic_body_acts;
static inline const Act *act_next(const CaseBoundary *b, unsigned roles, const Act *after) {
  return acts_next(&elastic_acts, b, roles, after);
}
/* The expressions of a load or of `fix`, by direction, or of forces and moments about a point; how many. */
int act_exprs(const Act *act, const CaseBoundary *b, const ExprValue *out[ACT_EXPRS]);
/* "stiffness", "mass" or "damping": what it is part of in all load cases and steps. */
static inline const char *act_is_of(const Act *act) {
  return act->load == LOAD_MASS ? "mass" : act->roles & ACT_VISCOUS ? "damping" : "stiffness";
}
/* Whether any entry gives one with one of these roles. */
bool acts_given(const MapsValue *boundary, unsigned roles);
