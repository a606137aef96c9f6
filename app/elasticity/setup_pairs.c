/* Pairs of groups. The nodes of one side are found on the other in an order along the direction in which that is longest; where
 * meshes do not match, surfaces are tied. Of a pair about an axis the angle is found: the middles of the two sides see it. */
#include "app/elasticity/setup_pairs.h"
#include "app/elasticity/case_elasticity.h"
#include "assembly/space/facet.h"
#include "assembly/space/rigid_group_rows.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the size of the mesh: nodes that are nearer are partners. */
static const double MATCH = 1e-6;
/* Of an angle: what curved cuts of different meshes may be off a whole number of sectors. */
static const double WHOLE = 2e-3;
static const double PI = 3.14159265358979323846;

/* Where nodes of one side lie on the other: x + shift, or turned back about an axis, where u = rotation u(there). */
typedef struct Pair {
  const Side *one, *two;
  bool rotates;
  double shift[3], origin[3], axis[3], rotation[3][3], angle;
  char word[64];
  Place place;
  const char *where;
  SectorCut *cut; /* NULL: it does not rotate */
} Pair;

bool side_has(const Side *side, int32_t node) { return ascending_find(side->n, side->node, node) >= 0; }

Status side_create(const Mesh *mesh, const Group *on, Side *out) {
  uint8_t *mark = NULL;
  *out = (Side){.on = on};
  ALLOC(mark, mesh->n_node, "nodes of a group");
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) mark[nodes[a]] = 1;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) out->n += mark[i];
  const Status status = mem_alloc(out->n, sizeof *out->node, "nodes of a group", (void **)&out->node);
  out->n = 0;
  for (int k = 0; k < 3; ++k) out->low[k] = (double)INFINITY, out->high[k] = -(double)INFINITY;
  for (int32_t i = 0; status == OK && i < mesh->n_node; ++i) {
    if (!mark[i]) continue;
    out->node[out->n++] = i;
    for (int k = 0; k < 3; ++k) {
      out->low[k] = fmin(out->low[k], mesh->x[i][k]);
      out->high[k] = fmax(out->high[k], mesh->x[i][k]);
    }
  }
  FREE(mark);
  return status;
}

/* ---- where one side lies on the other ---- */

static void pair_place(const Pair *p, const double x[3], double out[3]) {
  double d[3];
  for (int k = 0; k < 3; ++k) out[k] = x[k] + p->shift[k];
  if (!p->rotates) return;
  vec3_minus(x, p->origin, d);
  for (int k = 0; k < 3; ++k)
    out[k] = p->origin[k] + p->rotation[0][k] * d[0] + p->rotation[1][k] * d[1] + p->rotation[2][k] * d[2];
}

static void pair_rotate(Pair *p, double angle) {
  double vector[3], less[9];
  for (int k = 0; k < 3; ++k) vector[k] = angle * p->axis[k];
  rigid_rotation(vector, 0, less);
  for (int k = 0; k < 9; ++k) p->rotation[k / 3][k % 3] = less[k] + (k % 4 == 0);
  p->angle = angle;
  snprintf(p->word, sizeof p->word, "periodic, turned by %.6g degrees", angle * 180 / PI);
}

/* From the axis to the middle of all nodes, or of facets by their size. */
static void middle_of(const Pair *p, const Mesh *mesh, const Side *side, bool facets, double out[3]) {
  double size = 0, x[3] = {0};
  for (int32_t k = 0; k < (facets ? side->on->n : side->n); ++k) {
    double normal[3], weight = 1, N[ELEMENT_MAX_NODES], at[3];
    if (facets) {
      Facet facet;
      double xi[3] = {0};
      facet_read(mesh, side->on->element[k], &facet);
      for (int32_t a = 0; a < facet.type->n_node; ++a)
        for (int i = 0; i < 3; ++i) xi[i] += facet.type->node[a][i] / facet.type->n_node;
      facet_normal(&facet, xi, normal);
      facet.type->values(xi, N);
      facet_point(&facet, N, at);
      weight = sqrt(vec3_dot(normal, normal));
    } else memcpy(at, mesh->x[side->node[k]], sizeof at);
    for (int i = 0; i < 3; ++i) x[i] += weight * at[i];
    size += weight;
  }
  for (int i = 0; i < 3; ++i) out[i] = x[i] / size - p->origin[i];
  const double along = vec3_dot(out, p->axis);
  for (int i = 0; i < 3; ++i) out[i] -= along * p->axis[i];
}

