/* A hash table over node sets: the hash is a sum over the nodes, so that their order does not matter. */
#include "mesh/same_nodes.h"
#include "core/memory.h"
#include "mesh/elements/element.h"
#include "mesh/tag_map.h"

#include <stdbool.h>
#include <string.h>

typedef struct Slot {
  uint32_t hash;   /* upper half, to tell most others apart without looking at their nodes */
  int32_t element; /* plus one; 0: empty */
} Slot;

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

Status same_nodes_find(const int32_t *nodes, int32_t n, int32_t n_node, int32_t *first) {
  uint64_t n_slot = 64;
  while (n_slot < 2 * (uint64_t)n) n_slot *= 2;
  Slot *slot;
  ALLOC(slot, n_slot, "table of elements by their nodes");
  for (int32_t e = 0; e < n; ++e) {
    const int32_t *mine = nodes + (int64_t)e * n_node;
    uint64_t hash = 0;
    for (int32_t a = 0; a < n_node; ++a) hash += tag_map_mix((uint64_t)mine[a] + 1);
    uint64_t i = hash & (n_slot - 1);
    const uint32_t upper = (uint32_t)(hash >> 32);
    for (; slot[i].element; i = (i + 1) & (n_slot - 1))
      if (slot[i].hash == upper && same_set(mine, nodes + (int64_t)(slot[i].element - 1) * n_node, n_node)) break;
    if (!slot[i].element) slot[i] = (Slot){upper, e + 1};
    first[e] = slot[i].element - 1;
  }
  FREE(slot);
  return OK;
}
