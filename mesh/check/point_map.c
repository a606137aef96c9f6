/* Hashing of the points that elements share; see point_map.h. */
#include "mesh/check/point_map.h"
#include "core/memory.h"

#include <string.h>

static uint64_t point_map_hash(const PointKey *key) {
  uint64_t word[3];
  memcpy(word, key, sizeof word);
  uint64_t h = word[0] * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32) ^ word[1]) * 0xd6e8feb86659fd93u;
  h = (h ^ (h >> 29) ^ word[2]) * 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}
_Static_assert(sizeof(PointKey) == 24, "hash() and same() read the key as three words without padding");

static bool point_map_same(const PointKey *a, const PointKey *b) { return memcmp(a, b, sizeof *a) == 0; }

static Status point_map_rehash(PointMap *map, int64_t n_slot) {
  int32_t *slot = NULL;
  ALLOC(slot, n_slot, "hash table of new nodes");
  for (int32_t i = 0; i < map->n; i++) {
    if (map->record[i].key.vertex[0] < 0) continue; /* appended, never looked up */
    uint64_t at = point_map_hash(&map->record[i].key) & (uint64_t)(n_slot - 1);
    while (slot[at] != 0) at = (at + 1) & (uint64_t)(n_slot - 1);
    slot[at] = i + 1;
  }
  FREE(map->slot);
  map->slot = slot;
  map->n_slot = n_slot;
  return OK;
}

Status point_map_create(int64_t expected, PointMap *out) {
  int64_t n_slot = 64;
  memset(out, 0, sizeof *out);
  while (n_slot < 2 * expected && n_slot < (int64_t)1 << 31) n_slot *= 2;
  return point_map_rehash(out, n_slot);
}

void point_map_release(PointMap *map) {
  FREE(map->record);
  FREE(map->slot);
  memset(map, 0, sizeof *map);
}

static Status append_point_map(PointMap *map, const PointKey *key, int32_t element, int32_t point, int32_t *index) {
  if (map->n == map->capacity) {
    CHECK(map->n < INT32_MAX, ERR_MESH, "the mesh would have more than %d nodes", INT32_MAX);
    const int64_t grown = (int64_t)map->capacity + map->capacity / 2 + 64;
    const int32_t capacity = grown < INT32_MAX ? (int32_t)grown : INT32_MAX;
    RESIZE(map->record, capacity, "new nodes");
    map->capacity = capacity;
  }
  map->record[map->n] = (PointRecord){*key, element, point};
  *index = map->n++;
  return OK;
}

Status point_map_find(PointMap *map, const PointKey *key, int32_t element, int32_t point, int32_t *index) {
  if (2 * (int64_t)map->n >= map->n_slot) TRY(point_map_rehash(map, 2 * map->n_slot));
  const uint64_t mask = (uint64_t)(map->n_slot - 1);
  uint64_t at = point_map_hash(key) & mask;
  for (; map->slot[at] != 0; at = (at + 1) & mask) {
    if (point_map_same(&map->record[map->slot[at] - 1].key, key)) {
      *index = map->slot[at] - 1;
      return OK;
    }
  }
  TRY(append_point_map(map, key, element, point, index));
  map->slot[at] = *index + 1;
  return OK;
}

Status point_map_append(PointMap *map, int32_t element, int32_t point, int32_t *index) {
  const PointKey none = {.vertex = {-1, -1, -1, -1}};
  return append_point_map(map, &none, element, point, index);
}
