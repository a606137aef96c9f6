/* Surfaces of two bodies: which nodes of the one may touch the other, their normals, areas, and what they follow there. */
#include "assembly/contact/contact_surface.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "surfaces of contact";
static const double COARSE = 3; /* facets are at most so many times larger than those that they meet */
enum { MOST_PAIRS = 20000000 }; /* pairs of nodes, for a message */

/* Facets of a group: which way is outward. */
static Status outward_read(const Surfaces *s, const Obstacle *o, const Group *group, double *outward) {
  for (int32_t k = 0; k < group->n; ++k) {
    Patch patch;
    TRY(patch_read(s, o, group, group->element[k], &patch));
    outward[k] = patch.facet.outward;
  }
  return OK;
}

/* The least distance of nodes of two groups, of some of them where there are many. */
static double distance_of(const Mesh *mesh, const Group *a, const Group *b) {
  const int64_t all = (int64_t)a->n * b->n;
  const int32_t stride = all > MOST_PAIRS ? (int32_t)(all / MOST_PAIRS) + 1 : 1;
  double least = (double)INFINITY;
  for (int32_t i = 0; i < a->n; i += stride)
    for (int32_t k = 0; k < b->n; ++k) {
      Facet f, g;
      double d[3];
      facet_read(mesh, a->element[i], &f);
      facet_read(mesh, b->element[k], &g);
      vec3_minus(f.x[0], g.x[0], d);
      least = fmin(least, vec3_dot(d, d));
    }
  return sqrt(least);
}

/* Why nothing of the two surfaces is opposite to each other. */
static Status pair_refuse(const Surfaces *s, const MortarParams *params, const Obstacle *o, double size) {
  MortarParams either = *params;
  MortarTie t;
  either.outward[0] = NULL;
  TRY(mortar_create(&either, &t));
  const int32_t n = t.n;
  mortar_release(&t);
  CHECK(!n, ERR_INPUT,
        "%s: '%s' and '%s' look in the same direction where they are near each other\n  allowed: surfaces that look at "
        "each other\n  remedy: is one of the bodies inside the other? Take the group on the other side of one of them",
        o->where, o->on->name, o->body->name);
  const double least = distance_of(s->p->mesh, o->on, o->body);
  CHECK(least > params->reach, ERR_INPUT,
        "%s: no facet of '%s' has one of '%s' opposite along its normal, within %.4g, though their nodes are %.4g "
        "apart\n  allowed: surfaces that look at each other\n  remedy: look at the groups: do they lie side by side?",
        o->where, o->on->name, o->body->name, params->reach, least);
  return FAIL(ERR_INPUT,
              "%s: no facet of '%s' has one of '%s' within reach: their nodes are %.4g apart at least, %.3g times the "
              "size of the facets\n  allowed: up to %.4g along the normal\n  remedy: 'reach: %.2g' where they are to "
              "come that far, or look at the groups and the unit of length",
              o->where, o->on->name, o->body->name, least, least / size, params->reach, 1.1 * least);
}

/* Bodies have no node in common. */
static Status shared_check(const Surfaces *s, const Obstacle *o, const Sides *sides, const MortarTie *t) {
  const Mesh *mesh = s->p->mesh;
  Status status = OK;
  uint8_t *is = NULL;
  ALLOC(is, mesh->n_node, WHAT);
  for (int32_t k = 0; k < o->body->n; ++k) {
    const int32_t e = o->body->element[k], n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) is[mesh_nodes_of(mesh, e)[a]] = 1;
  }
  for (int32_t r = 0; r < t->n && status == OK; ++r) {
    const int32_t node = sides_node(sides, t->node[r]);
    const double *x = mesh->x[node];
    if (is[node])
      status =
          FAIL(ERR_INPUT,
               "%s: node %lld (%g, %g, %g) is one of '%s' and of '%s'\n  allowed: bodies with nodes of their own\n "
               " remedy: two bodies whose meshes are made apart; nodes that both have are joined",
               o->where, (long long)mesh->node_tag[node], x[0], x[1], x[2], o->on->name, o->body->name);
  }
  FREE(is);
  return status;
}

