/* Bolts as equations that are switched and as forces; when they are locked, and what they bear. */
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "bolts";
/* Cosines below this are round-off; of times, what is the same. */
static const double ACROSS = 1e-6, EDGE = 1e-9;

/* At the end of a step from `from` to `to`; numbers of a checkpoint. */
typedef struct BoltState {
  double from, to, opening, force;
  double phase, start, start_opening; /* -1: none has begun; what it bore, and how it lay, when its phase began */
} BoltState;

typedef struct Bolt {
  const BoltParams *params;
  int32_t ref, slot; /* the pair, and the component of its node's frame, that D is written by */
  double slot_axis[3], slot_along;
  int32_t n_row;
  BoltState kept;
  /* of the time last begun */
  bool locked; /* D is `goal`; else it is under `force` */
  double force, goal;
} Bolt;

typedef struct Bolts {
  int32_t n, n_row, row_terms;
  double from, to;
  Bolt *item;     /* owned */
  double *raw;    /* on the Exec, owned, [n_dof]; NULL before the first commit */
  double *forces; /* host, owned, [n_dof], likewise */
} Bolts;

int32_t elasticity_bolts(const Elasticity *p) { return p->bolts ? p->bolts->n : 0; }
BoltSeen elasticity_bolt(const Elasticity *p, int32_t i) {
  const Bolt *b = &p->bolts->item[i];
  return (BoltSeen){b->kept.force, 0 - b->kept.opening, b->locked};
}

/* ---- what holds over time ---- */

static double edge_of(double time) { return EDGE * (1 + fabs(time)); }

/* The phase that steps from a time on are in; -1: none. */
static int32_t phase_at(const BoltParams *b, double from) {
  int32_t k = -1;
  while (k + 1 < b->n_phase && b->phase[k + 1].begin <= from + edge_of(from)) ++k;
  return k;
}

/* The preload or the elongation of phase k. */
static double value_at(const Bolt *b, int32_t k, double time) {
  const BoltPhase *phase = &b->params->phase[k];
  const bool goes_on = k == (int32_t)b->kept.phase;
  const double origin[3] = {0}, value = expr_value(&phase->value, origin, time);
  const double start = phase->stretched ? -(goes_on ? b->kept.start_opening : b->kept.opening)
                       : goes_on        ? b->kept.start
                                        : b->kept.force;
  const double part = (time - phase->begin) / (phase->grown - phase->begin);
  return expr_is_timed(&phase->value) ? value : start + (value - start) * fmin(1, fmax(0, part));
}

/* An expression in t may become anything. */
static Status value_check(const Bolt *b, int32_t k, double time, double value) {
  static const double ROUNDING = 1e-9; /* of what the bolt bears */
  const bool stretched = b->params->phase[k].stretched;
  CHECK(isfinite(value), ERR_INPUT,
        "%s: the %s of bolt '%s' is not finite at time %g\n  remedy: look for divisions by 0, and for roots and "
        "logarithms of what is negative",
        b->params->where, stretched ? "elongation" : "preload", b->params->name, time);
  CHECK(stretched || value >= -ROUNDING * fabs(b->kept.force), ERR_INPUT,
        "%s: the preload of bolt '%s' is %g at time %g, must not be negative: it is what the shank is pulled with\n  "
        "remedy: 'max(0, ...)', or 'elongation', which may be negative",
        b->params->where, b->params->name, value, time);
  return OK;
}

Status bolts_begin(Elasticity *p, double time, bool *changed) {
  Bolts *s = p->bolts;
  *changed = false;
  for (int32_t i = 0; s && i < s->n; ++i) {
    Bolt *b = &s->item[i];
    const double from = time > b->kept.to ? b->kept.to : b->kept.from;
    const int32_t k = phase_at(b->params, from);
    const bool kept = k < 0 || from >= b->params->phase[k].lock - edge_of(from);
    const bool locked = kept || b->params->phase[k].stretched;
    const double value = kept ? 0 : value_at(b, k, time), goal = kept || !locked ? b->kept.opening : -value;
    if (!kept) TRY(value_check(b, k, time, value));
    *changed |= locked != b->locked || (locked && goal != b->goal);
    b->locked = locked, b->goal = goal;
    b->force = locked ? 0 : value;
    s->from = from, s->to = time;
  }
  return OK;
}

