/* Masses at nodes and on facets, as loads that are weighted with mass see them. */
#include "assembly/space/load_work.h"
#include "core/memory.h"

#include <stdlib.h>

/* Pairs of all facets, not of bodies; `pair` NULL: how many. The diagonal has the same number in all directions. */
static int64_t list_pairs(const Loads *l, MassPair *pair) {
  int64_t m = 0;
  for (int32_t k = 0; k < l->n_spring; ++k) {
    const SpringBlock *block = &l->spring[k];
    const int64_t n = block->type->n_node, pairs = n * (n + 1) / 2;
    const int32_t size = spring_numbers(l->n_component, block->form);
    for (int64_t e = 0; block->inertia && block->form != SPRING_WHOLE && e < block->n; ++e)
      for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b) {
          const double value = block->inertia[(e * pairs + pair_number(n, a < b ? a : b, a < b ? b : a)) * size];
          if (value == 0) continue;
          if (pair) pair[m] = (MassPair){block->nodes[e * n + a], block->nodes[e * n + b], value};
          ++m;
        }
  }
  return m;
}

Status inertia_create(const LoadParams *params, Loads *l) {
  Inertia *i = &l->inertia;
  if (params->inertia) return OK;
  ALLOC(i->pair, list_pairs(l, NULL), "masses");
  i->n = list_pairs(l, i->pair);
  ALLOC(i->body, params->n_body, "masses");
  for (; i->n_body < params->n_body; ++i->n_body) i->body[i->n_body] = params->body[i->n_body];
  return OK;
}

static int by_id(const void *left, const void *right) {
  const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

bool inertia_on(const ElementSet *set, const Incidence *incidence, const Group *on, int32_t node) {
  int32_t first = -1;
  for (int64_t t = incidence->start[node]; t < incidence->start[node + 1]; ++t) {
    const ElementRef touch = incidence->touch[t];
    if (touch.block >= set->n_solved_block) continue;
    const int32_t id = set->block[touch.block].first_id + touch.element;
    if (first < 0 || id < first) first = id;
  }
  return first >= 0 && bsearch(&first, on->element, (size_t)on->n, sizeof first, by_id) != NULL;
}

/* A pair's share of the acceleration at its node b. */
static Status pair_load(LoadWork *w, const MassPair *pair) {
  const double *x = w->params->mesh->x[pair->b];
  LoadPoint point = {.x = {x[0], x[1], x[2]}, .direction = {1, 1, 1}, .factor = 1, .load = w->index};
  if (w->timed) {
    TRY(load_point_add(w->out, point));
    if (load_is_own(w, pair->a))
      TRY(load_share_add(w->out, (LoadShare){pair->a, (int32_t)w->out->n_point - 1, pair->m}));
    return OK;
  }
  for (int32_t c = 0; c < w->out->n_component; ++c) {
    double value;
    TRY(load_value(w->out, w->index, c, point.x, w->params->time, &value));
    w->out->force[(int64_t)pair->a * w->out->n_component + c] += pair->m * value;
  }
  return OK;
}

/* Where the point of the body is. */
static Status body_load(LoadWork *w, const MassBody *body) {
  const int32_t dim = w->out->n_component;
  CHECK(!w->timed, ERR_INPUT,
        "%s: %s that depends on t, as all loads of load steps and of 'steps' do, does not act on the mass of a rigid "
        "group\n  remedy: "
        "'mass' on a group",
        w->load->where ? w->load->where : "a load", w->type->name);
  for (int32_t c = 0; c < dim; ++c) {
    double value;
    TRY(load_value(w->out, w->index, c, body->at, w->params->time, &value));
    for (int32_t k = 0; k < dim * dim; ++k)
      w->out->force[(int64_t)body->node[k / dim] * dim + k % dim] += body->force[k][c] * value;
  }
  return OK;
}

Status inertia_load(LoadWork *w) {
  const Inertia *inertia = &w->out->inertia;
  for (int64_t i = 0; i < inertia->n; ++i)
    if (inertia_on(w->params->set, w->params->incidence, w->load->on, inertia->pair[i].b))
      TRY(pair_load(w, &inertia->pair[i]));
  for (int32_t i = 0; i < inertia->n_body; ++i)
    if (inertia_on(w->params->set, w->params->incidence, w->load->on, inertia->body[i].node[0]))
      TRY(body_load(w, &inertia->body[i]));
  return OK;
}
