/* Facets: their coordinates, the solved elements beside them, which way is outward. */
#include "assembly/space/facet.h"

#include <string.h>

void facet_read(const Mesh *mesh, int32_t id, Facet *out) {
  const ElementBlock *block = mesh_block_of(mesh, id);
  *out = (Facet){.type = element_type(block->kind), .nodes = mesh_nodes_of(mesh, id), .id = id, .outward = 1};
  for (int32_t a = 0; a < out->type->n_node; ++a) memcpy(out->x[a], mesh->x[out->nodes[a]], sizeof out->x[a]);
}

void facet_point(const Facet *facet, const double *N, double x[3]) {
  for (int i = 0; i < 3; ++i) {
    x[i] = 0;
    for (int32_t a = 0; a < facet->type->n_node; ++a) x[i] += N[a] * facet->x[a][i];
  }
}

void facet_normal(const Facet *facet, const double xi[3], double normal[3]) {
  double J[3][3];
  element_jacobian(facet->type, (const double(*)[3])facet->x, xi, J, false);
  if (facet->type->dim == 1) {
    normal[0] = J[1][0];
    normal[1] = -J[0][0];
    normal[2] = 0;
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = J[j][0] * J[k][1] - J[k][0] * J[j][1];
  }
}

static bool facet_holds(const int32_t *nodes, int32_t n, int32_t node) {
  for (int32_t a = 0; a < n; ++a)
    if (nodes[a] == node) return true;
  return false;
}

/* The face of a solved element that has the facet's vertices; NULL when none has. */
static const ElementFace *face_of(const SetBlock *b, int32_t e, const Facet *facet) {
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  for (int32_t f = 0; f < b->type->n_face; ++f) {
    const ElementFace *face = &b->type->face[f];
    const ElementType *type = element_type(face->kind);
    bool all = type->n_vertex == facet->type->n_vertex;
    for (int32_t v = 0; v < type->n_vertex && all; ++v)
      all = facet_holds(facet->nodes, facet->type->n_vertex, nodes[face->nodes[v]]);
    if (all) return face;
  }
  return NULL;
}

/* +1 when the facet lists its nodes the way round that the element's own face does. */
static double facet_orientation(const Mesh *mesh, const SetBlock *b, int32_t e, const ElementFace *face,
                                const Facet *facet) {
  Facet own = {.type = element_type(face->kind)};
  const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
  for (int32_t a = 0; a < own.type->n_node; ++a) memcpy(own.x[a], mesh->x[nodes[face->nodes[a]]], sizeof own.x[a]);
  double here[3], outward[3], center[3] = {0};
  if (own.type->shape == SHAPE_TRIANGLE) center[0] = center[1] = 1.0 / 3;
  facet_normal(facet, center, here);
  facet_normal(&own, center, outward);
  return here[0] * outward[0] + here[1] * outward[1] + here[2] * outward[2] < 0 ? -1 : 1;
}

void facet_sides(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, int32_t id, Facet *out) {
  facet_read(mesh, id, out);
  const int32_t first = out->nodes[0];
  for (int64_t t = incidence->start[first]; t < incidence->start[first + 1]; ++t) {
    const ElementRef touch = incidence->touch[t];
    if (touch.block >= set->n_solved_block) continue; /* springs and masses, which may be volumes */
    const SetBlock *b = &set->block[touch.block];
    const ElementFace *face = face_of(b, touch.element, out);
    if (!face) continue;
    if (out->n_side < 2) out->side[out->n_side] = b->first_id + touch.element;
    if (out->n_side++) continue;
    out->outward = facet_orientation(mesh, b, touch.element, face, out);
  }
}

const int32_t *facet_edge(const ElementType *type, bool axisymmetric, int32_t e) {
  static const int32_t LINE[3] = {0, 1, 2};
  if (type->order != 2 || type->dim == 0) return NULL;
  if (type->dim == 1) return axisymmetric && e == 0 ? LINE : NULL;
  return e < type->n_face ? type->face[e].nodes : NULL;
}
