/* Units behind the numbers of the summary, where the case names them (`units: mm, N, MPa`). The program calculates in any consistent
 * system and believes the label. */
#pragma once
#include "app/case.h"

enum { UNIT_BYTES = 24 };
/* Of column i of probes.csv (probes, then sums; in a heart leads and velocities); "" where it has none or nobody says. */
const char *unit_of_column(const Case *c, int32_t i, char text[UNIT_BYTES]);
const char *unit_of_energy(const Case *c, char text[UNIT_BYTES]);
const char *unit_of_time(const Case *c, char text[UNIT_BYTES]);
