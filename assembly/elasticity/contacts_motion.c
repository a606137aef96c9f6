/* Contact in motion: what nodes that meet an obstacle go on with, what is lost then, and what obstacles and friction do. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/equation_says.h"
#include "assembly/space/facet.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec.h"
#include "core/vec3.h"

/* What nodes of contact are in a vector in the global frame. */
static Status nodes_see(const Elasticity *p, const double *v, double (*out)[3]) {
  const Toggles *t = &p->contact.nodes;
  double *along = NULL;
  ALLOC(along, 2 * (int64_t)t->n, "velocities of surfaces");
  Status status = toggles_see(p->space, t, v, NULL, along);
  if (status == OK) status = toggles_across(p->space, t, out);
  for (int32_t k = 0; k < t->n && status == OK; ++k)
    for (int d = 0; d < 3; ++d) out[k][d] += along[2 * k] * t->d[k][d];
  FREE(along);
  return status;
}

/* Forces of what slides, on both sides. */
void contacts_rub(const Elasticity *p, double *out) {
  const Contact *c = &p->contact;
  const Toggles *t = &c->nodes;
  const Numbering *numbering = &p->space->numbering;
  for (int32_t k = 0; c->friction.any && k < t->n; ++k) {
    if (c->friction.grip[k] != GRIP_SLIDE) continue;
    for (int32_t d = 0; d < p->dim; ++d) {
      const double force = c->friction.force[k][d];
      out[(int64_t)p->dim * numbering_rank(numbering, t->node[k]) + d] -= t->scale[k] * force;
      for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i)
        out[(int64_t)p->dim * numbering_rank(numbering, t->other[i]) + d] += t->weight[i] * force;
    }
  }
}

Status elasticity_contact_open(Elasticity *p) {
  Contact *c = &p->contact;
  for (int32_t k = 0; k < c->nodes.n; ++k) c->nodes.on[k] = c->kept[k] = 0;
  return contacts_hold(p);
}

Status elasticity_contact_begins(Elasticity *p, const double *u, double time, bool first) {
  Contact *c = &p->contact;
  bool seen = false;
  for (int32_t i = 0; i < c->n_item && c->nodes.n; ++i) {
    const Obstacle *o = &c->item[i];
    double depth;
    if (first ? o->kind == OBSTACLE_BODY : obstacle_phase(o, c->time)->active) continue;
    if (!obstacle_phase(o, time)->active) continue;
    if (!seen) TRY(elasticity_global_frame(p, &u));
    if (!seen) TRY(toggles_see(p->space, &c->nodes, u, NULL, c->seen));
    seen = true;
    const int32_t n = contact_behind(c, i, &depth);
    CHECK(
        n == 0, ERR_NUMERIC,
        "%s: contact of '%s' begins in motion where %d of its nodes are behind what they are to touch, by up to %.4g: "
        "they would be thrown out within a step\n  remedy: an earlier beginning, or a place that the body has not "
        "reached",
        o->where, o->on->name, (int)n, depth);
  }
  return OK;
}

bool elasticity_contact_carries(const Elasticity *p) { return p->contact.moves && p->contact.friction.any; }
Status elasticity_contact_say(Elasticity *p) {
  uint8_t *none = NULL;
  const int32_t n = p->equations.switches.n;
  if (!elasticity_contact_carries(p) || !n || equations_say_any(&p->equations)) return OK;
  ALLOC(none, n, "constraints of contact");
  Status status = equations_say(&p->equations, none); /* from now on contacts_switch does so */
  FREE(none);
  return status == OK ? contacts_switch(p, 0) : status;
}

/* Rates of all that follows become those of obstacles. */
static Status contact_carry(Elasticity *p, double velocity, double acceleration, double *v) {
  const FollowerRates rates = {.velocity = velocity, .acceleration = acceleration};
  TRY(contacts_switch_rates(p, &rates));
  TRY(equations_follow_switched(&p->equations, v));
  return contacts_switch(p, 0);
}

