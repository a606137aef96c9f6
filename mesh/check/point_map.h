/* PointMap: gives every new node of a derived mesh its number, the same one to all elements that share it.
 * Open addressing over 32-byte records; memory is about 40 to 50 bytes per new node. */
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
  int32_t element, point; /* where it was seen first: element id, and the caller's number of the point in it */
} PointRecord;

typedef struct PointMap {
  int32_t n; /* records */
  int32_t capacity;
  PointRecord *record; /* owned, [capacity] */
  int64_t n_slot;      /* power of two */
  int32_t *slot;       /* owned, [n_slot], record + 1, 0 where empty */
} PointMap;

Status point_map_create(int64_t expected, PointMap *out);
void point_map_release(PointMap *map);
/* Index of the record with this key; when new, it is appended with `element` and `point`. ERR_MEMORY, and ERR_MESH when
 * there are more than 2^31 - 1 of them. */
Status point_map_find(PointMap *map, const PointKey *key, int32_t element, int32_t point, int32_t *index);
/* Appends a record that no other element will ask for. */
Status point_map_append(PointMap *map, int32_t element, int32_t point, int32_t *index);
