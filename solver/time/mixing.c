#include "solver/time/mixing.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>

enum { DEPTH = 6 };

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
  double *dot;                   /* owned, [1] */
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
  EXEC_ALLOC(w->exec, w->dot, 1, "product of residuals");
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
  EXEC_RELEASE(w->exec, w->dot, 1);
  FREE(*mixing);
}

static Status copy(const Mixing *w, const MixState *to, const MixState *from) {
  const size_t bytes = (size_t)w->n * sizeof(double);
  TRY(exec_copy(w->exec, to->u, from->u, bytes));
  TRY(exec_copy(w->exec, to->r, from->r, bytes));
  for (int32_t k = 0; k < w->n_factor; ++k) to->factor[k] = from->factor[k];
  return w->n_multiplier ? exec_copy(w->exec, to->m, from->m, (size_t)w->n_multiplier * sizeof(double)) : OK;
}

/* to += a v */
static Status add(const Mixing *w, double a, const MixState *v, const MixState *to) {
  TRY(vec_axpy(w->exec, w->n, a, v->u, to->u));
  TRY(vec_axpy(w->exec, w->n, a, v->r, to->r));
  for (int32_t k = 0; k < w->n_factor; ++k) to->factor[k] += a * v->factor[k];
  return w->n_multiplier ? vec_axpy(w->exec, w->n_multiplier, a, v->m, to->m) : OK;
}

static MixState state_of(MixVectors *v) { return (MixState){v->u, v->m, v->r, v->factor}; }

static Status product(const Mixing *w, const double *x, const double *y, double *out) {
  TRY(vec_dot(w->exec, w->n, x, y, w->dot));
  return exec_download(w->exec, out, w->dot, sizeof *out);
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
  const int32_t slot = w->count < DEPTH ? w->count : w->next;
  const MixState d = state_of(&w->direction[slot]), start = state_of(&w->start);
  double square, all;
  TRY(copy(w, &d, at));
  TRY(add(w, -1, &start, &d));
  TRY(product(w, d.r, d.r, &all));
  for (int32_t k = 0; k < w->count; ++k) {
    const MixState other = state_of(&w->direction[k]);
    double along;
    if (k == slot) continue;
    TRY(product(w, other.r, d.r, &along));
    TRY(add(w, -along, &other, &d));
  }
  TRY(product(w, d.r, d.r, &square));
  if (!(square > 1e-8 * all) || !isfinite(square)) { /* nothing new */
    w->count = slot < w->count ? 0 : w->count;
    return OK;
  }
  TRY(add(w, 1 / sqrt(square) - 1, &d, &d));
  w->count = w->count < DEPTH ? w->count + 1 : DEPTH;
  w->next = (slot + 1) % DEPTH;
  return OK;
}

Status mixing_go(Mixing *w, const MixState *at) {
  const MixState step = state_of(&w->step);
  TRY(copy(w, &step, at));
  TRY(add_direction(w, at));
  for (int32_t k = 0; k < w->count; ++k) {
    const MixState d = state_of(&w->direction[k]);
    double along;
    TRY(product(w, d.r, step.r, &along));
    TRY(add(w, -along, &d, at));
  }
  return OK;
}
