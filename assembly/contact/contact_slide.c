/* What nodes keep while the surfaces that they are on are found anew: whether they are closed, how far they have slid, and overlap
 * that counts as none. */
#include "assembly/contact/contact.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "history of contact";

bool contact_slides(const Contact *c) {
  bool any = false;
  for (int32_t i = 0; i < c->n_item; ++i) any |= c->item[i].slides;
  return any;
}

bool contact_bends(const Contact *c) {
  bool any = false;
  for (int32_t i = 0; i < c->n_item; ++i)
    any |= c->item[i].slides && c->item[i].kind != OBSTACLE_BODY && !obstacle_is_flat(&c->item[i]);
  return any;
}

void contact_past_release(ContactPast *past) {
  FREE(past->node);
  FREE(past->of);
  FREE(past->ease);
  FREE(past->path);
  FREE(past->swerve);
  FREE(past->kept);
  FREE(past->grip);
  mem_free((void **)(void *)&past->force);
  mem_free((void **)(void *)&past->normal);
  past->n = 0;
}

Status contact_past_create(const Contact *c, const Mesh *mesh, ContactPast *out) {
  Status status = OK;
  uint8_t *is = NULL;
  *out = (ContactPast){0};
  ALLOC_DONE(is, mesh->n_node, WHAT);
  for (int32_t i = 0; i < c->n_item; ++i)
    for (int32_t k = 0; k < c->item[i].on->n; ++k) {
      const int32_t e = c->item[i].on->element[k], *nodes = mesh_nodes_of(mesh, e);
      const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
      for (int32_t a = 0; a < n; ++a) is[nodes[a]] = 1;
    }
  for (int32_t i = 0; i < mesh->n_node; ++i) out->n += is[i];
  ALLOC_DONE(out->node, out->n, WHAT);
  ALLOC_DONE(out->of, out->n, WHAT);
  ALLOC_DONE(out->ease, out->n, WHAT);
  ALLOC_DONE(out->path, out->n, WHAT);
  ALLOC_DONE(out->swerve, out->n, WHAT);
  ALLOC_DONE(out->kept, out->n, WHAT);
  ALLOC_DONE(out->grip, out->n, WHAT);
  TRY_DONE(mem_alloc(out->n, sizeof *out->force, WHAT, (void **)(void *)&out->force));
  TRY_DONE(mem_alloc(out->n, sizeof *out->normal, WHAT, (void **)(void *)&out->normal));
  for (int32_t i = 0, n = 0; i < mesh->n_node; ++i)
    if (is[i]) out->node[n++] = i;
  contact_remember(c, out);
done:
  FREE(is);
  return status;
}

void contact_remember(const Contact *c, ContactPast *past) {
  const Friction *f = &c->friction;
  memset(past->kept, 0, (size_t)past->n);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const int64_t at = ascending_find(past->n, past->node, c->nodes.node[k]);
    past->of[at] = 1 + c->of[k];
    past->ease[at] = c->ease[k], past->path[at] = c->friction.path[k], past->kept[at] = c->kept[k];
    memcpy(past->normal[at], c->nodes.d[k], sizeof past->normal[at]);
    if (!f->any) continue;
    past->grip[at] = f->kept[k];
    memcpy(past->force[at], f->kept_force[k], sizeof past->force[at]);
  }
  for (int32_t i = 0; i < c->handed.n; ++i) { /* in case that they are in one contact again */
    const int64_t at = ascending_find(past->n, past->node, c->handed.node[i]),
                  n = c->handed.start[i + 1] - c->handed.start[i];
    past->of[at] = 1 + c->of[c->handed.to[c->handed.start[i]]], past->ease[at] = past->path[at] = 0;
    for (int64_t k = c->handed.start[i]; k < c->handed.start[i + 1]; ++k)
      past->ease[at] += c->ease[c->handed.to[k]] / (double)n;
  }
}

