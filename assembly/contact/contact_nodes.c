/* Nodes that may touch an obstacle: those of facets that face it, with normals and areas. */
#include "assembly/contact/contact_surface.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "surfaces of contact";
static const double FACES = 0.1;    /* cosine: facets that see less of the obstacle do not touch it */
static const double TOUCHES = 1e-9; /* of the size of the mesh */
static const double SIDED = 0.1; /* of the area: what its facets look at says on which side of an obstacle a body is */
enum { SAMPLES = 64 };

const Mesh *surface_mesh(const Surfaces *s, const Obstacle *o) { return o->slides && s->now.x ? &s->now : s->p->mesh; }
double surface_time(const Surfaces *s, const Obstacle *o) { return o->slides && s->now.x ? s->p->now : s->p->time; }

Status patch_read(const Surfaces *s, const Obstacle *o, const Group *group, int32_t id, Patch *out) {
  const ContactParams *p = s->p;
  Quadrature rule;
  double N[ELEMENT_MAX_QUADRATURE * ELEMENT_MAX_NODES];
  *out = (Patch){0};
  facet_sides(surface_mesh(s, o), p->set, p->incidence, id, &out->facet);
  const Facet *f = &out->facet;
  CHECK(f->n_side == 1, ERR_INPUT,
        "%s: contact on group '%s', whose facet near (%g, %g, %g) is %s\n  allowed: facets on the surface of the body",
        o->where, group->name, f->x[0][0], f->x[0][1], f->x[0][2],
        f->n_side ? "between two elements" : "not on the body");
  out->index = space_element_index(p->set, f->side[0]);
  out->thick =
      p->thickness.value ? p->thickness.value[p->thickness.index ? p->thickness.index[out->index] : out->index] : 1;
  TRY(element_load_quadrature(f->type, &rule));
  element_tabulate(f->type, &rule, N, NULL);
  for (int32_t q = 0; q < rule.n; ++q) {
    const double *at = N + q * f->type->n_node;
    double x[3], normal[3];
    facet_point(f, at, x);
    facet_normal(f, rule.xi[q], normal);
    const double measure = rule.weight[q] * sqrt(vec3_dot(normal, normal));
    const double factor = measure * out->thick * (p->axisymmetric ? 2 * acos(-1) * x[0] : 1);
    for (int32_t a = 0; a < f->type->n_node; ++a) out->share[a] += factor * at[a];
    for (int k = 0; k < 3; ++k) {
      out->normal[k] += f->outward * rule.weight[q] * normal[k];
      out->center[k] += measure * x[k];
    }
    out->area += measure;
  }
  for (int k = 0; k < 3; ++k) out->center[k] /= out->area;
  return OK;
}

/* On which side of obstacle i the body is: its facets look at it, else by where they are. */
static Status side_find(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  double seen = 0, area = 0, distance = 0;
  for (int32_t k = 0; k < o->on->n; ++k) {
    Patch patch;
    double g[3];
    TRY(patch_read(s, o, o->on, o->on->element[k], &patch));
    distance += patch.area * obstacle_distance(o, surface_time(s, o), patch.center, g);
    seen += vec3_dot(patch.normal, g);
    area += patch.area;
    s->c->size[i] += (s->p->set->dim == 3 ? sqrt(patch.area) : patch.area) / o->on->n;
  }
  s->side[i] = fabs(seen) > SIDED * area ? (seen < 0 ? 1 : -1) : distance < 0 ? -1 : 1;
  return OK;
}

Status surface_node_add(Surfaces *s, int32_t i, int32_t node) {
  const double *x = s->p->mesh->x[node];
  const int32_t other = s->of[node];
  CHECK(other < 0 || other == i, ERR_INPUT,
        "%s: node %lld (%g, %g, %g) of '%s' is in the contact at %s too\n  allowed: one obstacle at a node\n  remedy: "
        "leave it out of one of the two groups; where they meet at an edge, groups that end a facet before it",
        s->p->item[i].where, (long long)s->p->mesh->node_tag[node], x[0], x[1], x[2], s->p->item[i].on->name,
        s->p->item[other].where);
  s->of[node] = i;
  return OK;
}

