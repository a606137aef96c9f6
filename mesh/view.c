#include "mesh/view.h"
#include "core/memory.h"
#include "core/parts.h"

Status mesh_view_points(const Mesh *mesh, int32_t n, const int32_t *node, Mesh *view) {
  *view = (Mesh){.n_node = mesh->n_node,
                 .dim = mesh->dim,
                 .in_space = mesh->in_space,
                 .x = mesh->x,
                 .node_tag = mesh->node_tag,
                 .path = mesh->path};
  ALLOC(view->block, mesh->n_block + 1, "points at nodes");
  ElementBlock *points = &view->block[0];
  *points = (ElementBlock){.kind = element_by_name("point1")->kind, .n = n};
  ALLOC(points->nodes, n, "points at nodes");
  ALLOC(points->tag, n, "points at nodes");
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) {
    points->nodes[i] = node ? node[i] : i;
    points->tag[i] = mesh->node_tag[points->nodes[i]];
  }
  view->n_block = 1;
  view->n_element = n;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    ElementBlock block = mesh->block[b];
    if (element_type(block.kind)->dim != mesh->dim) continue;
    block.first = view->n_element;
    view->n_element += block.n;
    view->block[view->n_block++] = block;
  }
  return OK;
}

void mesh_view_release(Mesh *view) {
  if (view->block) {
    FREE(view->block[0].nodes);
    FREE(view->block[0].tag);
  }
  FREE(view->block);
  *view = (Mesh){0};
}
