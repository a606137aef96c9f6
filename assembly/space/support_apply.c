/* Supports on an Exec, in the solver's order. */
#include "assembly/space/support.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <math.h>

/* Fixed components by node, split into those of the global frame and those of frames of their own. */
static Status frames_upload(const Space *space, Supports *s) {
  Status status = OK;
  uint8_t *plain = NULL, *framed = NULL;
  int32_t *node = NULL;
  Exec *exec = space->exec;
  const char *what = "frames of supported nodes";
  ALLOC_DONE(plain, s->n_node, "supported components");
  ALLOC_DONE(framed, s->n_frame, "supported components");
  ALLOC_DONE(node, s->n_frame, what);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n_node; ++i) plain[i] = s->frame_of[i] < 0 ? s->fixed[i] : 0;
  for (int32_t k = 0; k < s->n_frame; ++k) {
    framed[k] = s->fixed[s->frame_node[k]];
    node[k] = numbering_rank(&space->numbering, s->frame_node[k]);
  }
  TRY_DONE(numbering_upload(exec, &space->numbering, 1, 1, plain, "supported components", (void **)&s->exec_fixed));
  if (s->n_frame == 0) goto done;
  TRY_DONE(exec_alloc_upload(exec, s->n_frame, 1, framed, what, (void **)&s->exec_frame_fixed));
  TRY_DONE(exec_alloc_upload(exec, s->n_frame, 1, framed, what, (void **)&s->exec_frame_held));
  TRY_DONE(exec_alloc_upload(exec, s->n_frame, sizeof *node, node, what, (void **)&s->exec_frame_node));
  TRY_DONE(exec_alloc_upload(exec, 9 * (int64_t)s->n_frame, sizeof *s->frame, s->frame, what, (void **)&s->exec_frame));
done:
  FREE(plain);
  FREE(framed);
  FREE(node);
  return status;
}

Status supports_upload(const Space *space, Supports *s) {
  s->exec = space->exec;
  s->exec_time = NAN;
  if (space->pattern->share.halo) TRY(supports_share(space, s));
  TRY(frames_upload(space, s));
  return row_values_create(space, s->n_value, s->row, "prescribed values", &s->prescribed);
}

Status supports_at_time(const Space *space, Supports *s, double time, double *v) {
  TRY(supports_evaluate(s, time));
  const bool same = s->exec_time == s->time;
  s->exec_time = s->time;
  return row_values_put(space, &s->prescribed, same ? NULL : s->value, false, v);
}

static FramesArgs frames_args(const Supports *s, double *v) {
  return (FramesArgs){s->exec_frame_node, s->exec_frame, s->exec_frame_fixed, NULL, v, s->n_component};
}

Status supports_to_global(const Supports *s, double *v) {
  const FramesArgs args = frames_args(s, v);
  return exec_rows(s->exec, &frames_to_global_kernel, &args, s->n_frame);
}

Status supports_to_local(const Supports *s, double *v) {
  const FramesArgs args = frames_args(s, v);
  return exec_rows(s->exec, &frames_to_local_kernel, &args, s->n_own_frame);
}

Status supports_to_local_whole(const Supports *s, double *v) {
  FramesArgs args = frames_args(s, v);
  args.whole = s->exec_frame_held;
  return exec_rows(s->exec, &frames_to_local_kernel, &args, s->n_own_frame);
}