/* Ends of edges, by the node in their middle. */
static void edges_add(Surfaces *s, const Facet *f) {
  const int32_t *nodes;
  for (int32_t e = 0; (nodes = facet_edge(f->type, s->p->axisymmetric, e)); ++e)
    for (int k = 0; k < 2; ++k) s->edge[f->nodes[nodes[2]]][k] = f->nodes[nodes[k]];
}

static Status surface_add(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  int32_t n = 0;
  for (int32_t k = 0; k < o->on->n; ++k) {
    Patch patch;
    double g[3];
    TRY(patch_read(s, o, o->on, o->on->element[k], &patch));
    (void)obstacle_distance(o, surface_time(s, o), patch.center, g);
    if (-s->side[i] * vec3_dot(patch.normal, g) < FACES * patch.area) continue;
    ++n;
    for (int32_t a = 0; a < patch.facet.type->n_node; ++a) {
      TRY(surface_node_add(s, i, patch.facet.nodes[a]));
      s->area[patch.facet.nodes[a]] += patch.share[a];
    }
    edges_add(s, &patch.facet);
  }
  CHECK(n || s->c->again, ERR_INPUT,
        "%s: no facet of '%s' looks at its obstacle: both look the same way\n  allowed: a surface opposite to the "
        "obstacle\n  remedy: the group on the other side of the body, or an obstacle that it can touch",
        o->where, o->on->name);
  return OK;
}

/* How far node k of a surface that slides has moved along its normal, in functions N' where it follows. */
static void along_find(const Surfaces *s, int32_t k) {
  Contact *c = s->c;
  const Toggles *t = &c->nodes;
  const double(*moved)[3] = s->p->moved;
  if (contact_is_between(c, k) || !c->item[c->of[k]].slides) return;
  c->along[k] = t->scale[k] * vec3_dot(t->d[k], moved[t->node[k]]);
  for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i)
    c->along[k] -= t->weight[i] * vec3_dot(t->d[k], moved[t->other[i]]);
}

/* Nodes ascending. */
static Status nodes_list(const Surfaces *s) {
  Contact *c = s->c;
  const Mesh *mesh = s->p->mesh;
  const double touches = TOUCHES * mesh_size(mesh);
  int32_t n = 0, *number = NULL;
  Status status = OK;
  for (int32_t i = 0; i < mesh->n_node; ++i) n += s->of[i] >= 0;
  TRY(toggles_create(n, &c->nodes));
  ALLOC(c->of, n, WHAT);
  ALLOC(c->area, n, WHAT);
  ALLOC(c->given, n, WHAT);
  TRY(mem_alloc(n, sizeof *c->x, WHAT, (void **)(void *)&c->x));
  TRY(mem_alloc(n, sizeof *c->at, WHAT, (void **)(void *)&c->at));
  TRY(mem_alloc(n, sizeof *c->arm, WHAT, (void **)(void *)&c->arm));
  ALLOC(c->along, n, WHAT);
  TRY(mem_alloc(n, sizeof *c->edge, WHAT, (void **)(void *)&c->edge));
  ALLOC_DONE(number, mesh->n_node, WHAT);
  n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (s->of[i] >= 0) number[i] = n++;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (s->of[i] < 0) continue;
    const int32_t k = number[i];
    const Obstacle *o = &c->item[s->of[i]];
    c->nodes.node[k] = i, c->of[k] = s->of[i], c->area[k] = s->area[i];
    memcpy(c->x[k], mesh->x[i], sizeof c->x[k]);
    memcpy(c->at[k], surface_mesh(s, o)->x[i], sizeof c->at[k]);
    for (int e = 0; e < 2; ++e) c->edge[k][e] = s->edge[i][e] >= 0 ? number[s->edge[i][e]] : -1;
    if (o->kind == OBSTACLE_BODY) continue;
    (void)obstacle_distance(o, surface_time(s, o), c->at[k], c->nodes.d[k]);
    obstacle_arm(o, surface_time(s, o), c->at[k], c->arm[k]);
    for (int d = 0; d < 3; ++d) c->nodes.d[k][d] *= -s->side[s->of[i]];
    c->nodes.on[k] = obstacle_gap(o, surface_time(s, o), c->at[k], c->nodes.d[k]) <= touches;
    c->nodes.follows[k] = obstacle_rubs(o); /* in functions N', so that bounds of friction are positive */
  }
  status = pairs_list(s, number);
  for (int32_t k = 0; k < n && status == OK && s->now.x; ++k) along_find(s, k);
