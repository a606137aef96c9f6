/* A case that is run in passes, each on a mesh that follows the error of the last (the block `adapt:`). */
#pragma once
#include "app/run/run.h"

/* The passes of a run; the driver adds what it finds, and the mesh and the report end it. */
typedef struct Adapt {
  RunPass pass[ADAPT_PASSES];
  int n;               /* finished */
  uint64_t first_mesh; /* hash; 0: not known yet */
  double *part; /* owned, of solved elements of the mesh of this pass: squares of errors over that of the solution */
  const char *sizes;        /* where the sizes for the next mesh go */
  bool reached, full, last; /* the error that is asked for; the elements that are allowed; no other pass follows */
  double aim;               /* the error that the mesh of this pass was made for; 0: none */
  double began;             /* of this pass, on clock_seconds */
} Adapt;

/* Passes of run_case until the error is as asked for, passes or elements are used up, or one fails. */
Status adapt_case(const Case *c, const RunParams *params, RunReport *report,
                  Status (*run_once)(const Case *, const RunParams *, RunReport *));
/* Is this a later pass? What holds for all was said in the first. */
bool adapt_goes_on(const Run *run);
/* Of the first pass, by which --resume knows the result of the last. */
uint64_t adapt_mesh_hash(const Run *run);
/* Of a driver: errors of a solution, share[n] by element in energy, whose sum and `square` make the energy of the whole. */
Status adapt_add(Run *run, int64_t n, const double *share, const double *square);
/* At the end of a pass, while the mesh is there: its row, and where it goes on the sizes of the next mesh. */
Status adapt_end(Run *run);
