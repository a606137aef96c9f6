/* Edges of surfaces in space: one or two elements at each. Where three meet, a surface branches, and what is along it and
 * what across is not defined. */
#include "core/memory.h"
#include "mesh/check/check.h"

#include <stdio.h>
#include <string.h>

/* Edges by their lower vertex, in chains. */
typedef struct EdgeList {
  int32_t n;
  int32_t *first;       /* owned, [n_node]: an edge plus one, 0: none */
  int32_t *next;        /* owned, [edges], likewise */
  int32_t *end, *count; /* owned, [edges]: the higher vertex; elements */
} EdgeList;

static int32_t check_edges_find(const EdgeList *list, int32_t low, int32_t high) {
  int32_t k = list->first[low];
  while (k && list->end[k - 1] != high) k = list->next[k - 1];
  return k - 1;
}

static void add_edge(EdgeList *list, int32_t low, int32_t high) {
  int32_t k = check_edges_find(list, low, high);
  if (k < 0) {
    k = list->n++;
    list->end[k] = high;
    list->next[k] = list->first[low];
    list->first[low] = k + 1;
  }
  ++list->count[k];
}

/* Vertices of side f of an element, the lower one first. */
static void side_of(const ElementType *type, const int32_t *nodes, int32_t f, int32_t out[2]) {
  const int32_t a = nodes[type->face[f].nodes[0]], b = nodes[type->face[f].nodes[1]];
  out[0] = a < b ? a : b, out[1] = a < b ? b : a;
}

static void add_block(const ElementBlock *block, EdgeList *list) {
  const ElementType *type = element_type(block->kind);
  for (int32_t e = 0; e < block->n; ++e)
    for (int32_t f = 0, end[2]; f < type->n_face; ++f) {
      side_of(type, block->nodes + (int64_t)e * type->n_node, f, end);
      add_edge(list, end[0], end[1]);
    }
}

/* The elements at an edge by their numbers in the file. */
static void list_elements(const Mesh *mesh, const int32_t edge[2], char *text, int size) {
  int n = 0;
  text[0] = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t e = 0; e < block->n && type->dim == 2; ++e)
      for (int32_t f = 0, end[2]; f < type->n_face && n < CHECK_SHOWN; ++f) {
        const size_t used = strlen(text);
        side_of(type, block->nodes + (int64_t)e * type->n_node, f, end);
        if (end[0] != edge[0] || end[1] != edge[1]) continue;
        snprintf(text + used, (size_t)size - used, "%s%lld", n++ ? ", " : "", (long long)block->tag[e]);
      }
  }
}

static Status fail_branches(const Mesh *mesh, const EdgeList *list) {
  int32_t n = 0, edge[2] = {0}, count = 0;
  char elements[200];
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int32_t k = list->first[i]; k; k = list->next[k - 1]) {
      if (list->count[k - 1] < 3 || n++) continue;
      edge[0] = i, edge[1] = list->end[k - 1], count = list->count[k - 1];
    }
  if (n == 0) return OK;
  const double *x = mesh->x[edge[0]], *y = mesh->x[edge[1]];
  list_elements(mesh, edge, elements, sizeof elements);
  return FAIL(ERR_MESH,
              "%s: %d elements meet at the edge from node %lld at (%g, %g, %g) to node %lld at (%g, %g, %g): %s%s; a "
              "surface has one or two at each edge, and here %d edge%s more\n"
              "  remedy: take out what branches off, or mesh the wall as a volume",
              mesh->path, (int)count, (long long)mesh->node_tag[edge[0]], x[0], x[1], x[2],
              (long long)mesh->node_tag[edge[1]], y[0], y[1], y[2], elements, count > CHECK_SHOWN ? " and more" : "",
              (int)n, n == 1 ? " has" : "s have");
}

Status check_edges(const Mesh *mesh) {
  EdgeList list = {0};
  Status status = OK;
  int64_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim == 2) n += (int64_t)mesh->block[b].n * type->n_face;
  }
  CHECK(n < INT32_MAX, ERR_MESH, "%s: has more than %d edges of surfaces", mesh->path, INT32_MAX);
  ALLOC_DONE(list.first, mesh->n_node, "edges of a surface");
  ALLOC_DONE(list.next, n, "edges of a surface");
  ALLOC_DONE(list.end, n, "edges of a surface");
  ALLOC_DONE(list.count, n, "edges of a surface");
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == 2) add_block(&mesh->block[b], &list);
  status = fail_branches(mesh, &list);
done:
  FREE(list.first);
  FREE(list.next);
  FREE(list.end);
  FREE(list.count);
  return status;
}
