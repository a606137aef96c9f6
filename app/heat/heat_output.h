/* Results of a heat run at each stored time: fields, probes, sums and the history for result_stream.h. */
#pragma once
#include "app/run/result_stream.h"
#include "assembly/diffusion/diffusion.h"

typedef struct HeatOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Diffusion *diffusion;
  unsigned needed; /* bits of fields */
  double time;     /* that is stored, as the next two */
  const double *u, *rate;
  ResultStream *stream; /* owned */
  Text tables;          /* owned */
} HeatOutput;

/* Makes the files, or continues those of the run that is resumed; `out` stays where it is until it is closed. Callers
 * guard the files (run_guard). */
Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, HeatOutput *out);
/* Waits for the files. ERR_IO when something could not be written. */
Status heat_output_close(HeatOutput *output);
/* One stored time: u on the Exec; rate is du/dt there, NULL where it is not needed or not known (then supports are
 * taken to hold a steady state). */
Status heat_output_store(HeatOutput *output, double time, const double *u, const double *rate);
/* A row of the history: one step. */
Status heat_output_step(HeatOutput *output, double time, double dt, int32_t rejected, const LinearReport *linear);
