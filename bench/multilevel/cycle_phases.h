/* Where an iteration with a multigrid cycle goes: kernel by kernel and level by level. */
#pragma once
#include "bench/bench.h"

/* `sinew bench multilevel --part cycle`: one solve of each mesh that --only wants, at --percent of its edge lengths,
 * with smoothed aggregation in float, half and 8 bits under a Profile; prints launches and time per iteration for each
 * kernel and number of rows, so each level has lines of its own, and writes JSON. */
Status cycle_phases(Exec *exec, const BenchParams *params, FILE *out);
