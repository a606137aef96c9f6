/* Harmonic elasticity: driver and results of each frequency. */
#pragma once
#include "app/elasticity/elastic.h"
#include "app/run/result_stream.h"

/* ---- harmonic_modes.c ---- */
/* What supports that move leave of the load, b = balance - i loss stiff - (omega^2 - i omega alpha) inertia. */
typedef enum HarmonicLoad { HARMONIC_BALANCE, HARMONIC_STIFF, HARMONIC_INERTIA, HARMONIC_LOADS } HarmonicLoad;
typedef struct HarmonicModes HarmonicModes;
typedef struct HarmonicFactors HarmonicFactors;
/* For K and M, borrowed, of a body that supports hold. *out is there for harmonic_modes_destroy also after an error. */
Status harmonic_modes_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                             HarmonicModes **out);
/* Accepts NULL, sets NULL. */
void harmonic_modes_destroy(HarmonicModes **modes);
/* The modes; the matrices have their values. */
Status harmonic_modes_solve(HarmonicModes *modes, LinearReport *sum);
/* What answers to come are to. Loads on the Exec: one, or (n 2) another that is a quarter of a period ahead. Static answers
 * to sums of those that were there before take no solve. */
Status harmonic_modes_load(HarmonicModes *modes, int n, double *const load[][HARMONIC_LOADS], LinearReport *sum);
/* (2 pi)^-1 of the roots of the eigenvalues, [*n], owned by the caller. */
Status harmonic_modes_frequencies(const HarmonicModes *modes, double **natural, int32_t *n);
/* u = the response, real and imaginary part, on the Exec, supports at rest. */
Status harmonic_modes_response(HarmonicModes *modes, const HarmonicFactors *factors, double *const u[2]);

/* ---- run_harmonic_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a frequency ---- */
typedef struct HarmonicOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  FieldBits needed;      /* FIELD_... */
  ElasticFields own[2];  /* owned: real and imaginary part of one frequency, of what is here */
  ElasticFields part[2]; /* the same of the whole mesh: views, of several ranks owned, on rank 0 */
  /* owned, of nodes: amplitude and phase, in degrees; of a field that is not linear its largest over a cycle */
  double *made[N_ELASTIC_FIELDS][2];
  char name[4 * N_ELASTIC_FIELDS][48]; /* of what is in the file */
  ResultStream *stream;                /* owned */
  Text tables;                         /* owned */
  ElasticSpread spread;
} HarmonicOutput;

/* Makes the files; `out` stays where it is until it is closed. */
Status harmonic_output_create(Run *run, const Setup *setup, Elasticity *elasticity, HarmonicOutput *out);
/* ERR_IO when the last flush failed. */
Status harmonic_output_close(HarmonicOutput *output);
/* One frequency: real and imaginary part of the displacement, on the Exec. */
Status harmonic_output_store(HarmonicOutput *output, double frequency, double *const u[2]);
/* A row of the history. */
Status harmonic_output_step(HarmonicOutput *output, double frequency, const LinearReport *linear);