done:
  FREE(number);
  return status;
}

static Status surfaces_find(Surfaces *s) {
  const int32_t n_node = s->p->mesh->n_node;
  ALLOC(s->of, n_node, WHAT);
  ALLOC(s->area, n_node, WHAT);
  ALLOC(s->side, s->p->n, WHAT);
  TRY(mem_alloc(n_node, sizeof *s->edge, WHAT, (void **)(void *)&s->edge));
  for (int32_t i = 0; i < s->p->n; ++i) s->between |= s->p->item[i].kind == OBSTACLE_BODY;
  if (s->between) TRY(mem_alloc(n_node, sizeof *s->normal, WHAT, (void **)(void *)&s->normal));
  if (s->between) ALLOC(s->mortar, s->p->n, WHAT);
  if (s->between) ALLOC(s->sides, s->p->n, WHAT);
  for (int32_t i = 0; i < n_node; ++i) s->of[i] = s->edge[i][0] = s->edge[i][1] = -1;
  for (int32_t i = 0; i < s->p->n; ++i) {
    if (s->p->item[i].kind == OBSTACLE_BODY) {
      TRY(pair_read(s, i));
      continue;
    }
    TRY(obstacle_check(&s->p->item[i], surface_time(s, &s->p->item[i])));
    TRY(side_find(s, i));
    TRY(surface_add(s, i));
  }
  if (s->between) TRY(edges_share(s));
  for (int32_t i = 0; i < s->p->n; ++i)
    if (s->p->item[i].kind == OBSTACLE_BODY) TRY(pair_add(s, i));
  return nodes_list(s);
}

/* How near obstacle i comes to where the body is at the start, and how deep it is in it then. */
static Status reach_check(const ContactParams *p, const Contact *c, int32_t i, double end) {
  const Obstacle *o = &c->item[i];
  double least = (double)INFINITY, first = (double)INFINITY;
  int32_t at = 0;
  for (int t = 0; t <= SAMPLES; ++t) TRY(obstacle_check(o, p->time + (end - p->time) * t / SAMPLES));
  for (int32_t k = 0; k < c->nodes.n; ++k)
    for (int t = 0; t <= SAMPLES && c->of[k] == i; ++t) {
      const double gap = obstacle_gap(o, p->time + (end - p->time) * t / SAMPLES, c->x[k], c->nodes.d[k]);
      least = fmin(least, gap);
      if (t == 0 && gap < first) first = gap, at = k;
    }
  CHECK(least <= mesh_size(p->mesh), ERR_INPUT,
        "%s: '%s' and its obstacle are %.4g apart at least, %.3g times the size of its facets\n  allowed: up to the "
        "size of the body, %.4g\n  remedy: look at 'at', the unit of length, and 'move'",
        o->where, o->on->name, least, least / c->size[i], mesh_size(p->mesh));
  CHECK(first >= -c->size[i], ERR_INPUT,
        "%s: '%s' is %.4g deep in its obstacle at the start, at (%g, %g, %g)\n  allowed: up to the size of its facets, "
        "%.4g\n  remedy: an obstacle outside of the body that 'move' brings there",
        o->where, o->on->name, -first, c->x[at][0], c->x[at][1], c->x[at][2], c->size[i]);
  return OK;
}

static Status surfaces_move(Surfaces *s) {
  const Mesh *mesh = s->p->mesh;
  if (!s->p->moved) return OK;
  s->now = *mesh;
  s->now.x = NULL;
  TRY(mem_alloc(mesh->n_node, sizeof *mesh->x, WHAT, (void **)(void *)&s->now.x));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int d = 0; d < 3; ++d) s->now.x[i][d] = mesh->x[i][d] + s->p->moved[i][d];
  return OK;
}