int64_t bolts_bytes(const Elasticity *p) { return p->bolts ? p->bolts->n * (int64_t)sizeof(BoltState) : 0; }
void bolts_save(const Elasticity *p, void *host) {
  for (int32_t i = 0; i < elasticity_bolts(p); ++i)
    memcpy((char *)host + (size_t)i * sizeof(BoltState), &p->bolts->item[i].kept, sizeof(BoltState));
}
void bolts_restore(Elasticity *p, const void *host) {
  for (int32_t i = 0; i < elasticity_bolts(p); ++i)
    memcpy(&p->bolts->item[i].kept, (const char *)host + (size_t)i * sizeof(BoltState), sizeof(BoltState));
}

/* ---- forces ---- */

static int64_t first_of(const Elasticity *p, int32_t node) {
  return (int64_t)p->dim * numbering_rank(&p->space->numbering, node);
}

void bolts_load(const Elasticity *p, double *out) {
  for (int32_t i = 0; i < elasticity_bolts(p); ++i) {
    const Bolt *b = &p->bolts->item[i];
    const BoltParams *q = b->params;
    for (int32_t d = 0; d < p->dim; ++d) {
      out[first_of(p, q->ahead[b->ref]) + d] -= b->force * q->axis[d];
      out[first_of(p, q->behind[b->ref]) + d] += b->force * q->axis[d];
    }
  }
}

/* (u+ - u-) . n of the pair that D is written by. */
static Status opening_at(const Elasticity *p, const Bolt *b, const double *u, double *out) {
  const int32_t node[2] = {b->params->ahead[b->ref], b->params->behind[b->ref]};
  double x[2][3] = {{0}};
  for (int k = 0; k < 2; ++k)
    TRY(exec_download(p->space->exec, x[k], u + first_of(p, node[k]), (size_t)p->dim * sizeof(double)));
  vec3_minus(x[0], x[1], x[0]);
  *out = vec3_dot(x[0], b->params->axis);
  return OK;
}

/* What the cut transmits along the axis: forces that are out of balance on one of its sides, without the preload. */
static double force_across(const Elasticity *p, const Bolt *b, const double *raw) {
  double sum = b->force;
  for (int32_t k = 0; k < b->params->n; ++k)
    for (int32_t d = 0; d < p->dim; ++d) sum += raw[first_of(p, b->params->ahead[k]) + d] * b->params->axis[d];
  return sum;
}

Status elasticity_bolts_commit(Elasticity *p, const double *u) {
  Bolts *s = p->bolts;
  if (!s) return OK;
  const int64_t n = p->space->n_dof;
  if (!s->raw) EXEC_ALLOC(p->space->exec, s->raw, n, WHAT);
  if (!s->forces) ALLOC(s->forces, n, WHAT);
  TRY(elasticity_global_frame(p, &u));
  TRY(elasticity_force_balance(p, u, NULL, s->raw, NULL));
  TRY(exec_download(p->space->exec, s->forces, s->raw, (size_t)n * sizeof *s->forces));
  for (int32_t i = 0; i < s->n; ++i) {
    Bolt *b = &s->item[i];
    const int32_t k = phase_at(b->params, s->from);
    if (k != (int32_t)b->kept.phase)
      b->kept.start = b->kept.force, b->kept.start_opening = b->kept.opening, b->kept.phase = k;
    if (b->locked) b->kept.opening = b->goal;
    else TRY(opening_at(p, b, u, &b->kept.opening));
    b->kept.force = force_across(p, b, s->forces);
    b->kept.from = s->from, b->kept.to = s->to;
  }
  return OK;
}