/* The angle from `two` to `one`: a whole number of sectors where it is that but for rounding, or of facets but for WHOLE. False: refused. */
static bool pair_angle(ConstraintList *f, Pair *p, bool facets) {
  const double size = mesh_size(f->mesh);
  double one[3], two[3], across[3];
  middle_of(p, f->mesh, p->one, facets, one);
  middle_of(p, f->mesh, p->two, facets, two);
  vec3_cross(two, one, across);
  const double angle = atan2(vec3_dot(across, p->axis), vec3_dot(two, one)),
               whole = 2 * PI / round(2 * PI / fabs(angle));
  if (!(fmin(vec3_dot(one, one), vec3_dot(two, two)) > MATCH * size * MATCH * size) || !(fabs(angle) > MATCH)) {
    report_error(
        f->diagnostics, p->place,
        "rotate: '%s' and '%s' are at no angle about the axis: %g degrees, %.4g and %.4g away from it\n  allowed: "
        "the two cuts of a sector\n  remedy: 'origin' and 'axis', or groups of one cut each",
        p->one->on->name, p->two->on->name, angle * 180 / PI, sqrt(vec3_dot(one, one)), sqrt(vec3_dot(two, two)));
    return false;
  }
  const double off = fabs(fabs(angle) - whole);
  const bool is_whole = facets ? off <= WHOLE * whole : off * size <= MATCH * size;
  pair_rotate(p, is_whole ? copysign(whole, angle) : angle);
  return true;
}

/* ---- meshes that match ---- */

/* A node of the other side by its coordinate in one direction. */
typedef struct Place1 {
  double at;
  int32_t node;
} Place1;

static int place_order(const void *a, const void *b) {
  const Place1 *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static int longest_direction(const Side *s) {
  int at = 0;
  for (int k = 1; k < 3; ++k)
    if (s->high[k] - s->low[k] > s->high[at] - s->low[at]) at = k;
  return at;
}

/* The nearest to x within `reach`; -1: there is none. */
static int32_t partner_of(const Mesh *mesh, const Place1 *place, int32_t n, int d, const double x[3], double reach) {
  int32_t low = 0, high = n, best = -1;
  double nearest = reach;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (place[middle].at < x[d] - reach) low = middle + 1;
    else high = middle;
  }
  for (; low < n && place[low].at <= x[d] + reach; ++low) {
    const double away = vec3_distance(x, mesh->x[place[low].node]);
    if (away > nearest || (best >= 0 && away == nearest)) continue;
    nearest = away;
    best = place[low].node;
  }
  return best;
}

/* [one->n]: the nodes of `two` that those of `one` lie on, or -1; *missing: how many of these. */
static Status partners_find(const Mesh *mesh, const Pair *p, int32_t *partner, int32_t *missing) {
  const int d = longest_direction(p->two);
  const double reach = MATCH * mesh_size(mesh);
  Place1 *sorted = NULL;
  ALLOC(sorted, p->two->n, "nodes of a group");
  for (int32_t k = 0; k < p->two->n; ++k) sorted[k] = (Place1){mesh->x[p->two->node[k]][d], p->two->node[k]};
  qsort(sorted, (size_t)p->two->n, sizeof *sorted, place_order);
  *missing = 0;
  for (int32_t i = 0; i < p->one->n; ++i) {
    double x[3];
    pair_place(p, mesh->x[p->one->node[i]], x);
    partner[i] = partner_of(mesh, sorted, p->two->n, d, x, reach);
    *missing += partner[i] < 0;
  }
  FREE(sorted);
  return OK;
}

static bool on_axis(const Mesh *mesh, const Pair *p, int32_t node) {
  double d[3];
  vec3_minus(mesh->x[node], p->origin, d);
  const double along = vec3_dot(d, p->axis);
  for (int k = 0; k < 3; ++k) d[k] -= along * p->axis[k];
  return sqrt(vec3_dot(d, d)) <= MATCH * mesh_size(mesh);
}

