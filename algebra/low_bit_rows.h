/* Blocks of a matrix in low precision: how a block becomes a record and a record a block, and the row kernels that make a
 * low copy of a double SBELL matrix where it lies. Compiled by gcc and nvcc. The layout is described in low_bit.c. */
#pragma once
#include "algebra/bfloat.h"
#include "algebra/half.h"
#include "algebra/halo_order.h"
#include "algebra/product.h"

#include <math.h>

enum { LOW_LANES = 32, LOW_SPAN = 65535 /* farthest column from the base of a slice that 16 bits reach */ };
/* `bits` below: what a value is. The two of 16 bits differ in nothing but the meaning of these. */
enum { LOW_INT8 = 8, LOW_HALF = 16, LOW_BFLOAT = 17 };

/* Bytes of one record: values, in 8 bits the exponent, 16 bits of column. All but half of 2 x 2 are whole words. */
HD int32_t low_bit_bytes(const int bits, const int B) {
  return bits >= LOW_HALF ? (B == 1 ? 4 : B == 2 ? 10 : 20) : 4 * B;
}

/* 2^(exponent - 127): 0 for 0, infinity for 255. */
HD float low_bit_scale_of(uint32_t exponent) {
  const uint32_t bits = exponent << 23;
  float scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale;
}

/* The exponent field for a block with this largest |value|: the smallest power of two of which 127.5 steps reach it.
 * 255, whose scale is infinite, where float ends or NaN begins. */
HD uint32_t low_bit_exponent(double largest) {
  uint64_t bits;
  memcpy(&bits, &largest, sizeof bits);
  const int32_t power = (int32_t)(bits >> 52 & 0x7ff) - 1023; /* largest is in [2^power, 2^(power + 1)) */
  if (power > 127) return 255;
  if (power < -140) return largest > 0 ? 1 : 0;
  const int32_t field = power - 6 + 127, over = (bits & 0xfffffffffffffULL) >= 0xfe00000000000ULL;
  return field + over < 1 ? 1 : (uint32_t)(field + over);
}

/* t [B^2] row-major. Nearest multiples of the scale, ties to even; a block with NaN or infinity becomes all NaN. */
HD uint32_t low_bit_round(const double *t, const int B, int8_t *q) {
  double largest = 0;
  for (int e = 0; e < B * B; ++e) {
    const double size = t[e] == t[e] ? fabs(t[e]) : HUGE_VAL;
    if (size > largest) largest = size;
  }
  const uint32_t exponent = low_bit_exponent(largest);
  const double inverse = exponent == 0 || exponent == 255 ? 0 : 1 / (double)low_bit_scale_of(exponent);
  for (int e = 0; e < B * B; ++e) q[e] = (int8_t)(exponent == 255 ? 0 : (int32_t)rint(t[e] * inverse));
  return exponent;
}

/* Writes the record of lane `l` of one entry of a slice; `entry` is where the 32 records of that entry begin. */
HD void low_bit_store(void *entry, int32_t l, const int bits, const int B, const double *t, uint32_t column) {
  uint32_t *word = (uint32_t *)entry + l;
  if (bits >= LOW_HALF) {
    uint16_t h[10] = {0};
    for (int e = 0; e < B * B; ++e) h[e] = bits == LOW_HALF ? half_from_double(t[e]) : bfloat_from_double(t[e]);
    if (B == 2) ((uint16_t *)((uint32_t *)entry + 2 * LOW_LANES))[l] = (uint16_t)column;
    else h[B * B] = (uint16_t)column;
    for (int w = 0; w < B * B / 2 + B % 2; ++w) word[w * LOW_LANES] = h[2 * w] | (uint32_t)h[2 * w + 1] << 16;
    return;
  }
  int8_t q[12] = {0};
  const uint32_t exponent = low_bit_round(t, B, q);
  for (int w = 0; w < B - 1; ++w)
    word[w * LOW_LANES] = (uint32_t)(uint8_t)q[4 * w] | (uint32_t)(uint8_t)q[4 * w + 1] << 8 |
                          (uint32_t)(uint8_t)q[4 * w + 2] << 16 | (uint32_t)(uint8_t)q[4 * w + 3] << 24;
  word[(B - 1) * LOW_LANES] = (uint32_t)(uint8_t)q[4 * (B - 1)] | exponent << 8 | column << 16;
}

HD uint32_t low_bit_column(const void *entry, int32_t l, const int bits, const int B) {
  const uint32_t *word = (const uint32_t *)entry;
  if (bits >= LOW_HALF && B == 2) return ((const uint16_t *)(word + 2 * LOW_LANES))[l];
  return word[(low_bit_bytes(bits, B) / 4 - 1) * LOW_LANES + l] >> 16;
}

/* Value e of the record, without the scale of its block. */
HD float low_bit_value(const void *entry, int32_t l, const int bits, const int B, const int e) {
  const uint32_t *word = (const uint32_t *)entry;
  if (bits >= LOW_HALF) {
    const uint16_t h = (uint16_t)(word[e / 2 * LOW_LANES + l] >> (16 * (e % 2)));
    return bits == LOW_HALF ? half_to_float(h) : bfloat_to_float(h);
  }
  (void)B;
  return (float)(int8_t)(uint8_t)(word[e / 4 * LOW_LANES + l] >> (8 * (e % 4)));
}

HD float low_bit_scale(const void *entry, int32_t l, const int bits, const int B) {
  return bits >= LOW_HALF ? 1.0f : low_bit_scale_of(((const uint32_t *)entry)[(B - 1) * LOW_LANES + l] >> 8 & 0xff);
}

