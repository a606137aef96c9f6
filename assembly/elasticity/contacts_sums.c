/* What groups of facets bear of the forces of contact. A node has one force, the sum of what all rows of contact put on it; what a sum over
 * one group counts of it is, of each row, the part of the group's own facets: of the facets at the node that look along the row's normal most,
 * or against it on the other body, by their areas. So parts of groups that do not overlap add up to the whole, and at an edge between two
 * sides, whose rows have a normal each, either side has what it bears. */
#include "assembly/contact/contact_sides.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "sums of contact";

/* A node on a facet: which, the outward normal there, and the area of its function N'. */
typedef struct Place {
  bool member; /* the facet is of the group that is summed */
  double normal[3], area;
} Place;

/* Facets of one surface at nodes. */
typedef struct Shore {
  int64_t *start; /* owned, as what follows, [n_node + 1] */
  Place *place;
} Shore;

typedef struct Sum {
  const Elasticity *p;
  const Mesh *mesh;
  const ContactSum *of;
  bool facets; /* it is of facets, else its nodes count wholly */
  uint8_t *member, *node;
  Shore shore[2]; /* of the contact that is added: `on`, and the other body */
} Sum;

static void shore_release(Shore *s) {
  FREE(s->start);
  FREE(s->place);
}

/* Areas of the functions N' of a facet. */
static Status share_areas(const Facet *f, bool axisymmetric, double *area) {
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
  const int32_t *edge;
  Quadrature rule;
  memset(area, 0, ELEMENT_MAX_NODES * sizeof *area);
  TRY(element_load_quadrature(f->type, &rule));
  element_tabulate(f->type, &rule, N, NULL);
  for (int32_t q = 0; q < rule.n; ++q) {
    const double *at = N + q * f->type->n_node;
    double x[3], n[3];
    facet_point(f, at, x);
    facet_normal(f, rule.xi[q], n);
    for (int32_t a = 0; a < f->type->n_node; ++a)
      area[a] += rule.weight[q] * sqrt(vec3_dot(n, n)) * (axisymmetric ? x[0] : 1) * at[a];
  }
  for (int32_t e = 0; (edge = facet_edge(f->type, axisymmetric, e)); ++e) {
    for (int k = 0; k < 2; ++k) area[edge[k]] += FACET_SHARE * area[edge[2]];
    area[edge[2]] *= 1 - 2 * FACET_SHARE;
  }
  return OK;
}

static Status shore_find(const Sum *s, const Mesh *at, const Group *group, Shore *out) {
  const Elasticity *p = s->p;
  ALLOC(out->start, (int64_t)at->n_node + 1, WHAT);
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t e = group->element[k], *nodes = mesh_nodes_of(at, e);
    for (int32_t a = 0; a < element_type(mesh_block_of(at, e)->kind)->n_node; ++a) ++out->start[nodes[a] + 1];
  }
  for (int32_t i = 0; i < at->n_node; ++i) out->start[i + 1] += out->start[i];
  const int64_t n = out->start[at->n_node];
  ALLOC(out->place, n, WHAT);
  for (int32_t k = group->n - 1; k >= 0; --k) {
    Facet f;
    double area[ELEMENT_MAX_NODES];
    facet_sides(at, &p->space->set, &p->space->incidence, group->element[k], &f);
    TRY(share_areas(&f, p->model == MODEL_AXISYMMETRIC, area));
    for (int32_t a = 0; a < f.type->n_node; ++a) {
      Place *place = &out->place[--out->start[f.nodes[a] + 1]];
      *place = (Place){.member = s->member[f.id], .area = area[a]};
      facet_normal(&f, f.type->node[a], place->normal);
      for (int d = 0; d < 3; ++d) place->normal[d] *= f.outward;
      (void)vec3_normalize(place->normal);
    }
  }
  memmove(out->start, out->start + 1, (size_t)at->n_node * sizeof *out->start);
  out->start[at->n_node] = n;
  return OK;
}

/* Of what a row with normal sign d puts on a node: by the areas of the facets there that look along it most, and of those beside them
 * that are on the same side of an edge, or look along it as much. */
