/* Contact of a case against its mesh: surfaces and their obstacles. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void obstacle_take(const Case *c, const CaseObstacle *from, int32_t kind, Obstacle *out) {
  out->kind = (ObstacleKind)kind;
  memcpy(out->at, from->at.value, sizeof out->at);
  memcpy(out->axis, from->axis.value, sizeof out->axis);
  if (kind == OBSTACLE_CYLINDER && case_dim(c) == 2) out->axis[2] = 1;
  (void)vec3_normalize(out->axis);
  out->radius = from->radius.value;
  out->angle = from->angle.value * acos(-1) / 180;
  for (int32_t k = 0; k < from->move.n; ++k) out->move[k] = from->move.item[k].expr;
  out->rotation = from->rotate.angle.expr;
  memcpy(out->about, from->rotate.axis.n ? from->rotate.axis.value : out->axis, sizeof out->about);
  if (case_dim(c) == 2) memcpy(out->about, (const double[3]){0, 0, 1}, sizeof out->about);
  (void)vec3_normalize(out->about);
}

/* Numbers go straight from where the obstacle is to themselves, as loads do: over the run where nothing depends on t, in a chain over the
 * step in which it begins. Motion knows no such steps: there they are where it stands. */
static Status way_grow(const Case *c, int32_t step, Expr *way) {
  const double origin[3] = {0};
  const int32_t k = step < 0 ? 0 : step;
  if (case_ramps(c)) TRY(expr_ramp(way, c->time.end.value));
  if (!c->steps.n || case_step_moves(c, k) || !expr_is_constant(way)) return OK;
  const double begin = case_step_begin(c, k), to = expr_value(way, origin, 0);
  char text[128];
  snprintf(text, sizeof text, "%.17g*min(1, max(0, (t - %.17g)/%.17g))", to, begin, case_step(c, k)->end.value - begin);
  return to != 0 ? expr_parse(text, way) : OK;
}

static Status ways_grow(const Case *c, int32_t step, Obstacle *o) {
  for (int d = 0; d < 3; ++d) TRY(way_grow(c, step, &o->move[d]));
  TRY(way_grow(c, step, &o->rotation));
  return expr_scale(&o->rotation, acos(-1) / 180);
}

/* step: in which it begins, -1: it is there from the start. */
static void body_take(const Case *c, const CaseContact *from, const Group *body, int32_t step, Obstacle *out) {
  out->kind = OBSTACLE_BODY;
  out->body = body;
  out->reach = from->reach.value;
  out->fitted = place_given(from->interference.place);
  out->interference = from->interference.value;
  out->begun = step < 0 ? 0 : case_step_begin(c, step);
  out->grown = c->steps.n ? case_step(c, step < 0 ? 0 : step)->end.value : c->time.end.value;
}

static bool active_of(const CaseContact *from) { return !place_given(from->active.place) || from->active.value; }

/* What the i-th contact of a case is from each step on; what a step does not say stays. */
static void phases_take(const Case *c, int32_t i, int32_t step, ContactPhase *phase, Obstacle *out) {
  const CaseContact *first = case_contact_at(c, i, NULL);
  *phase = (ContactPhase){.after = (double)-INFINITY, .active = step < 0 && active_of(first)};
  if (step < 0) phase->friction = first->friction.expr;
  out->phase = phase, out->n_phase = 1;
  for (int32_t k = 0; k < c->steps.n; ++k) {
    const CaseContact *now = case_contact_in(c, i, k);
    if (!now) continue;
    phase[1] = phase[0], ++phase, ++out->n_phase;
    phase->after = case_step_begin(c, k);
    if (k == step || place_given(now->active.place)) phase->active = active_of(now);
    if (place_given(now->friction.place)) phase->friction = now->friction.expr;
  }
}

Status setup_contact(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  const int32_t n = case_contacts(c);
  if (!n) return OK;
  ALLOC(own->obstacle, n, "contact");
  ALLOC(own->phase, (int64_t)n * (c->steps.n + 1), "contact");
  for (int32_t i = 0; i < n; ++i) {
    int32_t kind = 0, step;
    const CaseContact *contact = case_contact_at(c, i, &step);
    const CaseObstacle *from = case_obstacle(contact, &kind);
    const Group *on = setup_group(setup, mesh, &contact->on, ON_FACETS, "contact", diagnostics);
    const NamesValue *group = &contact->against.group;
    const Group *body = group->n ? setup_group(setup, mesh, group, ON_FACETS, "contact", diagnostics) : NULL;
    if (!on || (!from && !body)) continue;
    Obstacle *o = &own->obstacle[own->params.n_obstacle++];
    o->on = on;
    if (body) body_take(c, contact, body, step, o);
    else obstacle_take(c, from, kind, o);
    o->slides = case_contact_slides(contact);
    phases_take(c, i, step, own->phase + (int64_t)i * (c->steps.n + 1), o);
    TRY(setup_where(c, contact->place, setup, &o->where));
    TRY_CONTEXT(ways_grow(c, step, o), "%s", o->where);
  }
  own->params.obstacle = own->obstacle;
  own->params.time = 0;
  own->params.end = c->time.end.value;
  return OK;
}
