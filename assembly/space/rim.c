#include "assembly/space/rim.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_edges(const void *a, const void *b) {
  const RimEdge *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

/* Edge f of a facet; of a line its end. */
static RimEdge edge_of(const ElementType *type, const int32_t *nodes, int32_t f) {
  const int32_t a = nodes[type->dim == 1 ? f : type->face[f].nodes[0]];
  const int32_t b = nodes[type->dim == 1 ? f : type->face[f].nodes[1]];
  return (RimEdge){a < b ? a : b, a < b ? b : a};
}

static void add_edges(const Mesh *mesh, int32_t id, Rim *rim) {
  const ElementType *type = element_type(mesh_block_of(mesh, id)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, id);
  const int32_t n = type->dim == 1 ? 2 : type->n_face;
  for (int32_t f = 0; f < n; ++f) rim->edge[rim->n++] = edge_of(type, nodes, f);
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int i = 0; i < 3; ++i) rim->tolerance = fmax(rim->tolerance, 1e-9 * fabs(mesh->x[nodes[a]][i]));
}

Status rim_create(const Mesh *mesh, bool axisymmetric, int32_t n, const Group *const *on, Rim *out) {
  int64_t room = 0, kept = 0;
  *out = (Rim){.n = 0};
  for (int32_t g = 0; g < n; ++g) room += 4 * (int64_t)on[g]->n;
  ALLOC(out->edge, room, "edges of a surface");
  for (int32_t g = 0; g < n; ++g)
    for (int32_t k = 0; k < on[g]->n; ++k) add_edges(mesh, on[g]->element[k], out);
  qsort(out->edge, (size_t)out->n, sizeof *out->edge, compare_edges);
  for (int64_t i = 0, j; i < out->n; i = j) {
    for (j = i + 1; j < out->n && compare_edges(&out->edge[i], &out->edge[j]) == 0;) ++j;
    const bool on_axis = axisymmetric && fabs(mesh->x[out->edge[i].a][0]) <= out->tolerance;
    if (j == i + 1 && !on_axis) out->edge[kept++] = out->edge[i];
  }
  out->n = kept;
  return OK;
}

static void node_pass(RimNode *node, const double along[3]) {
  static const double STRAIGHT = 0.9; /* cosine */
  if (!(vec3_dot(along, along) > 0) || node->kind == RIM_CORNER) {
    node->kind = RIM_CORNER;
    return;
  }
  node->kind = node->kind == RIM_ALONG && fabs(vec3_dot(along, node->along)) < STRAIGHT ? RIM_CORNER : RIM_ALONG;
  memcpy(node->along, along, sizeof node->along);
}

void rim_nodes(const Rim *rim, const Mesh *mesh, const Group *group, RimNode *node) {
  for (int32_t k = 0; k < group->n; ++k) {
    const ElementType *type = element_type(mesh_block_of(mesh, group->element[k])->kind);
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[k]);
    for (int32_t f = 0; f < (type->dim == 1 ? 2 : type->n_face); ++f) {
      const RimEdge edge = edge_of(type, nodes, f);
      double along[3];
      if (!bsearch(&edge, rim->edge, (size_t)rim->n, sizeof edge, compare_edges)) continue;
      vec3_minus(mesh->x[edge.b], mesh->x[edge.a], along);
      (void)vec3_normalize(along);
      const int32_t n = type->dim == 1 ? 1 : element_type(type->face[f].kind)->n_node;
      for (int32_t a = 0; a < n; ++a) node_pass(&node[nodes[type->dim == 1 ? f : type->face[f].nodes[a]]], along);
    }
  }
}

void rim_release(Rim *rim) { FREE(rim->edge); }
