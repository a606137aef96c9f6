/* Cells paced before a run, each alone, until they have forgotten where they began: what the run begins with. It takes
 * seconds for a model of many states and always ends in the same numbers, which therefore are stored and found again by
 * a hash of all that made them: model, parameters, protocol, and the cell after the first beat, by which other
 * equations and other mathematical libraries are told. They lie in $SINEW_CACHE, or sinew/ in $XDG_CACHE_HOME or in
 * .cache of the home; where nothing can be written, each run paces its cells again. */
#pragma once
#include "app/input/case.h"
#include "app/monodomain/single_cell.h"

#define PREPACE_STEP 0.01 /* ms */

typedef struct Prepace {
  CellPacing pacing;
  double cycle; /* ms */
  int64_t beats;
} Prepace;

/* Of a case that has `prepace:`. */
Prepace prepace_of(const Case *c);
/* ERR_INPUT: cells from a file that want shorter steps. */
Status prepace_check_step(const IonicConstants *cells, double step);
/* The cell, which is where it starts, goes on to the end of the last beat; *stored: the store had it. Warns where a
 * stimulus starts no beat. ERR_MEMORY; ERR_NUMERIC with the tissue. */
Status prepace_cell(const Prepace *prepace, const char *tissue, SingleCell *cell, bool *stored);