Status contact_create(const ContactParams *p, Contact *c) {
  Status status = OK;
  Surfaces s = {.p = p, .c = c};
  *c = (Contact){.n_item = p->n, .time = (double)NAN, .again = p->moved != NULL, .found = p->time};
  ALLOC(c->item, p->n, WHAT);
  ALLOC(c->size, p->n, WHAT);
  TRY(mem_alloc(p->n, sizeof *c->drift, WHAT, (void **)(void *)&c->drift));
  for (int32_t i = 0; i < p->n; ++i) c->item[i] = p->item[i];
  c->span = p->end > p->time ? p->end - p->time : 1;
  for (int32_t i = 0; i < p->n; ++i)
    for (int k = 0; k < 3; ++k) c->moves |= p->item[i].kind != OBSTACLE_BODY && expr_is_timed(&p->item[i].move[k]);
  TRY(surfaces_move(&s));
  status = surfaces_find(&s);
  mem_free((void **)(void *)&s.now.x);
  FREE(s.of);
  FREE(s.area);
  FREE(s.side);
  mem_free((void **)(void *)&s.edge);
  mem_free((void **)(void *)&s.normal);
  for (int32_t i = 0; s.mortar && i < p->n; ++i) mortar_release(&s.mortar[i]);
  for (int32_t i = 0; s.sides && i < p->n; ++i) sides_release(&s.sides[i]);
  FREE(s.mortar);
  FREE(s.sides);
  TRY(status);
  const int32_t n = c->nodes.n;
  ALLOC(c->kept, n, WHAT);
  ALLOC(c->arrived, n, WHAT);
  ALLOC(c->rate, 2 * (int64_t)n, WHAT);
  ALLOC(c->bend, n, WHAT);
  ALLOC(c->swerve, n, WHAT);
  ALLOC(c->gap, n, WHAT);
  ALLOC(c->seen, 2 * (int64_t)n, WHAT);
  ALLOC(c->pressure, n, WHAT);
  ALLOC(c->room, 2 * (int64_t)n, WHAT);
  ALLOC(c->first_gap, n, WHAT);
  ALLOC(c->ease, n, WHAT);
  ALLOC(c->jump, n, WHAT);
  ALLOC(c->slid, n, WHAT);
  TRY(mem_alloc(n, sizeof *c->across, WHAT, (void **)(void *)&c->across));
  TRY(mem_alloc(n, sizeof *c->force, WHAT, (void **)(void *)&c->force));
  memcpy(c->kept, c->nodes.on, (size_t)n);
  TRY(friction_scale(p, c));
  for (int32_t i = 0; i < p->n && !c->again; ++i)
    if (p->item[i].kind != OBSTACLE_BODY) TRY(reach_check(p, c, i, p->end > p->time ? p->end : p->time));
  return OK;
}

/* The gap of a node between bodies, closed up to `touches`. */
static Status between_check(Contact *c, const Mesh *mesh, double touches, int32_t k) {
  static const double DEEP = 0.05; /* of the size of facets */
  Toggles *t = &c->nodes;
  const Obstacle *o = &c->item[c->of[k]];
  const double size = c->size[c->of[k]];
  double *gap = &c->first_gap[k], out[3];
  pair_offset(c, mesh, k, out);
  *gap = vec3_dot(out, t->d[k]);
  if (c->again) return OK; /* contact_recall */
  if (o->fitted || *gap < 0) c->ease[k] = -*gap - contact_fit(c, k) * fmin(0, o->interference);
  CHECK(
      o->fitted || *gap >= -DEEP * size, ERR_INPUT,
      "%s: '%s' and '%s' overlap by %.4g at the start, at (%g, %g, %g)\n  allowed: up to %.2g, which counts as none\n "
      " remedy: 'interference: %.4g' where they are to be fitted, or bodies that do not overlap",
      o->where, o->on->name, o->body->name, -*gap, c->x[k][0], c->x[k][1], c->x[k][2], DEEP * size, -*gap);
  *gap += c->ease[k];
  t->on[k] = c->kept[k] = *gap <= touches;
  return OK;
}

Status contact_check(Contact *c, const Mesh *mesh) {
  const double touches = TOUCHES * mesh_size(mesh);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const Obstacle *o = &c->item[c->of[k]];
    const double *x = c->x[k];
    CHECK(
        c->nodes.component[k] >= 0, ERR_INPUT,
        "%s: node %lld (%g, %g, %g) of '%s' is prescribed along the normal of contact\n  allowed: nodes that are free "
        "along the normal of their obstacle\n  remedy: leave it out of the group of 'contact', or out of that of 'fix'",
        o->where, (long long)mesh->node_tag[c->nodes.node[k]], x[0], x[1], x[2], o->on->name);
    if (contact_is_between(c, k)) TRY(between_check(c, mesh, touches, k));
  }
  return OK;
}
