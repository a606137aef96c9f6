/* Harmonic elasticity: the driver, and what each frequency leaves behind. */
#pragma once
#include "app/run/result_stream.h"
#include "assembly/elasticity/elasticity.h"

Status run_harmonic(Run *run);

/* ---- run_harmonic_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a frequency ---- */
typedef struct HarmonicOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  unsigned needed;                     /* FIELD_... */
  ElasticFields part[2];               /* owned: real and imaginary, of one frequency, in the mesh's order */
  double (*amplitude)[3], (*phase)[3]; /* owned, [n_node]; phase in degrees */
  double *von_mises;                   /* owned, [n_node], the largest over a cycle */
  ResultStream *stream;                /* owned */
} HarmonicOutput;

/* Makes the files; `out` stays where it is until it is closed. */
Status harmonic_output_create(Run *run, const Setup *setup, Elasticity *elasticity, HarmonicOutput *out);
/* ERR_IO when the last flush failed. */
Status harmonic_output_close(HarmonicOutput *output);
/* One frequency: real and imaginary part of the displacement, on the Exec. */
Status harmonic_output_store(HarmonicOutput *output, double frequency, double *const u[2]);
/* A row of the history. */
Status harmonic_output_step(HarmonicOutput *output, double frequency, const LinearReport *linear);
