/* Checkpoints of a heart run (run_state.h): the state of its stepping, maps too. */
#include "app/monodomain/heart.h"
#include "app/run/run_state.h"

enum { STEPS, NEWTON, PRODUCTS, REJECTED, ITERATIONS };

static Status save(void *context, void *host) { return stepper_save(((Heart *)context)->stepper, host); }
static Status restore(void *context, const void *host) { return heart_restore(context, host); }

static RunState state_of(Heart *h, double time, const HeartCounts *counts) {
  return (RunState){.time = time,
                    .count = {[STEPS] = counts->steps,
                              [NEWTON] = counts->newton,
                              [PRODUCTS] = counts->products,
                              [REJECTED] = counts->rejected,
                              [ITERATIONS] = counts->iterations},
                    .n_byte = stepper_state_bytes(h->stepper),
                    .context = h,
                    .save = save,
                    .restore = restore};
}

Status heart_checkpoint(Run *run, Heart *h, Recorder *recorder, double time, const HeartCounts *counts) {
  const RunState state = state_of(h, time, counts);
  return run_checkpoint(run, &state, recorder);
}

Status heart_resume(Run *run, Heart *h, double *time, HeartCounts *counts, bool *resumed) {
  RunState state = state_of(h, *time, counts);
  TRY(run_resume(run, &state, resumed));
  *time = state.time;
  *counts = (HeartCounts){state.count[STEPS], state.count[NEWTON], state.count[PRODUCTS], state.count[REJECTED],
                          state.count[ITERATIONS]};
  return OK;
}
