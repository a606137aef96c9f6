/* Tiles of the load-balanced CSR as CPU and GPU see them (algebra/formats/csr_balanced.c). */
#pragma once
#include "algebra/product.h"

enum {
  BALANCED_WARP = 32,
  BALANCED_LEAST = 128,    /* fewest entries that a tile may be asked to hold: one for each thread of a GPU block */
  BALANCED_ENTRIES = 1024, /* most entries of a tile of several rows */
  BALANCED_USUAL = 512,    /* most that a tile holds unless more is asked for: 9 to 16 % faster than 1024 on an H200 */
  BALANCED_ENOUGH = 2048,  /* tiles that keep a GPU busy: smaller ones are not taken by themselves */
  BALANCED_SPLIT = 512     /* a row that is split has more than this share of all entries */
};

/* One tile. */
typedef struct BalancedTile {
  int64_t begin, end;  /* entries */
  int32_t first, last; /* rows */
  int32_t head, parts; /* of a row that is split: its first tile and how many there are; parts 0: whole rows */
} BalancedTile;

HD BalancedTile balanced_tile(const MatView *m, int64_t t) {
  const int32_t first = m->order[t], next = m->order[t + 1];
  const int32_t head = m->slice ? m->length[2 * t] : 0, parts = m->slice ? m->length[2 * t + 1] : 0;
  const BalancedTile tile = {m->start[t], m->start[t + 1], first, parts ? first + 1 : next, head, parts};
  return tile;
}

/* Where row i of a tile of whole rows ends. */
HD int64_t balanced_row_end(const MatView *m, const BalancedTile *tile, int32_t i) {
  return tile->last - tile->first == 1 ? tile->end : tile->begin + m->end[i];
}

/* The rows that are split: first tile and number of tiles, [slice][2]. */
HD const int32_t *balanced_split(const MatView *m) { return m->length + 2 * (m->n / BALANCED_WARP); }
