/* What a heat run leaves behind, time after time: results.hdf, probes.csv, and the rows of `expect:` that name a time. */
#pragma once
#include "app/run.h"
#include "app/setup.h"
#include "assembly/diffusion.h"

typedef struct HeatOutput HeatOutput;

/* Makes the files; resumed: goes on with those of the run that is resumed, cut back to `time`. All is borrowed and outlives
 * it. Whoever calls guards the files (run_guard). */
Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, bool resumed, double time,
                          HeatOutput **out);
/* Accepts NULL, sets NULL. ERR_IO when the last flush failed. */
Status heat_output_close(HeatOutput **output);
/* Does a stored time need du/dt, for the heat that flows through supports? */
bool heat_output_needs_rate(const HeatOutput *output);
/* One stored time: u on the Exec; rate is du/dt there, NULL where it is not needed or not known (then supports are taken to
 * hold a steady state). */
Status heat_output_store(HeatOutput *output, double time, const double *u, const double *rate);
/* A row of the history: one step. */
Status heat_output_step(HeatOutput *output, double time, double dt, int32_t rejected, const LinearReport *linear);
