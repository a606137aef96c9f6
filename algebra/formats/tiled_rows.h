/* Columns and values of a tiled copy (algebra/formats/tiled.c): how a product reads them, and the kernel that makes
 * them. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/low_bit_rows.h"

/* The column that a place in a tile stands for; slice is the rows of a tile here. */
HD int64_t tiled_column(const MatView *m, int64_t tile, int32_t place) {
  return place < m->slice ? tile * m->slice + place : m->length[m->order[tile] + place - m->slice];
}

typedef struct TiledArgs {
  MatView from, to; /* the double matrix, and the copy */
  const double *s;  /* scaling [n] */
  void *records;    /* of the copy */
} TiledArgs;

/* The place of a column in a tile; the halo is ascending and has it. The last tile may have fewer rows than others, and
 * columns behind the last row are rows of other ranks, which the halo has. */
HD uint32_t tiled_place(const MatView *m, int64_t tile, int64_t column) {
  const int64_t own = tile * m->slice;
  if (column >= own && column < own + m->slice && column < m->n) return (uint32_t)(column - own);
  const int32_t *halo = m->length + m->order[tile];
  int32_t low = 0, high = m->order[tile + 1] - m->order[tile];
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (halo[middle] <= column) low = middle;
    else high = middle;
  }
  return (uint32_t)(m->slice + low);
}

/* lane -> its records of S A S. (i, j) and (j, i) are made from the one of them in the upper triangle, as in
 * low_bit_scale. */
HD void tiled_scale_body(const TiledArgs *a, int64_t lane, double sum[]) {
  (void)sum;
  const LowBitArgs natural = {a->from, 0, 0, 0, 0, 0, 0, LOW_HALF, 0, {0, 0}};
  const double *value = (const double *)a->from.value;
  const int64_t i = a->to.row[lane], tile = lane / a->to.slice, slice = lane / LOW_LANES;
  int64_t k = a->from.start[i / LOW_LANES] + i % LOW_LANES;
  for (int64_t at = a->to.start[slice] + lane % LOW_LANES; at < a->to.start[slice + 1];
       at += LOW_LANES, k += LOW_LANES) {
    if (k >= a->from.start[i / LOW_LANES + 1]) break; /* rows beside it are longer: what is left is zero */
    const int64_t j = a->from.column[k], mirror = j < i ? low_bit_find(&natural, j, i) : -1;
    const double t = a->s[mirror >= 0 ? j : i] * a->s[mirror >= 0 ? i : j] * value[mirror >= 0 ? mirror : k];
    ((uint32_t *)a->records)[at] = half_from_double(t) | tiled_place(&a->to, tile, j) << 16;
  }
}

typedef struct TiledDifferencesArgs {
  MatView from, tiled; /* the double matrix, and the tiles, whose values are not read */
  float *value;        /* of the copy for differences, and places in the tile, both entry by entry */
  uint16_t *place;
  double *row_sum; /* of each lane */
} TiledDifferencesArgs;

/* lane -> its values in float, their places, and the sum of its row. */
HD void tiled_differences_body(const TiledDifferencesArgs *a, int64_t lane, double sum[]) {
  (void)sum;
  double all = 0;
  const int64_t i = a->tiled.row[lane], tile = lane / a->tiled.slice, slice = lane / LOW_LANES;
  int64_t k = a->from.start[i / LOW_LANES] + i % LOW_LANES;
  for (int64_t at = a->tiled.start[slice] + lane % LOW_LANES; at < a->tiled.start[slice + 1];
       at += LOW_LANES, k += LOW_LANES) {
    if (k >= a->from.start[i / LOW_LANES + 1]) break; /* rows beside it are longer: what is left is zero */
    const double t = ((const double *)a->from.value)[k];
    a->place[at] = (uint16_t)tiled_place(&a->tiled, tile, a->from.column[k]);
    a->value[at] = (float)t;
    all += t;
  }
  a->row_sum[lane] = all;
}
