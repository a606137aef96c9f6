/* A mesh several times over, for the solver alone: what the copies have in common is nothing. */
#include "mesh/make/copies.h"
#include "core/memory.h"

#include <string.h>

int32_t mesh_copy_element(const Mesh *mesh, int32_t n, int32_t k, int32_t e) {
  const ElementBlock *block = mesh_block_of(mesh, e);
  return n * block->first + k * block->n + (e - block->first);
}

static Status copy_nodes(const Mesh *mesh, int32_t n, Mesh *to) {
  const size_t n_node = (size_t)mesh->n_node;
  TRY(mem_alloc(to->n_node, sizeof *to->x, "nodes of the copies", (void **)(void *)&to->x));
  ALLOC(to->node_tag, to->n_node, "nodes of the copies");
  for (int32_t k = 0; k < n; ++k) {
    memcpy(to->x + (size_t)k * n_node, mesh->x, n_node * sizeof *to->x);
    memcpy(to->node_tag + (size_t)k * n_node, mesh->node_tag, n_node * sizeof *to->node_tag);
  }
  return OK;
}

static Status copy_block(const ElementBlock *from, int32_t n, int32_t n_node, ElementBlock *to) {
  const int64_t width = element_type(from->kind)->n_node, entries = from->n * width;
  *to = (ElementBlock){.kind = from->kind, .n = n * from->n, .first = n * from->first};
  ALLOC(to->nodes, n * entries, "elements of the copies");
  ALLOC(to->tag, to->n, "elements of the copies");
  for (int32_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < entries; ++i) to->nodes[k * entries + i] = from->nodes[i] + k * n_node;
    if (from->n) memcpy(to->tag + (int64_t)k * from->n, from->tag, (size_t)from->n * sizeof *to->tag);
  }
  return OK;
}

static Status copy_all(const Mesh *mesh, int32_t n, Mesh *to) {
  to->dim = mesh->dim;
  to->n_node = n * mesh->n_node, to->n_element = n * mesh->n_element;
  to->quality = mesh->quality;
  to->quality.n_element *= n, to->quality.n_sliver *= n;
  TRY(mem_text(mesh->path, "path of the mesh", &to->path));
  TRY(copy_nodes(mesh, n, to));
  ALLOC(to->block, mesh->n_block, "elements of the copies");
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    ++to->n_block;
    TRY(copy_block(&mesh->block[b], n, mesh->n_node, &to->block[b]));
  }
  return OK;
}

Status mesh_copies(const Mesh *mesh, int32_t n, Mesh **out) {
  *out = NULL;
  CHECK(mesh->n_cable == 0 && !mesh->whole, ERR_BUG, "copies of a mesh with cables or cut out of another");
  CHECK((int64_t)n * mesh->n_node <= INT32_MAX && (int64_t)n * mesh->n_element <= INT32_MAX, ERR_USAGE,
        "%s: %d copies have more nodes or elements than %d\n  remedy: fewer points together", mesh->path, (int)n,
        INT32_MAX);
  Mesh *to = NULL;
  ALLOC(to, 1, "copies of a mesh");
  const Status status = copy_all(mesh, n, to);
  if (status != OK) mesh_destroy(&to);
  *out = to;
  return status;
}
