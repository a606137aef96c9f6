/* The solution for which a probe is the load, in passes of `adapt: {probe: ..}`. */
#pragma once
#include "app/elasticity/elastic_run.h"

typedef struct ElasticDual {
  double *z; /* owned, on the Exec, [n]; NULL: there is none, and passes go by how far the probe came */
  int64_t n;
  double goal; /* the probe of z: twice its energy */
} ElasticDual;
/* While there are matrix and solver. */
Status elastic_dual_solve(ElasticRun *w, ElasticDual *d);
/* Behind elastic_add_errors; the fields are those of w->u again. */
Status elastic_dual_errors(ElasticRun *w, const ElasticDual *d);
void elastic_dual_release(ElasticRun *w, ElasticDual *d);
