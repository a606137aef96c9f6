/* TagMap: from the number that a mesh file gives to a node or element (sparse, in any order) to its index. */
#pragma once
#include "core/status.h"

#include <stdint.h>

typedef struct TagMap {
  int64_t first;      /* dense: the tag of slot[0] */
  int64_t n_slot;     /* dense: tags from first to first + n_slot - 1; hashed: a power of two */
  int32_t *slot;      /* owned, index of the tag, -1 where none */
  const int64_t *tag; /* borrowed, [n], NULL when dense */
} TagMap;

enum { TAG_MAP_DUPLICATES = 5 };
typedef struct TagDuplicates {
  int64_t n;                                                    /* tags that came again */
  int32_t index[TAG_MAP_DUPLICATES], first[TAG_MAP_DUPLICATES]; /* the first five: this index repeats that one */
} TagDuplicates;

/* tag[n] is borrowed and must outlive the map. The first of equal tags is kept; the others are told in `duplicates`
 * (may be NULL). `what` names the array in ERR_MEMORY. */
Status tag_map_create(const int64_t *tag, int32_t n, const char *what, TagMap *out, TagDuplicates *duplicates);
void tag_map_destroy(TagMap *map);

static inline uint64_t tag_map_mix(uint64_t h) { /* finalizer of MurmurHash3 (Appleby, public domain) */
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

/* Index of the tag, or -1. */
static inline int32_t tag_map_find(const TagMap *map, int64_t tag) {
  if (!map->tag) {
    const uint64_t i = (uint64_t)tag - (uint64_t)map->first;
    return i < (uint64_t)map->n_slot ? map->slot[i] : -1;
  }
  const uint64_t mask = (uint64_t)map->n_slot - 1;
  for (uint64_t i = tag_map_mix((uint64_t)tag) & mask;; i = (i + 1) & mask) {
    const int32_t at = map->slot[i];
    if (at < 0 || map->tag[at] == tag) return at;
  }
}