/* ---- equations ---- */

/* Direction j of the frame of a node, in the global frame. */
static void frame_axis(const Elasticity *p, int32_t node, int32_t j, double q[3]) {
  const int32_t f = p->supports.n_frame ? p->supports.frame_of[node] : -1;
  for (int d = 0; d < 3; ++d) q[d] = f < 0 ? (double)(d == j) : p->supports.frame[9 * (int64_t)f + 3 * d + j];
}
static bool is_fixed(const Elasticity *p, int32_t node, int32_t j) { return p->supports.fixed[node] >> j & 1; }

/* Whether supports hold all of a node along q. */
static bool is_held_along(const Elasticity *p, int32_t node, const double q[3]) {
  double rest[3] = {q[0], q[1], q[2]};
  for (int32_t j = 0; j < p->dim; ++j) {
    double axis[3];
    frame_axis(p, node, j, axis);
    const double part = vec3_dot(q, axis);
    for (int d = 0; d < 3 && is_fixed(p, node, j); ++d) rest[d] -= part * axis[d];
  }
  return vec3_dot(rest, rest) < ACROSS * ACROSS;
}

static Status refuse_node(const Elasticity *p, const BoltParams *b, int32_t node, const char *why, const char *remedy) {
  const double *x = p->space->mesh->x[node];
  return FAIL(ERR_INPUT, "%s: the cut '%s' of a bolt has a node at (%g, %g, %g) %s\n  remedy: %s", b->where, b->name,
              x[0], x[1], x[2], why, remedy);
}

/* Rows of the bolt, and where D is best written. */
static Status bolt_inspect(const Elasticity *p, Bolt *b) {
  const BoltParams *q = b->params;
  for (int32_t k = 0; k < q->n; ++k)
    for (int32_t j = 0; j < p->dim; ++j) {
      double axis[3];
      frame_axis(p, q->ahead[k], j, axis);
      const double along = vec3_dot(axis, q->axis);
      if (!is_fixed(p, q->ahead[k], j)) {
        ++b->n_row;
        if (!(fabs(along) > fabs(b->slot_along) + ACROSS)) continue;
        b->ref = k, b->slot = j, b->slot_along = along;
        memcpy(b->slot_axis, axis, sizeof axis);
        continue;
      }
      if (fabs(along) > ACROSS)
        return refuse_node(p, q, q->ahead[k], "that a support holds along its axis",
                           "leave the support out there; planes of symmetry may hold it across the axis");
      if (!is_held_along(p, q->behind[k], axis))
        return refuse_node(p, q, q->ahead[k], "that a support holds on one side of the cut alone",
                           "a support on both sides, or a cut away from it");
    }
  return OK;
}

/* Nodes that something else joins. */
static Status refuse_joined(const Elasticity *p, const ElasticityParams *params, uint8_t *used) {
  const EquationList *list = params->equations;
  const Toggles *t = &p->contact.nodes;
  for (int32_t i = 0; list && i < list->n; ++i)
    for (int32_t k = 0; k < list->item[i].n; ++k) used[list->term[list->item[i].first + k].node] = 1;
  for (int32_t k = 0; k < t->n; ++k) used[t->node[k]] = 1;
  for (int64_t k = 0; t->n && k < t->start[t->n]; ++k) used[t->other[k]] = 1;
  for (int32_t i = 0; i < p->bolts->n; ++i) {
    const BoltParams *b = p->bolts->item[i].params;
    for (int32_t k = 0; k < b->n; ++k) {
      const int32_t node = used[b->ahead[k]] ? b->ahead[k] : used[b->behind[k]] ? b->behind[k] : -1;
      if (node >= 0)
        return refuse_node(p, b, node, "that is in a tie, an equation, a rigid group, a contact or another bolt too",
                           "a cut through the shank alone, away from what touches or joins it");
      used[b->ahead[k]] = used[b->behind[k]] = 1;
    }
  }
  return OK;
}

