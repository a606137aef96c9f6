/* Which result, field and stored time a command line selects, for sinew plot and sinew convert. */
#pragma once
#include "output/read.h"

/* The folder with results.hdf in it: FOLDER, its results/ or only results-NAME/, that of a case, or that of the file itself; owned.
 * ERR_IO, also where there are several. */
Status result_folder(const char *given, char **out);
/* The same, or that of a circulation alone, which leaves loops.csv and no fields. */
Status result_or_tables_folder(const char *given, char **out);
/* Of nodes, else of cells; NULL: there is none. */
const ResultField *result_named(const Result *result, const char *name);
/* ERR_USAGE with the fields that there are. */
Status result_unknown_field(const Result *result, const char *name);
/* Step (from 1) `step`, or the stored time next to the text `time`; neither (0, NULL): `otherwise`. *out from 0. */
Status result_choose_step(const Result *result, int step, const char *time, int64_t otherwise, int64_t *out);
