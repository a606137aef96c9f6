/* Prescribed values: which nodes have one, from which support, and what it is at a time. */
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/elasticity/support.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 5, SAMPLES = 24 };

typedef struct Pair {
  int32_t node, rival; /* support that shares it with the first one there */
} Pair;

/* While the first support of each node is found. */
typedef struct Owners {
  const DiffusionParams *params;
  double largest, place; /* as support_values_agree and support_place_error have them */
  int32_t *owner, *seen; /* [n_node] the first support, -1 without; the last one looked at, + 1 */
  int64_t n_conflict;
  int32_t n_pair, capacity;
  Pair *pair;
} Owners;

static bool same_expression(const Expr *a, const Expr *b) {
  if (a->n != b->n) return false;
  for (int32_t i = 0; i < a->n; ++i)
    if (a->op[i] != b->op[i] || a->number[i] != b->number[i]) return false;
  return true;
}

static bool agree_at(const DiffusionSupport *a, const DiffusionSupport *b, const double x[3], double time,
                     double largest, double place) {
  const double u = expr_value(&a->value, x, time), v = expr_value(&b->value, x, time);
  if (!isfinite(u) || !isfinite(v)) return true; /* told where it is evaluated */
  const double error = expr_error(&a->value, x, time, place) + expr_error(&b->value, x, time, place);
  return support_values_agree(u - v, fmax(fabs(u), fabs(v)), largest, error);
}

/* Whether their agreement has to be looked at again at other times. */
static bool differ_in_time(const DiffusionSupport *a, const DiffusionSupport *b) {
  return (expr_is_timed(&a->value) || expr_is_timed(&b->value)) && !same_expression(&a->value, &b->value);
}

/* A time of the run at which expressions in t are compared before it begins, in no step with periods. */
static double sample(const DiffusionParams *params, int k) {
  if (k == 0 || params->steady) return params->time;
  const double part = fmod(0.6180339887498949 * k, 1);
  return params->end > params->time ? params->time + part * (params->end - params->time)
                                    : params->time + ldexp(part, k - SAMPLES / 2);
}

/* The largest value that the case prescribes, at its start. */
static double largest_value(const DiffusionParams *params) {
  double most = 0;
  for (int32_t s = 0; s < params->n_support; ++s) {
    const DiffusionSupport *support = &params->support[s];
    for (int32_t k = 0; k < support->on->n; ++k) {
      const int32_t *nodes = mesh_nodes_of(params->mesh, support->on->element[k]);
      const double v = fabs(expr_value(&support->value, params->mesh->x[nodes[0]], params->time));
      if (isfinite(v)) most = fmax(most, v);
    }
  }
  return most;
}

/* Two supports at one node: the same at the start, and as far as samples tell at all times. *time: where they are
 * not. */
static bool agree(const Owners *w, const DiffusionSupport *a, const DiffusionSupport *b, const double x[3],
                  double *time) {
  if (same_expression(&a->value, &b->value)) return true;
  const int n = differ_in_time(a, b) ? SAMPLES : 1;
  for (int k = 0; k < n; ++k) {
    *time = sample(w->params, k);
    if (!agree_at(a, b, x, *time, w->largest, w->place)) return false;
  }
  return true;
}

static Status conflict(const Mesh *mesh, const DiffusionSupport *support, int32_t node, int32_t a, int32_t b,
                       double time) {
  char pa[64], pb[64];
  const double *x = mesh->x[node];
  return FAIL(ERR_INPUT,
              "conflicting supports at node %lld (%g, %g, %g): %s prescribes %.9g, %s prescribes %.9g at t = %g",
              (long long)mesh->node_tag[node], x[0], x[1], x[2], diffusion_place(support[a].where, "support", a, pa),
              expr_value(&support[a].value, x, time), diffusion_place(support[b].where, "support", b, pb),
              expr_value(&support[b].value, x, time), time);
}

static void tell_conflict(const DiffusionParams *params, int32_t node, int32_t a, int32_t b, double time,
                          int64_t count) {
  const double *x = params->mesh->x[node];
  if (count == 1) (void)conflict(params->mesh, params->support, node, a, b, time);
  else if (count <= SHOWN)
    (void)status_context(ERR_INPUT, "also at node %lld (%g, %g, %g)", (long long)params->mesh->node_tag[node], x[0],
                         x[1], x[2]);
}

/* A later support at a node whose agreement with the first one is looked at whenever it is evaluated. */
static Status watch(Owners *w, int32_t node, int32_t rival) {
  if (w->n_pair == w->capacity) {
    const int32_t more = w->capacity ? 2 * w->capacity : 64;
    RESIZE(w->pair, more, "nodes of several supports");
    w->capacity = more;
  }
  w->pair[w->n_pair++] = (Pair){node, rival};
  return OK;
}

static Status one_support(Owners *w, const Incidence *incidence, int32_t s) {
  const DiffusionParams *params = w->params;
  const Mesh *mesh = params->mesh;
  int32_t *owner = w->owner;
  const DiffusionSupport *support = &params->support[s];
  bool on_body = false;
  for (int32_t k = 0; k < support->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, support->on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, support->on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      const int32_t i = nodes[a];
      if (incidence->start[i + 1] == incidence->start[i]) continue;
      on_body = true;
      if (owner[i] < 0) owner[i] = s;
      double time;
      if (owner[i] == s || w->seen[i] == s + 1) continue;
      w->seen[i] = s + 1;
      if (agree(w, &params->support[owner[i]], support, mesh->x[i], &time)) {
        if (!params->steady && differ_in_time(&params->support[owner[i]], support)) TRY(watch(w, i, s));
        continue;
      }
      tell_conflict(params, i, owner[i], s, time, ++w->n_conflict);
    }
  }
  char text[64];
  CHECK(on_body, ERR_INPUT,
        "%s: group '%s' has no node on the body: a value prescribed there holds nothing; give a group on the solved "
        "elements",
        diffusion_place(support->where, "support", s, text), support->on->name);
  return OK;
}

