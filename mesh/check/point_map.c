/* Hashing of the points that elements share; see point_map.h. */
#include "mesh/check/point_map.h"
#include "core/memory.h"

#include <string.h>

enum {
  ROOM = 64, /* records that a thread takes at a time */
  THREADS_IN_VAIN = 256,
  NEAR = 32, /* slots that are tried near the lowest vertex, before those by the hash alone: memory that is at hand */
  RUN = 8 /* slots that are tried side by side there: whole regions may be full, where low vertices have many points */
};

static uint64_t point_map_hash(const PointKey *key) {
  uint64_t word[3];
  memcpy(word, key, sizeof word);
  uint64_t h = word[0] * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32) ^ word[1]) * 0xd6e8feb86659fd93u;
  h = (h ^ (h >> 29) ^ word[2]) * 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}
_Static_assert(sizeof(PointKey) == 24, "the hash reads the key as three words without padding");

static bool point_map_same(const PointKey *a, const PointKey *b) { return memcmp(a, b, sizeof *a) == 0; }

Status point_map_create(int64_t capacity, int32_t n_vertex, PointMap *out) {
  int64_t n_slot = 64;
  memset(out, 0, sizeof *out);
  capacity += capacity / 8 < ROOM * THREADS_IN_VAIN ? capacity / 8 + ROOM : ROOM * THREADS_IN_VAIN;
  out->capacity = capacity < INT32_MAX ? (int32_t)capacity : INT32_MAX;
  while (2 * n_slot < 3 * capacity) n_slot *= 2;
  out->n_slot = n_slot;
  out->slots_per_vertex = (double)n_slot / (n_vertex > 0 ? n_vertex : 1);
  Status status = mem_alloc(out->capacity, sizeof *out->record, "new nodes", (void **)&out->record);
  if (status == OK) status = mem_alloc(n_slot, sizeof *out->slot, "hash table of new nodes", (void **)&out->slot);
  if (status != OK) point_map_release(out);
  return status;
}

void point_map_release(PointMap *map) {
  FREE(map->record);
  FREE(map->slot);
  memset(map, 0, sizeof *map);
}

/* Whether there is a record to write the key into; it stays the thread's until a slot points to it. */
static bool point_map_write(PointMap *map, PointRoom *room, const PointKey *key, int64_t who) {
  if (room->next == room->end) {
    int32_t from = __atomic_load_n(&map->taken, __ATOMIC_RELAXED), to;
    do {
      if (from == map->capacity) return false;
      to = map->capacity - from < ROOM ? map->capacity : from + ROOM;
    } while (!__atomic_compare_exchange_n(&map->taken, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *room = (PointRoom){from, to};
  }
  map->record[room->next] = (PointRecord){.key = *key, .first = who};
  return true;
}

static void ask_first(PointRecord *record, int64_t who) {
  int64_t first = __atomic_load_n(&record->first, __ATOMIC_RELAXED);
  while (who < first)
    if (__atomic_compare_exchange_n(&record->first, &first, who, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
}

int32_t point_map_put(PointMap *map, PointRoom *room, const PointKey *key, int64_t who) {
  const uint64_t hash = point_map_hash(key), mask = (uint64_t)(map->n_slot - 1);
  uint64_t jump = hash, at = (uint64_t)(map->slots_per_vertex * key->vertex[0]) + (hash & 7);
  for (int64_t tried = 0;; ++tried, ++at) {
    if (tried >= NEAR && tried % RUN == 0) {
      jump = jump * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
      at = jump >> 24;
    }
    at &= mask;
    uint64_t here = __atomic_load_n(&map->slot[at], __ATOMIC_ACQUIRE);
    if (here == 0) {
      if (!point_map_write(map, room, key, who)) return -1;
      const uint64_t mine = (hash & ~(uint64_t)UINT32_MAX) | ((uint64_t)room->next + 1);
      if (__atomic_compare_exchange_n(&map->slot[at], &here, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return room->next++;
    }
    const int32_t record = (int32_t)((here & UINT32_MAX) - 1);
    if (here >> 32 != hash >> 32 || !point_map_same(&map->record[record].key, key)) continue;
    ask_first(&map->record[record], who);
    return record;
  }
}
