/* States whose sum stays, such as the shares of channels that are closed, open and inactivated. */
#pragma once
#include "physics/import/cell_graph.h"

typedef struct CellSums {
  int n;       /* sets */
  uint8_t *in; /* owned, [n][n_state] is a state one of the set? */
} CellSums;

/* Sets of states, from 0 to 1 at first, whose rates sum to nothing wherever the cell is. */
Status cell_sums_find(CellGraph *cell, CellSums *out);
void cell_sums_release(CellSums *sums);
/* Steps of each by its own decay, as gates and stiff states have them, would not keep such a sum: the largest is then drawn to what the
 * others leave of it, at 1/ms. Nothing changes where the sum is that of the initial state, and a block keeps it by itself. stiff:
 * [n_state], as CellTrial has it. */
Status cell_keep_sums(CellGraph *cell, bool *stiff);
