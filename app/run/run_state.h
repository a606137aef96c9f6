/* Checkpoints of a run in time: the state of its stepping as it lies on the Exec, and what the run has counted. */
#pragma once
#include "app/run/run.h"
#include "output/recorder.h"

typedef struct RunState {
  double time;
  int64_t count[CHECKPOINT_COUNTS]; /* whatever the run counts */
  int64_t n_byte;                   /* of the state; an upper bound of what restore will look at */
  void *context;
  Status (*save)(void *context, void *host);
  Status (*restore)(void *context, const void *host);
} RunState;

/* A checkpoint of now in the output folder, written by the recorder's thread. */
Status run_checkpoint(Run *run, const RunState *state, Recorder *recorder);
/* With --resume: restores the newest checkpoint that is whole, fills in time and counts, and says so; *resumed tells
 * whether there was one. ERR_RESTART as PRODUCT says. */
Status run_resume(Run *run, RunState *state, bool *resumed);
/* Simulated time of the next checkpoint after `time`; INFINITY where the case asks for none. */
double run_next_checkpoint(const Run *run, double time);
/* The end of a run that was asked to stop, its checkpoint written: ERR_STOPPED. */
Status run_stopped(const Run *run, double time, int64_t steps);
/* Says where a run starts that was asked to --resume; nothing for others. */
void run_say_resumed(const Run *run, bool resumed, double time, int64_t steps);
