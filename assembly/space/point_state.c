/* See point_state.h. */
#include "assembly/space/point_state.h"
#include "core/memory.h"

static const char *const WHAT = "states of the materials";

static int64_t numbers(const PointState *s) { return s->n_state * s->n_point; }
static size_t bytes(const PointState *s) { return (size_t)numbers(s) * sizeof(double); }

static Status both_upload(PointState *s, const double *host) {
  if (!s->old) return OK;
  TRY(exec_upload(s->exec, s->old, host, bytes(s)));
  return exec_upload(s->exec, s->now, host, bytes(s));
}

Status point_state_create(Exec *exec, int32_t n_state, int64_t n_point, const double *initial, PointState *out) {
  out->exec = exec;
  out->n_state = n_state;
  out->n_point = n_point;
  if (!bytes(out)) return OK;
  EXEC_ALLOC(exec, out->old, numbers(out), WHAT);
  EXEC_ALLOC(exec, out->now, numbers(out), WHAT);
  return both_upload(out, initial);
}

void point_state_release(PointState *s) {
  if (!s->exec) return;
  EXEC_RELEASE(s->exec, s->old, numbers(s));
  EXEC_RELEASE(s->exec, s->now, numbers(s));
}

Status point_state_commit(PointState *s) { return s->old ? exec_copy(s->exec, s->old, s->now, bytes(s)) : OK; }

int64_t point_state_bytes(const PointState *s) { return s->n_state * s->n_whole * (int64_t)sizeof(double); }

Status point_state_save(const PointState *s, const Space *space, const LocalMesh *local, const PointBlock *block,
                        void *host) {
  Status status = OK;
  double *here = NULL;
  PointPlaces places = {0};
  ALLOC_DONE(here, numbers(s), WHAT);
  if (s->old) TRY_DONE(exec_download(s->exec, here, s->old, bytes(s)));
  TRY_DONE(point_places_find(space, local, block, true, &places));
  status = point_places_collect(s->exec->comm, &places, s->n_state, s->n_point, here, s->n_whole, host);
done:
  FREE(here);
  point_places_release(&places);
  return status;
}

Status point_state_restore(PointState *s, const Space *space, const LocalMesh *local, const PointBlock *block,
                           const void *host) {
  Status status = OK;
  double *here = NULL;
  PointPlaces places = {0};
  ALLOC_DONE(here, numbers(s), WHAT);
  TRY_DONE(point_places_find(space, local, block, false, &places));
  point_places_deal(&places, s->n_state, s->n_point, here, s->n_whole, host);
  status = both_upload(s, here);
done:
  FREE(here);
  point_places_release(&places);
  return status;
}