static double part_of(const Sum *s, const Shore *shore, int32_t node, const double d[3], double sign) {
  static const double AS_MUCH = 0.1;
  double all = 0, own = 0, most = -1;
  const Place *best = NULL;
  if (!s->facets) return s->node[node];
  for (int64_t i = shore->start[node]; i < shore->start[node + 1]; ++i) {
    const double along = sign * vec3_dot(shore->place[i].normal, d);
    if (along > most) most = along, best = &shore->place[i];
  }
  for (int64_t i = shore->start[node]; best && i < shore->start[node + 1]; ++i) {
    const Place *at = &shore->place[i];
    if (vec3_dot(at->normal, best->normal) <= SIDES_COSINE && sign * vec3_dot(at->normal, d) < most - AS_MUCH) continue;
    all += at->area;
    own += at->member ? at->area : 0;
  }
  return all > 0 ? own / all : 0;
}

static void node_add(const Sum *s, int32_t node, double part, const double force[3]) {
  const MomentArm *arm = s->of->arm;
  double r[3], f[3], moment[3];
  for (int d = 0; d < 3; ++d) f[d] = part * force[d];
  for (int d = 0; d < 3 && arm; ++d) r[d] = s->mesh->x[node][d] + (arm->u ? arm->u[node][d] : 0) - arm->about[d];
  if (arm) vec3_cross(r, f, moment);
  for (int d = 0; d < 3; ++d) s->of->sum[d] += arm ? moment[d] : f[d];
}

/* Row k: on the nodes of its own surface and on those that it follows. Ends of its edge have of it what its middle has. */
static void row_add(const Sum *s, int32_t k) {
  const Contact *c = &s->p->contact;
  const Toggles *t = &c->nodes;
  const double *d = t->d[k], part = part_of(s, &s->shore[0], t->node[k], d, 1);
  double force[3];
  for (int i = 0; i < 3; ++i) force[i] = c->seen[2 * k + 1] * d[i] + friction_force(c, k, i);
  node_add(s, t->node[k], -t->scale[k] * part, force);
  for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i) {
    const int32_t node = t->other[i];
    const Shore *other = &s->shore[1];
    const bool opposite = s->facets && contact_is_between(c, k) && other->start[node] < other->start[node + 1];
    bool end = false;
    for (int e = 0; e < 2; ++e) end |= c->edge[k][e] >= 0 && t->node[c->edge[k][e]] == node;
    const double of = opposite ? part_of(s, other, node, d, -1) : end ? part : part_of(s, &s->shore[0], node, d, 1);
    node_add(s, node, t->weight[i] * of, force);
  }
}

static Status contact_add(Sum *s, const Mesh *now, int32_t i) {
  const Contact *c = &s->p->contact;
  const Obstacle *o = &c->item[i];
  const Mesh *at = o->slides && now->x ? now : s->mesh;
  Status status = OK;
  if (s->facets) TRY_DONE(shore_find(s, at, o->on, &s->shore[0]));
  if (s->facets && o->kind == OBSTACLE_BODY) TRY_DONE(shore_find(s, at, o->body, &s->shore[1]));
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (c->of[k] == i && c->nodes.on[k]) row_add(s, k);
done:
  for (int k = 0; k < 2; ++k) shore_release(&s->shore[k]);
  return status;
}

static Status group_mark(Sum *s) {
  const Group *on = s->of->on;
  ALLOC(s->member, s->mesh->n_element, WHAT);
  ALLOC(s->node, s->mesh->n_node, WHAT);
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t e = on->element[k], *nodes = mesh_nodes_of(s->mesh, e);
    s->member[e] = 1;
    for (int32_t a = 0; a < element_type(mesh_block_of(s->mesh, e)->kind)->n_node; ++a) s->node[nodes[a]] = 1;
  }
  return OK;
}

Status elasticity_contact_sum(const Elasticity *p, const ContactSum *of) {
  Sum s = {.p = p, .mesh = p->space->mesh, .of = of, .facets = of->on->dim == p->space->mesh->dim - 1};
  Mesh now = *s.mesh;
  Status status = OK;
  now.x = NULL;
  for (int d = 0; d < 3; ++d) of->sum[d] = 0;
  TRY_DONE(group_mark(&s));
  if (p->slide.moved) {
    TRY_DONE(mem_alloc(now.n_node, sizeof *now.x, WHAT, (void **)(void *)&now.x));
    for (int32_t i = 0; i < now.n_node; ++i)
      for (int d = 0; d < 3; ++d) now.x[i][d] = s.mesh->x[i][d] + p->slide.moved[i][d];
  }
  for (int32_t i = 0; i < p->contact.n_item; ++i) TRY_DONE(contact_add(&s, &now, i));
done:
  mem_free((void **)(void *)&now.x);
  FREE(s.member);
  FREE(s.node);
  return status;
}
