/* Directions that are prescribed or not, on the host and on the Exec. */
#include "assembly/space/toggle.h"
#include "assembly/space/rows.h"
#include "assembly/space/support.h"
#include "core/memory.h"

#include <string.h>

static const char WHAT[] = "directions of contact";

Status toggles_create(int32_t n, Toggles *t) {
  *t = (Toggles){.n = n};
  ALLOC(t->node, n, WHAT);
  TRY(mem_alloc(n, sizeof *t->d, WHAT, (void **)(void *)&t->d));
  ALLOC(t->component, n, WHAT);
  ALLOC(t->along, n, WHAT);
  TRY(mem_alloc(n, sizeof *t->unit, WHAT, (void **)(void *)&t->unit));
  ALLOC(t->on, n, WHAT);
  ALLOC(t->follows, n, WHAT);
  ALLOC(t->scale, n, WHAT);
  ALLOC(t->start, (int64_t)n + 1, WHAT);
  for (int32_t i = 0; i < n; ++i) t->scale[i] = 1;
  return OK;
}

void toggles_release(Toggles *t) {
  const int64_t n = t->n;
  if (t->exec) {
    EXEC_RELEASE(t->exec, t->exec_node, n);
    EXEC_RELEASE(t->exec, t->exec_row, n);
    EXEC_RELEASE(t->exec, t->exec_frame, n);
    EXEC_RELEASE(t->exec, t->exec_bit, n);
    EXEC_RELEASE(t->exec, t->exec_on, n);
    EXEC_RELEASE(t->exec, t->exec_d, 3 * n);
    EXEC_RELEASE(t->exec, t->exec_unit, 3 * n);
    EXEC_RELEASE(t->exec, t->exec_along, n);
    EXEC_RELEASE(t->exec, t->exec_which, n);
    EXEC_RELEASE(t->exec, t->exec_goal, n);
    EXEC_RELEASE(t->exec, t->exec_rate, 2 * n);
    EXEC_RELEASE(t->exec, t->exec_seen, 2 * n);
    EXEC_RELEASE(t->exec, t->exec_across, 3 * n);
    EXEC_RELEASE(t->exec, t->exec_force, 3 * n);
    EXEC_RELEASE(t->exec, t->exec_scale, n);
    EXEC_RELEASE(t->exec, t->exec_start, n + 1);
    EXEC_RELEASE(t->exec, t->exec_other, t->start[n]);
    EXEC_RELEASE(t->exec, t->exec_weight, t->start[n]);
  }
  FREE(t->node);
  mem_free((void **)(void *)&t->d);
  FREE(t->component);
  FREE(t->along);
  mem_free((void **)(void *)&t->unit);
  FREE(t->on);
  FREE(t->follows);
  FREE(t->scale);
  FREE(t->start);
  FREE(t->other);
  FREE(t->weight);
  *t = (Toggles){0};
}

static Status places_upload(const Space *s, const Supports *supports, Toggles *t) {
  Status status = OK;
  int32_t *node = NULL, *row = NULL, *frame = NULL;
  uint8_t *bit = NULL;
  ALLOC_DONE(node, t->n, WHAT);
  ALLOC_DONE(row, t->n, WHAT);
  ALLOC_DONE(frame, t->n, WHAT);
  ALLOC_DONE(bit, t->n, WHAT);
  for (int32_t i = 0; i < t->n; ++i) {
    node[i] = numbering_rank(&s->numbering, t->node[i]);
    row[i] = node[i] * s->n_component + t->component[i];
    frame[i] = supports->frame_of[t->node[i]];
    bit[i] = (uint8_t)(1 << t->component[i]);
  }
  TRY_DONE(exec_alloc_upload(s->exec, t->n, sizeof *node, node, WHAT, (void **)&t->exec_node));
  TRY_DONE(exec_alloc_upload(s->exec, t->n, sizeof *row, row, WHAT, (void **)&t->exec_row));
  TRY_DONE(exec_alloc_upload(s->exec, t->n, sizeof *frame, frame, WHAT, (void **)&t->exec_frame));
  status = exec_alloc_upload(s->exec, t->n, 1, bit, WHAT, (void **)&t->exec_bit);
done:
  FREE(node);
  FREE(row);
  FREE(frame);
  FREE(bit);
  return status;
}

static Status others_upload(const Space *s, Toggles *t) {
  const int64_t n = t->start[t->n];
  int32_t *other = NULL;
  ALLOC(other, n, WHAT);
  for (int64_t k = 0; k < n; ++k) other[k] = numbering_rank(&s->numbering, t->other[k]);
  const Status status = exec_alloc_upload(s->exec, n, sizeof *other, other, WHAT, (void **)&t->exec_other);
  FREE(other);
  TRY(status);
  TRY(exec_alloc_upload(s->exec, n, sizeof *t->weight, t->weight, WHAT, (void **)&t->exec_weight));
  TRY(exec_alloc_upload(s->exec, t->n, sizeof *t->scale, t->scale, WHAT, (void **)&t->exec_scale));
  return exec_alloc_upload(s->exec, (int64_t)t->n + 1, sizeof *t->start, t->start, WHAT, (void **)&t->exec_start);
}

