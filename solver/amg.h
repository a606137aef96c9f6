/* Inside of the preconditioner `amg`: smoothed aggregation. amg.c is the PrecondType and explains the method, amg_coarsen.c
 * finds out what the next level looks like, amg_numbers.c computes it. */
#pragma once
#include "solver/aggregation.h"
#include "solver/amg_rows.h"
#include "solver/multigrid.h"
#include "solver/precond.h"

/* Slots of a Mat on the Exec, owned. */
typedef struct AmgPlaces {
  AmgSlots view;
  int64_t *slot, *row_step;
  int64_t n_slot, n_row_step;
} AmgPlaces;

/* A level as the setup sees it; the same index in Multigrid has what the cycle needs. All but the graph on the Exec. */
typedef struct AmgLevel {
  int32_t n, s;        /* nodes, scalars per node */
  BlockGraph graph;    /* owned, host; kept until the next level is known */
  ExecGraph a;         /* owned, as is all below; with rows but on level 0 */
  AmgPlaces places;    /* of the level's Mat; on level 0 of the matrix of the system */
  double *value;       /* A'' [a.n_entry][s][s], during a setup only, */
  double *modes;       /* and near-null vectors [n][s][m] */
  /* to the next level; the transfer has P and P^T */
  Aggregates aggregates;
  uint8_t *live;         /* [n], bit r: scalar r is coupled to others */
  ExecGraph ap;          /* A P, with rows */
} AmgLevel;

typedef struct Amg {
  Multigrid mg;
  AmgLevel level[MG_LEVELS];
  int32_t n_level, m;    /* m modes */
  bool built;            /* the structure is there: a setup with new values keeps it */
  double *near_null;     /* owned, [m][n], on the Exec */
  double *fold;          /* owned, for spectrum_estimate */
  int32_t n_dropped;     /* pivots in this setup that were not positive */
} Amg;

enum { AMG_STRENGTH, AMG_DEGREE_OF_CYCLE, AMG_SMOOTHER, AMG_BOTTOM, AMG_N_PARAM };

/* Where `mat` keeps its entries, in the order of its pattern of n_entry blocks. */
Status amg_places_upload(Exec *exec, const Mat *mat, int64_t n_entry, AmgPlaces *out);
void amg_level_release(Exec *exec, AmgLevel *level, int32_t m);

/* amg_coarsen.c: aggregates of level l from its numbers, all structure of level l + 1 but its matrix, and the matrix of
 * level l > 0 without numbers. *coarser false: too few nodes
 * could be put together; there is no next level then. */
Status amg_coarsen(Precond *m, int32_t l, bool *coarser);
/* amg_numbers.c: numbers of level 0, those of level l + 1 from level l, and of the last level. */
Status amg_numbers_begin(Precond *m);
Status amg_numbers_next(Precond *m, int32_t l);
Status amg_numbers_end(Precond *m);
/* An upper bound of the spectrum of level l's matrix. */
Status amg_bound(Precond *m, int32_t l);
/* Entries of all levels over those of the first one, after a setup. */
double amg_complexity(const Precond *m);