static Status pair_check(const Surfaces *s, const MortarParams *params, const Obstacle *o, const MortarTie *t,
                         double size) {
  const Mesh *mesh = params->mesh; /* with nodes of their own for sides of edges */
  const double *x = mesh->x[t->n_warped ? t->warped : t->folded];
  if (!t->n && !s->c->again) TRY(pair_refuse(s, params, o, size));
  CHECK(!t->n_warped, ERR_INPUT,
        "%s: %d facets of '%s' or of '%s' opposite to them are too distorted to be projected, the first at (%g, %g, "
        "%g)\n  remedy: a better mesh there",
        o->where, t->n_warped, o->on->name, o->body->name, x[0], x[1], x[2]);
  CHECK(!t->n_folded, ERR_INPUT,
        "%s: %d facets of '%s' have more than one layer of '%s' within reach, the first at (%g, %g, %g)\n  remedy: a "
        "group with one side only, or a smaller 'reach'",
        o->where, t->n_folded, o->on->name, o->body->name, x[0], x[1], x[2]);
  TRY(shared_check(s, o, &s->sides[o - s->p->item], t));
  if (t->size > COARSE * t->other_size && !s->c->again && !s->p->leave)
    status_warn(
        "%s: facets of '%s' are %.2g times as large as those of '%s': little of what the finer mesh can do is "
        "left where they meet\n  remedy: the finer side as 'on', {on: %s, against: %s}; its nodes have the pressure "
        "and the gap then",
        o->where, o->on->name, t->size / t->other_size, o->body->name, o->body->name, o->on->name);
  return OK;
}

/* Normals of rows, the sum of those of facets with something opposite, by area; thickness or the circle. */
static Status normals_add(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  const MortarTie *t = &s->mortar[i];
  Sides *sides = &s->sides[i];
  TRY(mem_alloc(t->n, sizeof *sides->normal, WHAT, (void **)(void *)&sides->normal));
  ALLOC(sides->thick, t->n, WHAT);
  for (int32_t k = 0; k < o->on->n; ++k) {
    Patch patch;
    if (!(t->opposite[k] > 0)) continue;
    TRY(patch_read(s, o, o->on, o->on->element[k], &patch));
    for (int32_t a = 0; a < patch.facet.type->n_node; ++a) {
      const int64_t r = ascending_find(t->n, t->node, mesh_nodes_of(&sides->mesh, patch.facet.id)[a]);
      double n[3];
      if (r < 0) continue;
      normal_of_facet(&patch, a, n);
      for (int d = 0; d < 3; ++d) sides->normal[r][d] += n[d];
      sides->thick[r] = s->p->axisymmetric ? 2 * acos(-1) : patch.thick; /* of an area of 1 */
    }
  }
  return OK;
}

/* Of rows the mean normal of what is opposite to them. */
static Status facing_add(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  const MortarTie *t = &s->mortar[i];
  Sides *sides = &s->sides[i];
  double(*normal)[3] = NULL;
  Status status = OK;
  TRY(mem_alloc(sides->mesh.n_node, sizeof *normal, WHAT, (void **)(void *)&normal));
  TRY_DONE(mem_alloc(t->n, sizeof *sides->facing, WHAT, (void **)(void *)&sides->facing));
  for (int32_t k = 0; k < o->body->n; ++k) {
    Patch patch;
    TRY_DONE(patch_read(s, o, o->body, o->body->element[k], &patch));
    for (int32_t a = 0; a < patch.facet.type->n_node; ++a) {
      double n[3], *at = normal[mesh_nodes_of(&sides->mesh, patch.facet.id)[a]];
      normal_of_facet(&patch, a, n);
      for (int d = 0; d < 3; ++d) at[d] += n[d];
    }
  }
  for (int32_t k = 0; k < sides->mesh.n_node; ++k) (void)vec3_normalize(normal[k]);
  for (int32_t r = 0; r < t->n; ++r) {
    for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k)
      for (int d = 0; d < 3; ++d) sides->facing[r][d] += t->weight[k] * normal[t->master[k]][d];
    (void)vec3_normalize(sides->facing[r]);
  }
