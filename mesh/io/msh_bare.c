/* Quadratic meshes of Gmsh with prisms of 18 and pyramids of 14 nodes: the nodes inside of faces and elements are left
 * out, of the hexahedra and quadrangles beside them too, so that all are serendipity elements that fit each other. The
 * nodes that remain come first in every numbering of Gmsh. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/msh_raw.h"

#include <string.h>

const ElementType *msh_raw_type(MshRaw *raw, int64_t gmsh_type, int32_t *n_node) {
  static const struct { int32_t type, n_node, bare; } full[] = {{13, 18, 18}, {14, 14, 19}};
  const ElementType *type = gmsh_type > 0 && gmsh_type < 1000 ? element_by_gmsh((int32_t)gmsh_type) : NULL;
  *n_node = type ? type->n_node : 0;
  for (int i = 0; i < 2 && !type; ++i) {
    if (full[i].type != gmsh_type) continue;
    type = element_by_gmsh(full[i].bare);
    *n_node = full[i].n_node;
    raw->bare = true;
  }
  return type;
}

/* Moves the elements of a kind to the list of the serendipity kind on the same vertices. */
static Status bare_list(MshRaw *raw, const ElementType *from, const ElementType *to) {
  const MshElements *list = &raw->list[from->kind];
  MshElements *out = &raw->list[to->kind];
  TRY(msh_raw_reserve(raw, to->kind, list->n));
#pragma omp parallel for schedule(static) num_threads(parts_of(list->n))
  for (int32_t i = 0; i < list->n; ++i) {
    memcpy(out->nodes + (int64_t)(out->n + i) * to->n_node, list->nodes + (int64_t)i * from->n_node,
           (size_t)to->n_node * sizeof *out->nodes);
  }
  memcpy(out->tag + out->n, list->tag, (size_t)list->n * sizeof *out->tag);
  memcpy(out->owner + out->n, list->owner, (size_t)list->n * sizeof *out->owner);
  out->n += list->n;
  raw->list[from->kind].n = 0;
  return OK;
}

/* Values at nodes that are left out are too. */
static void bare_data(const MshRaw *raw, const int32_t *kept, MshData *data) {
  int32_t n = 0;
  for (int32_t i = 0; i < data->n; ++i) {
    const int32_t at = tag_map_find(&raw->node_of, data->tag[i]);
    if (at >= 0 && kept[at] < 0) continue;
    data->tag[n] = data->tag[i];
    memmove(data->value + (int64_t)n++ * data->n_component, data->value + (int64_t)i * data->n_component,
            (size_t)data->n_component * sizeof *data->value);
  }
  data->n = n;
}

/* Closes up the nodes that elements have; kept[i] in: whether node i is one, out: where it is now, or -1. */
static void close_up(MshRaw *raw, int32_t *kept) {
  int32_t n = 0;
  for (int32_t i = 0; i < raw->n_node; ++i) kept[i] = kept[i] ? n++ : -1;
  for (int32_t d = 0; d < raw->n_data; ++d)
    if (raw->data[d].on_nodes) bare_data(raw, kept, &raw->data[d]);
  for (int32_t i = 0; i < raw->n_node; ++i) {
    if (kept[i] < 0) continue;
    raw->node_tag[kept[i]] = raw->node_tag[i];
    memmove(raw->x[kept[i]], raw->x[i], sizeof raw->x[i]);
  }
  raw->n_node = n;
}

static Status bare_nodes(MshRaw *raw) {
  int32_t *kept = NULL;
  TagDuplicates none;
  ALLOC(kept, raw->n_node, "nodes of elements");
  for (int pass = 0; pass < 2; ++pass) {
    for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
      int32_t *nodes = raw->list[kind].nodes;
      const int64_t n = (int64_t)raw->list[kind].n * element_type((ElementKind)kind)->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
      for (int64_t k = 0; k < n; ++k) {
        if (pass) nodes[k] = kept[nodes[k]];
        else __atomic_store_n(&kept[nodes[k]], 1, __ATOMIC_RELAXED);
      }
    }
    if (!pass) close_up(raw, kept);
  }
  FREE(kept);
  tag_map_destroy(&raw->node_of);
  return tag_map_create(raw->node_tag, raw->n_node, "table of node numbers", &raw->node_of, &none);
}

Status msh_raw_bare(MshRaw *raw) {
  if (!raw->bare) return OK;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->order != 2 || raw->list[kind].n == 0) continue;
    const ElementType *bare = element_quadratic(type->linear, true);
    if (bare != type) TRY(bare_list(raw, type, bare));
  }
  return bare_nodes(raw);
}
