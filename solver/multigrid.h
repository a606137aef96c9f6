/* One multigrid cycle on an Exec, whatever the hierarchy: a builder (amg.c) fills levels and transfers, this applies them.
 * On every level the diagonal blocks of the matrix are 1, the scaling is part of the transfers. Recorded like any other step
 * of a solver, so that a preconditioned iteration is one graph. */
#pragma once
#include "solver/block_graph.h"
#include "solver/krylov.h"
#include "solver/mat.h"
#include "solver/smoother.h"

enum { MG_LEVELS = 16, MG_SEGMENT = 16 /* blocks of P^T that one row of a launch adds up */ };

/* P from a coarse level to a fine one, in blocks of fine x coarse scalars, and P^T, which is stored too so that restriction
 * needs no atomics. Blocks by rows: three threads of a node (six of a coarse one) read blocks side by side. */
typedef struct MgTransfer {
  Exec *exec; /* borrowed */
  Precision precision;
  int32_t fine, coarse; /* scalars per node on either side */
  ExecGraph p, transposed;
  int64_t n_segment;
  int64_t *source, *segment, *row_segment;
  void *value, *transposed_value; /* the latter NULL: restriction gathers blocks of P, slower, with half the memory */
  double *partial;
} MgTransfer;
/* The graph of P (fine nodes by coarse nodes) is copied. Values are zero. */
Status mg_transfer_create(Exec *exec, Precision precision, const BlockGraph *p, int32_t fine, int32_t coarse,
                          MgTransfer **out);
/* The same from graphs of P, with rows, and of P^T that are on the Exec already: taken from their owner, who has none afterwards.
 * Without P^T's values, which fill or mirror makes. */
Status mg_transfer_take(Exec *exec, Precision precision, ExecGraph *p, ExecGraph *transposed, int32_t fine, int32_t coarse,
                        MgTransfer **out);
void mg_transfer_destroy(MgTransfer **transfer);
/* values [blocks][fine][coarse] in double on the Exec. */
Status mg_transfer_fill(MgTransfer *transfer, const double *values);
/* Values of P^T from those of P, which the caller has written. */
Status mg_transfer_mirror(MgTransfer *transfer);

typedef struct MgLevel {
  Mat *a;                /* owned, vectors in the cycle's precision; NULL at a dense bottom that nobody multiplies by */
  int64_t n;             /* scalar rows */
  double bound;          /* upper bound of a's spectrum */
  int32_t visits;        /* of the next level, in each visit of this one: 1 V-cycle, 2 W-cycle */
  MgTransfer *transfer;  /* owned, to the next level; NULL on the last one */
  double *b;             /* owned but on level 0, right-hand side */
  void *x[2], *r;        /* owned, solution and the one before; residual */
  SmootherSteps steps;
} MgLevel;

typedef struct Multigrid {
  Exec *exec;                 /* borrowed */
  Precision precision;        /* of vectors and transfers: double or float */
  const Smoother *smoother;
  int32_t degree;             /* steps before and after */
  int32_t n_level;
  MgLevel level[MG_LEVELS];
  bool inner;                 /* part of another preconditioner: the sum b.z is nobody's business */
  /* Who solves the last level, x[0] = B b there, when it is not the inverse: recorded with this context. NULL: the inverse. */
  Status (*below)(void *context);
  void *below_context;
  void *inverse;              /* owned, [n][n] of the last level */
  double *dense_partial;      /* owned, [MG_DENSE_PARTS][n] */
} Multigrid;

void mg_release(Multigrid *mg);
/* Vectors of a level; b only where l > 0. */
Status mg_level_create(Multigrid *mg, int32_t l, int64_t n);
/* The last level, which `below` solves: its b and x[0] are borrowed. */
void mg_level_below(Multigrid *mg, int32_t l, int64_t n, double *b, void *x);
/* Coefficients of all smoothers after the bounds have changed. */
void mg_find_steps(Multigrid *mg);
/* The last level's inverse from its matrix a [n][n] in double on the host, which is overwritten. *n_bad: pivots that are not
 * positive, left out (multigrid_dense.h). */
Status mg_bottom(Multigrid *mg, double *a, int32_t *n_bad);

/* Records z = B b with the sum b.z handed to KRYLOV_BETA unless `inner`; z [n] in the cycle's precision. */
Status mg_cycle(Multigrid *mg, const double *b, void *z, Krylov *krylov);
/* Bytes that a cycle moves at least, and products with matrices, in units of those of level 0; without what is `below`. */
double mg_bytes(const Multigrid *mg);
double mg_products(const Multigrid *mg);
