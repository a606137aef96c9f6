/* Where an iteration with a multigrid cycle goes: kernel by kernel and level by level. */
#pragma once
#include "bench/bench.h"

/* Beside the problems of measure.h: that of each step of a bidomain, scalar on tetrahedra, 0.53 M rows. */
#define CYCLE_POTENTIAL "potential"

/* `sinew bench multilevel --part cycle`: one solve of each mesh that --only wants, at --percent of its edge lengths,
 * with smoothed aggregation in float, half and 8 bits (the potential in the first two) under a Profile; prints launches and
 * time per iteration for each kernel and number of rows, so each level has lines of its own, and writes JSON. */
Status cycle_phases(Exec *exec, const BenchParams *params, FILE *out);