/* What depends by an equation goes with its obstacle; of forces it passes its part on. */
Status elasticity_contact_stop(Elasticity *p, double velocity, double acceleration, double *v) {
  const bool rate = velocity != 0 || acceleration != 0;
  TRY(toggles_stop(&p->contact.nodes, NULL, velocity, acceleration, v));
  if (!contact_has_followers(&p->contact)) return OK;
  if (rate && elasticity_contact_carries(p)) return contact_carry(p, velocity, acceleration, v);
  return velocity != 0 || acceleration != 0 ? equations_follow_others(&p->equations, 0, v)
                                            : equations_reduce(&p->equations, v);
}

/* Of friction of obstacle i on the body at nodes that slide. */
void elasticity_contact_rubbed(const Elasticity *p, int32_t i, double force[3]) {
  const Contact *c = &p->contact;
  force[0] = force[1] = force[2] = 0;
  for (int32_t k = 0; c->friction.any && k < c->nodes.n; ++k)
    for (int d = 0; d < 3 && c->of[k] == i && c->friction.grip[k] == GRIP_SLIDE; ++d)
      force[d] -= c->friction.force[k][d];
}

bool elasticity_contact_follows(const Elasticity *p) { return contact_has_followers(&p->contact); }
bool elasticity_contact_rubs(const Elasticity *p) { return p->contact.friction.any; }

Status elasticity_contact_rub(Elasticity *p, double *force) {
  const int64_t n = p->space->n_dof;
  double *host = NULL;
  Status status = OK;
  ALLOC_DONE(host, n, "forces of friction");
  contacts_rub(p, host);
  TRY_DONE(exec_upload(p->space->exec, force, host, (size_t)n * sizeof *host));
  status = elasticity_reduce(p, force);
done:
  FREE(host);
  return status;
}

/* ARRIVED along the normal, STUCK across it; 0: it is not. */
static uint8_t is_caught(const Contact *c, int32_t k, CaughtBy by) {
  if (!contact_follows(c, k) || contact_is_between(c, k) != (by != CAUGHT_BY_OBSTACLE)) return 0;
  return by == CAUGHT_NOW ? contact_arrives(c, k) : c->arrived[k];
}

/* What it has lost, in functions N'. */
static void lost_find(const Contact *c, int32_t k, uint8_t caught, const double had[3], const double has[3],
                      double lost[3]) {
  const double *n = c->nodes.d[k];
  vec3_minus(had, has, lost);
  const double along = vec3_dot(lost, n);
  for (int d = 0; d < 3; ++d)
    lost[d] = (caught & ARRIVED ? along * n[d] : 0) + (caught & STUCK ? lost[d] - along * n[d] : 0);
}

Status elasticity_contact_caught(Elasticity *p, CaughtBy by, int32_t of, const double *before, const double *v,
                                 double *out, bool *any) {
  const Contact *c = &p->contact;
  const size_t bytes = (size_t)p->space->n_dof * sizeof *out;
  double *host = NULL, (*had)[3] = NULL, (*has)[3] = NULL;
  Status status = OK;
  *any = false;
  for (int32_t k = 0; k < c->nodes.n; ++k) *any = *any || ((of < 0 || c->of[k] == of) && is_caught(c, k, by));
  if (!*any) return OK;
  ALLOC_DONE(host, p->space->n_dof, "velocities of surfaces");
  TRY_DONE(mem_alloc(c->nodes.n, sizeof *had, "velocities of surfaces", (void **)(void *)&had));
  TRY_DONE(mem_alloc(c->nodes.n, sizeof *has, "velocities of surfaces", (void **)(void *)&has));
  /* `before` as it was: what held nothing then, and does now, has no value by equations */
  TRY_DONE(exec_copy(p->space->exec, p->work, before, (size_t)p->space->n_read * sizeof *before));
  TRY_DONE(supports_to_global(&p->supports, p->work));
  TRY_DONE(nodes_see(p, p->work, had));
  TRY_DONE(elasticity_rate_frame(p, &v));
  TRY_DONE(nodes_see(p, v, has));
  TRY_DONE(exec_download(p->space->exec, host, v, bytes));
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    lost_find(c, k, of < 0 || c->of[k] == of ? is_caught(c, k, by) : 0, had[k], has[k], had[k]);
  }
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double *at = host + (int64_t)p->dim * numbering_rank(&p->space->numbering, c->nodes.node[k]);
    for (int32_t d = 0; d < p->dim; ++d) {
      at[d] += had[k][d] / c->nodes.scale[k];
      for (int e = 0; e < 2; ++e) at[d] += c->edge[k][e] >= 0 ? FACET_SHARE * had[c->edge[k][e]][d] : 0;
    }
  }
  status = exec_upload(p->space->exec, out, host, bytes);
