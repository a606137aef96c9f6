/* Units of what is written, from the label `units:` of a case: "SI", or a list of units such as "mm N MPa s K". What
 * the list leaves out is found from a consistent system where it fits one (mm and N give MPa and mJ); nothing is
 * converted. */
#pragma once
#include "app/input/case.h"

typedef enum UnitKind {
  UNIT_NONE,
  UNIT_LENGTH,
  UNIT_TIME,
  UNIT_MASS,
  UNIT_FORCE,
  UNIT_STRESS,
  UNIT_ENERGY,
  UNIT_POWER,
  UNIT_TEMPERATURE,
  UNIT_FLUX,
  UNIT_FREQUENCY,
  UNIT_ANGLE,
  UNIT_POTENTIAL,
  UNIT_VELOCITY,
  UNIT_ACCELERATION,
  UNIT_AREA,
  UNIT_VOLUME,
  UNIT_INERTIA, /* mass length^2 */
  N_UNIT_KINDS
} UnitKind;

enum { UNIT_BYTES = 32 };
/* Empty texts where the label does not say. */
typedef struct Units {
  char text[N_UNIT_KINDS][UNIT_BYTES];
} Units;

/* Words of the label that name no unit are passed over: it may say anything. Hearts have mm, ms and mV, whatever it
 * says. */
void units_of_case(const Case *c, Units *out);
/* "MPa", or NULL where it is not known; a view into `units`. */
const char *units_text(const Units *units, UnitKind kind);
/* "stress" of UNIT_STRESS: how report.json calls it; NULL of UNIT_NONE. */
const char *unit_kind_name(UnitKind kind);
/* " MPa" behind a number, or nothing. */
const char *unit_behind(const Units *units, UnitKind kind, char text[UNIT_BYTES + 1]);
/* Of a field of results.hdf by its name; UNIT_NONE where it has none. */
UnitKind unit_kind_of_field(const char *field);
