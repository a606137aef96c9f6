/* Elasticity in time with inertia: between the driver and what it leaves behind. */
#pragma once
#include "app/elasticity/elastic.h"
#include "app/run/result_stream.h"

Status run_transient(Run *run);

/* ---- run_transient_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a time ---- */
typedef struct TransientOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  unsigned needed;                           /* FIELD_... */
  const double *u, *velocity, *acceleration; /* of the time that is stored, on the Exec */
  ElasticFields fields;                      /* owned: what is recovered of u, of velocity and of acceleration */
  ElasticFields motion[2];
  ResultStream *stream; /* owned */
  Text tables;          /* owned */
  int64_t *point_start; /* owned; NULL: no table is of integration points */
  ElasticSpread spread;
} TransientOutput;

/* Makes the files, or continues those of the run that is resumed; `out` stays where it is until it is closed. */
Status transient_output_create(Run *run, const Setup *setup, Elasticity *elasticity, TransientOutput *out);
Status transient_output_close(TransientOutput *output);
/* One stored time. */
Status transient_output_store(TransientOutput *output, double time, const double *u, const double *velocity,
                              const double *acceleration);
