/* Element blocks in assembly order, and the elements at each node. */
#include "assembly/space/element_set.h"
#include "core/memory.h"

void element_set_add(ElementSet *set, const ElementType *type, int32_t n, const int32_t *nodes, bool by_element) {
  const int64_t n_node = type->n_node, pairs = n_node * (n_node + 1) / 2;
  SetBlock *b = &set->block[set->n_block++];
  *b = (SetBlock){.type = type, .n = n, .first_id = -1, .nodes = nodes};
  b->pair_first = set->n_pair;
  b->force_first = set->n_force;
  b->pair_p = by_element ? 1 : n;
  b->pair_e = by_element ? pairs : 1;
  b->force_a = b->node_a = by_element ? 1 : n;
  b->force_e = b->node_e = by_element ? n_node : 1;
  set->n_pair += pairs * n;
  set->n_force += n_node * n;
}

void element_set_create(const Mesh *mesh, int32_t dim, bool by_element, ElementSet *out) {
  *out = (ElementSet){.n_node = mesh->n_node, .dim = dim};
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    if (type->dim != dim || block->n == 0) continue;
    element_set_add(out, type, block->n, block->nodes, by_element);
    out->block[out->n_block - 1].first_id = block->first;
    out->n_solved += block->n;
  }
  out->n_solved_block = out->n_block;
}

Status incidence_create(const ElementSet *set, Incidence *out) {
  Status status = OK;
  int64_t *cursor = NULL;
  *out = (Incidence){0};
  ALLOC_DONE(out->start, (int64_t)set->n_node + 1, "elements at nodes");
  ALLOC_DONE(out->touch, set->n_force, "elements at nodes");
  ALLOC_DONE(cursor, set->n_node, "elements at nodes");
  for (int32_t k = 0; k < set->n_block; ++k) {
    const SetBlock *b = &set->block[k];
    for (int64_t i = 0; i < (int64_t)b->n * b->type->n_node; ++i) ++out->start[b->nodes[i] + 1];
  }
  for (int32_t i = 0; i < set->n_node; ++i) {
    out->start[i + 1] += out->start[i];
    cursor[i] = out->start[i];
  }
  for (int32_t k = 0; k < set->n_block; ++k) {
    const SetBlock *b = &set->block[k];
    const int32_t n = b->type->n_node;
    for (int32_t e = 0; e < b->n; ++e)
      for (int32_t a = 0; a < n; ++a)
        out->touch[cursor[b->nodes[(int64_t)e * n + a]]++] = (ElementRef){e, (uint16_t)k, (uint16_t)a};
  }
done:
  FREE(cursor);
  if (status != OK) incidence_release(out);
  return status;
}

void incidence_release(Incidence *incidence) {
  FREE(incidence->start);
  FREE(incidence->touch);
}
