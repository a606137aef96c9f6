/* Elasticity at finite strain: between the driver and what it leaves behind. */
#pragma once
#include "app/run/result_stream.h"
#include "assembly/elasticity/elasticity.h"

Status run_finite(Run *run);

/* ---- finite_cavity.c: volumes that are prescribed ---- */
typedef struct FiniteCavities {
  int32_t n;
  bool ramp; /* in proportion to the time, as all that acts does without t */
  double end;
  const Load *load[ELASTIC_CAVITIES];
  Expr target[ELASTIC_CAVITIES];
  double initial[ELASTIC_CAVITIES];
  double volume[ELASTIC_CAVITIES], pressure[ELASTIC_CAVITIES]; /* now */
} FiniteCavities;
Status finite_cavities_create(Exec *exec, const Case *c, const Setup *setup, Elasticity *elasticity,
                              FiniteCavities *out);
/* ERR_INPUT: it is not positive. */
Status finite_cavity_target(const FiniteCavities *cavities, int32_t i, double time, double *out);
/* The columns of sums that are of cavities, from [n][2], volume and pressure of each. */
void finite_cavity_columns(const Case *c, const Setup *setup, const double *sample, double *value);

/* ---- run_finite_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a time ---- */
typedef struct FiniteOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  unsigned needed; /* FIELD_... */
  const FiniteCavities *cavities;
  const double *u;      /* of the time that is stored, on the Exec */
  ElasticFields fields; /* owned: what is recovered of it */
  ResultStream *stream; /* owned */
  Text tables;          /* owned */
  int64_t *point_start; /* owned; NULL: no table is of integration points */
} FiniteOutput;

/* A row of the history. */
typedef struct FiniteRow {
  double time, dt;
  int64_t newton, failed, cuts, iterations;
  double residual;
} FiniteRow;

/* Makes the files, or continues those of the run that is resumed; `out` stays where it is until it is closed. */
Status finite_output_create(Run *run, const Setup *setup, Elasticity *elasticity, const FiniteCavities *cavities,
                            FiniteOutput *out);
Status finite_output_close(FiniteOutput *output);
/* One stored time. */
Status finite_output_store(FiniteOutput *output, double time, const double *u);
Status finite_output_step(FiniteOutput *output, const FiniteRow *row);
