/* Harmonic elasticity: the driver, and what each frequency leaves behind. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/space/memory_plan.h"

Status run_harmonic(Run *run);
/* What a run will take, array by array; see memory_table_fill. */
Status harmonic_memory(const Case *c, const Elasticity *elasticity, bool on_gpu, int64_t mesh_bytes, MemoryPlan *plan);
/* rho of each material of the case, owned by the caller. */
Status harmonic_densities(const Case *c, double **out);
/* K (1 + i loss) - omega^2 M + i omega viscous M: the loss with Rayleigh's beta, and alpha. */
typedef struct HarmonicFactors {
  double omega, loss, viscous;
} HarmonicFactors;
HarmonicFactors harmonic_factors(const Case *c, double frequency);

/* ---- run_harmonic_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a frequency ---- */
typedef struct HarmonicOutput HarmonicOutput;

/* Makes the files. All is borrowed and outlives it. */
Status harmonic_output_create(Run *run, const Setup *setup, Elasticity *elasticity, HarmonicOutput **out);
/* Accepts NULL, sets NULL. ERR_IO when the last flush failed. */
Status harmonic_output_close(HarmonicOutput **output);
/* One frequency: real and imaginary part of the displacement, on the Exec. */
Status harmonic_output_store(HarmonicOutput *output, double frequency, double *const u[2]);
/* A row of the history. */
Status harmonic_output_step(HarmonicOutput *output, double frequency, const LinearReport *linear);
