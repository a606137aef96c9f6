/* Row kernels that put the rows of a gather map in order (gather.h): longest first, then by their place. Rows are those
 * of the map unless a comment says otherwise. */
#pragma once
#include "assembly/space/meeting_rows.h"

enum { ARRANGE_CHUNK = 1024 };

typedef struct ArrangeArgs {
  int64_t n_row;
  const int32_t *count; /* [target] entries */
  int32_t *most;        /* [chunk] of ARRANGE_CHUNK targets */
  int32_t count_most;   /* of all */
  int32_t place_bits;
  const int64_t *place;  /* target k is at place[k stride], or place[block[k] stride]; NULL: all at 0 */
  const uint32_t *block; /* NULL: as they are */
  int64_t stride;
  uint64_t *key; /* what is sorted by */
  uint32_t *order, *row_of;
  int32_t *width; /* [warp]: room for entries */
  const int64_t *start;
  uint32_t *entry;
} ArrangeArgs;

/* Rows are chunks. */
HD void arrange_most_body(const ArrangeArgs *a, int64_t chunk, double sum[]) {
  const int64_t end = (chunk + 1) * ARRANGE_CHUNK < a->n_row ? (chunk + 1) * ARRANGE_CHUNK : a->n_row;
  int32_t most = 0;
  (void)sum;
  for (int64_t k = chunk * ARRANGE_CHUNK; k < end; ++k) most = a->count[k] > most ? a->count[k] : most;
  a->most[chunk] = most;
}
/* Rows are targets. */
HD void arrange_key_body(const ArrangeArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->key[k] = (uint64_t)(a->count_most - a->count[k]) << a->place_bits |
              (uint64_t)(a->place ? a->place[(a->block ? (int64_t)a->block[k] : k) * a->stride] : 0);
  a->order[k] = (uint32_t)k;
}
HD void arrange_row_body(const ArrangeArgs *a, int64_t row, double sum[]) {
  (void)sum;
  a->row_of[a->order[row]] = (uint32_t)row;
}
/* Rows are warps. */
HD void arrange_width_body(const ArrangeArgs *a, int64_t warp, double sum[]) {
  (void)sum;
  a->width[warp] = 32 * a->count[a->order[32 * warp]];
}
/* Rows are the lanes of the last warp that have no row. */
HD void arrange_tail_body(const ArrangeArgs *a, int64_t i, double sum[]) {
  const int64_t row = a->n_row + i, warp = row >> 5;
  (void)sum;
  for (int64_t k = a->start[warp] + (row & 31); k < a->start[warp + 1]; k += 32) a->entry[k] = GATHER_NONE;
}

/* Entries of the nodes' rows: rows are nodes. */
typedef struct ArrangeNodesArgs {
  const int64_t *node_start; /* Incidence */
  const ElementRef *touch;
  const uint32_t *row_of;
  const int64_t *start;
  uint32_t *entry;
  int32_t *count;                                                                            /* found by count */
  int64_t first[ELEMENT_SET_BLOCKS], step_a[ELEMENT_SET_BLOCKS], step_e[ELEMENT_SET_BLOCKS]; /* SetBlock, force_ */
} ArrangeNodesArgs;
HD void arrange_nodes_count_body(const ArrangeNodesArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->count[i] = (int32_t)(a->node_start[i + 1] - a->node_start[i]);
}
HD void arrange_nodes_body(const ArrangeNodesArgs *a, int64_t i, double sum[]) {
  const int64_t row = a->row_of[i], end = a->start[(row >> 5) + 1];
  int64_t k = a->start[row >> 5] + (row & 31);
  (void)sum;
  for (int64_t t = a->node_start[i]; t < a->node_start[i + 1]; ++t, k += 32) {
    const ElementRef touch = a->touch[t];
    a->entry[k] = (uint32_t)(a->first[touch.block] + touch.local * a->step_a[touch.block] +
                             touch.element * a->step_e[touch.block]);
  }
  for (; k < end; k += 32) a->entry[k] = GATHER_NONE;
}

/* Slots in the order of the rows of the map. */
typedef struct ArrangeSlotsArgs {
  const uint32_t *order, *row_of;
  const uint32_t *block; /* of the pattern that each target is; NULL: as they are */
  const int64_t *from;   /* SlotMap.slot */
  int64_t *slot;
  int64_t n_row, square; /* square: slots of a block; 1: its first alone */
  const int64_t *pattern_start, *from_step;
  const int64_t *pattern_row, *row_first; /* as in MeetPairArgs */
  int64_t *row_step;
} ArrangeSlotsArgs;
HD void arrange_slots_body(const ArrangeSlotsArgs *a, int64_t row, double sum[]) {
  (void)sum;
  const int64_t target = a->order[row], k = a->block ? (int64_t)a->block[target] : target;
  for (int64_t c = 0; c < a->square; ++c) a->slot[c * a->n_row + row] = a->from[k * a->square + c];
}
/* Rows are those of the pattern. */
HD void arrange_steps_body(const ArrangeSlotsArgs *a, int64_t r, double sum[]) {
  const int64_t i = a->pattern_row ? a->pattern_row[r] : r;
  const int64_t shift = a->pattern_row ? a->row_first[r] - a->pattern_start[i] : 0;
  (void)sum;
  for (int64_t k = a->pattern_start[i]; k < a->pattern_start[i + 1]; ++k)
    a->row_step[a->row_of[k + shift]] = a->from_step[i];
}
