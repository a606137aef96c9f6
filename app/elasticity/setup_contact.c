/* Contact of a case against its mesh: surfaces and their obstacles. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
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
}

static double first_step_end(const Case *c) { return c->steps.n ? case_step(c, 0)->end.value : c->time.end.value; }

static void body_take(const Case *c, const CaseContact *from, const Group *body, Obstacle *out) {
  out->kind = OBSTACLE_BODY;
  out->body = body;
  out->reach = from->reach.value;
  out->fitted = place_given(from->interference.place);
  out->interference = from->interference.value;
  out->grown = first_step_end(c);
}

Status setup_contact(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  if (!c->contact.n) return OK;
  ALLOC(own->obstacle, c->contact.n, "contact");
  for (int32_t i = 0; i < c->contact.n; ++i) {
    const CaseContact *contact = case_contact(c, i);
    int32_t kind = 0;
    const CaseObstacle *from = case_obstacle(contact, &kind);
    const Group *on = setup_group(setup, mesh, &contact->on, ON_FACETS, "contact", diagnostics);
    const NamesValue *group = &contact->against.group;
    const Group *body = group->n ? setup_group(setup, mesh, group, ON_FACETS, "contact", diagnostics) : NULL;
    if (!on || (!from && !body)) continue;
    Obstacle *o = &own->obstacle[own->params.n_obstacle++];
    o->on = on;
    if (body) body_take(c, contact, body, o);
    else obstacle_take(c, from, kind, o);
    TRY(setup_where(c, contact->place, setup, &o->where));
    for (int k = 0; k < 3 && case_ramps(c); ++k) TRY_CONTEXT(expr_ramp(&o->move[k], c->time.end.value), "%s", o->where);
  }
  own->params.obstacle = own->obstacle;
  own->params.time = 0;
  own->params.end = c->time.end.value;
  return OK;
}
