/* Whether the largest stress is at a place where it has no limit: a load or a support on points, or on lines of a solid, or a
 * corner that the body goes around (Williams, Journal of Applied Mechanics 19, 1952, 526-528). */
#include "app/elasticity/elastic.h"
#include "mesh/ridge.h"

#include <math.h>

/* Of a circle around the edge, the body; from the second on no curve is meshed like that. */
static const double CORNER = 220.0 / 360, SHARP = 255.0 / 360;

/* Of the largest stress, the mean at nodes from which on the largest is no peak of a point beside it: stress that hardly varies
 * is largest anywhere. */
static const double EVEN = 0.6;

/* The node of the largest stress and, where n > 1, the corners of elements that have it. */
enum { NEAR_MOST = 512 };
typedef struct Near {
  int32_t n, id[NEAR_MOST];
} Near;

static bool is_near(const Near *near, const int32_t *nodes, int32_t n) {
  for (int32_t a = 0; a < n; ++a)
    for (int32_t k = 0; k < near->n; ++k)
      if (nodes[a] == near->id[k]) return true;
  return false;
}

static void find_near(const Mesh *mesh, int32_t node, Near *near) {
  *near = (Near){1, {node}};
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static)
    for (int32_t e = 0; e < block->n; ++e) {
      const int32_t *nodes = block->nodes + (int64_t)e * type->n_node;
      bool has = false;
      for (int32_t a = 0; a < type->n_node && !has; ++a) has = nodes[a] == node;
      if (!has) continue;
#pragma omp critical(peak_near)
      for (int32_t a = 0; a < type->n_vertex; ++a)
        if (near->n < NEAR_MOST && !is_near(near, &nodes[a], 1)) near->id[near->n++] = nodes[a];
    }
  }
}

static bool in_group(const Mesh *mesh, const Group *on, int32_t node) {
  const Near self = {1, {node}};
  for (int32_t k = 0; k < on->n; ++k)
    if (is_near(&self, mesh_nodes_of(mesh, on->element[k]),
                element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node))
      return true;
  return false;
}

/* Whether the group, of nodes, has all corners of a face of an element there: a surface, as decks write it. */
static bool has_face(const Mesh *mesh, const Group *on, const Near *near) {
  Near here = {0};
  for (int32_t k = 0; k < near->n; ++k)
    if (in_group(mesh, on, near->id[k])) here.id[here.n++] = near->id[k];
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element && on->n >= mesh->dim; ++e) {
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    if (!is_near(&here, nodes, type->n_vertex)) continue;
    for (int32_t f = 0; f < type->n_face; ++f) {
      const int32_t n = element_type(type->face[f].kind)->n_vertex;
      int32_t a = 0;
      while (a < n && in_group(mesh, on, nodes[type->face[f].nodes[a]])) ++a;
      if (a == n) return true;
    }
  }
  return false;
}

/* Whether that is less than a surface (in 2D a curve), and near. */
static bool is_thin(const Mesh *mesh, const Group *on, const Near *near) {
  bool found = false;
  for (int32_t k = 0; on->dim < mesh->dim - 1 && k < on->n && !found; ++k)
    found = is_near(near, mesh_nodes_of(mesh, on->element[k]),
                    element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node);
  return found && !(near->n > 1 && on->dim == 0 && has_face(mesh, on, near));
}

static const char *thin_load(const Mesh *mesh, int32_t n, const Load *load, const Near *near) {
  for (int32_t l = 0; l < n; ++l)
    if (load[l].kind == LOAD_FORCE && is_thin(mesh, load[l].on, near)) return load[l].where;
  return NULL;
}

/* The place of a load or a support that acts there on a point or a line; NULL: none. */
static const char *thin_act(const Mesh *mesh, const ElasticSetup *own, const Near *near, bool *load) {
  const ElasticityParams *p = &own->params;
  const char *where = thin_load(mesh, p->n_load, p->load, near);
  for (int32_t i = 0; i < own->n_act && !where; ++i)
    where = thin_load(mesh, own->act[i].n_load, own->act[i].load, near);
  *load = where != NULL;
  for (int32_t s = 0; s < p->n_support && !where; ++s)
    if (is_thin(mesh, p->support[s].on, near)) where = p->support[s].where;
  return where;
}

Status elastic_warn_of_peak(const Mesh *mesh, const Setup *setup, const ElasticPeaks *peaks, bool *told) {
  const ElasticSetup *own = elastic_setup(setup);
  const int32_t node = peaks->at[1];
  if (*told || node < 0 || !(peaks->most[1] > 0)) return OK;
  const double *x = mesh->x[node];
  Near near = {1, {node}};
  Ridge corner = {0};
  bool load;
  const char *act = thin_act(mesh, own, &near, &load);
  if (!act) TRY(ridge_reentrant(mesh, node, 2 * M_PI * (CORNER - 0.5), 2 * M_PI * (SHARP - 0.5), &corner));
  if (!act && !corner.found && peaks->sum < EVEN * peaks->count * peaks->most[1]) {
    find_near(mesh, node, &near);
    act = thin_act(mesh, own, &near, &load);
  }
  if (!act && !corner.found) return OK;
  *told = true;
  if (act)
    status_warn(
        "the largest von-mises stress, at (%.6g, %.6g, %.6g), is %swhere the %s at %s acts on %s: it has no limit "
        "there and grows with every finer mesh\n  remedy: a %s over the %s that it has, or read the stress elsewhere",
        x[0], x[1], x[2], near.n > 1 ? "next to " : "", load ? "force" : "support", act,
        mesh->dim == 2 ? "a point" : "a point or a line", load ? "traction" : "support",
        mesh->dim == 2 ? "length" : "area");
  else
    status_warn(
        "the largest von-mises stress, at (%.6g, %.6g, %.6g), is %s re-entrant corner: it has no limit there and grows "
        "with every finer mesh\n  remedy: the fillet that the part has%s, or read the stress elsewhere",
        x[0], x[1], x[2], corner.at_node ? "at a" : "beside a",
        corner.angle < 2 * M_PI * (SHARP - 0.5) ? " (a mesh of its geometry where flat facets approximate a curve)"
                                                : "");
  warnings_print();
  return OK;
}