/* A node on the axis lies in all sectors, and moves along it alone. */
static Status hold_on_axis(ConstraintList *f, const Pair *p, const Side *side, const Side *but) {
  int m = 0;
  for (int k = 1; k < 3; ++k)
    if (fabs(p->axis[k]) > fabs(p->axis[m])) m = k;
  for (int32_t i = 0; i < side->n; ++i)
    for (int k = 0; k < case_dim(f->c); ++k) {
      if (k == m || !on_axis(f->mesh, p, side->node[i]) || (but && side_has(but, side->node[i]))) continue;
      TRY(constraint_begin(f, 2));
      constraint_term(f, side->node[i], k, 1);
      if (p->axis[k] != 0) constraint_term(f, side->node[i], m, -p->axis[k] / p->axis[m]);
      constraint_end(f, 0, p->where);
    }
  return OK;
}

static Status axis_hold(ConstraintList *f, const Pair *p) {
  if (!p->rotates) return OK;
  TRY(hold_on_axis(f, p, p->one, NULL));
  TRY(hold_on_axis(f, p, p->two, p->one));
  p->cut->first = f->n;
  return OK;
}

static Status partner_join(ConstraintList *f, const Pair *p, int32_t node, int32_t partner) {
  const int32_t dim = case_dim(f->c);
  ElasticSetup *own = elastic_setup(f->setup);
  if (partner == node && !p->rotates) return OK;
  SupportImage *image = &own->image[own->n_image++];
  *image = (SupportImage){.node = {node, partner}};
  for (int k = 0; k < 9; ++k) image->rotation[k / 3][k % 3] = p->rotates ? p->rotation[k / 3][k % 3] : k % 4 == 0;
  for (int32_t c = 0; c < dim && partner != node; ++c) {
    TRY(constraint_begin(f, 1 + dim));
    constraint_term(f, node, c, 1);
    for (int32_t g = 0; g < dim; ++g)
      if (!p->rotates ? g == c : p->rotation[c][g] != 0)
        constraint_term(f, partner, g, p->rotates ? -p->rotation[c][g] : -1);
    constraint_end(f, 0, p->where);
  }
  return OK;
}

/* The node of `one` that is farthest from all of `two`: for the message. */
static void worst_gap(const Mesh *mesh, const Pair *p, int32_t *node, double *gap) {
  *gap = -1;
  for (int32_t i = 0; i < p->one->n; ++i) {
    double nearest = (double)INFINITY, x[3];
    pair_place(p, mesh->x[p->one->node[i]], x);
    for (int32_t k = 0; k < p->two->n; ++k) nearest = fmin(nearest, vec3_distance(x, mesh->x[p->two->node[k]]));
    if (nearest > *gap) *gap = nearest, *node = p->one->node[i];
  }
}

static void refuse_missing(ConstraintList *f, const Pair *p, int32_t missing) {
  int32_t node = 0;
  double gap;
  worst_gap(f->mesh, p, &node, &gap);
  const double *x = f->mesh->x[node];
  report_error(f->diagnostics, p->place,
               "%d of %d nodes of '%s' have no partner on '%s': %s of groups that are no surfaces needs meshes that "
               "match\n  the "
               "largest gap is %.4g, at node %lld (%g, %g, %g); allowed: %.3g\n  remedy: groups of surfaces, or the "
               "same nodes on "
               "both",
               missing, p->one->n, p->one->on->name, p->two->on->name, p->word, gap, (long long)f->mesh->node_tag[node],
               x[0], x[1], x[2], MATCH * mesh_size(f->mesh));
}

/* ---- and such that do not ---- */

/* A wall around the axis that is held across has other normals at the two cuts, and no partners that share them. */
static void warn_of_normals(const ConstraintList *f, const Pair *p) {
  static const double ALONG = 1e-3;
  const ElasticSetup *own = elastic_setup(f->setup);
  for (int32_t s = 0; s < own->params.n_support; ++s) {
    const Support *by = &own->params.support[s];
    for (int32_t k = 0; by->symmetry && k < by->on->n; ++k) {
      Facet facet;
      double normal[3], across[3];
      bool at_cut = false;
      facet_read(f->mesh, by->on->element[k], &facet);
      for (int32_t a = 0; a < facet.type->n_node; ++a)
        at_cut = at_cut || side_has(p->one, facet.nodes[a]) || side_has(p->two, facet.nodes[a]);
      if (!at_cut) continue;
      facet_normal(&facet, facet.type->node[0], normal);
      vec3_cross(normal, p->axis, across);
      if (vec3_dot(across, across) <= ALONG * ALONG * vec3_dot(normal, normal)) continue;
      status_warn(
          "%s: the meshes of the two cuts differ, and 'symmetry' of '%s', at %s, holds a wall around the axis: where "
          "it meets "
          "the cuts nothing moves along it either\n  remedy: cuts with the same mesh, or 'spring: {normal: ..}' there",
          p->where, by->on->name, by->where ? by->where : "a support");
      return;
    }
  }
}