done:
  FREE(host);
  mem_free((void **)(void *)&had);
  mem_free((void **)(void *)&has);
  return status;
}

Status elasticity_contact_arrive(const Elasticity *p, int32_t i, double *v) {
  const Contact *c = &p->contact;
  uint8_t *which = NULL;
  if (!c->nodes.n) return OK;
  ALLOC(which, c->nodes.n, "nodes of contact");
  for (int32_t k = 0; k < c->nodes.n; ++k) which[k] = c->arrived[k] & ARRIVED && (i < 0 || c->of[k] == i);
  const Status status = toggles_stop(&c->nodes, which, 1, 0, v);
  FREE(which);
  return status;
}

void elasticity_contact_way(const Elasticity *p, int32_t i, double from, double way[3]) {
  double was[3], is[3];
  obstacle_shift(&p->contact.item[i], from, was);
  obstacle_shift(&p->contact.item[i], p->contact.time, is);
  vec3_minus(is, was, way);
}

/* What a force at node k, seen in it and of it, does as its obstacle moves; stayed: in directions in which it was held before. */
static double carried_work(const Contact *c, int32_t k, double seen, const double force[3], const double way[3],
                           bool stayed) {
  const uint8_t since = stayed ? c->arrived[k] : 0;
  double work = since & ARRIVED ? 0 : seen * vec3_dot(c->nodes.d[k], way);
  const bool sticks = contact_follows(c, k) && c->friction.grip[k] == GRIP_STICK && !since;
  for (int a = 0; sticks && a < c->friction.n_tangent[k]; ++a) {
    const double *t = c->friction.tangent[k] + 3 * a;
    work += vec3_dot(t, force) * vec3_dot(t, way) / c->nodes.scale[k];
  }
  return work;
}

Status elasticity_contact_gives(const Elasticity *p, const double *force, double from, bool stayed, double *work) {
  const Contact *c = &p->contact;
  double *seen = NULL, (*all)[3] = NULL, way[3];
  Status status = OK;
  *work = 0;
  if (!c->moves || !c->nodes.n) return OK;
  ALLOC_DONE(seen, 2 * (int64_t)c->nodes.n, "forces on nodes of contact");
  TRY_DONE(mem_alloc(c->nodes.n, sizeof *all, "forces on nodes of contact", (void **)(void *)&all));
  TRY_DONE(toggles_see(p->space, &c->nodes, force, force, seen));
  TRY_DONE(toggles_force(p->space, &c->nodes, force, all));
  for (int32_t k = 0; k < c->nodes.n; ++k) /* as contact_forces */
    for (int e = 0; e < 2 && contact_follows(c, k); ++e)
      for (int d = 0; d < 3 && c->edge[k][e] >= 0; ++d) all[c->edge[k][e]][d] += FACET_SHARE * all[k][d];
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (!c->nodes.on[k] || contact_is_between(c, k)) continue;
    if (contact_follows(c, k)) seen[2 * k + 1] = vec3_dot(c->nodes.unit[k], all[k]) / c->nodes.scale[k];
    elasticity_contact_way(p, c->of[k], from, way);
    *work += carried_work(c, k, seen[2 * k + 1], all[k], way, stayed);
  }
done:
  FREE(seen);
  mem_free((void **)(void *)&all);
  return status;
}

bool elasticity_contact_moves(const Elasticity *p) { return p->contact.moves; }
void elasticity_contact_velocity(const Elasticity *p, int32_t i, double velocity[3]) {
  double acceleration[3];
  obstacle_rates(&p->contact.item[i], p->contact.time, p->contact.span, velocity, acceleration);
}

/* ---- curved obstacles ---- */

