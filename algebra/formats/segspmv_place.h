/* Tiles of segSpMV and where the entries of a segment lie (algebra/formats/segspmv.c). */
#pragma once
#include "core/hd.h"

enum {
  SEGSPMV_WARP = 32,
  SEGSPMV_TILE = 128 /* most segments of a tile of several rows, and most rows: one for each thread of a GPU block */
};

/* Entry e of segment q: 32 / threads segments lie side by side, `threads` entries of each in a turn. */
HD int64_t segspmv_place(int64_t q, int32_t e, int32_t length, int32_t threads) {
  const int32_t side = SEGSPMV_WARP / threads;
  return q / side * side * length + (int64_t)(e / threads) * SEGSPMV_WARP + q % side * threads + e % threads;
}