static Status surfaces_tie(ConstraintList *f, const Pair *p, double reach) {
  Mesh placed = *f->mesh;
  Status status = mem_alloc(f->mesh->n_node, sizeof *placed.x, "nodes of a periodic pair", (void **)(void *)&placed.x);
  if (status != OK) return status;
  memcpy(placed.x, f->mesh->x, (size_t)f->mesh->n_node * sizeof *placed.x);
  for (int32_t i = 0; i < p->one->n; ++i) pair_place(p, f->mesh->x[p->one->node[i]], placed.x[p->one->node[i]]);
  const TieParams params = {.mesh = &placed,
                            .on = p->one->on,
                            .to = p->two->on,
                            .rotation = p->rotates ? p->rotation : NULL,
                            .word = p->word,
                            .place = p->place,
                            .where = p->where,
                            .reach = reach};
  if (status == OK) status = tie_bind(f, &params);
  if (p->rotates) warn_of_normals(f, p);
  mem_free((void **)(void *)&placed.x);
  return status;
}

static void pairs_measure(const Mesh *mesh, Pair *p, const int32_t *partner) {
  for (int32_t i = 0; i < p->one->n; ++i) {
    double x[3];
    if (partner[i] < 0) continue;
    pair_place(p, mesh->x[p->one->node[i]], x);
    p->cut->apart = fmax(p->cut->apart, vec3_distance(x, mesh->x[partner[i]]));
    ++p->cut->n_pair;
  }
}

static Status pair_join(ConstraintList *f, Pair *p, bool tied, double reach) {
  Status status = OK;
  int32_t *partner = NULL, missing, n_self = 0;
  ALLOC(partner, p->one->n, "nodes of a group");
  if (p->rotates && !pair_angle(f, p, false)) goto done;
  TRY_DONE(partners_find(f->mesh, p, partner, &missing));
  for (int32_t i = 0; i < p->one->n; ++i) n_self += partner[i] == p->one->node[i];
  if (missing && tied) {
    if (p->rotates && !pair_angle(f, p, true)) goto done;
    TRY_DONE(axis_hold(f, p));
    status = surfaces_tie(f, p, reach);
    if (p->cut) p->cut->apart = elastic_setup(f->setup)->mortar[elastic_setup(f->setup)->n_tie - 1].gap;
    goto done;
  }
  TRY_DONE(axis_hold(f, p));
  TRY_DONE(mem_resize((int64_t)elastic_setup(f->setup)->n_image + p->one->n, sizeof(SupportImage), "nodes of a pair",
                      (void **)(void *)&elastic_setup(f->setup)->image));
  for (int32_t i = 0; i < p->one->n; ++i)
    if (partner[i] >= 0) TRY_DONE(partner_join(f, p, p->one->node[i], partner[i]));
  if (p->cut) pairs_measure(f->mesh, p, partner);
  if (n_self == p->one->n)
    report_error(
        f->diagnostics, p->place,
        "%s joins nothing: all %d nodes of '%s' are nodes of '%s' too\n  remedy: groups with nodes of their own",
        p->word, p->one->n, p->one->on->name, p->two->on->name);
  if (missing) refuse_missing(f, p, missing);
done:
  FREE(partner);
  return status;
}

/* About x = y = origin in a flat model. */
static void pair_axis(const CaseRotate *r, Pair *p) {
  p->axis[2] = r->axis.n ? 0 : 1;
  for (int32_t k = 0; k < r->origin.n; ++k) p->origin[k] = r->origin.value[k];
  for (int32_t k = 0; k < r->axis.n; ++k) p->axis[k] = r->axis.value[k];
  vec3_normalize(p->axis);
}

