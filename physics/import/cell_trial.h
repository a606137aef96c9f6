/* A beat of a cell from its initial state, to learn what its formulas do not tell. */
#pragma once
#include "physics/import/cell_program.h"

typedef struct CellTrial {
  bool stiff[IONIC_IMPORTED_STATES]; /* which states, no gates, decay too fast for forward Euler */
  double max_slope, front_slope;     /* as IonicType has them, 1/ms */
} CellTrial;

Status cell_trial(CellGraph *cell, CellTrial *out);
/* How fast states exchange: exchange[j n_state + k], 1/ms, becomes at least the root of the largest product of d(ds_j/dt)/ds_k and
 * d(ds_k/dt)/ds_j, which does not depend on units. */
Status cell_trial_exchange(CellGraph *cell, double *exchange);
