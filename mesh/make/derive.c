/* Children of every element; see derive.h. */
#include "mesh/make/derive.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

void derive_plan_release(DerivePlan *plan) {
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    for (int v = 0; v < DERIVE_VARIANTS; v++) split_destroy(&plan->split[k][v]);
  }
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
    const ElementBlock *block = &out->block[b];
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t i = 0; i < block->n; i++) block->tag[i] = (int64_t)block->first + i + 1;
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

static Status derive_derive(DeriveMap *map, Mesh *out) {
  TRY(make_blocks(map, out));
  TRY(derive_number(map, out));
  tag_elements(map, out);
  TRY(derive_nodes(map, out));
  TRY(derive_groups(map, out));
  if (map->plan->sources) TRY(derive_sources(map, map->plan->sources));
  return derive_fields(map, out);
}

Status mesh_derive(const Mesh *mesh, const DerivePlan *plan, Mesh **out) {
  DeriveMap map = {.old = mesh, .plan = plan};
  Mesh *made = NULL;
  Status status = OK;
  *out = NULL;
  ALLOC_DONE(made, 1, "mesh");
  made->dim = mesh->dim;
  made->in_space = mesh->in_space;
  TRY_DONE(derive_derive(&map, made));
  *out = made;
  made = NULL;
done:
  FREE(map.new_node);
  mesh_destroy(&made);
  return status;
}
