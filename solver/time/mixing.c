#include "solver/time/mixing.h"
#include "core/memory.h"
#include "solver/time/rows.h"

#include <math.h>

/* Directions that are kept. */
enum { DEPTH = MIX_DEPTH, DOTS = MIX_DEPTH + 1 + MIX_DOTS };

typedef struct MixVectors {
  double *u, *m, *r; /* owned */
  double factor[LINEAR_BORDER];
} MixVectors;

struct Mixing {
  Exec *exec; /* borrowed */
  int64_t n, n_multiplier;
  int32_t n_factor, count, next; /* directions known; where the next one goes */
  MixVectors direction[DEPTH];   /* with r, its image, of length 1 and at right angles to the others */
  MixVectors start, step;        /* where the last step began, and where it led to */
  double *dot;                   /* owned, [DOTS] */
};

static Status allocate(Mixing *w, MixVectors *v) {
  EXEC_ALLOC(w->exec, v->u, w->n, "last steps of Newton's method");
  EXEC_ALLOC(w->exec, v->m, w->n_multiplier, "last steps of Newton's method");
  EXEC_ALLOC(w->exec, v->r, w->n, "last steps of Newton's method");
  return OK;
}

static Status allocate_all(Mixing *w) {
  for (int k = 0; k < DEPTH; ++k) TRY(allocate(w, &w->direction[k]));
  TRY(allocate(w, &w->start));
  TRY(allocate(w, &w->step));
  EXEC_ALLOC(w->exec, w->dot, DOTS, "products of residuals");
  return OK;
}

Status mixing_create(Exec *exec, int64_t n, int64_t n_multiplier, int32_t n_factor, Mixing **out) {
  Mixing *w = NULL;
  *out = NULL;
  CHECK(n_factor <= LINEAR_BORDER, ERR_BUG, "%d factors, at most %d", (int)n_factor, LINEAR_BORDER);
  ALLOC(w, 1, "last steps of Newton's method");
  *w = (Mixing){.exec = exec, .n = n, .n_multiplier = n_multiplier, .n_factor = n_factor};
  const Status status = allocate_all(w);
  if (status != OK) mixing_destroy(&w);
  *out = w;
  return status;
}

static void release(Mixing *w, MixVectors *v) {
  EXEC_RELEASE(w->exec, v->u, w->n);
  EXEC_RELEASE(w->exec, v->m, w->n_multiplier);
  EXEC_RELEASE(w->exec, v->r, w->n);
}

void mixing_destroy(Mixing **mixing) {
  Mixing *w = *mixing;
  if (!w) return;
  for (int k = 0; k < DEPTH; ++k) release(w, &w->direction[k]);
  release(w, &w->start);
  release(w, &w->step);
  EXEC_RELEASE(w->exec, w->dot, DOTS);
  FREE(*mixing);
}

static Status copy(const Mixing *w, const MixState *to, const MixState *from) {
  const size_t bytes = (size_t)w->n * sizeof(double);
  TRY(exec_copy(w->exec, to->u, from->u, bytes));
  TRY(exec_copy(w->exec, to->r, from->r, bytes));
  for (int32_t k = 0; k < w->n_factor; ++k) to->factor[k] = from->factor[k];
  return w->n_multiplier ? exec_copy(w->exec, to->m, from->m, (size_t)w->n_multiplier * sizeof(double)) : OK;
}

static MixState state_of(MixVectors *v) { return (MixState){v->u, v->m, v->r, v->factor}; }

/* out[k] = r . r of v[k]. One wait for all. */
static Status products(const Mixing *w, const double *r, int32_t n, MixVectors *const *v, double *out) {
  for (int32_t first = 0; first < n; first += MIX_DOTS) {
    MixDotsArgs args = {.x = r, .out = w->dot + first};
    for (int32_t k = 0; k < MIX_DOTS; ++k) args.y[k] = first + k < n ? v[first + k]->r : r;
    TRY(exec_rows(w->exec, &mix_dots_kernel, &args, w->n));
  }
  return exec_download(w->exec, out, w->dot, (size_t)n * sizeof *out);
}

/* to = scale (to - sum of factor[k] v[k]) */
static Status take(const Mixing *w, int32_t n, MixVectors *const *v, const double *factor, double scale,
                   const MixState *to) {
  MixTakeArgs u = {.to = to->u, .scale = scale, .count = n};
  for (int32_t k = 0; k < n; ++k) u.factor[k] = factor[k];
  MixTakeArgs m = u, r = u;
  m.to = to->m, r.to = to->r;
  for (int32_t k = 0; k < n; ++k) {
    u.from[k] = v[k]->u, m.from[k] = v[k]->m, r.from[k] = v[k]->r;
    for (int32_t j = 0; j < w->n_factor; ++j) to->factor[j] -= factor[k] * v[k]->factor[j];
  }
  for (int32_t j = 0; j < w->n_factor; ++j) to->factor[j] *= scale;
  TRY(exec_rows(w->exec, &mix_take_kernel, &u, w->n));
  TRY(exec_rows(w->exec, &mix_take_kernel, &r, w->n));
  return w->n_multiplier ? exec_rows(w->exec, &mix_take_kernel, &m, w->n_multiplier) : OK;
}

Status mixing_begin(Mixing *w, const MixState *at) {
  w->count = 0;
  return mixing_accept(w, at);
}

Status mixing_accept(Mixing *w, const MixState *at) {
  const MixState start = state_of(&w->start);
  return copy(w, &start, at);
}

Status mixing_return(Mixing *w, const MixState *at) {
  const MixState step = state_of(&w->step);
  TRY(copy(w, at, &step));
  return mixing_accept(w, at);
}

Status mixing_refuse(Mixing *w, const MixState *at) {
  const MixState step = state_of(&w->step);
  TRY(copy(w, at, &step));
  return mixing_begin(w, at);
}

/* What the step changed, at right angles to the directions that stay, in the place of the oldest. */
static Status add_direction(Mixing *w, const MixState *at) {
  static const double ONE = 1;
  const int32_t slot = w->count < DEPTH ? w->count : w->next;
  MixVectors *const new = &w->direction[slot], *const start = &w->start, *old[DEPTH + 1];
  const MixState d = state_of(new);
  double along[DEPTH + 1], square;
  int32_t n = 0;
  TRY(copy(w, &d, at));
  TRY(take(w, 1, &start, &ONE, 1, &d));
  for (int32_t k = 0; k < w->count; ++k)
    if (k != slot) old[n++] = &w->direction[k];
  old[n] = new;
  TRY(products(w, d.r, n + 1, old, along));
  TRY(take(w, n, old, along, 1, &d));
  TRY(products(w, d.r, 1, &new, &square));
  if (!(square > 1e-8 * along[n]) || !isfinite(square)) { /* nothing new */
    w->count = slot < w->count ? 0 : w->count;
    return OK;
  }
  TRY(take(w, 0, NULL, NULL, 1 / sqrt(square), &d));
  w->count = w->count < DEPTH ? w->count + 1 : DEPTH;
  w->next = (slot + 1) % DEPTH;
  return OK;
}

Status mixing_go(Mixing *w, const MixState *at) {
  const MixState step = state_of(&w->step);
  MixVectors *all[DEPTH];
  double along[DEPTH];
  TRY(copy(w, &step, at));
  TRY(add_direction(w, at));
  for (int32_t k = 0; k < w->count; ++k) all[k] = &w->direction[k];
  if (!w->count) return OK;
  TRY(products(w, step.r, w->count, all, along));
  return take(w, w->count, all, along, 1, at);
}