Status toggles_upload(const Space *s, const Supports *supports, Toggles *t) {
  if (!t->n) return OK;
  t->exec = s->exec;
  TRY(places_upload(s, supports, t));
  TRY(exec_alloc_upload(s->exec, t->n, 1, t->on, WHAT, (void **)&t->exec_on));
  TRY(exec_alloc_upload(s->exec, 3 * (int64_t)t->n, sizeof(double), t->d, WHAT, (void **)&t->exec_d));
  TRY(exec_alloc_upload(s->exec, 3 * (int64_t)t->n, sizeof(double), t->unit, WHAT, (void **)&t->exec_unit));
  TRY(exec_alloc_upload(s->exec, t->n, sizeof(double), t->along, WHAT, (void **)&t->exec_along));
  EXEC_ALLOC(s->exec, t->exec_which, t->n, WHAT);
  EXEC_ALLOC(s->exec, t->exec_goal, t->n, WHAT);
  EXEC_ALLOC(s->exec, t->exec_rate, 2 * (int64_t)t->n, WHAT);
  TRY(exec_zero(s->exec, t->exec_rate, 2 * (size_t)t->n * sizeof *t->exec_rate));
  EXEC_ALLOC(s->exec, t->exec_seen, 2 * (int64_t)t->n, WHAT);
  EXEC_ALLOC(s->exec, t->exec_across, 3 * (int64_t)t->n, WHAT);
  EXEC_ALLOC(s->exec, t->exec_force, 3 * (int64_t)t->n, WHAT);
  return others_upload(s, t);
}

/* Those of these that prescribe a value. */
static Status held_upload(const Toggles *t, const uint8_t *on, uint8_t *to) {
  uint8_t *held = NULL;
  ALLOC(held, t->n, WHAT);
  for (int32_t i = 0; i < t->n; ++i) held[i] = on[i] && !t->follows[i];
  const Status status = exec_upload(t->exec, to, held, (size_t)t->n);
  FREE(held);
  return status;
}

Status toggles_hold(const Space *s, const Supports *supports, const Toggles *t, uint8_t *frame_bears) {
  uint8_t *const fixed[2] = {supports->exec_frame_fixed, frame_bears};
  TRY(held_upload(t, t->on, t->exec_on));
  for (int k = 0; k < 2 && fixed[k]; ++k) {
    const ToggleArgs args = {t->exec_frame, t->exec_bit, t->exec_on, fixed[k]};
    TRY(exec_rows(s->exec, &toggle_kernel, &args, t->n));
  }
  const PrescribedRenewArgs renew = {s->prescribed, supports->exec_frame_fixed};
  return exec_rows(s->exec, &prescribed_renew_kernel, &renew, s->n_prescribed);
}

Status toggles_see(const Space *s, const Toggles *t, const double *u, const double *f, double *seen) {
  const ToggleSeeArgs args = {.node = t->exec_node,
                              .d = t->exec_d,
                              .component = t->exec_unit,
                              .scale = t->exec_scale,
                              .weight = t->exec_weight,
                              .start = t->exec_start,
                              .other = t->exec_other,
                              .u = u,
                              .f = f,
                              .out = t->exec_seen,
                              .across = t->exec_across,
                              .dim = s->n_component};
  TRY(exec_rows(s->exec, &toggle_see_kernel, &args, t->n));
  return exec_download(s->exec, seen, t->exec_seen, 2 * (size_t)t->n * sizeof *seen);
}

Status toggles_across(const Space *s, const Toggles *t, double (*across)[3]) {
  return exec_download(s->exec, across, t->exec_across, (size_t)t->n * sizeof *across);
}

Status toggles_force(const Space *s, const Toggles *t, const double *f, double (*force)[3]) {
  const ToggleForceArgs args = {t->exec_node, f, t->exec_force, s->n_component};
  TRY(exec_rows(s->exec, &toggle_force_kernel, &args, t->n));
  return exec_download(s->exec, force, t->exec_force, (size_t)t->n * sizeof *force);
}

Status toggles_move(const Toggles *t, const double *goal, double *u) {
  const ToggleMoveArgs args = {
      .row = t->exec_row, .on = t->exec_on, .seen = t->exec_seen, .goal = t->exec_goal, .along = t->exec_along, .u = u};
  TRY(exec_upload(t->exec, t->exec_goal, goal, (size_t)t->n * sizeof *goal));
  return exec_rows(t->exec, &toggle_move_kernel, &args, t->n);
}

Status toggles_rates(const Toggles *t, const double *rate) {
  return exec_upload(t->exec, t->exec_rate, rate, 2 * (size_t)t->n * sizeof *rate);
}

Status toggles_stop(const Toggles *t, const uint8_t *which, double first, double second, double *v) {
  const ToggleMoveArgs args = {.row = t->exec_row,
                               .on = which ? t->exec_which : t->exec_on,
                               .along = t->exec_along,
                               .u = v,
                               .rate = t->exec_rate,
                               .n = t->n,
                               .first = first,
                               .second = second};
  if (!t->n) return OK;
  if (which) TRY(held_upload(t, which, t->exec_which));
  return exec_rows(t->exec, &toggle_stop_kernel, &args, t->n);
}
