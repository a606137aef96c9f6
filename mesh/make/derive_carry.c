/* What a derived mesh takes over: coordinates and tags of nodes, groups, fields; see derive.h. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/fibers/axis.h"
#include "mesh/id_set.h"
#include "mesh/make/derive.h"

#include <string.h>

/* The point behind new node i, and the nodes of the element that it lies in. */
static const SplitPoint *point_of(const DeriveMap *map, int32_t i, const int32_t **nodes) {
  const NewNode *node = &map->new_node[i];
  const ElementBlock *block = mesh_block_of(map->old, node->element);
  const Split *split = map->plan->split[block->kind][node->code / SPLIT_MAX_POINTS];
  *nodes = block->nodes + (int64_t)(node->element - block->first) * split->parent->n_node;
  return &split->point[node->code % SPLIT_MAX_POINTS];
}

Status derive_nodes(const DeriveMap *map, Mesh *out) {
  const Mesh *old = map->old;
  int64_t highest = 0;
  out->n_node = old->n_node + map->n_new;
  ALLOC(out->x, out->n_node, "node coordinates");
  ALLOC(out->node_tag, out->n_node, "node tags");
  TRY(mem_text(old->path, "path of the mesh", &out->path));
  if (old->n_node > 0) {
    memcpy(out->x, old->x, (size_t)old->n_node * sizeof *old->x);
    memcpy(out->node_tag, old->node_tag, (size_t)old->n_node * sizeof *old->node_tag);
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(old->n_node)) reduction(max : highest)
  for (int32_t i = 0; i < old->n_node; i++) highest = old->node_tag[i] > highest ? old->node_tag[i] : highest;
  CHECK(highest <= INT64_MAX - map->n_new, ERR_MESH, "node tag %lld leaves no room for %d new ones", (long long)highest,
        map->n_new);
#pragma omp parallel for schedule(static) num_threads(parts_of(map->n_new))
  for (int32_t i = 0; i < map->n_new; i++) {
    const int32_t *nodes;
    const SplitPoint *point = point_of(map, i, &nodes);
    double x[3] = {0};
    for (int32_t s = 0; s < point->n_source; s++) {
      for (int32_t k = 0; k < 3; k++) x[k] += point->weight[s] * old->x[nodes[point->source[s]]][k];
    }
    memcpy(out->x[old->n_node + i], x, sizeof x);
    out->node_tag[old->n_node + i] = highest + 1 + i;
  }
  return OK;
}

Status derive_sources(const DeriveMap *map, NodeSources *out) {
  const int32_t *nodes;
  *out = (NodeSources){.first = map->old->n_node, .n = map->n_new};
  ALLOC(out->start, map->n_new + 1, "where nodes come from");
  for (int32_t i = 0; i < map->n_new; i++) out->start[i + 1] = out->start[i] + point_of(map, i, &nodes)->n_source;
  ALLOC(out->node, out->start[map->n_new], "where nodes come from");
  ALLOC(out->weight, out->start[map->n_new], "where nodes come from");
  for (int32_t i = 0; i < map->n_new; i++) {
    const SplitPoint *point = point_of(map, i, &nodes);
    for (int32_t s = 0; s < point->n_source; s++) {
      out->node[out->start[i] + s] = nodes[point->source[s]];
      out->weight[out->start[i] + s] = point->weight[s];
    }
  }
  return OK;
}

void node_sources_release(NodeSources *sources) {
  FREE(sources->start);
  FREE(sources->node);
  FREE(sources->weight);
}

/* Index of the old block of element e. */
static int32_t block_index(const Mesh *mesh, int32_t e) { return (int32_t)(mesh_block_of(mesh, e) - mesh->block); }

/* The children of elements [begin, end) of a group: their number, and with `to` their ids, ascending or not. */
static int64_t carry_members(const DeriveMap *map, const Group *from, int64_t begin, int64_t end, int32_t *to) {
  const Mesh *old = map->old;
  int64_t n = 0;
  for (int64_t i = begin; i < end; i++) {
    const int32_t b = block_index(old, from->element[i]);
    for (int k = 0; k < N_ELEMENT_KINDS; k++) {
      const int32_t n_child = map->n_child[b][k];
      const int32_t first = map->first_child[b][k] + (from->element[i] - old->block[b].first) * n_child;
      for (int32_t c = 0; to && c < n_child; c++) to[n + c] = first + c;
      n += n_child;
    }
  }
  return n;
}

