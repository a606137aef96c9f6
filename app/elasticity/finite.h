/* Elasticity at finite strain: between the driver and what it leaves behind. */
#pragma once
#include "app/run/result_stream.h"
#include "assembly/elasticity/elasticity.h"

Status run_finite(Run *run);

/* ---- run_finite_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a time ---- */
typedef struct FiniteOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  unsigned needed;      /* FIELD_... */
  const double *u;      /* of the time that is stored, on the Exec */
  ElasticFields fields; /* owned: what is recovered of it */
  ResultStream *stream; /* owned */
} FiniteOutput;

/* A row of the history. */
typedef struct FiniteRow {
  double time, dt;
  int64_t newton, failed, cuts, iterations;
  double residual;
} FiniteRow;

/* Makes the files, or continues those of the run that is resumed; `out` stays where it is until it is closed. */
Status finite_output_create(Run *run, const Setup *setup, Elasticity *elasticity, FiniteOutput *out);
Status finite_output_close(FiniteOutput *output);
/* One stored time. */
Status finite_output_store(FiniteOutput *output, double time, const double *u);
Status finite_output_step(FiniteOutput *output, const FiniteRow *row);
