/* What acts on a body, by the rows of app/input/acts.def: whoever asks of an entry of `boundary:` what is in it loops over them. */
#pragma once
#include "app/input/case.h"
#include "app/setup/setup.h"
#include "assembly/space/load.h"

/* Bits. */
typedef enum ActRole {
  ACT_MOTION = 1,    /* may prescribe a motion */
  ACT_LOAD = 1 << 1, /* drives the body: belongs to one load case, and does not act on the modes of an unloaded body */
  ACT_CAVITY = 1 << 2,    /* prescribes a volume, whose pressure is unknown; at finite strain only */
  ACT_STIFFNESS = 1 << 3, /* is part of the stiffness, which all load cases share */
  ACT_VISCOUS = 1 << 4,   /* resists velocities */
  ACT_ANY = (1 << 5) - 1
} ActRole;

enum { NO_LOAD = -1, ACT_EXPRS = 3, ACT_NAMES = 256 };
typedef struct Act {
  const char *key;
  ValueType type;
  size_t offset; /* in CaseBoundary */
  int load;      /* LoadKind that its value becomes; NO_LOAD: none, or one that is made otherwise */
  GroupUse on;
  unsigned roles;
} Act;

extern const Act act_rows[];
extern const int32_t n_act_rows;

/* The next row behind `after` (NULL: the first) with one of the roles that the entry gives; NULL: none is left. */
const Act *act_next(const CaseBoundary *b, unsigned roles, const Act *after);
Place act_place(const Act *act, const CaseBoundary *b);
/* The value of a row that becomes a load; n 0: it is not given. */
ExprsValue act_value(const Act *act, const CaseBoundary *b);
/* The expressions of a load or of `fix`, by direction; how many. */
int act_exprs(const Act *act, const CaseBoundary *b, const ExprValue *out[ACT_EXPRS]);
/* Whether any entry gives one with one of these roles. */
bool acts_given(const MapsValue *boundary, unsigned roles);
/* "fix, traction, pressure": the keys with one of the roles. Returns `text`. */
const char *acts_names(unsigned roles, char text[ACT_NAMES]);
