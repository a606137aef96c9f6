#include "physics/import/cell_plan.h"
#include "physics/import/cell_block.h"
#include "physics/import/cell_sums.h"

#include <math.h>

enum { TRIES = 4 };                                      /* down to 0.006 ms */
static const double FAST[] = {(double)INFINITY, 1, 0.4}; /* 1/ms: states that exchange faster are blocks */

void cell_plan_release(CellPlan *plan) {
  cell_program_release(&plan->step);
  cell_program_release(&plan->rate);
  cell_graph_destroy(&plan->graph);
}

/* Programs and their accuracy, of a graph whose blocks are known. */
static Status plan_fill(CellPlan *plan) {
  CellGraph *c = plan->graph;
  CellBatch alone = {0};
  TRY(cell_trial(c, &plan->trial));
  TRY(cell_program_create(c, CELL_RATE, NULL, &plan->rate)); /* as the file has them */
  TRY(cell_keep_sums(c, plan->trial.stiff));
  TRY(cell_program_create(c, CELL_STEP, plan->trial.stiff, &plan->step));
  TRY(cell_batch_create(&plan->step, c->n_state, &alone));
  plan->accuracy = cell_beat_accuracy(c, &alone, 1);
  cell_batch_release(&alone);
  return OK;
}

/* Steps of 0.05 ms make no beat, or another one than half of them. */
static Status plan_shorten(CellPlan *plan) {
  CellBatch alone;
  TRY(cell_batch_create(&plan->step, plan->graph->n_state, &alone));
  plan->accuracy = cell_beat_accuracy(plan->graph, &alone, TRIES);
  cell_batch_release(&alone);
  return OK;
}

/* *same: there are no blocks. */
static Status plan_one(const CellModel *model, const CellGraphParams *params, double fast, CellPlan *out, bool *same) {
  bool any = false;
  *out = (CellPlan){0};
  Status status = cell_graph_create(model, params, &out->graph);
  if (status == OK && isfinite(fast)) status = cell_block_find(out->graph, fast, &any);
  *same = isfinite(fast) && !any;
  if (status == OK && !*same) status = plan_fill(out);
  if (status != OK || *same) cell_plan_release(out);
  return status;
}

Status cell_plan_create(const CellModel *model, const CellGraphParams *params, CellPlan *out) {
  bool same;
  TRY(plan_one(model, params, FAST[0], out, &same));
  for (size_t k = 1; k < sizeof FAST / sizeof *FAST && out->accuracy.longest < CELL_STEP_TRIED; ++k) {
    CellPlan other;
    const Status status = plan_one(model, params, FAST[k], &other, &same);
    if (status == ERR_INPUT) status_clear(); /* blocks that need more numbers at once than there is room for */
    else if (status != OK) cell_plan_release(out);
    if (status != OK && status != ERR_INPUT) return status;
    if (status != OK || same) continue;
    if (other.accuracy.longest > out->accuracy.longest) {
      const CellPlan t = *out;
      *out = other, other = t;
    }
    cell_plan_release(&other);
  }
  return out->accuracy.longest > 0 ? OK : plan_shorten(out);
}
