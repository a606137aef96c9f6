/* States that exchange quickly with each other, such as free calcium and what binds it, or the states of a channel: each by its
 * own decay, they would lose what is on its way between them. Such states are a block and step together. */
#pragma once
#include "physics/import/cell_graph.h"

/* Fills cell->block by a beat that is tried: states that exchange at the rate `fast`, 1/ms, or faster are of one block. Gates among them
 * are gates no more, which changes the order of the states. *any: is there a block? */
Status cell_block_find(CellGraph *cell, double fast, bool *any);
/* next[j] of the states j of a block after a step of h: s + h phi(h J) g with their rates g, the derivatives J of those among
 * themselves, and phi(z) = (1 + (b - 3 c^2) z + c^3 z^2) / (1 - c z)^3, c = 1 - sqrt(2/3), b = 1/2 - 3 c + 3 c^2: one matrix, three
 * solves. Of order 2 for constant potential; 1 + z phi(z) goes to 0 for stiff z and is nowhere negative for z < 0, so that what is
 * in quick equilibrium stays above 0 (a Rosenbrock method: Hairer and Wanner, Solving Ordinary Differential Equations II,
 * section IV.7). map: gates by their next values, as graph_replace has it. */
Status cell_block_step(CellGraph *cell, int block, int32_t *map, int32_t *next);
/* The same of all states that are no gates, of a model of tension: one step of backward Euler of their equations linear about where they are,
 * s + (1/h - J)^-1 g, with h the node `step`. Shares that exchange at rates which they do not change stay shares whatever h is. */
Status cell_block_euler(CellGraph *cell, int32_t step, int32_t *map, int32_t *next);
