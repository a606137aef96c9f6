/* Data of elasticity for preconditioners: rigid motions, and the lower orders of the elements. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "solver/krylov/linear.h"

typedef struct ElasticHints {
  double *motions; /* owned, as is what is in the next */
  OrderTransfers lower;
} ElasticHints;

/* Fills linear's pattern, and places or near_null, and lower where the preconditioner that is asked for, or stood for by "auto",
 * uses them; they point into `out`. */
Status elastic_hints_create(Exec *exec, Elasticity *elasticity, const Mat *a, LinearParams *linear, ElasticHints *out);
void elastic_hints_release(LinearParams *linear, ElasticHints *hints);