done:
  mem_free((void **)(void *)&normal);
  return status;
}

Status pair_add(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  const MortarTie *t = &s->mortar[i];
  const Sides *sides = &s->sides[i];
  for (int32_t k = 0; k < t->n; ++k) {
    TRY(surface_node_add(s, i, t->node[k]));
    s->area[t->node[k]] = sides->thick[k] * t->area[k];
    memcpy(s->normal[t->node[k]], sides->normal[k], sizeof *s->normal);
    (void)vec3_normalize(s->normal[t->node[k]]);
  }
  return o->slides ? normals_join(s, i) : OK;
}

/* The largest extent of a facet of the group. */
static double facets_size(const Mesh *mesh, const Group *group) {
  double size = 0;
  for (int32_t k = 0; k < group->n; ++k) {
    Facet f;
    facet_read(mesh, group->element[k], &f);
    for (int32_t a = 1; a < f.type->n_vertex; ++a) {
      double d[3];
      vec3_minus(f.x[a], f.x[0], d);
      size = fmax(size, sqrt(vec3_dot(d, d)));
    }
  }
  return size;
}

Status pair_read(Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  double *outward[2] = {NULL, NULL}, size = 0;
  Status status = OK;
  ALLOC_DONE(outward[0], o->on->n, WHAT);
  ALLOC_DONE(outward[1], o->body->n, WHAT);
  TRY_DONE(outward_read(s, o, o->on, outward[0]));
  TRY_DONE(outward_read(s, o, o->body, outward[1]));
  const Mesh *mesh = surface_mesh(s, o);
  size = fmax(facets_size(mesh, o->on), facets_size(mesh, o->body));
  TRY_DONE(sides_create(mesh, (const Group *const[]){o->on, o->body}, outward, &s->sides[i]));
  const MortarParams params = {.exec = s->p->exec,
                               .mesh = &s->sides[i].mesh,
                               .on = o->on,
                               .to = o->body,
                               .axisymmetric = s->p->axisymmetric,
                               .reach = o->reach > 0 ? o->reach : size,
                               .outward = {outward[0], outward[1]},
                               .dual = true};
  TRY_DONE(mortar_create(&params, &s->mortar[i]));
  s->c->size[i] = s->mortar[i].size, s->c->item[i].reach = params.reach;
  TRY_DONE(pair_check(s, &params, o, &s->mortar[i], size));
  TRY_DONE(normals_add(s, i));
  if (s->sides[i].n_more) status = facing_add(s, i);
done:
  FREE(outward[0]);
  FREE(outward[1]);
  return status;
}

/* Nodes of the other body and, of middles of edges, their ends; where some were given functions, these too. */
static int64_t pair_row(const MortarTie *t, const Sides *sides, int32_t r, int64_t at, Toggles *out) {
  const double scale = t->corner[r][0] >= 0 ? 1 / (1 - 2 * FACET_SHARE) : 1;
  for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k, ++at)
    if (out->other) out->other[at] = t->master[k], out->weight[at] = t->weight[k];
  for (int64_t k = sides->own ? sides->start[r] : 0; sides->own && k < sides->start[r + 1]; ++k, ++at)
    if (out->other) out->other[at] = sides->own[k], out->weight[at] = sides->weight[k];
  for (int e = 0; e < 2 && !sides->own && t->corner[r][e] >= 0; ++e, ++at)
    if (out->other) out->other[at] = t->corner[r][e], out->weight[at] = FACET_SHARE * scale;
  return at;
}

/* On an obstacle with friction. */
static int64_t rigid_row(Contact *c, int32_t k, int64_t at) {
  Toggles *t = &c->nodes;
  if (c->edge[k][0] < 0) return at;
  t->scale[k] = 1 / (1 - 2 * FACET_SHARE);
  for (int e = 0; e < 2; ++e, ++at)
    if (t->other) t->other[at] = t->node[c->edge[k][e]], t->weight[at] = FACET_SHARE * t->scale[k];
  return at;
}

