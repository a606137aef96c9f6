/* Elements at nodes, by counting and filling. */
#include "mesh/order/order_graph.h"
#include "core/memory.h"

static Status collect_elements(NodeGraph *g) {
  const Mesh *mesh = g->mesh;
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t b = 0; b < mesh->n_block; b++) {
      const int32_t n_node = element_type(mesh->block[b].kind)->n_node;
      for (int32_t i = 0; i < mesh->block[b].n; i++) {
        for (int32_t a = 0; a < n_node; a++) {
          const int32_t node = mesh->block[b].nodes[(int64_t)i * n_node + a];
          if (pass == 0) g->start[node + 1]++;
          else g->element[g->start[node]++] = mesh->block[b].first + i;
        }
      }
    }
    if (pass == 0) {
      for (int32_t i = 0; i < mesh->n_node; i++) g->start[i + 1] += g->start[i];
      ALLOC(g->element, g->start[mesh->n_node], "elements at nodes");
    }
  }
  for (int32_t i = mesh->n_node; i > 0; i--) g->start[i] = g->start[i - 1];
  g->start[0] = 0;
  return OK;
}

Status node_graph_create(const Mesh *mesh, NodeGraph *out) {
  *out = (NodeGraph){.mesh = mesh};
  ALLOC(out->start, (int64_t)mesh->n_node + 1, "elements at nodes");
  ALLOC(out->mark, mesh->n_node, "marks of nodes");
  return collect_elements(out);
}

void node_graph_release(NodeGraph *graph) {
  FREE(graph->start);
  FREE(graph->element);
  FREE(graph->mark);
}

int32_t node_graph_new(NodeGraph *graph, int32_t i, int32_t *list) {
  int32_t n = 0;
  for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
    const ElementBlock *block = mesh_block_of(graph->mesh, graph->element[k]);
    const int32_t n_node = element_type(block->kind)->n_node;
    const int32_t *nodes = block->nodes + (int64_t)(graph->element[k] - block->first) * n_node;
    for (int32_t a = 0; a < n_node; a++) {
      if (graph->mark[nodes[a]] == graph->stamp) continue;
      graph->mark[nodes[a]] = graph->stamp;
      list[n++] = nodes[a];
    }
  }
  return n;
}
