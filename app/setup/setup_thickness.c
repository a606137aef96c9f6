/* In 2D: the thickness of each edge is that of the element that it belongs to. */
#include "app/setup/setup.h"
#include "core/memory.h"

/* Edges of the mesh in chains by their lower vertex. */
typedef struct EdgeChains {
  int32_t *first; /* owned, [n_node], -1: none */
  int32_t *next;  /* owned, [n_element] */
} EdgeChains;

static int32_t setup_thickness_lower(int32_t a, int32_t b) { return a < b ? a : b; }

static Status chain_edges(const Mesh *mesh, EdgeChains *out) {
  ALLOC(out->first, mesh->n_node, "edges of the boundary");
  ALLOC(out->next, mesh->n_element, "edges of the boundary");
  for (int32_t i = 0; i < mesh->n_node; ++i) out->first[i] = -1;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t i = 0; i < block->n && type->dim == 1; ++i) {
      const int32_t *nodes = block->nodes + (int64_t)i * type->n_node;
      int32_t *first = &out->first[setup_thickness_lower(nodes[0], nodes[1])];
      out->next[block->first + i] = *first;
      *first = block->first + i;
    }
  }
  return OK;
}

static void mark_edges(const Mesh *mesh, const EdgeChains *chains, int32_t e, double thickness, double *out) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t a = nodes[type->face[f].nodes[0]], b = nodes[type->face[f].nodes[1]];
    for (int32_t edge = chains->first[setup_thickness_lower(a, b)]; edge >= 0; edge = chains->next[edge]) {
      const int32_t *end = mesh_nodes_of(mesh, edge);
      if ((end[0] == a && end[1] == b) || (end[0] == b && end[1] == a)) out[edge] = thickness;
    }
  }
}

Status setup_facet_thickness(const Mesh *mesh, const double *thickness, double **out) {
  EdgeChains chains = {0};
  const int32_t first = setup_first_solved(mesh);
  Status status;
  ALLOC_DONE(*out, first, "thickness of the boundary");
  TRY_DONE(chain_edges(mesh, &chains));
  for (int32_t e = first; e < mesh->n_element; ++e) mark_edges(mesh, &chains, e, thickness[e - first], *out);
done:
  FREE(chains.first);
  FREE(chains.next);
  return status;
}
