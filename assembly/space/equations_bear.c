/* Whose the forces of equations are. An unknown that depends is held there by the force that is out of balance on it, and
 * its equation puts that times -T on the unknowns that it depends on. Where these forces add up to nothing, as those of
 * ties and free rigid groups do, the equation hands on what it bears: to supports, or to the rest of the body. Where they
 * do not, the ground bears the equation, which is a support like any other. */
#include "assembly/space/equations.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <math.h>

static const char WHAT[] = "reactions of constraints";

/* Which way the unknown points. */
static void unknown_direction(const Supports *s, int32_t unknown, double out[3]) {
  const int32_t b = s->n_component, node = unknown / b, c = unknown % b, f = s->frame_of ? s->frame_of[node] : -1;
  for (int k = 0; k < 3; ++k) out[k] = f < 0 ? k == c : s->frame[9 * (int64_t)f + 3 * k + c];
}

/* The forces of equation i add up to nothing, but for round-off. */
static bool hands_on(const Equations *e, const Supports *s, int32_t i) {
  static const double ROUND_OFF = 1e-9;
  double sum[3], d[3], size = 1;
  unknown_direction(s, e->row[i], sum);
  for (int64_t k = e->start[i]; k < e->start[i + 1]; ++k) {
    unknown_direction(s, e->column[k], d);
    size += fabs(e->factor[k]);
    for (int c = 0; c < 3; ++c) sum[c] -= e->factor[k] * d[c];
  }
  return fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) <= ROUND_OFF * size;
}

/* Bit c of a node: a support or an equation bears what is out of balance on component c. */
static void mark(uint8_t *bears, int32_t b, int32_t unknown) {
  bears[unknown / b] = (uint8_t)(bears[unknown / b] | 1u << unknown % b);
}

static Status bears_upload(const Space *space, const Supports *s, const uint8_t *bears, Equations *e) {
  Status status = OK;
  uint8_t *plain = NULL, *framed = NULL;
  ALLOC_DONE(plain, s->n_node, WHAT);
  ALLOC_DONE(framed, s->n_frame, WHAT);
  for (int32_t i = 0; i < s->n_node; ++i) plain[i] = s->frame_of[i] < 0 ? bears[i] : 0;
  for (int32_t k = 0; k < s->n_frame; ++k) framed[k] = bears[s->frame_node[k]];
  TRY_DONE(numbering_upload(space->exec, &space->numbering, 1, 1, plain, WHAT, (void **)&e->bears));
  e->n_node = s->n_node, e->n_frame = s->n_frame;
  if (!s->n_frame) goto done;
  TRY_DONE(exec_alloc_upload(space->exec, s->n_frame, 1, framed, WHAT, (void **)&e->frame_bears));
  for (int32_t k = 0; k < s->n_frame; ++k) framed[k] = 0;
  TRY_DONE(exec_alloc_upload(space->exec, s->n_frame, 1, framed, WHAT, (void **)&e->frame_free));
done:
  FREE(plain);
  FREE(framed);
  return status;
}

/* What equations hand on, factor [start[n]], and what supports and the ground bear; of the first n_timed that are switched as they hold
 * now, which of the others hand on. */
static void shares(const Supports *s, const Equations *e, int32_t n_timed, double *factor, uint8_t *bears) {
  for (int32_t i = 0; i < s->n_node; ++i) bears[i] = s->fixed[i];
  for (int32_t i = 0; i < e->n; ++i) {
    const int32_t group = e->rigid_of ? e->rigid_of[i] : -1, k = e->switch_of ? e->switch_of[i] : -1;
    const bool switched = k >= n_timed || (k >= 0 && !e->switches.on[k]); /* its numbers come later */
    const bool on = switched || (group < 0 ? !e->held[i] && hands_on(e, s, i) : !e->rigid[group].group.held);
    if (!on) mark(bears, e->n_component, e->row[i]);
    for (int64_t t = e->start[i]; t < e->start[i + 1]; ++t) {
      factor[t] = on ? e->factor[t] : 0;
      if (!on && (k < 0 || (e->factor[t] < 0 || e->factor[t] > 0))) mark(bears, e->n_component, e->column[t]);
    }
  }
}

Status equations_bear(const Space *space, const Supports *s, Equations *e) {
  Status status = OK;
  uint8_t *bears = NULL;
  double *factor = NULL;
  ALLOC_DONE(bears, s->n_node, WHAT);
  ALLOC_DONE(factor, e->start[e->n], WHAT);
  shares(s, e, 0, factor, bears);
  TRY_DONE(bears_upload(space, s, bears, e));
  TRY_DONE(equations_hand_on(space, factor, e));
done:
  FREE(bears);
  FREE(factor);
  return status;
}

/* Of nodes with frames those that timed equations have: contact has others. */
static Status framed_now(const Supports *s, const Equations *e, int32_t n_timed, const uint8_t *bears) {
  uint8_t *framed = NULL;
  if (!e->n_frame) return OK;
  ALLOC(framed, e->n_frame, WHAT);
  Status status = exec_download(e->exec, framed, e->frame_bears, (size_t)e->n_frame);
  for (int32_t k = 0; k < n_timed; ++k) {
    const int32_t i = e->switches.row[k];
    for (int64_t t = e->start[i] - 1; t < e->start[i + 1]; ++t) {
      const int32_t node = (t < e->start[i] ? e->row[i] : e->column[t]) / e->n_component;
      if (s->frame_of[node] >= 0) framed[s->frame_of[node]] = bears[node];
    }
  }
  if (status == OK) status = exec_upload(e->exec, e->frame_bears, framed, (size_t)e->n_frame);
  FREE(framed);
  return status;
}

Status equations_bear_now(const Space *space, const Supports *s, int32_t n_timed, Equations *e) {
  Status status = OK;
  uint8_t *bears = NULL, *arranged = NULL;
  double *factor = NULL;
  if (!n_timed) return OK;
  ALLOC_DONE(bears, s->n_node, WHAT);
  ALLOC_DONE(arranged, s->n_node, WHAT);
  ALLOC_DONE(factor, e->start[e->n], WHAT);
  shares(s, e, n_timed, factor, bears);
  for (int32_t i = 0; i < s->n_node; ++i)
    arranged[numbering_rank(&space->numbering, i)] = s->frame_of[i] < 0 ? bears[i] : 0;
  TRY_DONE(exec_upload(e->exec, e->bears, arranged, (size_t)s->n_node));
  TRY_DONE(framed_now(s, e, n_timed, bears));
  status = switches_hand_on(e, factor);
done:
  FREE(bears);
  FREE(arranged);
  FREE(factor);
  return status;
}

Status equations_pass(const Equations *e, const Supports *s, double *raw) {
  EquationRows pass = e->pass;
  const FramesArgs frames = {s->exec_frame_node, s->exec_frame, e->frame_free, NULL, raw, s->n_component};
  pass.v = raw;
  if (e->halo) TRY(exec_exchange(e->exec, e->halo, raw, (size_t)e->n_component * sizeof *raw));
  if (!e->n) return OK;
  TRY(exec_rows(s->exec, &frames_to_local_kernel, &frames, e->n_frame));
  TRY(exec_rows(s->exec, &equation_row_kernel, &pass, e->n_pass));
  return exec_rows(s->exec, &frames_to_global_kernel, &frames, e->n_frame);
}
