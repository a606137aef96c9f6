/* The cycle of multigrid.h on K interleaved vectors at once: matrices and transfers are read once for all of them, and each
 * column is what mg_cycle makes of it alone, to the bit on the CPU where that has the same bits of the matrices. V- and
 * W-cycles of one rank. */
#pragma once
#include "solver/multigrid/multigrid.h"
#include "solver/precond/precond_many.h"

typedef struct MgManyLevel {
  int64_t n, n_partial, n_parcel; /* scalars; sums of the transfer to the next level */
  double *b;                      /* owned but on level 0, as is all below */
  void *x[2], *r;
  double *partial, *parcel;
} MgManyLevel;

typedef struct MgMany {
  Exec *exec; /* borrowed, as are the next two, which may be gone before this is released */
  Multigrid *mg;
  const Precond *m; /* whose it is */
  size_t scalar;    /* bytes of a number of the cycle */
  int32_t room, n_level;
  MgManyLevel level[MG_LEVELS];
  double *dense_partial;
  PrecondMany *below; /* owned, where another preconditioner solves the last level */
} MgMany;

/* NULL, or why not. */
const char *mg_many_obstacle(const Multigrid *mg, const Precond *m);
/* `below`: the preconditioner of the last level; NULL: its inverse. Release accepts a partly created one. */
Status mg_many_create(Multigrid *mg, const Precond *m, Precond *below, int32_t room, MgMany *out);
void mg_many_release(MgMany *t);
/* Records result = B residual, residual in call->low too, with the sums unless call->sums is false. */
Status mg_many_cycle(MgMany *t, const PrecondManyCall *call);
double mg_many_bytes(const MgMany *t, int32_t shift);
/* The PrecondManyType of a preconditioner that is such a cycle between its diagonal blocks. levels(m, below) -> its
 * Multigrid and what is below (NULL: nothing), or NULL where there is none. */
const char *mg_many_type_obstacle(const Precond *m);
Status mg_many_type_create(PrecondMany *many);
void mg_many_type_destroy(PrecondMany *many);
void *mg_many_type_low(const PrecondMany *many);
Status mg_many_type_record(PrecondMany *many, const PrecondManyCall *call);
double mg_many_type_bytes(const PrecondMany *many, int32_t shift);
#define MG_MANY_TYPE(LEVELS)                                                                                           \
  {                                                                                                                    \
    .obstacle = mg_many_type_obstacle, .create = mg_many_type_create, .destroy = mg_many_type_destroy,                 \
    .low = mg_many_type_low, .record = mg_many_type_record, .bytes = mg_many_type_bytes, .levels = LEVELS              \
  }
