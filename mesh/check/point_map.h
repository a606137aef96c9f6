/* PointMap: one record for every point that elements of a mesh share, found by all threads at once.
 * Open addressing over 40-byte records; memory is about 60 bytes per point that there is room for. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { POINT_MAP_VERTICES = 4 /* of a face, at most */ };

/* A point between at most four vertices, which are global node indices in ascending order, -1 where there are fewer.
 * `apart` tells curved edges between the same two vertices apart; 0 where that cannot happen. */
typedef struct PointKey {
  int32_t vertex[POINT_MAP_VERTICES];
  uint8_t share[POINT_MAP_VERTICES];
  int32_t apart;
} PointKey;

typedef struct PointRecord {
  PointKey key;
  int32_t number; /* the caller's */
  int64_t first;  /* the lowest of those who asked for it */
} PointRecord;

typedef struct PointMap {
  int32_t capacity, taken; /* records; taken: handed to threads */
  PointRecord *record;     /* owned, [capacity] */
  int64_t n_slot;          /* power of two */
  double slots_per_vertex; /* keys are looked for near the place of their lowest vertex first */
  uint64_t *slot;          /* owned, [n_slot]: upper half of the hash, record + 1; 0 where empty */
} PointMap;

/* Records that a thread has taken and not used; zero at first. */
typedef struct PointRoom {
  int32_t next, end;
} PointRoom;

/* Room for `capacity` different points between n_vertex vertices, and some for what threads take in vain. ERR_MEMORY. */
Status point_map_create(int64_t capacity, int32_t n_vertex, PointMap *out);
void point_map_release(PointMap *map);
/* The record of this key, the same one for all threads, -1 where there is no room for another. `who` asks for it: a
 * number that says the order of all who do. */
int32_t point_map_put(PointMap *map, PointRoom *room, const PointKey *key, int64_t who);
