/* Normals of nodes of bodies that touch. Of bodies that slide they are those of both: where the surfaces have curvatures k and k', a node
 * that is off the place where they touch by d has a normal that is off by k d, and what is opposite one that is off by k' d to the other
 * side. Weighted by the curvature of the other they give the normal of the place itself: of a round edge on a flat face that of
 * the face, whichever is `on`. The rim of a surface is an edge. */
#include "assembly/contact/contact_surface.h"
#include "assembly/space/rim.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "normals of contact";
static const double FLAT = 1e-12; /* turn of a normal over a facet that is one of rounding, */
static const double EDGE = 100;   /* and one of an edge */

void normal_of_facet(const Patch *patch, int32_t a, double normal[3]) {
  facet_normal(&patch->facet, patch->facet.type->node[a], normal);
  for (int d = 0; d < 3; ++d) normal[d] *= patch->facet.outward;
}

static double distance(const double a[3], const double b[3]) {
  double d[3];
  vec3_minus(a, b, d);
  return sqrt(vec3_dot(d, d));
}

/* bend[n_node]: of each node the largest turn of the normal in its facets, over their size. */
static Status bends_find(const Surfaces *s, const Obstacle *o, const MortarTie *t, double *bend) {
  for (int32_t k = 0; k < o->on->n; ++k) {
    Patch patch;
    const Facet *f = &patch.facet;
    double size = 0;
    if (!(t->opposite[k] > 0)) continue;
    TRY(patch_read(s, o, o->on, o->on->element[k], &patch));
    for (int32_t b = 1; b < f->type->n_vertex; ++b) size = fmax(size, distance(f->x[b], f->x[0]));
    for (int32_t b = 0; b < f->type->n_node; ++b) {
      double n[3];
      normal_of_facet(&patch, b, n);
      (void)vec3_normalize(n);
      for (int32_t a = 0; a < f->type->n_node; ++a)
        bend[f->nodes[a]] = fmax(bend[f->nodes[a]], distance(n, s->normal[f->nodes[a]]) / size);
    }
  }
  return OK;
}

/* The other body: normals at its nodes, and which are on a rim of either. */
typedef struct Facing {
  double (*normal)[3];
  RimNode *rim;
} Facing;

static Status normals_of_body(const Surfaces *s, const Obstacle *o, double (*normal)[3]) {
  for (int32_t k = 0; k < o->body->n; ++k) {
    Patch patch;
    TRY(patch_read(s, o, o->body, o->body->element[k], &patch));
    for (int32_t a = 0; a < patch.facet.type->n_node; ++a) {
      double n[3];
      normal_of_facet(&patch, a, n);
      for (int d = 0; d < 3; ++d) normal[patch.facet.nodes[a]][d] += n[d];
    }
  }
  for (int32_t k = 0; k < s->p->mesh->n_node; ++k) (void)vec3_normalize(normal[k]);
  return OK;
}

static Status facing_read(const Surfaces *s, const Obstacle *o, Facing *out) {
  const Mesh *mesh = surface_mesh(s, o);
  const Group *const group[] = {o->on, o->body};
  for (int32_t g = 0; g < 2; ++g) {
    Rim rim;
    const Status status = rim_create(mesh, s->p->axisymmetric, 1, &group[g], &rim);
    if (status == OK) rim_nodes(&rim, mesh, group[g], out->rim);
    rim_release(&rim);
    TRY(status);
  }
  return normals_of_body(s, o, out->normal);
}

/* The turn at a node of a rim, of normals that differ by `apart`: along the rim there is none. */
static double turn_at_rim(const RimNode *node, const double apart[3]) {
  const double length = sqrt(vec3_dot(apart, apart));
  double across[3];
  if (node->kind == RIM_NOT || !(length > 0)) return 0;
  vec3_cross(node->along, apart, across);
  return EDGE * (node->kind == RIM_CORNER ? 1 : sqrt(vec3_dot(across, across)) / length);
}

/* Beside edges it is that of the side that row r is on. */
static void facing_mean(const MortarTie *t, int32_t r, const Facing *f, const Sides *sides, double mean[3]) {
  memset(mean, 0, 3 * sizeof *mean);
  if (sides->facing) memcpy(mean, sides->facing[r], sizeof *sides->facing);
  for (int64_t k = t->start[r]; k < t->start[r + 1] && !sides->facing; ++k)
    for (int d = 0; d < 3; ++d) mean[d] += t->weight[k] * f->normal[t->master[k]][d];
  (void)vec3_normalize(mean);
}

/* How much normals that row r follows turn over its extent. */
static double facing_turn(const MortarTie *t, int32_t r, const Mesh *mesh, const Facing *f, const double mean[3],
                          const double apart[3]) {
  const double n = (double)(t->start[r + 1] - t->start[r]);
  double x[3] = {0}, turn = 0, extent = 0;
  for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k)
    for (int d = 0; d < 3; ++d) x[d] += mesh->x[t->master[k]][d] / n;
  for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k) {
    const int32_t node = t->master[k];
    turn = fmax(turn, fmax(distance(f->normal[node], mean), turn_at_rim(&f->rim[node], apart)));
    extent = fmax(extent, distance(mesh->x[node], x));
  }
  return extent > 0 ? turn / extent : 0;
}

Status normals_join(const Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  const MortarTie *t = &s->mortar[i];
  const Mesh *mesh = surface_mesh(s, o);
  Facing facing = {0};
  double *bend = NULL;
  const double flat = FLAT / t->size;
  Status status = OK;
  TRY_DONE(mem_alloc(mesh->n_node, sizeof *facing.normal, WHAT, (void **)(void *)&facing.normal));
  ALLOC_DONE(facing.rim, mesh->n_node, WHAT);
  ALLOC_DONE(bend, mesh->n_node, WHAT);
  TRY_DONE(facing_read(s, o, &facing));
  TRY_DONE(bends_find(s, o, t, bend));
  for (int32_t r = 0; r < t->n; ++r) {
    const int32_t node = t->node[r];
    double mean[3], apart[3], *own = s->normal[node];
    facing_mean(t, r, &facing, &s->sides[i], mean);
    for (int d = 0; d < 3; ++d) apart[d] = own[d] + mean[d];
    const double turn = facing_turn(t, r, mesh, &facing, mean, apart) + flat;
    const double own_turn = fmax(bend[node], turn_at_rim(&facing.rim[node], apart) / t->size) + flat;
    for (int d = 0; d < 3; ++d) own[d] = turn * own[d] - own_turn * mean[d];
    (void)vec3_normalize(own);
  }
done:
  mem_free((void **)(void *)&facing.normal);
  FREE(facing.rim);
  FREE(bend);
  return status;
}