static Status carry_group(const DeriveMap *map, const Group *from, Group *to, int64_t *before) {
  const int parts = parts_of(from->n);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; p++)
    before[p + 1] = carry_members(map, from, part_begin(from->n, p, parts), part_begin(from->n, p + 1, parts), NULL);
  for (int p = 0; p < parts; p++) before[p + 1] += before[p];
  CHECK(before[parts] <= INT32_MAX, ERR_MESH, "group '%s' would have %lld elements", from->name,
        (long long)before[parts]);
  to->dim = from->dim;
  to->number = from->number;
  TRY(mem_text(from->name, "group name", &to->name));
  ALLOC(to->element, before[parts], "elements of a group");
  to->n = (int32_t)before[parts];
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; p++)
    carry_members(map, from, part_begin(from->n, p, parts), part_begin(from->n, p + 1, parts), to->element + before[p]);
  return id_set_make(to->element, &to->n); /* linear and quadratic blocks may change their order */
}

Status derive_groups(const DeriveMap *map, Mesh *out) {
  int64_t *before = NULL;
  Status status = OK;
  ALLOC(out->group, map->old->n_group, "groups");
  ALLOC(before, parts_of(INT32_MAX) + 1, "parts of a group");
  for (int32_t g = 0; g < map->old->n_group && status == OK; g++) {
    out->n_group++;
    status = carry_group(map, &map->old->group[g], &out->group[g], before);
  }
  FREE(before);
  return status;
}

static void derive_carry_interpolate(const DeriveMap *map, const MeshField *from, MeshField *to) {
  const int32_t n_component = from->n_component, n_old = map->old->n_node;
  const bool axes = axis_field(from->name) && n_component % 3 == 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(map->n_new))
  for (int32_t i = 0; i < map->n_new; i++) {
    const int32_t *nodes;
    const SplitPoint *point = point_of(map, i, &nodes);
    double *value = to->value + (int64_t)(n_old + i) * n_component;
    if (axes) {
      for (int32_t c = 0; c < n_component; c += 3) {
        double v[ELEMENT_MAX_NODES][3];
        for (int32_t s = 0; s < point->n_source; s++) {
          memcpy(v[s], from->value + (int64_t)nodes[point->source[s]] * n_component + c, sizeof v[s]);
        }
        axis_mean(point->n_source, point->weight, (const double(*)[3])v, value + c);
      }
      continue;
    }
    for (int32_t c = 0; c < n_component; c++) {
      value[c] = 0.0;
      for (int32_t s = 0; s < point->n_source; s++) {
        value[c] += point->weight[s] * from->value[(int64_t)nodes[point->source[s]] * n_component + c];
      }
    }
  }
}

/* The children of one kind of the elements of old block b. */
static void derive_carry_inherit(const DeriveMap *map, int32_t b, int kind, const MeshField *from, MeshField *to) {
  const ElementBlock *block = &map->old->block[b];
  const int32_t n = map->n_child[b][kind], n_component = from->n_component;
  const int64_t n_all = (int64_t)block->n * n;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_all))
  for (int64_t c = 0; c < n_all; c++) {
    memcpy(to->value + (map->first_child[b][kind] + c) * n_component,
           from->value + (block->first + c / n) * n_component, (size_t)n_component * sizeof *from->value);
  }
}

Status derive_fields(const DeriveMap *map, Mesh *out) {
  const Mesh *old = map->old;
  ALLOC(out->field, old->n_field, "fields");
  for (int32_t f = 0; f < old->n_field; f++) {
    const MeshField *from = &old->field[f];
    MeshField *to = &out->field[out->n_field++];
    to->on_nodes = from->on_nodes;
    to->n_component = from->n_component;
    TRY(mem_text(from->name, "field name", &to->name));
    const int64_t n = from->on_nodes ? out->n_node : out->n_element;
    ALLOC(to->value, n * from->n_component, "field");
    if (!from->on_nodes) {
      for (int32_t b = 0; b < old->n_block; b++) {
        for (int k = 0; k < N_ELEMENT_KINDS; k++) derive_carry_inherit(map, b, k, from, to);
      }
      continue;
    }
    memcpy(to->value, from->value, (size_t)old->n_node * (size_t)from->n_component * sizeof *from->value);
    derive_carry_interpolate(map, from, to);
  }
  return OK;
}