void contact_drifts_find(Contact *c) {
  for (int32_t i = 0; i < c->n_item; ++i) {
    double sum[3] = {0}, n = 0;
    for (int32_t k = 0; k < c->nodes.n; ++k) {
      if (c->of[k] != i || !c->nodes.on[k] || !contact_is_between(c, k)) continue;
      for (int d = 0; d < 3; ++d) sum[d] += c->across[k][d] - c->friction.from[k][d];
      ++n;
    }
    for (int d = 0; d < 3; ++d) c->drift[i][d] = n > 0 ? sum[d] / n : 0;
  }
}

/* That part of a way, or (NULL) of that of each node, to nodes of a group. */
static void group_drift(const Mesh *mesh, const Group *group, double part, const double drift[3],
                        const double (*way)[3], double (*u)[3]) {
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t e = group->element[k], *nodes = mesh_nodes_of(mesh, e);
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a)
      for (int d = 0; d < 3; ++d) u[nodes[a]][d] = part * (drift ? drift : way[nodes[a]])[d];
  }
}

void contact_drift(const Contact *c, const Mesh *mesh, double part, bool moves, const double (*way)[3],
                   double (*u)[3]) {
  for (int32_t i = 0; i < c->n_item; ++i) {
    const Obstacle *o = &c->item[i];
    const bool between = o->kind == OBSTACLE_BODY;
    if (!o->slides) continue;
    group_drift(mesh, o->on, part, between && !moves ? c->drift[i] : NULL, way, u);
    if (between && moves) group_drift(mesh, o->body, part, NULL, way, u);
  }
}

double contact_turned(const Contact *c, const ContactPast *past) {
  double turned = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const int64_t at = ascending_find(past->n, past->node, c->nodes.node[k]);
    if (past->kept[at] && contact_is_between(c, k))
      turned = fmax(turned, acos(fmin(1, fabs(vec3_dot(past->normal[at], c->nodes.d[k])))));
  }
  return turned;
}

double contact_lag(const Contact *c, const Contact *was) {
  double sum[3] = {0}, all = 0;
  for (int32_t k = 0; k < was->nodes.n; ++k) {
    const double force = was->pressure[k] * was->area[k];
    if (!was->nodes.on[k] || !contact_is_between(was, k) || !was->item[was->of[k]].slides) continue;
    const int64_t at = ascending_find(c->nodes.n, c->nodes.node, was->nodes.node[k]);
    for (int d = 0; d < 3 && at >= 0 && c->of[at] == was->of[k]; ++d)
      sum[d] += force * (c->nodes.d[at][d] - was->nodes.d[k][d]);
    all += fabs(force);
  }
  return all > 0 ? sqrt(vec3_dot(sum, sum)) / all : 0;
}

void contact_recall(Contact *c, const ContactPast *past) {
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const int64_t at = ascending_find(past->n, past->node, c->nodes.node[k]);
    const bool same = past->of[at] == 1 + c->of[k];
    if (contact_is_between(c, k) && same) c->first_gap[k] += c->ease[k] = past->ease[at];
    c->friction.path[k] = same ? past->path[at] : 0, c->swerve[k] = same ? past->swerve[at] : 0;
    c->nodes.on[k] = c->kept[k] = same && past->kept[at];
    if (!c->friction.any || !same) continue;
    c->friction.kept[k] = past->grip[at];
    memcpy(c->friction.kept_force[k], past->force[at], sizeof past->force[at]);
  }
}

void friction_from_here(Contact *c) {
  c->found = c->time;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double x[3];
    for (int d = 0; d < 3; ++d) x[d] = c->x[k][d] + c->seen[2 * k] * c->nodes.d[k][d] + c->across[k][d];
    if (c->item[c->of[k]].slides) obstacle_arm(&c->item[c->of[k]], c->time, x, c->arm[k]);
  }
  friction_see(c);
  memcpy(c->friction.from, c->across, (size_t)c->nodes.n * sizeof *c->across);
}
