/* Contact with obstacles between the equation and assembly/contact: what is prescribed as sets change, and its fields. */
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/recovery.h"
#include "assembly/elasticity/timed.h"
#include "assembly/space/equation_says.h"
#include "core/memory.h"
#include "core/vec.h"
#include "core/vec3.h"

#include <math.h>

Status contacts_create(Elasticity *p, const ElasticityParams *params, const double *thickness, const double *shear) {
  const ContactParams contact = {.exec = p->space->exec,
                                 .mesh = params->mesh,
                                 .set = &p->space->set,
                                 .incidence = &p->space->incidence,
                                 .axisymmetric = p->model == MODEL_AXISYMMETRIC,
                                 .thickness = {thickness, p->material},
                                 .shear = {shear, p->material},
                                 .n = params->n_obstacle,
                                 .item = params->obstacle,
                                 .time = params->time,
                                 .end = params->end,
                                 .moved = (const double(*)[3])p->slide.moved,
                                 .now = p->slide.target,
                                 .leave = p->contact_leave};
  CHECK(!params->share, ERR_BUG, "contact of several ranks");
  return contact_create(&contact, &p->contact);
}

Status contacts_check(Elasticity *p, const ElasticityParams *params) {
  if (!p->contact.nodes.n) return OK;
  TRY(contact_check(&p->contact, p->space->mesh));
  TRY(friction_create(&p->contact, p->space->mesh, &p->supports));
  if (p->contact.again) contact_recall(&p->contact, &p->slide.past);
  return contacts_leave_check(p, params->equations);
}

static int tangents_of(const Contact *c, int32_t k) { return c->friction.any ? c->friction.n_tangent[k] : 0; }

/* Along d. */
static double follower_rate(const Elasticity *p, int32_t k, const double d[3], const FollowerRates *rates) {
  const Contact *c = &p->contact;
  double v[3], a[3];
  if (contact_is_between(c, k)) return 0;
  obstacle_rates(&c->item[c->of[k]], c->time, c->span, v, a);
  return rates->velocity * vec3_dot(v, d) + rates->acceleration * vec3_dot(a, d);
}

/* Of node k along its normal (a < 0) or tangent a. */
static double follower_value(const Elasticity *p, int32_t k, int a, const FollowerRates *rates) {
  const Contact *c = &p->contact;
  if (rates && rates->swerve != 0) return a < 0 ? rates->swerve * c->swerve[k] : 0;
  if (rates) return follower_rate(p, k, a < 0 ? c->nodes.d[k] : c->friction.tangent[k] + 3 * a, rates);
  return a < 0 ? isfinite(c->gap[k]) ? c->gap[k] : 0 : friction_value(c, k, a);
}

/* Equations are those between two times, of nodes that are closed, and across the normal of those that stick; then those of bolts. */
Status contacts_switch_rates(Elasticity *p, const FollowerRates *rates) {
  const Contact *c = &p->contact;
  Status status = OK;
  uint8_t *on = NULL, *said = NULL;
  double *gap = NULL;
  int32_t n = 0;
  if (!p->equations.switches.n) return OK;
  ALLOC_DONE(on, p->equations.switches.n, "constraints of contact");
  ALLOC_DONE(gap, p->equations.switches.n, "constraints of contact");
  ALLOC_DONE(said, p->equations.switches.n, "constraints of contact");
  timed_switch(p, on, gap);
  n = p->n_timed;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (!c->nodes.follows[k]) continue;
    for (int a = -1; a < tangents_of(c, k); ++a, ++n) {
      on[n] = a < 0 ? c->nodes.on[k] : c->friction.grip[k] == GRIP_STICK;
      gap[n] = follower_value(p, k, a, rates), said[n] = !contact_is_between(c, k);
    }
  }
  bolts_switch(p, on + n, gap + n);
  for (int32_t k = 0; k < p->equations.switches.n && rates; ++k)
    if (k < p->n_timed || k >= n) gap[k] = 0;
  status = equations_switch(&p->equations, on, gap, rates ? 0 : p->gap);
  if (status == OK && equations_say_any(&p->equations)) status = equations_say(&p->equations, said);
done:
  FREE(on);
  FREE(said);
  FREE(gap);
  return status;
}

Status contacts_switch(Elasticity *p, double swerve) {
  const FollowerRates rates = {.swerve = swerve};
  return contacts_switch_rates(p, swerve != 0 ? &rates : NULL);
}