Status contacts_bend(Elasticity *p, const double *v) {
  Contact *c = &p->contact;
  double(*velocity)[3] = NULL;
  Status status = OK;
  if (!c->nodes.n) return OK;
  TRY_DONE(mem_alloc(c->nodes.n, sizeof *velocity, "velocities of surfaces", (void **)(void *)&velocity));
  TRY_DONE(nodes_see(p, v, velocity));
  contact_bend(c, (const double(*)[3])velocity);
  if (c->bends) status = toggles_rates(&c->nodes, c->rate);
done:
  mem_free((void **)(void *)&velocity);
  return status;
}

/* v in the global frame. */
Status contacts_swerve_find(Elasticity *p, const double *v) {
  Contact *c = &p->contact;
  ContactPast *past = &p->slide.past;
  double(*velocity)[3] = NULL;
  Status status = OK;
  if (!c->nodes.n || !contact_has_followers(c)) return OK;
  TRY_DONE(mem_alloc(c->nodes.n, sizeof *velocity, "velocities of surfaces", (void **)(void *)&velocity));
  TRY_DONE(nodes_see(p, v, velocity));
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double w[3] = {0}, a[3]; /* against the obstacle */
    if (!contact_is_between(c, k)) obstacle_rates(&c->item[c->of[k]], p->slide.time, c->span, w, a);
    vec3_minus(velocity[k], w, w);
    c->swerve[k] = c->kept[k] && contact_follows(c, k) ? vec3_dot(w, c->nodes.d[k]) : 0;
    past->swerve[ascending_find(past->n, past->node, c->nodes.node[k])] = c->swerve[k];
  }
done:
  mem_free((void **)(void *)&velocity);
  return status;
}

Status elasticity_contact_swerve(Elasticity *p, double dt, double *a, bool *any) {
  const Contact *c = &p->contact;
  *any = false;
  if (dt > 0) p->slide.dt = dt;
  for (int32_t k = 0; k < c->nodes.n; ++k) *any = *any || (c->nodes.on[k] && c->swerve[k] != 0);
  if (!*any) return OK;
  TRY(contacts_switch(p, -1 / p->slide.dt));
  TRY(exec_zero(p->space->exec, a, (size_t)p->space->n_read * sizeof *a));
  TRY(equations_follow_switched(&p->equations, a));
  TRY(contacts_switch(p, 0));
  return supports_to_global(&p->supports, a);
}

Status elasticity_contact_bend(Elasticity *p, const double *v) {
  if (!contact_bends(&p->contact)) return OK;
  TRY(elasticity_rate_frame(p, &v));
  return contacts_bend(p, v);
}

/* What equations pass on of a force in the global frame: where it is, less where it goes. */
static Status add_followed(Elasticity *p, const double *global, double *force) {
  Exec *exec = p->space->exec;
  const int64_t n = p->space->n_dof;
  TRY(exec_copy(exec, p->work, global, (size_t)n * sizeof *force));
  TRY(supports_to_local(&p->supports, p->work));
  TRY(vec_axpy(exec, n, 1, p->work, force));
  TRY(equations_reduce(&p->equations, p->work));
  return vec_axpy(exec, n, -1, p->work, force);
}

Status elasticity_contact_borne(Elasticity *p, const double *global, double *force) {
  const Toggles *t = &p->contact.nodes;
  double *seen = NULL;
  Status status = OK;
  TRY(exec_zero(p->space->exec, force, (size_t)p->space->n_dof * sizeof *force));
  ALLOC_DONE(seen, 2 * (int64_t)t->n, "forces on surfaces");
  if (!t->n) goto done;
  TRY_DONE(toggles_see(p->space, t, global, global, seen));
  for (int32_t k = 0; k < t->n; ++k) seen[k] = t->along[k] * t->along[k] * seen[2 * k + 1];
  TRY_DONE(toggles_rates(t, seen));
  TRY_DONE(toggles_stop(t, NULL, 1, 0, force));
  if (contact_has_followers(&p->contact)) status = add_followed(p, global, force);
done:
  FREE(seen);
  return status;
}

Status elasticity_contact_borne_global(const Elasticity *p, const double *force, double *global) {
  TRY(exec_copy(p->space->exec, global, force, (size_t)p->space->n_dof * sizeof *force));
  return supports_to_global(&p->supports, global);
}
