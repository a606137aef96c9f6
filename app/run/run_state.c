/* See run_state.h. */
#include "app/run/run_state.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Another build may order its sums in another way. */
static void compare_builds(const Checkpoint *c) {
  if (*c->made_by && strcmp(c->made_by, sinew_commit()) != 0)
    status_warn("the checkpoint was written by another build of Sinew (commit %s, this is %s): results may differ in "
                "their last "
                "bits from those of an undisturbed run",
                c->made_by, sinew_commit());
}

Status run_checkpoint(Run *run, const RunState *state, Recorder *recorder) {
  Checkpoint c = {.time = state->time,
                  .case_hash = run->report->case_hash,
                  .mesh_hash = run->report->mesh_hash,
                  .n_byte = state->n_byte,
                  .version = sinew_version(),
                  .commit = sinew_commit(),
                  .case_text = run->c->text,
                  .device = run->report->device};
  for (int k = 0; k < CHECKPOINT_COUNTS; ++k) c.count[k] = state->count[k];
  return recorder_checkpoint(recorder, &c, state->save, state->context);
}

Status run_resume(Run *run, RunState *state, bool *resumed) {
  Checkpoint c;
  *resumed = false;
  if (!run->params->resume) return OK;
  TRY(checkpoint_load(run->params->folder, run->report->case_hash, run->report->mesh_hash, &c, resumed));
  Status status = OK;
  if (*resumed) {
    if (c.n_byte != state->n_byte)
      status =
          FAIL(ERR_RESTART, "the checkpoint in %s holds %lld bytes, this run %lld: it is of another version of Sinew",
               run->params->folder, (long long)c.n_byte, (long long)state->n_byte);
    if (status == OK) status = state->restore(state->context, c.state);
    state->time = c.time;
    for (int k = 0; k < CHECKPOINT_COUNTS; ++k) state->count[k] = c.count[k];
    compare_builds(&c);
    run->receipt = c.receipt, run->n_receipt = c.n_receipt;
    c.receipt = NULL;
  }
  checkpoint_release(&c);
  return status;
}

double run_next_checkpoint(const Run *run, double time) {
  const NumberValue *every = &run->c->output.checkpoint;
  return place_given(every->place) ? every->value * (floor(time / every->value + 1e-9) + 1) : (double)INFINITY;
}

/* "12.5 ms", with the unit where it is known. */
static const char *time_text(const Run *run, double time, char text[64]) {
  Units units;
  units_of_case(run->c, &units);
  const char *unit = units_text(&units, UNIT_TIME);
  snprintf(text, 64, "%g%s%s", time, unit ? " " : "", unit ? unit : "");
  return text;
}

Status run_stopped(const Run *run, double time, int64_t steps) {
  const char *folder = run->params->folder, *again = run->params->again;
  char at[64];
  return FAIL(ERR_STOPPED, "stopped on request at t = %s after %lld steps; the state is in %s/checkpoint-1.hdf%s%s",
              time_text(run, time, at), (long long)steps, folder, again ? "\n  go on with: " : "", again ? again : "");
}

void run_say_resumed(const Run *run, bool resumed, double time, int64_t steps) {
  char at[64];
  if (resumed)
    progress_say(&run->progress, "resumed      at t = %s after %lld steps", time_text(run, time, at), (long long)steps);
  else if (run->params->resume)
    progress_say(&run->progress, "no checkpoint in %s: starting from the beginning", run->params->folder);
}
