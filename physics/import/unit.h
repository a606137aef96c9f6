/* Units of imported models: powers of the seven of the SI and a factor. A unit that is not given fits any other. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { UNIT_BASES = 7, UNIT_TEXT = 96 }; /* kg, m, s, A, K, mol, cd */

typedef struct Unit {
  bool known; /* false: not given */
  double factor;
  double power[UNIT_BASES];
} Unit;

Unit unit_one(void); /* dimensionless */
/* "mS/uF", "g*m^2/s", "1", "1/ms", "m (12)" into *out. False: *bad [*n_bad] is what is not a unit. */
bool unit_parse(const char *text, int n, Unit *out, const char **bad, int *n_bad);
/* A name with its prefix, such as "mV"; of CellML too ("millivolt" is not: prefix apart). */
bool unit_named(const char *name, int n, Unit *out);
Unit unit_product(Unit a, Unit b, double power_of_b);
/* Where both are known: the same powers, and the same factor to 1e-9. */
bool unit_fits(Unit a, Unit b);
bool unit_same_powers(Unit a, Unit b);
/* "[mV]" where it is a common one, else powers such as "[1e-3 kg m2 s-3 A-1]". Returns text. */
const char *unit_text(Unit unit, char text[UNIT_TEXT]);
