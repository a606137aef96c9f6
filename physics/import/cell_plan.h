/* How a model from a file is stepped: the cheapest way whose durations hold at steps of 0.05 ms, by beats that are tried. */
#pragma once
#include "physics/import/cell_beat.h"
#include "physics/import/cell_trial.h"

typedef struct CellPlan {
  CellGraph *graph;        /* owned */
  CellTrial trial;         /* stiff by the order of `graph` */
  IonicProgram rate, step; /* owned; rate: of the model as its file has it */
  CellAccuracy accuracy;
} CellPlan;

/* ERR_INPUT as cell_graph_create and cell_program_create. */
Status cell_plan_create(const CellModel *model, const CellGraphParams *params, CellPlan *out);
void cell_plan_release(CellPlan *plan);
