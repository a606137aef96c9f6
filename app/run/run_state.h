/* Checkpoints of a run in time: the state of its stepper in storage order on the Exec, and what the report has counted. */
#pragma once
#include "app/run/result_stream.h"
#include "app/run/run.h"
#include "output/checkpoint.h"
#include "solver/time/stepper.h"

/* A checkpoint of now in the output folder, written by the recorder's thread; *next is the time of the next one, see
 * run_next_checkpoint. */
Status run_checkpoint(Run *run, Stepper *stepper, ResultStream *stream, double *next);
/* With --resume: the newest checkpoint that is whole, and run->start, where its run began; *found tells whether there is one.
 * Collective; checkpoint_release in any case. ERR_RESTART as PRODUCT says. */
Status run_find(Run *run, Checkpoint *out, bool *found);
/* Restores it, fills in the report, and says so. ERR_RESTART: it is of another version. */
Status run_restore(Run *run, const Stepper *stepper, Checkpoint *checkpoint,
                   Status (*restore)(void *context, const void *host), void *context);
/* The state that a run begins with (RunParams.from), and run->start. Collective. ERR_RESTART: there is none for this mesh;
 * ERR_INPUT: it is not before the end of the run. */
Status run_take(Run *run, Checkpoint *out);
/* Both, of a stepper whose state is u, which starts at t = 0 where there was none. */
Status run_start(Run *run, Stepper *stepper, double *u, bool *resumed);
/* Calls `step` until the stepper is done, with checkpoints between. A request to stop waits for the end of a step and its
 * files, after which nothing is needed but what a checkpoint has, and leaves one. */
Status run_in_time(Run *run, Stepper *stepper, ResultStream *stream, Status (*step)(void *context), void *context);
/* A step of a linear equation to the sums of the report; the residual is that of the last one. */
void run_add_step(Run *run, const StepReport *step);
/* Simulated time of the next checkpoint after `time`; INFINITY where the case asks for none. */
double run_next_checkpoint(const Run *run, double time);
/* The end of a run that was asked to stop, with a checkpoint: ERR_STOPPED. */
Status run_stop(Run *run, Stepper *stepper, ResultStream *stream);