/* scale u . d = gap + sum of weight u(other) . d, with the normal (a < 0) or tangent a of node k for d; the first term is of the
 * component that depends. */
static int64_t between_equation(const Elasticity *p, int32_t k, int a, int64_t at, EquationTerm *term, Equation *out) {
  const Contact *c = &p->contact;
  const Toggles *t = &c->nodes;
  const double *d = a < 0 ? t->d[k] : c->friction.tangent[k] + 3 * a;
  *out = (Equation){.first = at, .where = c->item[c->of[k]].where};
  for (int32_t i = 0; i < p->dim; ++i) {
    const int32_t component = (t->component[k] + 1 + a + i) % p->dim;
    term[at++] = (EquationTerm){t->node[k], component, t->scale[k] * d[component]};
  }
  for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i)
    for (int32_t component = 0; component < p->dim; ++component)
      if (d[component] != 0) term[at++] = (EquationTerm){t->other[i], component, -t->weight[i] * d[component]};
  out->n = (int32_t)(at - out->first);
  return at;
}

Status contacts_equations(Elasticity *p, const EquationList *list) {
  static const EquationList NONE = {0};
  const Toggles *t = &p->contact.nodes;
  Status status = OK;
  int64_t at = 0;
  EquationList all = list ? *list : NONE;
  EquationTerm *term = NULL;
  Equation *item = NULL;
  int32_t n = all.n;
  for (int32_t k = 0; k < t->n; ++k)
    if (t->follows[k]) all.n_switch += 1 + tangents_of(&p->contact, k);
  const int32_t n_bolt = bolts_equations(p);
  all.n_switch += n_bolt;
  TRY(timed_create(p, list));
  all.n_switch += p->n_timed;
  if (!all.n_switch) return equations_create(list, &p->supports, p->space->mesh, &p->equations);
  for (int32_t i = 0; i < all.n; ++i)
    at = at > all.item[i].first + all.item[i].n ? at : all.item[i].first + all.item[i].n;
  const int64_t more = t->n ? p->dim * p->dim * (t->n + t->start[t->n]) : 0;
  ALLOC_DONE(term, at + more + (int64_t)n_bolt * bolts_terms(p), "constraints of contact");
  ALLOC_DONE(item, (int64_t)n + all.n_switch, "constraints of contact");
  for (int64_t k = 0; k < at; ++k) term[k] = all.term[k];
  for (int32_t i = 0; i < n; ++i) item[i] = all.item[i];
  for (int32_t k = 0; k < t->n; ++k)
    for (int a = -1; t->follows[k] && a < tangents_of(&p->contact, k); ++a)
      at = between_equation(p, k, a, at, term, &item[n++]);
  (void)bolts_fill(p, at, term, item + n);
  n += n_bolt;
  all.n = n, all.item = item, all.term = term;
  status = equations_create(&all, &p->supports, p->space->mesh, &p->equations);
  if (status == OK) status = contacts_switch(p, 0);
done:
  FREE(term);
  FREE(item);
  return status;
}

void contacts_mark(Elasticity *p, bool held) {
  const Toggles *t = &p->contact.nodes;
  for (int32_t k = 0; k < t->n; ++k) {
    uint8_t *fixed = &p->supports.fixed[t->node[k]];
    if (t->on[k] && !contact_is_between(&p->contact, k))
      *fixed = (uint8_t)(held ? *fixed | 1 << t->component[k] : *fixed & ~(1 << t->component[k]));
  }
}

Status contacts_upload(Elasticity *p) {
  if (p->contact.friction.any || p->bolts) EXEC_ALLOC(p->space->exec, p->rubbed, p->space->n_dof, "known forces");
  if (!p->contact.nodes.n) return OK;
  TRY(contacts_part(p));
  EXEC_ALLOC(p->space->exec, p->contact_force, p->space->n_dof, "forces of contact");
  return toggles_upload(p->space, &p->supports, &p->contact.nodes);
}

void contacts_release(Elasticity *p) {
  if (p->space) EXEC_RELEASE(p->space->exec, p->contact_force, p->space->n_dof);
  if (p->space) EXEC_RELEASE(p->space->exec, p->rubbed, p->space->n_dof);
  if (p->space) EXEC_RELEASE(p->space->exec, p->part, p->space->n_node);
  lateral_release(p);
  contact_release(&p->contact);
  FREE(p->contact_kept);
  FREE(p->contact_leave);
}

