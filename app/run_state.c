/* See run_state.h. */
#include "app/run_state.h"
#include "core/memory.h"

#include <math.h>

/* FNV-1a over the case as resolved: comments and the order of keys do not matter, defaults do. */
static Status hash_of_case(const Case *c, uint64_t *out) {
  Text text = {0};
  case_echo(c, &text);
  *out = 14695981039346656037u;
  for (int64_t i = 0; i < text.n; ++i) *out = (*out ^ (unsigned char)text.data[i]) * 1099511628211u;
  const Status status = text.status;
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the resolved case");
}

Status run_checkpoint(Run *run, const RunState *state, Recorder *recorder) {
  Checkpoint c = {.time = state->time,
                  .mesh_hash = run_mesh_hash(run),
                  .n_byte = state->n_byte,
                  .version = sinew_version(),
                  .commit = sinew_commit(),
                  .case_text = run->c->text,
                  .device = run->report->device};
  for (int k = 0; k < CHECKPOINT_COUNTS; ++k) c.count[k] = state->count[k];
  TRY(hash_of_case(run->c, &c.case_hash));
  return recorder_checkpoint(recorder, &c, state->save, state->context);
}

Status run_resume(Run *run, RunState *state, bool *resumed) {
  Checkpoint c;
  uint64_t hash;
  *resumed = false;
  if (!run->params->resume) return OK;
  TRY(hash_of_case(run->c, &hash));
  TRY(checkpoint_load(run->params->folder, hash, run_mesh_hash(run), &c, resumed));
  Status status = OK;
  if (*resumed) {
    if (c.n_byte != state->n_byte)
      status = FAIL(ERR_RESTART, "the checkpoint in %s holds %lld bytes, this run %lld: it is of another version of Sinew",
                    run->params->folder, (long long)c.n_byte, (long long)state->n_byte);
    if (status == OK) status = state->restore(state->context, c.state);
    state->time = c.time;
    for (int k = 0; k < CHECKPOINT_COUNTS; ++k) state->count[k] = c.count[k];
  }
  checkpoint_release(&c);
  return status;
}

double run_next_checkpoint(const Run *run, double time) {
  const NumberValue *every = &run->c->output.checkpoint;
  return place_given(every->place) ? every->value * (floor(time / every->value + 1e-9) + 1) : (double)INFINITY;
}

Status run_stopped(const Run *run, double time, const char *unit, int64_t steps) {
  const char *folder = run->params->folder;
  return FAIL(ERR_STOPPED, "stopped on request at t = %g%s after %lld steps; the state is in %s/checkpoint-1.hdf\n"
                           "  go on with: sinew run %s --resume", time, unit, (long long)steps, folder, run->c->path);
}
