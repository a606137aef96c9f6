/* States whose sum stays, such as the shares of channels that are closed, open and inactivated. */
#pragma once
#include "physics/import/cell_graph.h"

/* Finds sets of states, from 0 to 1 at first, whose rates sum to nothing wherever the cell is. Steps of each by its own decay, as gates
 * and stiff states have them, would not keep the sum: the largest is then drawn to what the others leave of it, at 1/ms. Nothing
 * changes where the sum is that of the initial state. stiff: [n_state], as CellTrial has it. */
Status cell_keep_sums(CellGraph *cell, bool *stiff);