Status contacts_hold(Elasticity *p) {
  if (!p->contact.nodes.n) return contacts_switch(p, 0);
  TRY(toggles_hold(p->space, &p->supports, &p->contact.nodes, p->equations.n ? p->equations.frame_bears : NULL));
  return contacts_switch(p, 0);
}

Status elasticity_grow_equations(Elasticity *p, double gap) {
  const EquationSwitches *s = &p->equations.switches;
  const double before = elasticity_set_gap(p, gap);
  bool moves = false;
  for (int32_t k = 0; k < s->n; ++k) moves |= s->moved[k] != 0;
  return moves && (gap < before || gap > before) ? contacts_switch(p, 0) : OK;
}

Status contacts_bind(Elasticity *p, const SlotMap *slots) {
  const Supports *s = &p->supports;
  Status status = OK;
  uint8_t *fixed = NULL;
  ALLOC(fixed, s->n_node, "supported components");
  for (int32_t i = 0; i < s->n_node; ++i) fixed[i] = s->fixed[i];
  for (int32_t k = 0; k < p->contact.nodes.n; ++k) fixed[p->contact.nodes.node[k]] = 1; /* its blocks are turned */
  status = space_bind(p->space, slots, &(PrescribedNodes){fixed, elasticity_frames(p)}, p->in_batches);
  if (status == OK) status = contacts_hold(p);
  FREE(fixed);
  return status;
}

int64_t contacts_closed(const Elasticity *p) {
  const Toggles *t = &p->contact.nodes;
  int64_t n = 0;
  for (int32_t k = 0; k < t->n; ++k) n += t->on[k] && !t->follows[k];
  return n;
}

Status elasticity_contact_freeze(Elasticity *p) {
  Friction *f = &p->contact.friction;
  if (!f->any) return OK;
  for (int32_t k = 0; k < p->contact.nodes.n; ++k) f->lateral[k] = f->next_lateral[k] = (Lateral){0};
  return lateral_apply(p);
}

bool elasticity_touches(const Elasticity *p) { return p->contact.nodes.n > 0 || p->slide.moved; }
int64_t elasticity_contact_updates(const Elasticity *p, int64_t *n_change) {
  *n_change = p->contact.n_change;
  return p->contact.n_update;
}
Status elasticity_contact_start(Elasticity *p) { return p->contact.nodes.n ? contact_begin(&p->contact, p->time) : OK; }
int32_t elasticity_contacts(const Elasticity *p) { return p->contact.n_item; }
ContactState elasticity_contact(const Elasticity *p, int32_t i) { return contact_state(&p->contact, i); }

void elasticity_contact_map(const Elasticity *p, int32_t *entry, double *gap) {
  const Contact *c = &p->contact;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const double open = contact_open(c, k);
    for (int64_t i = c->nodes.start ? c->nodes.start[k] : 0; c->nodes.start && i < c->nodes.start[k + 1]; ++i) {
      const int32_t other = c->nodes.other[i];
      if (!contact_is_between(c, k) || entry[other] > 0) continue;
      if (!entry[other] || open < gap[other]) gap[other] = open;
      entry[other] = -1 - c->of[k];
    }
    entry[c->nodes.node[k]] = 1 + c->of[k], gap[c->nodes.node[k]] = open;
  }
  for (int32_t i = 0; i < c->handed.n; ++i) {
    const int32_t first = c->handed.to[c->handed.start[i]], node = c->handed.node[i];
    entry[node] = 1 + c->of[first], gap[node] = (double)INFINITY;
    for (int64_t k = c->handed.start[i]; k < c->handed.start[i + 1]; ++k)
      gap[node] = fmin(gap[node], contact_open(c, c->handed.to[k]));
  }
}

/* Of u and, with `force`, p->contact_force, both in the global frame. */
static Status see_global(Elasticity *p, const double *u, bool force) {
  Contact *c = &p->contact;
  TRY(toggles_see(p->space, &c->nodes, u, force ? p->contact_force : NULL, c->seen));
  if (!force) return OK;
  if (p->equations.switches.n) TRY(toggles_force(p->space, &c->nodes, p->contact_force, c->force));
  TRY(toggles_across(p->space, &c->nodes, c->across));
  contact_forces(c);
  return OK;
}

/* Displacements and, with `force`, forces along the normals at u. */
static Status see(Elasticity *p, const double *u, bool force) {
  TRY(elasticity_global_frame(p, &u));
  if (force) TRY(elasticity_force_balance(p, u, NULL, p->contact_force, NULL));
  return see_global(p, u, force);
}

