/* A new result takes the place of an old one. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* With its first whole step the files of a new result get their names. In this order, so that a run that is killed
 * anywhere leaves the old result, or one that report.json calls running:
 *   report.json.new, durable; old checkpoints go; report.json (`report`, or none where that is NULL); filaments.csv,
 *   modes.csv, the tables that the old report.json names and what is in torso/ and modes/ go, which belong to the old result; results.xdmf and probes.csv go; results.hdf.new becomes
 *   results.hdf, probes.csv.new becomes probes.csv
 * *touched: something of the old result is gone, also on failure. ERR_IO. */
Status result_publish(const char *folder, const char *report, bool *touched);
