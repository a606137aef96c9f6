/* A program for one cell alone: operations that are alike and ready at the same time stand in a row, so that what decides
 * which operation is next is done once for all of them, and so that compilers make vectors of each row. Every operation
 * has a place of its own for its result; the arithmetic is that of the program (physics/ionic_ops.def). */
#pragma once
#include "physics/ionic_program.h"
#include "core/status.h"

#include <stdbool.h>

enum {
  CELL_BATCH_VALUES = 8192, /* that a batch works on at most: they lie on the stack */
  CELL_BATCH_WIDTH = 4      /* operations of a vector */
};

/* n operations: results at to .. to + n - 1; the first operands at place[from] .. place[from + n - 1], behind them the
 * second ones, and the third. */
typedef struct CellRow {
  int32_t op, n, to, from;
  bool
      is_call; /* of the C library, which no vector has; else n is a multiple of CELL_BATCH_WIDTH, filled up by the last */
} CellRow;

/* Values: constants, V, stimulus, states, results. */
typedef struct CellBatch {
  int32_t n_row, n_value, n_constant, n_state;
  CellRow *row;                /* owned, [n_row]; none: there are too many values, and the program runs as it is */
  uint16_t *place;             /* owned, of operands */
  double *constant;            /* owned, [n_constant] */
  int32_t *store;              /* owned, [n_state] which value the state becomes; -1: none */
  int32_t force, slope;        /* values that f and df/dV are; -1: none */
  const IonicProgram *program; /* borrowed */
} CellBatch;

Status cell_batch_create(const IonicProgram *program, int n_state, CellBatch *out);
void cell_batch_release(CellBatch *batch);
/* One cell; returns f. from and to: [n_state], which may be the same. */
double cell_batch_run(const CellBatch *batch, const double *from, double *to, double V, double stimulus, double dt,
                      double *by_V);
