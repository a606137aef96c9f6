/* One multigrid cycle on an Exec, whatever the hierarchy: a builder (amg.c) fills levels and transfers, this applies
 * them. multigrid.c has levels and what they store, multigrid_cycle.c records the cycle. On every level the diagonal
 * blocks of the matrix are 1, the scaling is part of the transfers. Recorded like any other step of a solver, so that a
 * preconditioned iteration is one graph. */
#pragma once
#include "algebra/graph/block_graph.h"
#include "algebra/krylov_scalars.h"
#include "algebra/mat.h"
#include "solver/multigrid/pieces.h"
#include "solver/multigrid/smoother.h"

typedef struct Precond Precond;
typedef struct MgKrylov MgKrylov;

enum { MG_LEVELS = 16 };

/* P from a coarse level to a fine one, in blocks of fine x coarse scalars, and P^T, which is stored too so that
 * restriction needs no atomics. Blocks by rows: three threads of a node (six of a coarse one) read blocks side by
 * side. */
typedef struct MgTransfer {
  Exec *exec; /* borrowed */
  Precision precision;
  int32_t fine, coarse;    /* scalars per node on either side */
  ExecGraph p, transposed; /* P may have rows of other ranks behind its own, P^T has the own ones */
  MgPieces *pieces;        /* owned: P^T is applied piece by piece, with other ranks; NULL: row by row */
  double *parcel;          /* [parcels of all][coarse] */
  int64_t n_segment;
  int64_t *source, *segment, *row_segment; /* segments of the rows of P^T, or of their pieces: a row of a launch each */
  void *value, *transposed_value; /* the latter NULL: restriction gathers blocks of P, slower, with half the memory */
  double *partial;
  const struct Halo *halo; /* borrowed: brings rows of others that are restricted; NULL: none are */
} MgTransfer;
/* The graphs of P (fine nodes by coarse nodes) and of P^T, with the block of P that each of its blocks is, all on the Exec, are taken
 * from their owner, who has none afterwards, failures too. P^T may lack columns of P, whose rows other ranks have. Values are zero. */
Status mg_transfer_create(Exec *exec, Precision precision, ExecGraph *p, ExecGraph *transposed, int64_t **source,
                          int32_t size, MgTransfer **out);
/* What is known of a transfer besides its graph. The last rows of P may be those of other ranks. */
typedef struct MgTransferShape {
  Precision precision;
  int32_t n_coarse, fine, coarse;
  int32_t n_ghost_row;   /* of other ranks, with */
  int64_t n_ghost;       /* so many blocks */
  const SumParts *parts; /* of fine nodes, by which what all ranks restrict is added up; NULL: row by row */
} MgTransferShape;
/* The same from a graph that is on the Exec already: taken from its owner, who has none afterwards. Without P^T's values,
 * which fill or mirror makes. */
Status mg_transfer_take(Exec *exec, const MgTransferShape *shape, ExecGraph *p, MgTransfer **out);
void mg_transfer_destroy(MgTransfer **transfer);
/* values [blocks][fine][coarse] in double on the Exec. */
Status mg_transfer_fill(MgTransfer *transfer, const double *values);
/* Values of P^T from those of P, which the caller has written. */
Status mg_transfer_mirror(MgTransfer *transfer);

typedef struct MgLevel {
  Mat *a;         /* owned, vectors in the cycle's precision; NULL at a dense bottom that no product uses */
  Mat *low;       /* owned, a in low precision, for the products of the cycle; NULL: these take a */
  int64_t n;      /* scalar rows */
  int64_t n_read; /* of vectors that products read, set before mg_level_create where ranks share rows; at least n */
  double entries; /* of a, on all ranks that share it; 0: those that are here */
  bool whole;     /* all ranks have all of it: its sums are over its rows, whatever those around it go over */
  double bound;   /* upper bound of a's spectrum */
  int32_t visits; /* of the next level, in each visit of this one: 1 V-cycle, 2 W-cycle; not looked at in a K-cycle */
  MgTransfer *transfer; /* owned, to the next level; NULL on the last one */
  double *b;            /* owned but on level 0, right-hand side */
  void *x[2], *r;       /* owned, solution and the one before; residual */
  void *keep, *image;   /* owned, of a K-cycle: its first direction, and A times that */
  SmootherSteps steps;
} MgLevel;

