/* Contact with obstacles between the equation and assembly/contact: what is prescribed as sets change, and its fields. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/recovery.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <math.h>

Status contacts_create(Elasticity *p, const ElasticityParams *params, const double *thickness) {
  const ContactParams contact = {.mesh = params->mesh,
                                 .set = &p->space->set,
                                 .incidence = &p->space->incidence,
                                 .axisymmetric = p->model == MODEL_AXISYMMETRIC,
                                 .thickness = {thickness, p->material},
                                 .n = params->n_obstacle,
                                 .item = params->obstacle,
                                 .time = params->time,
                                 .end = params->end};
  CHECK(!params->share, ERR_BUG, "contact of several ranks");
  return contact_create(&contact, &p->contact);
}

/* Unknowns of equations stay what they are. */
static Status check_equations(const Elasticity *p) {
  const Contact *c = &p->contact;
  const Equations *e = &p->equations;
  const int32_t b = e->n_component;
  Status status = OK;
  uint8_t *used = NULL;
  if (!e->n) return OK;
  ALLOC(used, p->space->n_node, "nodes of equations");
  for (int32_t i = 0; i < e->n; ++i) used[e->row[i] / b] = 1;
  for (int64_t k = 0; k < e->start[e->n]; ++k) used[e->column[k] / b] = 1;
  for (int32_t k = 0; k < c->nodes.n && status == OK; ++k)
    if (used[c->nodes.node[k]])
      status = FAIL(ERR_INPUT,
                    "%s: node %lld (%g, %g, %g) of '%s' is in an equation, a tie or a rigid group too\n  allowed: "
                    "nodes of a surface of contact that nothing joins to others\n  remedy: leave it out of one of the "
                    "two groups",
                    c->item[c->of[k]].where, (long long)p->space->mesh->node_tag[c->nodes.node[k]], c->x[k][0],
                    c->x[k][1], c->x[k][2], c->item[c->of[k]].on->name);
  FREE(used);
  return status;
}

Status contacts_check(Elasticity *p) {
  if (!p->contact.nodes.n) return OK;
  TRY(contact_check(&p->contact, p->space->mesh));
  return check_equations(p);
}

void contacts_mark(Elasticity *p, bool held) {
  const Toggles *t = &p->contact.nodes;
  for (int32_t k = 0; k < t->n; ++k) {
    uint8_t *fixed = &p->supports.fixed[t->node[k]];
    if (t->on[k]) *fixed = (uint8_t)(held ? *fixed | 1 << t->component[k] : *fixed & ~(1 << t->component[k]));
  }
}

Status contacts_upload(Elasticity *p) {
  if (!p->contact.nodes.n) return OK;
  EXEC_ALLOC(p->space->exec, p->contact_force, p->space->n_dof, "forces of contact");
  return toggles_upload(p->space, &p->supports, &p->contact.nodes);
}

void contacts_release(Elasticity *p) {
  if (p->space) EXEC_RELEASE(p->space->exec, p->contact_force, p->space->n_dof);
  contact_release(&p->contact);
}

