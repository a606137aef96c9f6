/* Normals of nodes of bodies that touch. Of bodies that slide they are those of both: where the surfaces have curvatures k and k', a node
 * that is off the place where they touch by d has a normal that is off by k d, and what is opposite one that is off by k' d to the other
 * side. Weighted by the curvature of the other they give the normal of the place itself: of a round edge on a flat face that of
 * the face, whichever is `on`. */
#include "assembly/contact/contact_surface.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "normals of contact";
static const double FLAT = 1e-12; /* turn of a normal over a facet that is one of rounding */

void normals_of_facet(const Patch *patch, double (*normal)[3]) {
  const Facet *f = &patch->facet;
  for (int32_t a = 0; a < f->type->n_node; ++a) {
    double n[3];
    facet_normal(f, f->type->node[a], n);
    for (int d = 0; d < 3; ++d) normal[f->nodes[a]][d] += f->outward * n[d];
  }
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
      facet_normal(f, f->type->node[b], n);
      for (int d = 0; d < 3; ++d) n[d] *= f->outward;
      (void)vec3_normalize(n);
      for (int32_t a = 0; a < f->type->n_node; ++a)
        bend[f->nodes[a]] = fmax(bend[f->nodes[a]], distance(n, s->normal[f->nodes[a]]) / size);
    }
  }
  return OK;
}

/* Mean normal of what row r follows, and how much it turns over its extent. */
static double facing_find(const MortarTie *t, int32_t r, const Mesh *mesh, const double (*normal)[3], double mean[3]) {
  double x[3] = {0}, turn = 0, extent = 0;
  memset(mean, 0, 3 * sizeof *mean);
  for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k)
    for (int d = 0; d < 3; ++d) {
      mean[d] += t->weight[k] * normal[t->master[k]][d];
      x[d] += mesh->x[t->master[k]][d] / (double)(t->start[r + 1] - t->start[r]);
    }
  (void)vec3_normalize(mean);
  for (int64_t k = t->start[r]; k < t->start[r + 1]; ++k) {
    turn = fmax(turn, distance(normal[t->master[k]], mean));
    extent = fmax(extent, distance(mesh->x[t->master[k]], x));
  }
  return extent > 0 ? turn / extent : 0;
}

Status normals_join(const Surfaces *s, int32_t i) {
  const Obstacle *o = &s->p->item[i];
  const MortarTie *t = &s->mortar[i];
  const Mesh *mesh = surface_mesh(s, o);
  double(*normal)[3] = NULL, *bend = NULL;
  Status status = OK;
  TRY_DONE(mem_alloc(mesh->n_node, sizeof *normal, WHAT, (void **)(void *)&normal));
  ALLOC_DONE(bend, mesh->n_node, WHAT);
  for (int32_t k = 0; k < o->body->n; ++k) {
    Patch patch;
    TRY_DONE(patch_read(s, o, o->body, o->body->element[k], &patch));
    normals_of_facet(&patch, normal);
  }
  for (int32_t k = 0; k < mesh->n_node; ++k) (void)vec3_normalize(normal[k]);
  TRY_DONE(bends_find(s, o, t, bend));
  for (int32_t r = 0; r < t->n; ++r) {
    double facing[3], *own = s->normal[t->node[r]];
    const double flat = FLAT / t->size, turn = facing_find(t, r, mesh, (const double(*)[3])normal, facing) + flat;
    for (int d = 0; d < 3; ++d) own[d] = turn * own[d] - (bend[t->node[r]] + flat) * facing[d];
    (void)vec3_normalize(own);
  }
done:
  mem_free((void **)(void *)&normal);
  FREE(bend);
  return status;
}
