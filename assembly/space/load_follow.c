/* Pressure that follows its facets: which they are, and what presses at their points. */
#include "assembly/space/load_work.h"
#include "assembly/space/space.h"
#include "core/memory.h"

#include <math.h>

static bool follows(const LoadParams *params, const Load *load) {
  return (load->kind == LOAD_FOLLOWER || load->kind == LOAD_CAVITY) && load->on->dim == params->set->dim - 1;
}

Status follow_count(const LoadParams *params, Loads *out) {
  int64_t count[N_ELEMENT_KINDS] = {0};
  for (int32_t l = 0; l < params->n; ++l)
    for (int32_t k = 0; follows(params, &params->item[l]) && k < params->item[l].on->n; ++k)
      ++count[mesh_block_of(params->mesh, params->item[l].on->element[k])->kind];
  for (int32_t kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (count[kind] == 0) continue;
    Quadrature rule;
    SpringBlock *b = &out->spring[out->n_spring + out->n_follower++];
    b->type = element_type((ElementKind)kind);
    TRY(element_load_quadrature(b->type, &rule));
    b->n_q = rule.n;
    ALLOC(b->nodes, count[kind] * b->type->n_node, "pressure on facets");
    ALLOC(b->point, count[kind] * rule.n, "pressure on facets");
  }
  return OK;
}

Status follow_add(LoadWork *w, const Facet *facet, const LoadPoint *point) {
  SpringBlock *b = &w->out->spring[w->out->n_spring];
  while (b->type != w->shape) ++b;
  for (int32_t a = 0; a < w->shape->n_node; ++a) b->nodes[(int64_t)b->n * w->shape->n_node + a] = facet->nodes[a];
  for (int32_t q = 0; q < b->n_q; ++q) {
    LoadPoint *to = &b->point[(int64_t)b->n * b->n_q + q];
    double value;
    *to = point[q];
    to->load = w->index;
    if (w->load->kind == LOAD_CAVITY) continue;
    TRY(load_value(w->out, w->index, 0, to->x, w->params->time, &value));
    w->any |= w->timed || value != 0;
  }
  w->any |= w->load->kind == LOAD_CAVITY;
  w->out->follower_timed |= w->timed && w->load->kind != LOAD_CAVITY;
  ++b->n;
  return OK;
}

Status loads_follow(const Loads *loads, int32_t k, double time, double *pressure) {
  const SpringBlock *b = &loads->spring[loads->n_spring + k];
  const int64_t n = (int64_t)b->n * b->n_q;
  bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
  for (int64_t i = 0; i < n; ++i) {
    const LoadPoint *point = &b->point[i];
    pressure[i] = 0;
    if (loads->item[point->load].kind == LOAD_CAVITY) continue;
    pressure[i] = point->factor * load_expression(loads, point->load, 0, point->x, time);
    finite = finite && isfinite(pressure[i]);
  }
  for (int64_t i = 0; !finite && i < n; ++i)
    TRY(load_value(loads, b->point[i].load, 0, b->point[i].x, time, &pressure[i]));
  return OK;
}

static int32_t cavity_load(const Loads *loads, int32_t i) {
  int32_t l = 0;
  for (; l < loads->n_item; ++l)
    if (loads->item[l].kind == LOAD_CAVITY && i-- == 0) break;
  return l;
}

int32_t loads_cavities(const Loads *loads) {
  int32_t n = 0;
  for (int32_t l = 0; l < loads->n_item; ++l) n += loads->item[l].kind == LOAD_CAVITY;
  return n;
}

const Load *loads_cavity(const Loads *loads, int32_t i) { return &loads->item[cavity_load(loads, i)]; }

void loads_in_cavity(const Loads *loads, int32_t k, int32_t cavity, double *pressure) {
  const SpringBlock *b = &loads->spring[loads->n_spring + k];
  const int32_t load = cavity_load(loads, cavity);
  for (int64_t i = 0; i < (int64_t)b->n * b->n_q; ++i) pressure[i] = b->point[i].load == load ? b->point[i].factor : 0;
}
