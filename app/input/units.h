/* Units of what is written, from the label `units:` of a case: "SI", or a list of units such as "mm N MPa s K". What
 * the list leaves out is found from a consistent system where it fits one (mm and N give MPa and mJ); nothing is
 * converted. */
#pragma once
#include "app/input/case.h"
#include "app/input/diagnostics.h"
#include "core/unit_kind.h"

enum { UNIT_BYTES = 32 };
/* Empty texts where the label does not say. */
typedef struct Units {
  char text[N_UNIT_KINDS][UNIT_BYTES];
  char second[UNIT_BYTES]; /* the first word that names a kind once more, otherwise */
  UnitKind second_kind;
} Units;

/* Words of the label that name no unit are passed over: it may say anything. Hearts have mm, ms and mV, whatever it
 * says. */
void units_of_case(const Case *c, Units *out);
/* The same of a label alone, without units made of others. */
void units_of_label(const char *label, Units *out);
/* What the label names itself, nothing filled in. */
void units_named(const Case *c, Units *out);
/* Each in SI; degree in K. */
typedef struct UnitBasis {
  double length, time, mass, stress, power, degree;
} UnitBasis;
/* Time is the one that makes the others go together, or seconds where the label leaves it open. False: it leaves length or
 * stress open, and *out is of no use. */
bool units_basis(const Units *units, UnitBasis *out);
/* One of it in SI, 0: not known, or not one of length, time, mass, force, stress, energy and power; which word stands for
 * that, or NULL; and the i-th that there is, 0 behind the last. */
#define UNIT_ROUND_OFF 1e-6
double units_factor(const Units *units, UnitKind kind);
const char *units_word(UnitKind kind, double factor);
double units_each(UnitKind kind, int i);
/* The unit that the next word of the label would be if it had other capitals, "MPa" of "MPA"; NULL: none is left. */
const char *units_misspelt(const char **label, char word[UNIT_BYTES]);
/* units_check.c: warns of these. */
void units_warn(const Case *c);
/* units_check.c: refuses a label whose units do not go together. */
void units_check(const Case *c, Diagnostics *out);
/* "MPa", or NULL where it is not known; a view into `units`. */
const char *units_text(const Units *units, UnitKind kind);
/* "stress" of UNIT_STRESS: how report.json calls it; NULL of UNIT_NONE. */
const char *unit_kind_name(UnitKind kind);
/* " MPa" behind a number, or nothing. */
const char *unit_behind(const Units *units, UnitKind kind, char text[UNIT_BYTES + 1]);
