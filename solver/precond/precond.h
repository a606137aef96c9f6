/* Preconditioners M for conjugate gradients, all of the form S B S with a diagonal S (1/sqrt of the matrix' diagonal
 * unless the preconditioner changes it). Diagonal ones have B = 1 and are part of PCG's own kernels. The others record
 * how B is applied, in double or float, and a line in preconditioners.def makes them known. */
#pragma once
#include "core/param.h"
#include "algebra/krylov_scalars.h"
#include "algebra/mat.h"
#include "algebra/rigid_motion.h"

#include <stdbool.h>

enum { PRECOND_MAX_PARAMS = 4 };
typedef struct Precond Precond;
typedef struct PrecondManyType PrecondManyType;

/* What a preconditioner wants to know of the problem (PrecondParams): vectors that the matrix nearly maps to zero; the
 * lower orders of the elements. */
enum { PRECOND_NEAR_NULL = 1, PRECOND_ORDERS = 2 };

typedef struct PrecondType {
  /* What a user may set, PRECOND_MAX_PARAMS at most: case file, `sinew list` and range errors work from this table. The
   * degree has its own place; degree_max 0: there is none. */
  const Param *param;
  int32_t n_param, degree_max, degree_default;
  bool diagonal;       /* B = 1; all functions may be NULL */
  bool block_diagonal; /* B = G^T G of the diagonal blocks, 1 where there are none */
  bool unit;           /* S = 1 */
  bool graph;          /* uses PrecondParams.pattern, in natural order */
  int32_t needs;       /* PRECOND_NEAR_NULL, PRECOND_ORDERS or both */
  bool aggregates;     /* has levels of aggregates of nodes below the matrix itself */
  bool
      bounded; /* looks at a strict bound of the spectrum, unless its parameters say otherwise (Precond.wants_strict) */
  bool ranks;  /* works on rows that several ranks share; else why not, NULL: it was not looked into */
  const char *alone;
  bool host;     /* it works on the CPU, for a GPU too, by a library that may not be there */
  bool dominant; /* only for diagonally dominant matrices with one unknown per node */
  /* Workspaces, products per application and bytes that one moves. */
  Status (*create)(Precond *m);
  void (*destroy)(Precond *m);
  /* The values of the matrix changed; m->scale holds S. */
  Status (*setup)(Precond *m);
  /* result <- B residual, with the sum residual.result handed to KRYLOV_BETA; nothing when krylov->stop. */
  Status (*record)(Precond *m);
  /* r.z <= 0, a stall, or an eigenvalue of B A' beyond `max_eigenvalue`: be more careful by this factor (> 1). NULL:
   * cannot. */
  Status (*raise)(Precond *m, double factor);
  const PrecondManyType *many; /* on several vectors at once (precond_many.h); NULL: it is not */
} PrecondType;

struct Precond {
  Exec *exec; /* borrowed, as are a and krylov */
  const Mat *a;
  Krylov *krylov; /* on the Exec */
  const PrecondType *type;
  const char *name;
  int32_t degree;
  double value[PRECOND_MAX_PARAMS]; /* of type->param, in range */
  Precision precision;              /* of low and result */
  Precision storage;                /* of the matrix inside; float vectors serve half and int8 too */
  double bound_factor;              /* on the estimated bound of the spectrum */
  int64_t n;
  double *scale;          /* owned, S [mat_columns] */
  double *blocks;         /* owned, G [mat_columns / block][block][block] of precond_use_blocks; NULL: the identity */
  double *residual;       /* S r [n]; this and the next two are owned by the type, NULL when diagonal */
  void *low, *result;     /* [n]; low is the residual in float, or the residual itself when all is double */
  const Pattern *pattern; /* borrowed, in create only, as is near_null; NULL: not provided */
  const double *near_null;
  int32_t n_near_null;
  RigidPlaces places;         /* as in PrecondParams */
  const OrderTransfer *lower; /* borrowed, in create only, as in PrecondParams */
  int32_t n_lower;
  bool tiles;        /* as in PrecondParams */
  bool inner;        /* part of another preconditioner: the sum residual.result is unused */
  double bound;      /* upper bound of the spectrum of the scaled matrix; 0: not needed */
  double estimate;   /* largest Ritz value that it was made of; 0: none */
  double strict;     /* in, for setup: a strict bound of the spectrum, from element matrices; 0: not known */
  bool wants_strict; /* setup looks at it */
  int8_t *extra;     /* [n] more bits of a result in float (extra_bits.h), owned by the type; NULL: none */
  bool may_be_indefinite, must_be_definite; /* as in PrecondParams */
  bool
      refines; /* no conjugate gradients, but refinement (linear_refine.c): the matrix is indefinite, or B is applied on
                   the CPU to vectors of a GPU */
  bool flexible;         /* B is not a linear function: conjugate gradients must be flexible */
  double max_eigenvalue; /* largest eigenvalue that M A can have, if the bound is one; 0: not known */
  int32_t version;       /* of what record() records besides pointers: a loop recorded before a change is void */
  int64_t products;      /* with a matrix, per application */
  double bytes;          /* moved per application */
  double factor_entries; /* of a factorisation, and the bytes that it takes; 0: there is none */
  double factor_bytes;
  /* What the choice of a precision asks (linear_precision.c), where B = s(A'): the copy of A', owned by the type, and s
   * at t, a factor of the spectrum's bound. NULL: B is not of that kind, or has no copy. */
  const Mat *stored;
  double (*gain)(const Precond *m, double t);
  void *own; /* the type's */
};

