/* States at integration points, which go from step to step: what materials remember. A trial reads `old` and writes `now`;
 * only a step that is accepted changes `old`. */
#pragma once
#include "assembly/space/point_places.h"

typedef struct PointState {
  Exec *exec;               /* borrowed */
  int32_t n_state;          /* of the point with most, on any rank */
  int64_t n_point, n_whole; /* of this rank, and of the whole mesh */
  double *old, *now;        /* owned, on the Exec, [n_state][n_point]; NULL: none of its points has any */
} PointState;

/* initial[n_state][n_point] on the host. */
Status point_state_create(Exec *exec, int32_t n_state, int64_t n_point, const double *initial, PointState *out);
void point_state_release(PointState *state);
/* The states at the end of the step become those at its start. Recordable. */
Status point_state_commit(PointState *state);
/* For checkpoints: `old` of the whole mesh, [n_state][n_whole] in its order (point_places.h), whatever the number of ranks. host:
 * point_state_bytes on rank 0, elsewhere it is not looked at; to restore, the same on every rank. block[k]: the points of
 * solved block k. Collective. */
int64_t point_state_bytes(const PointState *state);
Status point_state_save(const PointState *state, const Space *space, const LocalMesh *local, const PointBlock *block,
                        void *host);
Status point_state_restore(PointState *state, const Space *space, const LocalMesh *local, const PointBlock *block,
                           const void *host);
