/* Shared by multigrid.c and multigrid_cycle.c. */
#pragma once
#include "solver/multigrid/multigrid.h"
#include "solver/multigrid/multigrid_rows.h"

enum { MG_DENSE_PARTS = 32 /* of a row of the inverse, each a row of a launch */ };

/* What sums of level l go over, in place of what is returned. */
static inline const SumParts *mg_sum_over(const Multigrid *mg, int32_t l) {
  return exec_sum_over(mg->exec, mg->level[l].whole ? NULL : mg->exec->parts);
}
