/* A beat by the steps that a run will take, and by half of them: how far durations are off. */
#pragma once
#include "physics/import/cell_batch.h"
#include "physics/import/cell_graph.h"

#define CELL_STEP_TRIED 0.05 /* ms */

typedef struct CellAccuracy {
  bool beat;     /* was there a beat, up from below 0 mV and back within a second? */
  double change; /* of APD90 by steps of `tried` against tiny ones, a part; 0 without a beat */
  double tried;  /* ms */
  double
      longest; /* ms: longer steps change APD90 by more than 0.5 %, and more than a step; 0: none that was tried agrees with half of it */
  double peak; /* mV, by steps of `tried` */
} CellAccuracy;

/* From the initial state, by a stimulus of 52 mV/ms for 1 ms, of two and four times that where it starts no beat. Steps of
 * CELL_STEP_TRIED are tried, then, `tries` in all, half as long ones, until half of the step makes the same beat. A potential that is no
 * number, or ends beyond 60 mV, is no beat. step: of CELL_STEP. */
CellAccuracy cell_beat_accuracy(const CellGraph *cell, const CellBatch *step, int tries);
