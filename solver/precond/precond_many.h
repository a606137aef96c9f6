/* A preconditioner on K = 2, 4 or 8 interleaved vectors at once (algebra/many.h): each column as if it were alone. */
#pragma once
#include "algebra/many.h"
#include "solver/precond/precond.h"

typedef struct PrecondMany PrecondMany;

/* One application to 2^shift columns. In double, low is the residual. */
typedef struct PrecondManyCall {
  int32_t shift;
  double *residual; /* S r [n][K], in; lost */
  void *low;        /* the same in float; precond_many_low where that is not NULL */
  void *result;     /* [n][K], float where `low` is, out */
  KrylovMany *many; /* nothing happens when its stop is set */
  bool sums;        /* sums residual.result of each column are handed to KRYLOV_BETA */
} PrecondManyCall;

/* NULL, or why a preconditioner that is set up takes one vector after the other. */
const char *precond_many_obstacle(const Precond *m);
/* Workspaces of `room` columns, for a preconditioner without obstacle, which is borrowed. */
Status precond_many_create(Precond *m, int32_t room, PrecondMany **out);
void precond_many_destroy(PrecondMany **many);
/* Where the residual in float has to be, [n][room]; NULL: the preconditioner works in double. */
void *precond_many_low(const PrecondMany *many);
/* Recordable. */
Status precond_many_record(PrecondMany *many, const PrecondManyCall *call);
/* Bytes that one application to K columns moves. */
double precond_many_bytes(const PrecondMany *many, int32_t shift);

/* What a type gives, in PrecondType.many. */
struct PrecondMany {
  Precond *m; /* borrowed; may be gone before this is destroyed */
  const PrecondManyType *type;
  int32_t room;
  void *own; /* the type's */
};
struct PrecondManyType {
  const char *(*obstacle)(const Precond *m);
  Status (*create)(PrecondMany *many);
  void (*destroy)(PrecondMany *many);
  void *(*low)(const PrecondMany *many);
  Status (*record)(PrecondMany *many, const PrecondManyCall *call);
  double (*bytes)(const PrecondMany *many, int32_t shift);
  void *(*levels)(const Precond *m, Precond **below); /* of multigrid only */
};