Status bolts_create(Elasticity *p, const ElasticityParams *params) {
  Bolts *s = NULL;
  uint8_t *used = NULL;
  if (!params->n_bolt) return OK;
  CHECK(!params->share, ERR_BUG, "bolts of several ranks");
  ALLOC(s, 1, WHAT);
  p->bolts = s;
  s->n = params->n_bolt, s->row_terms = 4 * p->dim;
  ALLOC(s->item, s->n, WHAT);
  for (int32_t i = 0; i < s->n; ++i) {
    Bolt *b = &s->item[i];
    *b = (Bolt){
        .params = &params->bolt[i], .locked = true, .kept = {.from = params->time, .to = params->time, .phase = -1}};
    TRY(bolt_inspect(p, b));
    s->n_row += b->n_row;
  }
  ALLOC(used, params->mesh->n_node, WHAT);
  const Status status = refuse_joined(p, params, used);
  FREE(used);
  TRY(status);
  bool changed;
  return bolts_begin(p, params->time, &changed);
}

void bolts_release(Elasticity *p) {
  Bolts *s = p->bolts;
  if (!s) return;
  if (p->space) EXEC_RELEASE(p->space->exec, s->raw, p->space->n_dof);
  FREE(s->forces);
  FREE(s->item);
  FREE(p->bolts);
}

int32_t bolts_equations(const Elasticity *p) { return p->bolts ? p->bolts->n_row : 0; }
int32_t bolts_terms(const Elasticity *p) { return p->bolts ? p->bolts->row_terms : 0; }

/* factor q . (u+ - u-) of a pair; component `first` of its first node comes first. */
static int64_t pair_terms(const Elasticity *p, const BoltParams *b, int32_t k, int32_t first, double factor,
                          const double q[3], int64_t at, EquationTerm *term) {
  for (int32_t i = 0; i < p->dim; ++i) {
    const int32_t d = (first + i) % p->dim;
    term[at++] = (EquationTerm){b->ahead[k], d, factor * q[d]};
  }
  for (int32_t d = 0; d < p->dim; ++d) term[at++] = (EquationTerm){b->behind[k], d, -factor * q[d]};
  return at;
}

int64_t bolts_fill(const Elasticity *p, int64_t at, EquationTerm *term, Equation *out) {
  for (int32_t i = 0; i < elasticity_bolts(p); ++i) {
    const Bolt *b = &p->bolts->item[i];
    for (int32_t k = 0; k < b->params->n; ++k)
      for (int32_t j = 0; j < p->dim; ++j) {
        double q[3];
        if (is_fixed(p, b->params->ahead[k], j)) continue;
        frame_axis(p, b->params->ahead[k], j, q);
        *out = (Equation){.first = at, .where = b->params->where};
        at = pair_terms(p, b->params, k, j, 1, q, at, term);
        const double share = vec3_dot(q, b->params->axis) / b->slot_along;
        if (fabs(share) > ACROSS && !(k == b->ref && j == b->slot))
          at = pair_terms(p, b->params, b->ref, b->slot, -share, b->slot_axis, at, term);
        out->n = (int32_t)(at - out->first);
        ++out;
      }
  }
  return at;
}

void bolts_switch(const Elasticity *p, uint8_t *on, double *value) {
  for (int32_t i = 0; i < elasticity_bolts(p); ++i) {
    const Bolt *b = &p->bolts->item[i];
    for (int32_t k = 0; k < b->params->n; ++k)
      for (int32_t j = 0; j < p->dim; ++j) {
        if (is_fixed(p, b->params->ahead[k], j)) continue;
        const bool slot = k == b->ref && j == b->slot;
        *on++ = !slot || b->locked;
        *value++ = slot && b->locked ? b->goal * b->slot_along : 0;
      }
  }
}