/* What the three kernels below work on: `from` is the matrix in double or float. */
typedef struct LowBitArgs {
  MatView from;
  const double *s;          /* scaling [n B]; NULL: none */
  const double *g;          /* [n][B][B] as in block_rows.h; NULL: none */
  int32_t *lane_of;         /* [n] where a block row lies; NULL: rows are not moved */
  int32_t *base;            /* [slices] smallest column; -1 where the columns of a slice span more than LOW_SPAN */
  void *to;                 /* the records */
  double *wide;             /* entries in slices with base -1 */
  int32_t bits, from_float; /* `from` is stored as float */
  HaloOrder order;          /* of the columns */
} LowBitArgs;

/* lane -> lane_of */
HD void low_bit_lanes_body(const LowBitArgs *a, int64_t lane, double sum[]) {
  (void)sum;
  a->lane_of[a->from.row[lane]] = (int32_t)lane;
}

/* slice -> base; lanes behind the last row do not count. */
HD void low_bit_base_body(const LowBitArgs *a, int64_t slice, double sum[]) {
  const MatView *m = &a->from;
  const int64_t left = m->n - slice * LOW_LANES, begin = m->start[slice], end = m->start[slice + 1];
  const int64_t lanes = left < (int64_t)LOW_LANES ? left : (int64_t)LOW_LANES;
  int32_t least = INT32_MAX, most = 0;
  for (int64_t k = begin; k < end; k += LOW_LANES)
    for (int64_t l = 0; l < lanes; ++l) {
      const int32_t j = m->column[k + l];
      least = j < least ? j : least;
      most = j > most ? j : most;
    }
  if (end == begin) least = 0;
  const int wide = most - least > LOW_SPAN;
  a->base[slice] = wide ? -1 : least;
  if (wide) sum[0] += (double)(end - begin);
}
HD void low_bit_base_finish(const LowBitArgs *a, const double sum[]) { *a->wide = sum[0]; }

/* Where block (j, i) lies, an index of `column`; -1 where the pattern lacks it. */
HD int64_t low_bit_find(const LowBitArgs *a, int64_t j, int64_t i) {
  const MatView *m = &a->from;
  const int64_t lane = a->lane_of ? a->lane_of[j] : j, slice = lane / LOW_LANES;
  for (int64_t k = m->start[slice] + lane % LOW_LANES; k < m->start[slice + 1]; k += LOW_LANES)
    if (m->column[k] == i) return k;
  return -1;
}

/* The records of entry k + l, in a lane of slice `slice`, of S A S. Both (i, r; j, c) and (j, c; i, r) are made from the one
 * of them in the upper triangle, and s_i s_j comes first: whatever rounding left in A, the copy is symmetric to the bit.
 * Where that is another rank's, its mirror here has the same numbers: they are sums of the same terms in the same order. */
HD void low_bit_scale_entry(const LowBitArgs *a, int64_t slice, int64_t k, int64_t l) {
  const MatView *m = &a->from;
  const int32_t B = m->block, bits = a->bits, base = a->base[slice];
  const int64_t lane = slice * LOW_LANES + l, i = m->row ? m->row[lane] : lane, j = m->column[k + l];
  const int32_t below = a->order.n_own && j >= a->order.n_own && j < a->order.n_own + a->order.n_low;
  const int64_t mirror = j < i ? low_bit_find(a, j, i) : -1, at = mirror >= 0 ? mirror : k + l;
  const int64_t block = at / LOW_LANES * LOW_LANES * B * B + at % LOW_LANES;
  const int32_t other = mirror >= 0 || below; /* the block of the upper triangle is (j, i) */
  const int64_t p = other ? j : i, q = other ? i : j;
  double u[9], t[9];
  for (int32_t e = 0; e < B * B; ++e) {
    const int32_t r = e / B, c = e % B;
    const int64_t from = block + (below || (i == j && r > c) ? c * B + r : e) * LOW_LANES;
    u[e] = a->from_float ? (double)((const float *)m->value)[from] : ((const double *)m->value)[from];
    if (a->s) u[e] *= a->s[p * B + r] * a->s[q * B + c];
  }
  if (a->g) block_both_sides(a->g + p * B * B, a->g + q * B * B, u, B);
  for (int32_t e = 0; e < B * B; ++e) {
    const int32_t r = e / B, c = e % B, turned = other || (i == j && r > c);
    t[e] = u[turned ? c * B + r : e];
  }
  low_bit_store((char *)a->to + k * low_bit_bytes(bits, B), (int32_t)l, bits, B, t,
                base < 0 ? 0 : (uint32_t)(j - base));
}

/* Row t, lane t % LOW_LANES of LOW_STEPS entries of each lane, whichever slices they are of: a row may be as long as all
 * others together. */
enum { LOW_STEPS = 32 };
HD int64_t low_bit_scale_rows_of(int64_t n_entry) {
  const int64_t part = (int64_t)LOW_STEPS * LOW_LANES;
  return (n_entry + part - 1) / part * LOW_LANES;
}
HD void low_bit_scale_body(const LowBitArgs *a, int64_t t, double sum[]) {
  const MatView *m = &a->from;
  const int64_t l = t % LOW_LANES, begin = t / LOW_LANES * LOW_STEPS * LOW_LANES;
  int64_t slice = 0, end = (m->n + LOW_LANES - 1) / LOW_LANES;
  const int64_t n_entry = m->start[end];
  (void)sum;
  while (end - slice > 1) { /* the slice of the first entry */
    const int64_t middle = slice + (end - slice) / 2;
    if (m->start[middle] <= begin) slice = middle;
    else end = middle;
  }
  for (int64_t k = begin; k < n_entry && k < begin + (int64_t)LOW_STEPS * LOW_LANES; k += LOW_LANES) {
    while (m->start[slice + 1] <= k) ++slice;
    if (slice * LOW_LANES + l < m->n) low_bit_scale_entry(a, slice, k, l);
  }
}
