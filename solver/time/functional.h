/* Linear functionals of a vector on the Exec, so that of a large vector only a few numbers need to come to the host:
 * values at points (a few weights each) and sums over all of it (a weight for each unknown). */
#pragma once
#include "core/exec.h"

typedef struct FunctionalParams {
  int64_t n; /* length of the vectors */
  int32_t n_point;
  const int32_t *start; /* [n_point + 1] */
  const int32_t *at;    /* [start[n_point]], indices below n */
  const double *weight; /* [start[n_point]] */
  int32_t n_whole;
  const double *whole; /* [n_whole][n] */
  bool
      wide; /* many sums at once: less to wait for on a GPU, but neither several ranks nor kernels that stay there know it */
} FunctionalParams;
extern const RowKernel functional_wide_kernel;

typedef struct Functional Functional;
/* Everything is copied. */
Status functional_create(Exec *exec, const FunctionalParams *params, Functional **out);
void functional_destroy(Functional **functional);
/* Where values of loops go, on the Exec: nothing while *when is 0, else, when it is 1, as far behind `value` as *row rows of
 * `stride` numbers. */
typedef struct FunctionalRing {
  const int32_t *when, *row;
  int64_t stride;
} FunctionalRing;
/* value[n_point] and value[n_whole] of x[n], all of it on the Exec; value may be NULL. ring NULL: at once, into value itself. */
Status functional_points(Functional *functional, const double *x, double *value, const FunctionalRing *ring);
Status functional_wholes(Functional *functional, const double *x, double *value, const FunctionalRing *ring);
