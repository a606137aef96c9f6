#include "mesh/outer_faces.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/same_nodes.h"
#include "mesh/tag_map.h"

#include <string.h>

/* Vertices of facet f of an element, with the lowest once more where there are fewer than `width`. */
static void face_corners(const ElementType *type, const int32_t *from, int32_t f, int32_t width, int32_t to[4]) {
  const int32_t n = element_type(type->face[f].kind)->n_vertex;
  for (int32_t a = 0; a < n; ++a) to[a] = from[type->face[f].nodes[a]];
  for (int32_t a = n; a < width; ++a) {
    to[a] = to[0];
    for (int32_t k = 1; k < n; ++k) to[a] = to[k] < to[a] ? to[k] : to[a];
  }
}

/* mark[n_node], zeroed: hashes of the facets at a node by exclusive or. Those that two elements share cancel, so that 0 stays
 * at nodes inside. Those of an element are joined first: a node is reached once from each of its elements. */
static void mark_nodes(const ElementBlock *block, uint64_t *mark) {
  enum { CORNERS = 8, FACES = 6 };
  const ElementType *type = element_type(block->kind);
  const int parts = parts_of(block->n);
  int32_t n_corner[FACES];
  for (int32_t f = 0; f < type->n_face; ++f) n_corner[f] = element_type(type->face[f].kind)->n_vertex;
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int32_t i = 0; i < block->n; ++i) {
    const int32_t *v = block->nodes + (int64_t)i * type->n_node;
    uint64_t mix[CORNERS], own[CORNERS] = {0};
    for (int32_t a = 0; a < type->n_vertex; ++a) mix[a] = tag_map_mix((uint64_t)v[a] + 1);
    for (int32_t f = 0; f < type->n_face; ++f) {
      uint64_t hash = 0;
      for (int32_t k = 0; k < n_corner[f]; ++k) hash += mix[type->face[f].nodes[k]];
      for (int32_t k = 0; k < n_corner[f]; ++k) own[type->face[f].nodes[k]] ^= hash;
    }
    for (int32_t a = 0; a < type->n_vertex; ++a) {
      if (parts == 1) mark[v[a]] ^= own[a]; /* without the wait of an atomic operation */
      else __atomic_fetch_xor(&mark[v[a]], own[a], __ATOMIC_RELAXED);
    }
  }
}

/* Elements with as many marked corners as a facet has at least, ascending, into out[block->n], and -1 behind them. */
static void find_touching(const ElementBlock *block, const uint64_t *mark, int32_t *out) {
  const ElementType *type = element_type(block->kind);
  const int parts = parts_of(block->n);
  int32_t n = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t found = 0, *mine = out + part_begin(block->n, p, parts);
    for (int64_t i = part_begin(block->n, p, parts); i < part_begin(block->n, p + 1, parts); ++i) {
      const int32_t *v = block->nodes + i * type->n_node;
      int32_t marked = 0;
      for (int32_t a = 0; a < type->n_vertex; ++a) marked += mark[v[a]] != 0;
      if (marked >= type->dim) mine[found++] = (int32_t)i;
    }
#pragma omp ordered
    {
      memmove(out + n, mine, (size_t)found * sizeof *mine);
      n += found;
    }
  }
  if (n < block->n) out[n] = -1;
}

/* Facets whose nodes all are marked, of the elements that find_touching gave, into `node` unless it is NULL; gives their
 * number. */
static int64_t find_candidates(const Mesh *mesh, const uint64_t *mark, const int32_t *touching, int32_t *node) {
  const int32_t width = outer_face_width(mesh);
  int64_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    const int32_t *element = touching + block->first;
    for (int32_t i = 0; type->dim == mesh->dim && i < block->n && element[i] >= 0; ++i)
      for (int32_t f = 0; f < type->n_face; ++f) {
        int32_t v[4];
        face_corners(type, block->nodes + (int64_t)element[i] * type->n_node, f, width, v);
        bool all = true;
        for (int32_t k = 0; k < width; ++k) all = all && mark[v[k]];
        if (all && node) memcpy(node + n * width, v, (size_t)width * sizeof *v);
        n += all;
      }
  }
  return n;
}

Status outer_faces_find(const Mesh *mesh, int32_t *n_face, int32_t **node) {
  const int32_t width = outer_face_width(mesh);
  int32_t *touching = NULL, *same = NULL, n = 0;
  uint8_t *shared = NULL;
  uint64_t *mark = NULL;
  Status status = OK;
  *n_face = 0;
  ALLOC_DONE(mark, mesh->n_node, "nodes of the boundary");
  ALLOC_DONE(touching, mesh->n_element, "elements at the boundary");
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) mark_nodes(&mesh->block[b], mark);
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim)
      find_touching(&mesh->block[b], mark, touching + mesh->block[b].first);
  const int64_t most = find_candidates(mesh, mark, touching, NULL);
  if (most < INT32_MAX / 8) n = (int32_t)most;
  ALLOC_DONE(*node, (int64_t)n * width, "facets of elements");
  ALLOC_DONE(same, n, "facets by their nodes");
  ALLOC_DONE(shared, n, "facets that elements share");
  if (n) find_candidates(mesh, mark, touching, *node);
  TRY_DONE(same_nodes_find(*node, n, width, same));
  for (int32_t f = 0; f < n; ++f)
    if (same[f] != f) shared[f] = shared[same[f]] = 1;
  for (int32_t f = 0; f < n; ++f)
    if (!shared[f])
      memmove(*node + (int64_t)(*n_face)++ * width, *node + (int64_t)f * width, (size_t)width * sizeof **node);
done:
  FREE(touching);
  FREE(same);
  FREE(shared);
  FREE(mark);
  return status;
}
