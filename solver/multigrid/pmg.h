/* Inside of the preconditioner `pmg`. pmg.c is the PrecondType and explains the method, pmg_numeric.c computes the
 * matrix of the next lower order. */
#pragma once
#include "solver/multigrid/amg.h"
#include "solver/multigrid/multigrid.h"
#include "solver/multigrid/pmg_share.h"
#include "solver/precond/precond.h"

typedef struct Pmg {
  Multigrid mg;   /* this order, and `below` */
  Precond *below; /* owned: the next lower order, or what is below the lowest one */
  Mat *coarse;    /* owned, double: the matrix of the next lower order; NULL: there is none, `below` does it all */
  int32_t B, map_block; /* scalars per node; blocks of the interpolation are numbers (1) or matrices */
  PmgShare share;       /* owned: the nodes of lower order on several ranks */
  void *result;         /* owned, on several ranks: what is below gives, with the halo; NULL: it is read where it is */
  double entries[2];    /* of the two matrices, on all ranks */
  /* on the Exec, owned */
  AmgPlaces places, coarse_places; /* of the two matrices */
  ExecGraph a, ap, next;           /* graphs of A, A P (with rows of others), P^T A P */
  int64_t n_map;                   /* numbers in */
  double *map;                     /* the interpolation as given */
  uint8_t *live, *coarse_live;     /* per node, halo included, bit r: scalar r takes part */
  double *fold;                    /* for eigenvalue_bound_estimate */
} Pmg;

enum { PMG_SMOOTHER, PMG_CYCLE, PMG_BOTTOM, PMG_BELOW, PMG_N_PARAM };

/* What is below, recorded; the context is the Precond. */
Status pmg_below(void *context);
/* All numbers again from the values of the matrix, those of `below` too. */
Status pmg_numeric(Precond *m);