Status contacts_hold(Elasticity *p) {
  if (!p->contact.nodes.n) return OK;
  return toggles_hold(p->space, &p->supports, &p->contact.nodes, p->equations.n ? p->equations.frame_bears : NULL);
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

bool elasticity_touches(const Elasticity *p) { return p->contact.nodes.n > 0; }
int64_t elasticity_contact_updates(const Elasticity *p, int64_t *n_change) {
  *n_change = p->contact.n_change;
  return p->contact.n_update;
}
int32_t elasticity_contacts(const Elasticity *p) { return p->contact.n_item; }
ContactState elasticity_contact(const Elasticity *p, int32_t i) { return contact_state(&p->contact, i); }

/* Displacements and, with `force`, forces along the normals at u. */
static Status see(Elasticity *p, const double *u, bool force) {
  TRY(elasticity_global_frame(p, &u));
  if (force) TRY(elasticity_force_balance(p, u, NULL, p->contact_force, NULL));
  return toggles_see(p->space, &p->contact.nodes, u, force ? p->contact_force : NULL, p->contact.seen);
}

/* u of closed nodes becomes their gap. */
static Status close_gaps(Elasticity *p, double *u) {
  TRY(see(p, u, false));
  return toggles_move(&p->contact.nodes, p->contact.gap, u);
}

Status contacts_begin(Elasticity *p, double time, double *u) {
  if (!p->contact.nodes.n) return OK;
  TRY(contact_begin(&p->contact, time));
  for (int32_t k = 0; k < p->contact.nodes.n && time == p->time; ++k) /* overlaps are pushed out in the first step */
    p->contact.gap[k] = fmax(p->contact.gap[k], 0);
  TRY(contacts_hold(p));
  return close_gaps(p, u);
}

Status elasticity_contact_update(Elasticity *p, double *u, bool *changed) {
  TRY(see(p, u, true));
  contact_pressures(&p->contact);
  *changed = contact_update(&p->contact) > 0;
  if (!*changed) return OK;
  TRY(contacts_hold(p));
  return close_gaps(p, u);
}

void contacts_save(const Elasticity *p, uint8_t *host) {
  for (int32_t k = 0; k < p->contact.nodes.n; ++k) host[k] = p->contact.kept[k];
}
Status contacts_restore(Elasticity *p, const uint8_t *host) {
  if (!p->contact.nodes.n) return OK;
  for (int32_t k = 0; k < p->contact.nodes.n; ++k) p->contact.kept[k] = p->contact.nodes.on[k] = host[k] != 0;
  return contacts_hold(p);
}

/* value[n][width] of the nodes to a field, 0 elsewhere. */
static Status field_fill(const Elasticity *p, const ElasticRecovery *r, int32_t field, int32_t width,
                         const double *value) {
  Exec *exec = p->space->exec;
  const Contact *c = &p->contact;
  const int64_t n = (int64_t)c->nodes.n * width;
  Status status = OK;
  int32_t *row = NULL, *exec_row = NULL;
  double *exec_value = NULL;
  TRY(exec_zero(exec, r->field[field], (size_t)recovery_numbers(p, r, field) * sizeof *value));
  if (!n) return OK;
  ALLOC_DONE(row, n, "fields of contact");
  for (int64_t k = 0; k < n; ++k) row[k] = c->nodes.node[k / width] * width + (int32_t)(k % width);
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *row, row, "fields of contact", (void **)&exec_row));
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *value, value, "fields of contact", (void **)&exec_value));
  const ScatterArgs args = {exec_row, exec_value, r->field[field], 0};
  status = exec_rows(exec, &scatter_kernel, &args, n);
done:
  FREE(row);
  EXEC_RELEASE(exec, exec_row, n);
  EXEC_RELEASE(exec, exec_value, n);
  return status;
}

Status contacts_recover(Elasticity *p, const ElasticRecovery *r, const double *u) {
  Contact *c = &p->contact;
  const int32_t n = c->nodes.n;
  Status status = OK;
  double *value = NULL;
  if (!r->field[ELASTIC_CONTACT_PRESSURE] && !r->field[ELASTIC_CONTACT_GAP] && !r->field[ELASTIC_CONTACT_FORCE])
    return OK;
  ALLOC(value, 3 * (int64_t)n, "fields of contact");
  if (n) {
    TRY_DONE(elasticity_force_balance(p, u, r, p->contact_force, NULL));
    TRY_DONE(toggles_see(p->space, &c->nodes, u, p->contact_force, c->seen));
    contact_pressures(c);
  }
  if (r->field[ELASTIC_CONTACT_PRESSURE]) TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_PRESSURE, 1, c->pressure));
  for (int32_t k = 0; k < n; ++k) value[k] = contact_open(c, k);
  if (r->field[ELASTIC_CONTACT_GAP]) TRY_DONE(field_fill(p, r, ELASTIC_CONTACT_GAP, 1, value));
  for (int32_t k = 0; k < 3 * n; ++k)
    value[k] = c->nodes.on[k / 3] ? -c->seen[2 * (k / 3) + 1] * c->nodes.d[k / 3][k % 3] : 0;
  if (r->field[ELASTIC_CONTACT_FORCE]) status = field_fill(p, r, ELASTIC_CONTACT_FORCE, 3, value);
done:
  FREE(value);
  return status;
}
