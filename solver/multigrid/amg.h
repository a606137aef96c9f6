/* Inside of the preconditioner `amg`: smoothed aggregation. amg.c is the PrecondType and explains the method,
 * amg_coarsen.c finds out what the next level looks like, amg_numeric.c computes it. */
#pragma once
#include "solver/multigrid/aggregation.h"
#include "solver/multigrid/amg_product_rows.h"
#include "solver/multigrid/multigrid.h"
#include "solver/precond/precond.h"

/* Slots of a Mat on the Exec, owned. */
typedef struct AmgPlaces {
  AmgSlots view;
  int64_t *slot, *row_step;
  int64_t n_slot, n_row_step;
} AmgPlaces;

/* A level as the setup sees it; the same index in Multigrid has what the cycle needs. All but the graph on the Exec. */
typedef struct AmgLevel {
  int32_t n, s;    /* nodes, scalars per node */
  int32_t n_node;  /* those of other ranks too, which rows read, */
  int64_t n_whole; /* and those of all */
  ExecGraph
      a; /* owned, as is all below; with rows but on level 0, where it may be borrowed from the matrix (amg_sees) */
  AmgPlaces
      /* of the level's Mat where that lists slots; on level 0 of the matrix of the system where `a` is not borrowed */
      places;
  double *value; /* A'' [a.n_entry][s][s], during a setup only and where `a` is not borrowed, */
  double *modes; /* and near-null vectors [n][s][m] */
  /* to the next level; the transfer has P and P^T */
  Aggregates aggregates;
  uint8_t *live; /* [n], bit r: scalar r is coupled to others */
  int32_t *part; /* [n], of level l > 0: which part of the body (RigidPlaces); NULL: there is one, or ranks share it */
  GraphHalo p_rows; /* rows of P that other ranks have */
  ExecGraph ap;     /* A P, with rows; without arrays where it is found part by part (n_part > 1) */
  int32_t
      n_part; /* in which A P is made, so that only one of them is there at a time. More than one on level 0: A'' is put
                            away for as long as the levels are made */
  /* Where P^T goes piece by piece (pieces.h): the upper half of what each piece gives to P^T A P, own pieces first */
  ExecGraph upper;
  int64_t n_upper;      /* entries of the own ones */
  GraphHalo upper_rows; /* of the others */
} AmgLevel;

typedef struct Amg {
  Multigrid mg;
  AmgLevel level[MG_LEVELS];
  int32_t n_level, m;    /* m modes */
  bool built;            /* the structure is there: a setup with new values keeps it */
  void *near_null;       /* owned, [m][n], on the Exec, in the precision of the cycle; NULL: amg_modes knows them */
  double *fold;          /* owned, for eigenvalue_bound_estimate */
  double *dropped;       /* owned, [MG_LEVELS] on the Exec: pivots of each level that were not positive */
  int32_t n_dropped;     /* of all levels, in this setup */
  double part_bytes;     /* that A P may take at a time */
  const SumParts *parts; /* during a setup: what sums of level 0 go over. NULL: its rows */
  int64_t most_mirrored; /* numbers of P beyond which P^T is not stored too */
} Amg;

enum { AMG_STRENGTH, AMG_DEGREE_OF_CYCLE, AMG_SMOOTHER, AMG_BOTTOM, AMG_N_PARAM };

/* Whether the numbers of `mat` can be read where they are: SBELL in slices of a power of two. */
bool amg_sees(const Mat *mat);
/* Blocks of level l: A'', or those of the matrix of the system where level 0 borrows them and `exact`. */
AmgBlocks amg_blocks(const Precond *m, int32_t l, bool exact);
/* Where `mat` keeps its entries, in the order of its pattern of n_entry blocks. */
Status amg_places_upload(Exec *exec, const Mat *mat, int64_t n_entry, AmgPlaces *out);
void amg_level_release(Exec *exec, AmgLevel *level, int32_t m);

/* amg_coarsen.c: aggregates of level l from its numbers, all structure of level l + 1 but its matrix, and the matrix of
 * level l > 0 without numbers. *coarser false: too few nodes
 * could be put together; there is no next level then. */
Status amg_coarsen(Precond *m, int32_t l, bool *coarser);
/* Level 0 among ranks that share it; NULL: all of it is here. */
const Halo *amg_halo(const Precond *m, int32_t l);
/* amg_pieces.c, where the transfer of level l has pieces: the graph of P^T A P into *next, from that of A P. */
Status amg_pieces_graph(Precond *m, int32_t l, ExecGraph *next);
/* T and R in place of modes: `g` as in amg_numeric.c. */
Status amg_pieces_orthonormal(Precond *m, int32_t l, double *g);
/* P^T A P from what pieces [upper entries][m][m] of this rank have, which is put away. */
Status amg_pieces_join(Precond *m, int32_t l, double **piece);
/* A'' of level 0 as the cycle reads it, where it is not there. */
Status amg_copy(Precond *m);
/* amg_numeric.c: numbers of level 0, those of level l + 1 from level l, and of the last level. */
Status amg_numeric_begin(Precond *m);
Status amg_numeric_next(Precond *m, int32_t l);
Status amg_numeric_end(Precond *m);
/* Entries of all levels over those of the first one, after a setup. */
double amg_complexity(const Precond *m);
