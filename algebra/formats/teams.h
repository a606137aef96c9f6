/* Threads of a GPU's warp that share a row or a segment: how many are asked for, and how long the rows are that decide
 * where nothing is asked for. */
#pragma once
#include "algebra/pattern.h"

enum { TEAM_WARP = 32 };
/* Eight of a warp's threads on the CPU (algebra/formats/team_lanes.tmpl.h). */
typedef double TeamLanes __attribute__((vector_size(64), aligned(8), may_alias));

/* ERR_INPUT unless `threads` is a power of two up to `most`, or 0 (chosen by the format). */
static inline Status team_check(int32_t threads, int32_t most) {
  CHECK(threads >= 0 && threads <= most && (threads & (threads - 1)) == 0, ERR_INPUT,
        "threads is %d, must be a power of two from 1 to %d (0: chosen)", threads, most);
  return OK;
}

/* Scalar entries of a row on average. */
static inline double pattern_mean(const Pattern *pattern) {
  return pattern->n > 0 ? (double)pattern_entries(pattern) * pattern->block / pattern->n : 0;
}
