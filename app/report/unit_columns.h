/* Units behind the numbers of the summary, where the case names them (`units: mm, N, MPa`), by app/input/units.h. */
#pragma once
#include "app/input/units.h"

/* Of column i of probes.csv (probes, then sums; in a heart leads and velocities); "" where it has none or nobody says.
 * The text is a view into `units` or a constant. */
const char *unit_of_column(const Case *c, const Units *units, int32_t i);
