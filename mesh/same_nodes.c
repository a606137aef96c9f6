/* A hash table over node sets: the hash is a sum over the nodes, so that their order does not matter. All threads fill
 * it; of elements on the same nodes the lowest stays in the slot, whoever comes first. */
#include "mesh/same_nodes.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/elements/element.h"
#include "mesh/tag_map.h"

#include <stdbool.h>
#include <string.h>

/* A slot: the upper half of the hash, which tells most others apart without looking at their nodes, then the element
 * plus one; 0: empty. */
typedef struct SetTable {
  uint64_t n_slot; /* a power of two, at most 2^32 */
  uint64_t *slot;
  const int32_t *nodes;
  int32_t n_node;
  double slots_per_node; /* sets are looked for near the place of their lowest node first: memory that is at hand */
} SetTable;

enum { NEAR = 32 /* slots that are tried there, before one by the hash alone */ };

static void same_nodes_sorted(const int32_t *nodes, int32_t n, int32_t *out) {
  for (int32_t i = 0; i < n; ++i) {
    int32_t k = i;
    for (; k > 0 && out[k - 1] > nodes[i]; --k) out[k] = out[k - 1];
    out[k] = nodes[i];
  }
}

static bool same_set(const int32_t *a, const int32_t *b, int32_t n) {
  int32_t p[ELEMENT_MAX_NODES], q[ELEMENT_MAX_NODES];
  same_nodes_sorted(a, n, p);
  same_nodes_sorted(b, n, q);
  return !memcmp(p, q, (size_t)n * sizeof *p);
}

static bool set_in_slot(const SetTable *t, uint64_t slot, uint64_t hash, const int32_t *mine) {
  return slot >> 32 == hash >> 32 &&
         same_set(mine, t->nodes + (int64_t)((slot & UINT32_MAX) - 1) * t->n_node, t->n_node);
}

/* The slot of the set of element e, which is put there unless a lower one is. */
static uint32_t set_insert(SetTable *t, int32_t e) {
  const int32_t *mine = t->nodes + (int64_t)e * t->n_node;
  uint64_t hash = 0;
  int32_t lowest = mine[0];
  for (int32_t a = 0; a < t->n_node; ++a) {
    hash += tag_map_mix((uint64_t)mine[a] + 1);
    lowest = mine[a] < lowest ? mine[a] : lowest;
  }
  const uint64_t own = (hash & ~(uint64_t)UINT32_MAX) | ((uint64_t)e + 1);
  uint64_t i = (uint64_t)(t->slots_per_node * lowest) + (hash & 7);
  for (int64_t tried = 0;; ++tried, ++i) {
    if (tried == NEAR) i = hash;
    i &= t->n_slot - 1;
    uint64_t here = __atomic_load_n(&t->slot[i], __ATOMIC_RELAXED);
    while (!here || (set_in_slot(t, here, hash, mine) && here > own))
      if (__atomic_compare_exchange_n(&t->slot[i], &here, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return (uint32_t)i;
    if (set_in_slot(t, here, hash, mine)) return (uint32_t)i;
  }
}

Status same_nodes_find(const int32_t *nodes, int32_t n, int32_t n_node, int32_t *first) {
  SetTable t = {.n_slot = 64, .nodes = nodes, .n_node = n_node};
  while (t.n_slot < 2 * (uint64_t)n) t.n_slot *= 2;
  ALLOC(t.slot, t.n_slot, "table of elements by their nodes");
  const int parts = parts_of(n);
  int32_t highest = 0;
#pragma omp parallel for schedule(static) num_threads(parts) reduction(max : highest)
  for (int64_t k = 0; k < (int64_t)n * n_node; ++k) highest = nodes[k] > highest ? nodes[k] : highest;
  t.slots_per_node = (double)t.n_slot / ((double)highest + 1);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int32_t e = 0; e < n; ++e) {
    const uint32_t at = set_insert(&t, e);
    memcpy(&first[e], &at, sizeof at);
  }
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int32_t e = 0; e < n; ++e) {
    uint32_t at;
    memcpy(&at, &first[e], sizeof at);
    first[e] = (int32_t)((t.slot[at] & UINT32_MAX) - 1);
  }
  FREE(t.slot);
  return OK;
}