typedef struct Multigrid {
  Exec *exec;          /* borrowed */
  Precision precision; /* of vectors and transfers: double or float */
  Precision storage; /* of the matrices in products: lower than `precision` where that is float; DOUBLE: as precision */
  const Smoother *smoother;
  int32_t degree; /* steps before and after */
  int32_t n_level;
  MgLevel level[MG_LEVELS];
  bool inner;        /* part of another preconditioner: the sum b.z is unused */
  bool krylov;       /* K-cycle: each level but the first and last by two steps of flexible conjugate gradients */
  MgKrylov *scalars; /* owned, on the Exec, of a K-cycle, for each level */
  /* Who solves the last level, x[0] = B b there, when it is not the inverse: recorded with this context. NULL: the
   * inverse. */
  Status (*below)(void *context);
  void *below_context;
  void *inverse;         /* owned, [n][n] of the last level */
  double *dense_partial; /* owned, [MG_DENSE_PARTS][n] */
} Multigrid;

/* What `cycle` of a hierarchy may be, besides numbers of its own: the words V, W, K (MG_CYCLE_WORDS) and their
 * numbers. */
enum { MG_V = 1, MG_W, MG_K };
#define MG_CYCLE_WORDS "v|w|k"

void mg_release(Multigrid *mg);
/* Vectors of a level; b only where l > 0. */
Status mg_level_create(Multigrid *mg, int32_t l, int64_t n);
/* What of these bits a hierarchy on `a` takes: 8 for blocks of 3 only, half for others. */
void mg_choose_storage(Precision *storage, const Mat *a);
/* The last level, which `below` solves: its b, its copy of b in the cycle's precision (b itself in double) and x[0] are
 * borrowed. */
void mg_level_below(Multigrid *mg, int32_t l, int64_t n, double *b, void *low, void *x);
/* The level's bound from Lanczos steps on its matrix, by its vectors; fold [eigenvalue_bound_fold_size(n)]. */
Status mg_find_bound(const Precond *m, MgLevel *level, double *fold);
/* Coefficients of all smoothers after the bounds have changed. */
void mg_find_steps(Multigrid *mg);
/* The last level's inverse from its matrix a [n][n] in double on the host, which is overwritten. *n_bad: pivots that
 * are not positive, left out (multigrid_dense.h). */
Status mg_bottom(Multigrid *mg, double *a, int32_t *n_bad);
/* After a setup, where mg->storage is low: the matrix of level 0 in that, in place of level[0].a, which a setup makes
 * again, those of the coarse levels in half besides, where their format can. Float is gone back to, with a warning,
 * where numbers are beyond what low precision hold. ERR_INPUT where the format of level 0 has no low precision. */
Status mg_store_levels(Multigrid *mg, Precond *m);
/* Whether products take low precision, and the end of that, as m->type->raise: with a warning that says why. */
bool mg_is_low(const Multigrid *mg);
Status mg_give_up(Multigrid *mg, Precond *m, const char *why);
/* The matrix that products of level l take. */
const Mat *mg_matrix(const MgLevel *level);
/* Whether z is not a linear function of b: conjugate gradients must be flexible then. */
bool mg_is_flexible(const Multigrid *mg);

/* Records z = B b with the sum b.z handed to KRYLOV_BETA unless `inner`; z [n] in the cycle's precision, low is b in
 * that precision (b itself in double) and may be level 0's x[0]. */
Status mg_cycle(Multigrid *mg, const double *b, const void *low, void *z, Krylov *krylov);
/* Bytes that a cycle moves at least, and products with matrices, in units of those of level 0; without what is
 * `below`. */
double mg_bytes(const Multigrid *mg);
double mg_products(const Multigrid *mg);
