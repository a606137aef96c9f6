/* Row kernels of linear equations (equations.h). */
#pragma once
#include "core/hd.h"

#include <stdint.h>

/* v[row[i]] = keep v[row[i]] + scale gap[i] + sum over k in start[i] ... start[i + 1) of factor[k] v[column[k]]. */
typedef struct EquationRows {
  const int32_t *row;
  const double *gap; /* NULL: 0 */
  const int64_t *start;
  const int32_t *column;
  double *factor;
  double keep, scale;
  double *v;
} EquationRows;

HD void equation_row_body(const EquationRows *a, int64_t i, double sum[]) {
  (void)sum;
  double value = a->gap ? a->scale * a->gap[i] : 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) value += a->factor[k] * a->v[a->column[k]];
  a->v[a->row[i]] = a->keep * a->v[a->row[i]] + value;
}

/* Block e of T^T K T: the sum over its pieces of left^T K_block right, b x b numbers each. */
typedef struct EquationPiece {
  int64_t block;
  int32_t left, right;
} EquationPiece;
typedef struct EquationBlocks {
  int32_t size; /* b */
  const int64_t *start;
  const EquationPiece *piece;
  double *weight;          /* [..][b][b] */
  const uint8_t *diagonal; /* bit c: `unit` goes on the diagonal there */
  double unit;
  const int64_t *target; /* [..][b][b] of each block */
  const double *from;    /* K, [block][b][b] */
  double *values;
} EquationBlocks;

HD void equation_block_body(const EquationBlocks *a, int64_t e, double sum[]) {
  const int32_t b = a->size, square = b * b;
  double out[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  (void)sum;
  for (int64_t p = a->start[e]; p < a->start[e + 1]; ++p) {
    const double *K = a->from + a->piece[p].block * square, *L = a->weight + (int64_t)a->piece[p].left * square;
    const double *R = a->weight + (int64_t)a->piece[p].right * square;
    for (int32_t i = 0; i < b; ++i)
      for (int32_t j = 0; j < b; ++j) {
        double KR = 0;
        for (int32_t k = 0; k < b; ++k) KR += K[i * b + k] * R[k * b + j];
        for (int32_t k = 0; k < b; ++k) out[k * b + j] += L[i * b + k] * KR;
      }
  }
  for (int32_t c = 0; c < b; ++c)
    if (a->diagonal[e] >> c & 1) out[c * b + c] = a->unit;
  for (int32_t k = 0; k < square; ++k) a->values[a->target[e * square + k]] = out[k];
}