/* u of closed nodes becomes their gap, or follows the other body. */
static Status close_gaps(Elasticity *p, double *u) {
  TRY(see(p, u, false));
  TRY(toggles_move(&p->contact.nodes, p->contact.gap, u));
  return equations_follow(&p->equations, p->gap, u);
}

Status contacts_begin(Elasticity *p, double time, double *u) {
  bool turned;
  TRY(bolts_begin(p, time, &turned));
  TRY(timed_follow(p, time, u));
  if (turned) TRY(equations_follow(&p->equations, p->gap, u)); /* before an unknown of these is free */
  if (!p->contact.nodes.n) return turned ? contacts_switch(p, 0) : OK;
  TRY(contact_begin(&p->contact, time));
  for (int32_t k = 0; k < p->contact.nodes.n && time == p->time; ++k) /* overlaps are pushed out in the first step */
    p->contact.gap[k] = fmax(p->contact.gap[k], 0);
  if (p->contact.moves || p->contact.bends) TRY(toggles_rates(&p->contact.nodes, p->contact.rate));
  TRY(contacts_hold(p));
  TRY(contacts_load(p));
  return close_gaps(p, u);
}

Status elasticity_contact_ease(Elasticity *p, double part) {
  if (!p->contact.nodes.n) return OK;
  contact_ease(&p->contact, part);
  return contacts_hold(p);
}

Status contacts_load(Elasticity *p) {
  const int64_t n = p->space->n_dof;
  Status status = OK;
  double *force = NULL;
  if (!p->rubbed) return OK;
  ALLOC_DONE(force, n, "known forces");
  contacts_rub(p, force);
  bolts_load(p, force);
  TRY_DONE(lateral_apply(p));
  TRY_DONE(exec_upload(p->space->exec, p->rubbed, force, (size_t)n * sizeof *force));
  p->external = p->rubbed;
  TRY_DONE(vec_axpy(p->space->exec, n, 1, p->applied, p->rubbed));
  status = rigid_groups_load(&p->equations.groups, &p->external);
done:
  FREE(force);
  return status;
}

Status elasticity_contact_unsettled(const Elasticity *p, Status why) {
  const Contact *c = &p->contact;
  const int32_t k = c->unsettled;
  if (!c->nodes.n || !c->changes) return why;
  return status_context(why,
                        "%s: contact of '%s' does not settle: nodes open and close, or stick and slide, by turns, such "
                        "as node %lld at (%g, %g, %g)\n  remedy: shorter steps, a motion that is prescribed in place "
                        "of a force, a finer 'on'",
                        c->item[c->of[k]].where, c->item[c->of[k]].on->name,
                        (long long)p->space->mesh->node_tag[c->nodes.node[k]], c->x[k][0], c->x[k][1], c->x[k][2]);
}

/* What is out of balance as much as closed nodes press with says nothing of these. */
static bool is_unsure(const Contact *c, double residual) {
  static const double MOST = 0.2;
  double sum = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (c->nodes.on[k]) sum += pow(c->seen[2 * k + 1], 2);
  return sum > 0 && residual > MOST * sqrt(sum);
}

Status elasticity_contact_update(Elasticity *p, double residual, double *u, bool *changed) {
  *changed = p->contact.changes = false;
  if (!p->contact.nodes.n) return OK; /* nothing is near */
  TRY(see(p, u, true));
  if (is_unsure(&p->contact, residual)) return OK;
  contact_pressures(&p->contact);
  TRY(equations_follow(&p->equations, p->gap, u)); /* before it is that of others */
  const int32_t n_set = contact_update(&p->contact), n_rub = friction_update(&p->contact, n_set);
  *changed = p->contact.changes = n_set + n_rub > 0;
  if (!*changed) return OK;
  TRY(contacts_hold(p));
  TRY(contacts_load(p));
  return close_gaps(p, u);
}

/* At a node of an edge, of the values of those that have its functions: the mean of pressures, the least gap, else the largest. */
static double handed_value(const Handed *h, int32_t i, int32_t field, const double *value) {
  const int64_t n = h->start[i + 1] - h->start[i];
  double mean = 0, least = value[h->to[h->start[i]]], most = least;
  for (int64_t k = h->start[i]; k < h->start[i + 1]; ++k) {
    const double at = value[h->to[k]];
    mean += at / (double)n, least = fmin(least, at), most = fmax(most, at);
  }
  return field == ELASTIC_CONTACT_PRESSURE ? mean : field == ELASTIC_CONTACT_GAP ? least : most;
}

