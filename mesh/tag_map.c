/* Tags to indices: a plain table where the tags are dense, else open addressing with linear probing. */
#include "mesh/tag_map.h"
#include "core/memory.h"

#include <stdbool.h>
#include <string.h>

static void note_duplicate(TagDuplicates *duplicates, int32_t index, int32_t first) {
  if (!duplicates) return;
  if (duplicates->n < TAG_MAP_DUPLICATES) {
    duplicates->index[duplicates->n] = index;
    duplicates->first[duplicates->n] = first;
  }
  ++duplicates->n;
}

Status tag_map_create(const int64_t *tag, int32_t n, const char *what, TagMap *out, TagDuplicates *duplicates) {
  memset(out, 0, sizeof *out);
  if (duplicates) memset(duplicates, 0, sizeof *duplicates);
  int64_t low = n ? tag[0] : 0, high = n ? tag[0] : -1;
  for (int32_t i = 1; i < n; ++i) {
    if (tag[i] < low) low = tag[i];
    if (tag[i] > high) high = tag[i];
  }
  int64_t range;
  const bool dense = !__builtin_sub_overflow(high, low, &range) && range < 8 * (int64_t)n + 1024;
  out->first = low;
  out->n_slot = dense ? range + 1 : 1024;
  while (!dense && out->n_slot < 2 * (int64_t)n) out->n_slot *= 2;
  ALLOC(out->slot, out->n_slot, what);
  memset(out->slot, 0xff, (size_t)out->n_slot * sizeof *out->slot);
  out->tag = dense ? NULL : tag;
  for (int32_t i = 0; i < n; ++i) {
    uint64_t at = dense ? (uint64_t)(tag[i] - low) : tag_map_mix((uint64_t)tag[i]);
    if (!dense)
      for (at &= (uint64_t)out->n_slot - 1; out->slot[at] >= 0 && tag[out->slot[at]] != tag[i];)
        at = (at + 1) & ((uint64_t)out->n_slot - 1);
    if (out->slot[at] < 0) out->slot[at] = i;
    else note_duplicate(duplicates, i, out->slot[at]);
  }
  return OK;
}

void tag_map_destroy(TagMap *map) {
  FREE(map->slot);
  memset(map, 0, sizeof *map);
}
