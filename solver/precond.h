/* Preconditioners M for conjugate gradients, all of the form S B S with a diagonal S (1/sqrt of the matrix' diagonal
 * unless the preconditioner changes it). Diagonal ones have B = 1 and are part of PCG's own kernels. The others record
 * how B is applied, in double or float, and a line in preconditioners.def makes them known. */
#pragma once
#include "solver/krylov.h"
#include "solver/mat.h"

#include <stdbool.h>

typedef struct Precond Precond;

typedef struct PrecondType {
  bool diagonal; /* B = 1; all functions may be NULL */
  bool unit;     /* S = 1 */
  /* Workspaces, products per application and bytes that one moves. */
  Status (*create)(Precond *m);
  void (*destroy)(Precond *m);
  /* The values of the matrix changed; m->scale holds S. */
  Status (*setup)(Precond *m);
  /* result <- B residual, with the sum residual.result handed to KRYLOV_BETA; nothing when krylov->stop. */
  Status (*record)(Precond *m);
  /* r.z <= 0 or a stall was seen: be more careful by this factor (> 1). NULL: cannot. */
  Status (*raise)(Precond *m, double factor);
} PrecondType;

struct Precond {
  Exec *exec;              /* borrowed, as are a and krylov */
  const Mat *a;
  Krylov *krylov;          /* on the Exec */
  const PrecondType *type;
  const char *name;
  int32_t degree;
  Precision precision;     /* of low and result */
  Precision storage;       /* of the matrix inside; float vectors serve half and int8 too */
  double bound_factor;     /* on the estimated bound of the spectrum */
  int64_t n;
  double *scale;           /* owned, S [n] */
double *residual;        /* S r [n]; this and the next two are owned by the type, NULL when diagonal */
  void *low, *result;      /* [n]; low is the residual in float, or the residual itself when all is double */
  double bound;            /* upper bound of the spectrum of the scaled matrix; 0: not needed */
  int64_t products;        /* with a matrix, per application */
  double bytes;            /* moved per application */
  void *own;               /* the type's */
};

typedef struct PrecondParams {
  const char *name;        /* NULL or "auto" */
  int32_t degree;          /* 0: default */
  Precision precision;
  double bound_factor;     /* 0: default */
  Precision storage;       /* of the matrix inside, where it is lower than `precision` */
} PrecondParams;

/* ERR_INPUT with the list for an unknown name. */
Status precond_create(const Mat *a, const PrecondParams *params, Krylov *krylov, Precond **out);
void precond_destroy(Precond **m);
/* Reads the diagonal into S. *n_bad: entries of the diagonal that are not positive; nothing else is set up then.
 * `work` is double[n] on the Exec. */
Status precond_setup(Precond *m, double *work, int64_t *n_bad, double *mean_scale);

int32_t precond_count(void);
const char *precond_name(int32_t i);
const char *precond_meaning(int32_t i);
