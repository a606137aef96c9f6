/* Inside of the preconditioner `pmg`. pmg.c is the PrecondType and explains the method, pmg_numeric.c computes the
 * matrix of the next lower order. */
#pragma once
#include "solver/multigrid/amg.h"
#include "solver/multigrid/multigrid.h"
#include "solver/precond/precond.h"

typedef struct Pmg {
  Multigrid mg;   /* this order, and `below` */
  Precond *below; /* owned: the next lower order, or what is below the lowest one */
  Mat *coarse;    /* owned, double: the matrix of the next lower order; NULL: there is none, `below` does it all */
  int32_t B, map_block; /* scalars per node; blocks of the interpolation are numbers (1) or matrices */
  /* on the Exec, owned */
  AmgPlaces places, coarse_places; /* of the two matrices */
  ExecGraph a, ap, next;           /* graphs of A, A P, P^T A P */
  int64_t n_map;                   /* numbers in */
  double *map;                     /* the interpolation as given */
  uint8_t *live, *coarse_live;     /* per node, bit r: scalar r takes part */
  double *fold;                    /* for spectrum_estimate */
} Pmg;

enum { PMG_SMOOTHER, PMG_CYCLE, PMG_BOTTOM, PMG_BELOW, PMG_N_PARAM };

/* All numbers again from the values of the matrix, those of `below` too. */
Status pmg_numeric(Precond *m);
