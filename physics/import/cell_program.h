/* Programs of the equations of a cell (physics/ionic_program.h). */
#pragma once
#include "physics/import/cell_graph.h"

typedef enum CellProgramKind {
  CELL_STEP,   /* states go on, f and df/dV with them; gates by Rush and Larsen, stiff states by their decay */
  CELL_RATE,   /* ds/dt of the states in their place; f and df/dV of states as they are */
  CELL_DECAY,  /* how fast states decay that are no gates, in their place */
  CELL_TENSION /* of a model of tension (physics/tension_program.h) */
} CellProgramKind;

/* stiff: [n_state], NULL: all of them; of CELL_STEP alone. Adds nodes to the graph. step and constant are owned by the caller
 * (cell_program_release). ERR_INPUT: it needs more than IONIC_REGISTERS, where stiff is NULL IONIC_REGISTERS_HOST; of a
 * tension TENSION_REGISTERS. */
Status cell_program_create(CellGraph *cell, CellProgramKind kind, const bool *stiff, IonicProgram *out);
void cell_program_release(IonicProgram *program);
/* One cell; returns f. from and to: [n_state], not the same. physics/import/cell_batch.h is faster. */
double cell_program_run(const IonicProgram *program, const double *from, double *to, double V, double stimulus,
                        double dt, double *by_V);
