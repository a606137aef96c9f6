/* Supports of the halo: a rank has not all facets at these nodes, their owners have. */
#include "assembly/space/support.h"
#include "core/comm.h"
#include "core/halo.h"
#include "core/memory.h"

static const char *const WHAT = "supports of the halo";
enum { FRAMED = 0x80 }; /* with the components of a node that has a frame */

/* An array of the host, [n_node] items of `bytes` in the solver's order, gets its halo from the owners. */
static Status host_exchange(const Space *space, void *host, size_t bytes) {
  void *on_exec = NULL;
  const size_t all = (size_t)space->n_node * bytes;
  TRY(exec_alloc_upload(space->exec, space->n_node, bytes, host, WHAT, &on_exec));
  Status status = exec_exchange(space->exec, space->pattern->share.halo, on_exec, bytes);
  if (status == OK) status = exec_download(space->exec, host, on_exec, all);
  exec_release(space->exec, space->n_node, bytes, &on_exec);
  return status;
}

static int32_t first_halo(const Space *space) { return (int32_t)(space->n_dof / space->n_component); }

/* mask[n_node] in the solver's order; *n_frame gets how many nodes of the halo have frames. */
static Status share_fixed(const Space *space, Supports *s, uint8_t *mask, int32_t *n_frame) {
  for (int32_t i = 0; i < s->n_node; ++i)
    mask[numbering_rank(&space->numbering, i)] = (uint8_t)(s->fixed[i] | (s->frame_of[i] >= 0 ? FRAMED : 0));
  TRY(host_exchange(space, mask, sizeof *mask));
  *n_frame = 0;
  for (int32_t k = first_halo(space); k < s->n_node; ++k) {
    s->fixed[numbering_node(&space->numbering, k)] = mask[k] & (FRAMED - 1);
    *n_frame += (mask[k] & FRAMED) != 0;
  }
  return OK;
}

/* Frames of the halo behind the own ones; `frame` [n_node][9] in the solver's order. */
static Status share_frames(const Space *space, Supports *s, const uint8_t *mask, int32_t n_frame, double *frame) {
  for (int32_t k = 0; k < s->n_frame; ++k)
    for (int c = 0; c < 9; ++c)
      frame[9 * (int64_t)numbering_rank(&space->numbering, s->frame_node[k]) + c] = s->frame[9 * (int64_t)k + c];
  TRY(host_exchange(space, frame, 9 * sizeof *frame));
  RESIZE(s->frame_node, s->n_frame + n_frame, WHAT);
  RESIZE(s->frame, 9 * (int64_t)(s->n_frame + n_frame), WHAT);
  for (int32_t k = first_halo(space); k < s->n_node; ++k) {
    if (!(mask[k] & FRAMED)) continue;
    const int32_t node = numbering_node(&space->numbering, k);
    for (int c = 0; c < 9; ++c) s->frame[9 * (int64_t)s->n_frame + c] = frame[9 * (int64_t)k + c];
    s->frame_of[node] = s->n_frame;
    s->frame_node[s->n_frame++] = node;
  }
  return OK;
}

Status supports_share(const Space *space, Supports *s) {
  Status status = OK;
  uint8_t *mask = NULL;
  double *frame = NULL, any = s->n_frame > 0;
  int32_t n_frame = 0;
  ALLOC_DONE(mask, s->n_node, WHAT);
  TRY_DONE(share_fixed(space, s, mask, &n_frame));
  TRY_DONE(comm_most(space->exec->comm, &any));
  if (any == 0) goto done;
  ALLOC_DONE(frame, 9 * (int64_t)s->n_node, WHAT);
  status = share_frames(space, s, mask, n_frame, frame);
done:
  FREE(mask);
  FREE(frame);
  return status;
}