/* value[n] of the nodes to a field, 0 elsewhere. */
static Status field_fill(const Elasticity *p, const ElasticRecovery *r, int32_t field, const double *value) {
  const Contact *c = &p->contact;
  double *all = NULL;
  if (!r->field[field]) return OK;
  ALLOC(all, p->space->n_node, "fields of contact");
  for (int32_t k = 0; k < c->nodes.n; ++k) all[c->nodes.node[k]] = value[k];
  for (int32_t i = 0; i < c->handed.n; ++i) all[c->handed.node[i]] = handed_value(&c->handed, i, field, value);
  const Status status = exec_upload(p->space->exec, r->field[field], all, (size_t)p->space->n_node * sizeof *all);
  FREE(all);
  return status;
}

/* Forces on the body; on nodes that others follow, too. */
static Status forces_fill(const Elasticity *p, const ElasticRecovery *r) {
  const Contact *c = &p->contact;
  const Toggles *t = &c->nodes;
  double *all = NULL;
  if (!r->field[ELASTIC_CONTACT_FORCE]) return OK;
  ALLOC(all, 3 * (int64_t)p->space->n_node, "fields of contact");
  for (int32_t k = 0; k < t->n; ++k)
    for (int d = 0; d < 3 && t->on[k]; ++d) {
      const double force = c->seen[2 * k + 1] * t->d[k][d] + friction_force(c, k, d);
      all[3 * t->node[k] + d] -= t->scale[k] * force;
      for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i) all[3 * t->other[i] + d] += t->weight[i] * force;
    }
  const Status status =
      exec_upload(p->space->exec, r->field[ELASTIC_CONTACT_FORCE], all, 3 * (size_t)p->space->n_node * sizeof *all);
  FREE(all);
  return status;
}

/* What rigid obstacles with friction bear, which no support does. */
static Status reaction_add(const Elasticity *p, const ElasticRecovery *r) {
  const Contact *c = &p->contact;
  const Toggles *t = &c->nodes;
  const size_t bytes = 3 * (size_t)p->space->n_node * sizeof(double);
  double *all = NULL;
  Status status = OK;
  if (!r->field[ELASTIC_REACTION] || !c->friction.any) return OK;
  ALLOC_DONE(all, 3 * (int64_t)p->space->n_node, "fields of contact");
  TRY_DONE(exec_download(p->space->exec, all, r->field[ELASTIC_REACTION], bytes));
  for (int32_t k = 0; k < t->n; ++k)
    for (int d = 0; d < 3 && t->on[k] && t->follows[k] && !contact_is_between(c, k); ++d) {
      const double force = c->seen[2 * k + 1] * t->d[k][d] + friction_force(c, k, d);
      all[3 * t->node[k] + d] -= t->scale[k] * force;
      for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i) all[3 * t->other[i] + d] += t->weight[i] * force;
    }
  status = exec_upload(p->space->exec, r->field[ELASTIC_REACTION], all, bytes);
done:
  FREE(all);
  return status;
}

Status contacts_recover(Elasticity *p, const ElasticRecovery *r, const double *u) {
  Contact *c = &p->contact;
  const int32_t n = c->nodes.n;
  Status status = OK;
  double *value = NULL;
  bool any = r->field[ELASTIC_REACTION] && c->friction.any;
  for (int field = ELASTIC_CONTACT_PRESSURE; field <= ELASTIC_CONTACT_FORCE; ++field) any |= r->field[field] != NULL;
  if (!any) return OK;
  ALLOC(value, n, "fields of contact");
  if (n) {
    TRY_DONE(elasticity_force_balance(p, u, r, p->contact_force, NULL));
    TRY_DONE(see_global(p, u, true));
    contact_pressures(c);
  }
  for (int32_t k = 0; k < n; ++k) value[k] = c->pressure[k];
  TRY_DONE(contacts_press_now(p, u, value));
  TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_PRESSURE, value));
  for (int32_t k = 0; k < n; ++k) value[k] = contact_open(c, k);
  TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_GAP, value));
  for (int32_t k = 0; k < n; ++k) value[k] = friction_path(c, k);
  TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_SLIP, value));
  for (int32_t k = 0; k < n; ++k) value[k] = contact_status(c, k);
  TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_STATUS, value));
  TRY_DONE(reaction_add(p, r));
  status = forces_fill(p, r);
done:
  FREE(value);
  return status;
}