typedef struct PrecondParams {
  const char *name;    /* NULL or "auto" */
  int32_t degree;      /* 0: default; "auto" of a tiny system, which takes jacobi, looks at none */
  const double *value; /* of the type's parameters; NULL: defaults. Not read when the name is "auto" */
  Precision precision;
  double bound_factor;     /* 0: default */
  Precision storage;       /* of the matrix inside, where it is lower than `precision` */
  const Pattern *pattern;  /* of the matrix, read by precond_create only; needed by types that use the graph */
  bool pattern_once;       /* nobody needs it and the slots afterwards: what a GPU has of them goes */
  bool tiles;              /* applications are so many that a copy in tiles (tiled.h) pays, which the host arranges */
  const double *near_null; /* host [n_near_null][n]: vectors that the matrix nearly maps to zero, the rigid motions of
                              elasticity; read by precond_create only. NULL: each component constant */
  int32_t n_near_null;
  RigidPlaces
      places; /* where near_null is NULL: of the nodes, on the Exec, as long as the preconditioner lives; their rigid
                         motions take its place. x NULL: not known */
  const OrderTransfer *lower; /* [n_lower], from the order of the elements to the next lower one, and so on; read by
                                 precond_create only. For p-multigrid */
  int32_t n_lower;
  bool may_be_indefinite; /* a direct solver factors the matrix then too; others do not look at it */
  bool must_be_definite;  /* else its setup fails: ERR_NUMERIC */
  bool inner;             /* for use inside of another preconditioner, on the same krylov: multigrid only */
} PrecondParams;

/* What to try where it does not converge, for messages. */
const char *precond_stronger(const Precond *m);
/* ERR_INPUT with the list for an unknown name, for a degree out of range, and for one of a type that has none. */
Status precond_create(const Mat *a, const PrecondParams *params, Krylov *krylov, Precond **out);
void precond_destroy(Precond **m);
/* Reads the diagonal into S. *n_bad: entries of the diagonal that are not positive, or diagonal blocks that are not
 * positive definite (a pivot that is not positive stands on the diagonal of G); nothing else is set up then.
 * `work` is double[n] on the Exec. */
Status precond_setup(Precond *m, double *work, int64_t *n_bad, double *mean_scale);

/* For a type's create: from now on A' = G S A S G^T with unit diagonal blocks (block_rows.h), where the format knows
 * blocks, and B = G^T s(A') G. Types without blocks see A' = S A S. */
Status precond_use_blocks(Precond *m);
/* to <- A', a copy made by mat_create_like. */
Status precond_scale(const Precond *m, Mat *to);
/* residual <- G residual, and low; result <- G^T result. Recordable, nothing without blocks. */
Status precond_record_forward(const Precond *m);
Status precond_record_back(const Precond *m);
double precond_block_bytes(const Precond *m); /* that both move, per application */

int32_t precond_count(void);
const char *precond_name(int32_t i);
const char *precond_meaning(int32_t i);
const PrecondType *precond_type(int32_t i); /* NULL when there is none */
/* False where its library is not built in: create says so. And whether it can be part of a recorded loop there: else only
 * linear_solve takes it, by refinement. */
bool precond_works(const PrecondType *type);
bool precond_works_on(int32_t i, const Exec *exec);
/* The type of that name; NULL: none has it, which is so of "auto". */
const PrecondType *precond_named(const char *name);
bool precond_is_auto(const char *name); /* NULL, or "auto" */
/* ERR_INPUT where the i-th type does not have this degree, or none at all; 0 is its default and always fine. */
Status precond_check_degree(int32_t i, int64_t degree);