/* A part of a turn that others do not fill is a piece of a body of revolution. */
static void tell_angle(const Pair *p) {
  const double n = 2 * PI / fabs(p->angle);
  if (p->rotates && p->angle != 0 && fabs(n - round(n)) > 1e-4)
    status_warn(
        "%s: the sector has %.6g degrees, of which no whole number makes a turn: %.6g do\n  right for a piece of a "
        "body of revolution, loads included",
        p->where, fabs(p->angle) * 180 / PI, n);
}

/* Gravity across the axis, which each sector would have in a direction of its own. */
static void warn_of_gravity(const Pair *p, const MapsValue *body) {
  static const double ALONG = 1e-6, origin[3] = {0};
  for (int32_t i = 0; i < body->n; ++i) {
    const ExprsValue *given = &((const CaseBody *)maps_item(body, sizeof(CaseBody), i))->gravity;
    double g[3] = {0}, across[3];
    for (int32_t k = 0; k < given->n; ++k)
      g[k] = expr_is_constant(&given->item[k].expr) ? expr_value(&given->item[k].expr, origin, 0) : 0;
    vec3_cross(g, p->axis, across);
    if (vec3_dot(across, across) > ALONG * ALONG * vec3_dot(g, g))
      status_warn("%s: gravity across the axis of a sector turns with it from sector to sector, and pulls the whole "
                  "body nowhere\n  "
                  "remedy: gravity along the axis, or the whole body",
                  p->where);
  }
}

static void warn_of_bodies(const Case *c, const Pair *p) {
  if (!p->rotates) return;
  warn_of_gravity(p, &c->body);
  for (int32_t i = 0; i < c->load_cases.n; ++i)
    warn_of_gravity(p, &((const CaseLoadCase *)maps_item(&c->load_cases, sizeof(CaseLoadCase), i))->body);
  for (int32_t i = 0; i < c->steps.n; ++i) warn_of_gravity(p, &case_step(c, i)->body);
}

Status pair_bind(ConstraintList *f, const CaseBoundary *b, const NamesValue *other, bool periodic) {
  const char *word = periodic ? "periodic" : "tie";
  const Group *on = setup_group(f->setup, f->mesh, &b->on, ON_ANY, word, f->diagnostics);
  const Group *to = setup_group(f->setup, f->mesh, other, ON_ANY, word, f->diagnostics);
  Side one = {0}, two = {0};
  Pair p = {.one = &one, .two = &two, .rotates = periodic && place_given(b->rotate.place), .place = other->place};
  Status status = OK;
  if (!on || !to) return OK;
  snprintf(p.word, sizeof p.word, "%s", word);
  TRY(setup_where(f->c, other->place, f->setup, &p.where));
  const bool surfaces = on->dim == f->mesh->dim - 1 && to->dim == on->dim;
  if (!periodic && surfaces)
    return tie_bind(f, &(TieParams){.mesh = f->mesh,
                                    .on = on,
                                    .to = to,
                                    .word = word,
                                    .place = other->place,
                                    .where = p.where,
                                    .reach = b->reach.value,
                                    .closes = b->closes.value});
  TRY_DONE(side_create(f->mesh, on, &one));
  TRY_DONE(side_create(f->mesh, to, &two));
  if (p.rotates) pair_axis(&b->rotate, &p);
  for (int k = 0; periodic && !p.rotates && k < 3; ++k)
    p.shift[k] = 0.5 * (two.low[k] + two.high[k] - one.low[k] - one.high[k]);
  ElasticSetup *own = elastic_setup(f->setup);
  SectorCut *cut = p.rotates ? &own->cut[own->n_cut] : NULL;
  if (cut) *cut = (SectorCut){.on = on, .to = to, .axis = f->n, .where = p.where};
  p.cut = cut;
  TRY_DONE(pair_join(f, &p, periodic && surfaces, b->reach.value));
  if (cut && p.angle != 0) {
    cut->end = f->n, cut->angle = p.angle;
    memcpy(cut->direction, p.axis, sizeof p.axis);
    memcpy(cut->origin, p.origin, sizeof p.origin);
    ++own->n_cut;
  }
  tell_angle(&p);
  warn_of_bodies(f->c, &p);
done:
  FREE(one.node);
  FREE(two.node);
  return status;
}
