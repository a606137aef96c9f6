/* What a heat run leaves behind, time after time: results.hdf, probes.csv, and the rows of `expect:` that name a time.
 * A thread of its own (output/recorder.h) writes it, which has the report's columns and its values of `expect:` until
 * the output is closed. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "assembly/diffusion/diffusion.h"
#include "output/recorder.h"

typedef struct HeatOutput HeatOutput;

/* Makes the files, or goes on with those of the run that is resumed. All is borrowed and outlives it. Whoever calls
 * guards the files (run_guard). */
Status heat_output_create(Run *run, const Setup *setup, Diffusion *diffusion, HeatOutput **out);
/* Waits for the files. Accepts NULL, sets NULL. ERR_IO when something could not be written. */
Status heat_output_close(HeatOutput **output);
/* Waits until everything so far is in the files. */
Status heat_output_finish(HeatOutput *output);
Recorder *heat_output_recorder(HeatOutput *output);
/* Memory of a temperature on its way to the files: there are recorder_slots of this, on the Exec and on the host. */
int64_t heat_output_bytes(int64_t n_node);
/* Does a stored time need du/dt, for the heat that flows through supports? */
bool heat_output_needs_rate(const HeatOutput *output);
/* One stored time: u on the Exec; rate is du/dt there, NULL where it is not needed or not known (then supports are
 * taken to hold a steady state). */
Status heat_output_store(HeatOutput *output, double time, const double *u, const double *rate);
/* A row of the history: one step. */
Status heat_output_step(HeatOutput *output, double time, double dt, int32_t rejected, const LinearReport *linear);