/* Counts, then writes. */
static Status rows_fill(const Surfaces *s) {
  Contact *c = s->c;
  Toggles *t = &c->nodes;
  for (int pass = 0; pass < 2; ++pass) {
    int64_t at = 0;
    for (int32_t k = 0; k < t->n; ++k) {
      const MortarTie *m = contact_is_between(c, k) ? &s->mortar[c->of[k]] : NULL;
      if (m) at = pair_row(m, &s->sides[c->of[k]], (int32_t)ascending_find(m->n, m->node, t->node[k]), at, t);
      else if (contact_follows(c, k)) at = rigid_row(c, k, at);
      t->start[k + 1] = at;
    }
    if (pass || !at) break;
    ALLOC(t->other, at, WHAT);
    ALLOC(t->weight, at, WHAT);
  }
  return OK;
}

/* Areas on obstacles with friction become those of functions N'. */
static void areas_share(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k)
    for (int e = 0; e < 2 && contact_follows(c, k) && !contact_is_between(c, k); ++e)
      if (c->edge[k][e] >= 0) c->area[c->edge[k][e]] += FACET_SHARE * c->area[k];
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (contact_follows(c, k) && !contact_is_between(c, k)) c->area[k] /= c->nodes.scale[k];
}

/* What follows others may not be followed itself. */
static Status others_check(const Surfaces *s) {
  const Contact *c = s->c;
  const Toggles *t = &c->nodes;
  const Mesh *mesh = s->p->mesh;
  for (int32_t k = 0; k < t->n; ++k)
    for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i) {
      const int32_t node = t->other[i], of = s->of[node];
      const bool corner = of == c->of[k] && contact_is_middle(c, k);
      CHECK(of < 0 || corner, ERR_INPUT,
            "%s: node %lld (%g, %g, %g) of '%s' is one of '%s' in the contact at %s too\n  allowed: a node in one "
            "contact\n  remedy: exchange 'on' and 'against' of one of them, or leave the node out of a group",
            c->item[c->of[k]].where, (long long)mesh->node_tag[node], mesh->x[node][0], mesh->x[node][1],
            mesh->x[node][2], c->item[c->of[k]].body->name, c->item[of].on->name, c->item[of].where);
    }
  return OK;
}

Status pairs_list(const Surfaces *s, const int32_t *number) {
  Contact *c = s->c;
  Toggles *t = &c->nodes;
  for (int32_t k = 0; k < t->n; ++k) {
    if (!contact_is_between(c, k)) continue;
    const MortarTie *m = &s->mortar[c->of[k]];
    const Sides *sides = &s->sides[c->of[k]];
    const int64_t r = ascending_find(m->n, m->node, t->node[k]);
    const int32_t *corner = m->corner[r];
    t->follows[k] = 1;
    memcpy(t->d[k], s->normal[t->node[k]], sizeof *t->d);
    if (corner[0] >= 0) t->scale[k] = 1 / (1 - 2 * FACET_SHARE);
    if (sides->scale) t->scale[k] = sides->scale[r], c->given[k] = sides->given[r];
    for (int e = 0; e < 2; ++e) c->edge[k][e] = corner[e] >= 0 && s->of[corner[e]] == c->of[k] ? number[corner[e]] : -1;
  }
  for (int64_t k = 0; c->handed.n && k < c->handed.start[c->handed.n]; ++k) c->handed.to[k] = number[c->handed.to[k]];
  TRY(rows_fill(s));
  areas_share(c);
  return others_check(s);
}

void pair_offset(const Contact *c, const Mesh *mesh, int32_t k, double out[3]) {
  const Toggles *t = &c->nodes;
  for (int d = 0; d < 3; ++d) out[d] = -t->scale[k] * c->x[k][d];
  for (int64_t i = t->start[k]; i < t->start[k + 1]; ++i)
    for (int d = 0; d < 3; ++d) out[d] += t->weight[i] * mesh->x[t->other[i]][d];
}
