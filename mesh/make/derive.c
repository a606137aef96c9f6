/* Children of every element and the numbers of their nodes; see derive.h. */
#include "mesh/make/derive.h"
#include "core/memory.h"
#include "mesh/check/point_map.h"

#include <string.h>

void derive_plan_release(DerivePlan *plan) {
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    for (int v = 0; v < DERIVE_VARIANTS; v++) split_destroy(&plan->split[k][v]);
  }
}

/* The key of a point of an element: its vertices in ascending order with their shares. Curved parents add the highest
 * of the nodes that shape the edge or face. */
static PointKey point_key(const Split *split, const SplitPoint *point, const int32_t *nodes) {
  PointKey key = {.vertex = {-1, -1, -1, -1}};
  for (int32_t i = 0; i < point->n_vertex; i++) {
    const int32_t vertex = nodes[point->vertex[i]];
    int32_t at = i;
    for (; at > 0 && key.vertex[at - 1] > vertex; at--) {
      key.vertex[at] = key.vertex[at - 1];
      key.share[at] = key.share[at - 1];
    }
    key.vertex[at] = vertex;
    key.share[at] = point->share[i];
  }
  if (split->parent->order > 1) {
    for (int32_t i = 0; i < point->n_source; i++) {
      const int32_t node = nodes[point->source[i]];
      if (node > key.apart) key.apart = node;
    }
  }
  return key;
}

/* Numbers of all points of one element. */
static Status number_points(const Mesh *old, const Split *split, int32_t variant, int32_t element, const int32_t *nodes,
                            PointMap *map, int32_t *number) {
  for (int32_t p = 0; p < split->n_point; p++) {
    const SplitPoint *point = &split->point[p];
    const int32_t code = variant * SPLIT_MAX_POINTS + p;
    int32_t index;
    if (point->node >= 0) {
      number[p] = nodes[point->node];
      continue;
    }
    if (point->n_vertex == split->parent->n_vertex && split->parent->dim == old->dim) {
      TRY(point_map_append(map, element, code, &index));
    } else {
      CHECK(point->n_vertex <= POINT_MAP_VERTICES, ERR_BUG, "a face of %s has more than %d vertices",
            split->parent->name, POINT_MAP_VERTICES);
      const PointKey key = point_key(split, point, nodes);
      TRY(point_map_find(map, &key, element, code, &index));
    }
    CHECK(index < INT32_MAX - old->n_node, ERR_MESH, "the mesh would have more than %d nodes", INT32_MAX);
    number[p] = old->n_node + index;
  }
  return OK;
}

/* Children of all elements of one old block, written from to[kind] on. */
static Status derive_block(const Mesh *old, const DerivePlan *plan, const ElementBlock *block, PointMap *map,
                           int32_t **to) {
  const ElementType *type = element_type(block->kind);
  const bool varied = plan->split[block->kind][1] != NULL;
  for (int32_t i = 0; i < block->n; i++) {
    const int32_t *nodes = block->nodes + (int64_t)i * type->n_node;
    const int32_t variant = varied ? plan->choose(type, (const double(*)[3])old->x, nodes) : 0;
    const Split *split = plan->split[block->kind][variant];
    int32_t number[SPLIT_MAX_POINTS];
    TRY(number_points(old, split, variant, block->first + i, nodes, map, number));
    for (int32_t c = 0; c < split->n_child; c++) {
      int32_t **here = &to[split->child[c]->kind];
      for (int32_t a = 0; a < split->child[c]->n_node; a++) *(*here)++ = number[split->child_node[c][a]];
    }
  }
  return OK;
}

/* How many children of each kind the elements of every old block have, and all together. */
static Status count_children(DeriveMap *map, int64_t count[N_ELEMENT_KINDS]) {
  const Mesh *old = map->old;
  int64_t total = 0;
  for (int32_t b = 0; b < old->n_block; b++) {
    const Split *split = map->plan->split[old->block[b].kind][0];
    CHECK(split != NULL, ERR_BUG, "no split for %s", element_type(old->block[b].kind)->name);
    for (int32_t c = 0; c < split->n_child; c++) {
      map->n_child[b][split->child[c]->kind]++;
      count[split->child[c]->kind] += old->block[b].n;
    }
    total += (int64_t)old->block[b].n * split->n_child;
  }
  CHECK(total <= INT32_MAX, ERR_MESH, "the mesh would have %lld elements, at most %d are possible", (long long)total,
        INT32_MAX);
  return OK;
}

/* Blocks of the new mesh, one per kind in order, and where the children of every old block start. */
static Status make_blocks(DeriveMap *map, Mesh *out) {
  const Mesh *old = map->old;
  int64_t count[N_ELEMENT_KINDS] = {0};
  TRY(count_children(map, count));
  ALLOC(out->block, N_ELEMENT_KINDS, "element blocks");
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    if (count[k] == 0) continue;
    ElementBlock *block = &out->block[out->n_block++];
    block->kind = (ElementKind)k;
    block->first = out->n_element;
    ALLOC(block->nodes, count[k] * element_type(block->kind)->n_node, "connectivity");
    ALLOC(block->tag, count[k], "element tags");
    for (int32_t b = 0; b < old->n_block; b++) {
      map->first_child[b][k] = block->first + block->n;
      block->n += old->block[b].n * map->n_child[b][k];
    }
    out->n_element += block->n;
  }
  return OK;
}

static void tag_elements(const DeriveMap *map, Mesh *out) {
  for (int32_t b = 0; b < out->n_block; b++) {
    for (int32_t i = 0; i < out->block[b].n; i++) out->block[b].tag[i] = (int64_t)out->block[b].first + i + 1;
  }
  if (!map->plan->keep_tags) return;
  for (int32_t b = 0; b < map->old->n_block; b++) {
    const ElementBlock *from = &map->old->block[b];
    for (int k = 0; k < N_ELEMENT_KINDS; k++) {
      if (from->n == 0 || map->n_child[b][k] == 0) continue;
      const ElementBlock *to = mesh_block_of(out, map->first_child[b][k]);
      memcpy(to->tag + (map->first_child[b][k] - to->first), from->tag, (size_t)from->n * sizeof *from->tag);
    }
  }
}

static Status derive_derive(DeriveMap *map, PointMap *points, Mesh *out) {
  const Mesh *old = map->old;
  int32_t *to[N_ELEMENT_KINDS] = {0};
  TRY(make_blocks(map, out));
  for (int32_t b = 0; b < out->n_block; b++) to[out->block[b].kind] = out->block[b].nodes;
  for (int32_t b = 0; b < old->n_block; b++) TRY(derive_block(old, map->plan, &old->block[b], points, to));
  map->n_new = points->n;
  map->record = points->record;
  tag_elements(map, out);
  TRY(derive_nodes(map, out));
  TRY(derive_groups(map, out));
  return derive_fields(map, out);
}

Status mesh_derive(const Mesh *mesh, const DerivePlan *plan, Mesh **out) {
  DeriveMap map = {.old = mesh, .plan = plan};
  PointMap points = {0};
  Mesh *made = NULL;
  Status status = OK;
  *out = NULL;
  ALLOC_DONE(made, 1, "mesh");
  made->dim = mesh->dim;
  TRY_DONE(point_map_create((int64_t)mesh->n_node * 4, &points));
  TRY_DONE(derive_derive(&map, &points, made));
  *out = made;
  made = NULL;
done:
  point_map_release(&points);
  mesh_destroy(&made);
  return status;
}
