/* A case that is run in passes, each on a mesh that follows the error of the last (the block `adapt:`). */
#pragma once
#include "app/run/run.h"

/* The passes of a run; the driver adds what it finds, and the mesh and the report end it. */
typedef struct Adapt {
  RunPass pass[ADAPT_PASSES];
  int n;               /* finished */
  uint64_t first_mesh; /* hash; 0: not known yet */
  double *value;       /* owned, [n][columns of probes.csv]: at the end of each */
  double *part; /* owned, of solved elements of the mesh of this pass: squares of errors over that of the solution */
  double goal, bound;       /* of the error of the probe, signed, and by the norms of elements; NAN: no dual solution */
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
/* Behind adapt_add, where the probe that is asked for has a dual solution z: share[n] of u as above, plus and minus of u + scale z
 * and of u - scale z. The error of the probe is the sum over elements of the product of the errors of u and z in energy, which is (plus -
 * minus) / (4 scale): polarization, since the estimate is a square of what is linear in u (M. Ainsworth and J. T. Oden, A Posteriori
 * Error Estimation in Finite Element Analysis, 2000, chapter 8). Sizes then follow the products of the norms. */
typedef struct AdaptGoal {
  const double *share, *plus, *minus;
  double scale; /* over what a product of errors is of a share */
} AdaptGoal;
void adapt_add_goal(Run *run, int64_t n, const AdaptGoal *of);
/* Whether the case asks for a probe whose dual solution a driver may have; *probe: its place among the probes. */
bool adapt_wants_goal(const Run *run, int32_t *probe);
/* At the end of a pass, while the mesh is there: its row, and where it goes on the sizes of the next mesh. */
Status adapt_end(Run *run);