static Status find_owners(Owners *w, const Incidence *incidence) {
  ALLOC(w->owner, w->params->mesh->n_node, "prescribed values");
  ALLOC(w->seen, w->params->mesh->n_node, "prescribed values");
  for (int32_t i = 0; i < w->params->mesh->n_node; ++i) w->owner[i] = -1;
  for (int32_t s = 0; s < w->params->n_support; ++s) TRY(one_support(w, incidence, s));
  if (w->n_conflict > SHOWN)
    (void)status_context(ERR_INPUT, "and at %lld more nodes", (long long)(w->n_conflict - SHOWN));
  if (w->n_conflict)
    return status_context(ERR_INPUT,
                          "give the nodes that both groups share the same value, or leave them out of one group");
  return OK;
}

/* The pairs, with the place of their node in the list. */
static Status list_shared(const Owners *w, DiffusionSupports *out) {
  int32_t *place = w->seen; /* free now */
  ALLOC(out->shared, w->n_pair, "nodes of several supports");
  ALLOC(out->rival, w->n_pair, "nodes of several supports");
  for (int32_t j = 0; j < out->n; ++j) place[out->node[j]] = j;
  for (int32_t k = 0; k < w->n_pair; ++k) {
    out->shared[k] = place[w->pair[k].node];
    out->rival[k] = w->pair[k].rival;
  }
  out->n_shared = w->n_pair;
  return OK;
}

static Status list_nodes(const DiffusionParams *params, const Incidence *incidence, const int32_t *owner,
                         DiffusionSupports *out) {
  const int32_t n_node = params->mesh->n_node;
  ALLOC(out->fixed, n_node, "prescribed values");
  ALLOC(out->item, params->n_support, "prescribed values");
  for (int32_t s = 0; s < params->n_support; ++s) {
    out->item[s] = params->support[s];
    out->n_varying += expr_is_timed(&params->support[s].value);
  }
  out->n_item = params->n_support;
  for (int32_t i = 0; i < n_node; ++i) {
    out->fixed[i] = owner[i] >= 0 || incidence->start[i + 1] == incidence->start[i];
    out->n += owner[i] >= 0;
    out->n_free += !out->fixed[i];
  }
  ALLOC(out->node, out->n, "prescribed values");
  ALLOC(out->support, out->n, "prescribed values");
  ALLOC(out->value, out->n, "prescribed values");
  for (int32_t i = 0, j = 0; i < n_node; ++i) {
    if (owner[i] < 0) continue;
    out->node[j] = i;
    out->support[j++] = owner[i];
  }
  return OK;
}

Status diffusion_supports_create(const DiffusionParams *params, const Incidence *incidence, DiffusionSupports *out) {
  Status status = OK;
  *out = (DiffusionSupports){.time = NAN, .place = support_place_error(params->mesh)};
  Owners w = {.params = params, .largest = largest_value(params), .place = out->place};
  TRY_DONE(find_owners(&w, incidence));
  TRY_DONE(list_nodes(params, incidence, w.owner, out));
  TRY_DONE(list_shared(&w, out));
  TRY_DONE(diffusion_supports_evaluate(params->mesh, out, params->time));
done:
  FREE(w.owner);
  FREE(w.seen);
  FREE(w.pair);
  if (status != OK) diffusion_supports_release(out);
  return status;
}

void diffusion_supports_release(DiffusionSupports *supports) {
  FREE(supports->fixed);
  FREE(supports->node);
  FREE(supports->support);
  FREE(supports->value);
  FREE(supports->item);
  FREE(supports->shared);
  FREE(supports->rival);
}

/* Where several supports share a node, all of them must have the value that is taken. */
static Status check_shared(const Mesh *mesh, const DiffusionSupports *s, double time) {
  double largest = 0;
  for (int32_t j = 0; s->n_shared && j < s->n; ++j) largest = fmax(largest, fabs(s->value[j]));
  for (int32_t k = 0; k < s->n_shared; ++k) {
    const int32_t j = s->shared[k], owner = s->support[j];
    if (agree_at(&s->item[owner], &s->item[s->rival[k]], mesh->x[s->node[j]], time, largest, s->place)) continue;
    return conflict(mesh, s->item, s->node[j], owner, s->rival[k], time);
  }
  return OK;
}

Status diffusion_supports_evaluate(const Mesh *mesh, DiffusionSupports *s, double time) {
  if (s->time == time || (s->n_varying == 0 && !isnan(s->time))) return OK;
  int32_t bad = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (int32_t j = 0; j < s->n; ++j) {
    s->value[j] = expr_value(&s->item[s->support[j]].value, mesh->x[s->node[j]], time);
    if (!isfinite(s->value[j]) && j < bad) bad = j;
  }
  s->time = NAN;
  if (bad < INT32_MAX) {
    const double *x = mesh->x[s->node[bad]];
    char text[64];
    return FAIL(ERR_INPUT, "%s: the prescribed value is %s at (%g, %g, %g), t = %g, must be finite",
                diffusion_place(s->item[s->support[bad]].where, "support", s->support[bad], text),
                isnan(s->value[bad]) ? "not a number" : "infinite", x[0], x[1], x[2], time);
  }
  TRY(check_shared(mesh, s, time));
  s->time = time;
  return OK;
}
