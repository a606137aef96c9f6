/* Tags to indices: a plain table where the tags are dense, else open addressing with linear probing. */
#include "mesh/tag_map.h"
#include "core/memory.h"
#include "core/parts.h"

#include <stdbool.h>
#include <string.h>

/* Puts index i into the slot of its tag unless a lower one is there; slots hold indices, -1 (the largest) where none. */
static void tag_map_put(TagMap *map, const int64_t *tag, int32_t i) {
  const uint64_t mask = (uint64_t)map->n_slot - 1;
  uint64_t at = map->tag ? tag_map_mix((uint64_t)tag[i]) & mask : (uint64_t)tag[i] - (uint64_t)map->first;
  for (;; at = (at + 1) & mask) {
    int32_t here = __atomic_load_n(&map->slot[at], __ATOMIC_RELAXED);
    while (here < 0 || (tag[here] == tag[i] && here > i))
      if (__atomic_compare_exchange_n(&map->slot[at], &here, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    if (tag[here] == tag[i]) return;
  }
}

/* The first ones one after another: there are none as a rule. */
static void tag_map_duplicates(const TagMap *map, const int64_t *tag, int32_t n, TagDuplicates *out) {
  int64_t count = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(+ : count)
  for (int32_t i = 0; i < n; ++i) count += tag_map_find(map, tag[i]) != i;
  for (int32_t i = 0; out->n < count && i < n; ++i) {
    const int32_t first = tag_map_find(map, tag[i]);
    if (first == i) continue;
    out->index[out->n] = i;
    out->first[out->n] = first;
    if (++out->n == TAG_MAP_DUPLICATES) out->n = count;
  }
}

Status tag_map_create(const int64_t *tag, int32_t n, const char *what, TagMap *out, TagDuplicates *duplicates) {
  memset(out, 0, sizeof *out);
  if (duplicates) memset(duplicates, 0, sizeof *duplicates);
  int64_t low = n ? tag[0] : 0, high = n ? tag[0] : -1;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : low) reduction(max : high)
  for (int32_t i = 0; i < n; ++i) {
    low = tag[i] < low ? tag[i] : low;
    high = tag[i] > high ? tag[i] : high;
  }
  int64_t range;
  const bool dense = !__builtin_sub_overflow(high, low, &range) && range < 8 * (int64_t)n + 1024;
  out->first = low;
  out->n_slot = dense ? range + 1 : 1024;
  while (!dense && out->n_slot < 2 * (int64_t)n) out->n_slot *= 2;
  ALLOC(out->slot, out->n_slot, what);
  out->tag = dense ? NULL : tag;
#pragma omp parallel for schedule(static) num_threads(parts_of(out->n_slot))
  for (int64_t i = 0; i < out->n_slot; ++i) out->slot[i] = -1;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) tag_map_put(out, tag, i);
  if (duplicates) tag_map_duplicates(out, tag, n, duplicates);
  return OK;
}

void tag_map_destroy(TagMap *map) {
  FREE(map->slot);
  memset(map, 0, sizeof *map);
}
