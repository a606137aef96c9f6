/* Row kernels of linear equations (equations.h). */
#pragma once
#include "assembly/space/prescribed_rows.h"

/* Of a row that is switched: it stays as it is; it holds, with all of its gap. */
enum { ROW_OFF = 1, ROW_ON = 2 };

/* v[row[i]] = keep v[row[i]] + scale gap[i] + sum over k in start[i] ... start[i + 1) of factor[k] v[column[k]]. */
typedef struct EquationRows {
  const int32_t *row;
  const uint8_t *off; /* as above, 0: a row that is not switched; NULL: none is */
  double *gap;        /* NULL: 0 */
  const int64_t *start;
  const int32_t *column;
  double *factor;
  double keep, scale, whole; /* whole: `scale` of rows that are switched */
  double *v;
} EquationRows;

HD void equation_row_body(const EquationRows *a, int64_t i, double sum[]) {
  (void)sum;
  if (a->off && a->off[i] == ROW_OFF) return;
  double value = a->gap ? (a->off && a->off[i] ? a->whole : a->scale) * a->gap[i] : 0;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) value += a->factor[k] * a->v[a->column[k]];
  a->v[a->row[i]] = a->keep * a->v[a->row[i]] + value;
}

/* A block of a matrix, times a weight of T: 0 is the unit matrix. */
typedef struct EquationPiece {
  int64_t block;
  int32_t weight;
} EquationPiece;

/* Block e of K T: the sum over its pieces of K_block weight, b x b numbers each. */
typedef struct EquationHalf {
  int32_t size; /* b */
  const int64_t *start;
  const EquationPiece *piece;
  const double *weight; /* [..][b][b] */
  const double *from;   /* K, [block][b][b] */
  double *values;
} EquationHalf;

HD void equation_half_body(const EquationHalf *a, int64_t e, double sum[]) {
  const int32_t b = a->size, square = b * b;
  double out[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  (void)sum;
  for (int64_t p = a->start[e]; p < a->start[e + 1]; ++p) {
    const double *K = a->from + a->piece[p].block * square, *R = a->weight + (int64_t)a->piece[p].weight * square;
    for (int32_t i = 0; i < b; ++i)
      for (int32_t j = 0; j < b; ++j)
        for (int32_t k = 0; k < b; ++k) out[i * b + j] += K[i * b + k] * R[k * b + j];
  }
  for (int32_t k = 0; k < square; ++k) a->values[e * square + k] = out[k];
}

/* Block e of T^T K T: the sum over its pieces of weight^T block, of K up to n_from, then of K T. */
typedef struct EquationBlocks {
  int32_t size; /* b */
  int64_t n_from;
  const int64_t *start;
  const EquationPiece *piece;
  double *weight;    /* [..][b][b] */
  uint8_t *diagonal; /* bit c: `unit` goes on the diagonal there */
  double unit;
  const int64_t *target;     /* [..][b][b] of each block */
  const double *from, *half; /* K and K T, [block][b][b] */
  double *values;
} EquationBlocks;

HD void equation_block_body(const EquationBlocks *a, int64_t e, double sum[]) {
  const int32_t b = a->size, square = b * b;
  double out[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  (void)sum;
  for (int64_t p = a->start[e]; p < a->start[e + 1]; ++p) {
    const int64_t block = a->piece[p].block;
    const double *B = block < a->n_from ? a->from + block * square : a->half + (block - a->n_from) * square;
    const double *L = a->weight + (int64_t)a->piece[p].weight * square;
    for (int32_t k = 0; k < b; ++k)
      for (int32_t j = 0; j < b; ++j)
        for (int32_t i = 0; i < b; ++i) out[k * b + j] += L[i * b + k] * B[i * b + j];
  }
  for (int32_t c = 0; c < b; ++c)
    if (a->diagonal[e] >> c & 1) out[c * b + c] = a->unit;
  for (int32_t k = 0; k < square; ++k) a->values[a->target[e * square + k]] = out[k];
}

/* Number `at` of the scalars of all blocks in order gets `value` more. */
typedef struct EquationMore {
  int64_t at;
  double value;
} EquationMore;
typedef struct EquationMoreArgs {
  const EquationMore *more;
  const int64_t *target;
  double *values;
} EquationMoreArgs;
HD void equation_more_body(const EquationMoreArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->values[a->target[a->more[i].at]] += a->more[i].value;
}

/* Where the scalars of the blocks of row i lie. */
typedef struct EquationTargets {
  int32_t size;         /* b */
  const int64_t *start; /* of the pattern */
  SlotMap slots;        /* with arrays of the Exec */
  int64_t *target;      /* [block][b][b] */
} EquationTargets;

HD void equation_target_body(const EquationTargets *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
    slot_list(&a->slots, a->size, a->size, i, k, a->target + k * a->size * a->size);
}

/* Rows that are switched on and off (EquationSwitches): the factor of each of their terms, wherever it stands, -1: nowhere; and what
 * the row's own unknown then is. */
typedef struct SwitchTerm {
  int64_t follow, gather, pass, weight;
} SwitchTerm;
typedef struct SwitchRow {
  int32_t row, component;
  int32_t n_same;        /* so many from this one on are of its node; 0: it is not the first of them */
  int64_t own, diagonal; /* in `weight` and `diagonal` of EquationBlocks */
} SwitchRow;
typedef struct SwitchArgs {
  const SwitchTerm *term;
  const SwitchRow *row;
  const double *factor, *value; /* of terms, gaps of rows */
  const uint8_t *on;
  double *follow, *gather, *pass, *weight, *gap; /* follow NULL: of `pass` alone */
  uint8_t *off, *diagonal;
} SwitchArgs;

HD void switch_term_body(const SwitchArgs *a, int64_t i, double sum[]) {
  const SwitchTerm *t = a->term + i;
  (void)sum;
  if (t->pass >= 0) a->pass[t->pass] = a->factor[i];
  if (!a->follow) return;
  a->follow[t->follow] = a->factor[i];
  if (t->gather >= 0) a->gather[t->gather] = a->factor[i];
  if (t->weight >= 0) a->weight[t->weight] = a->factor[i];
}

/* The first row of a node writes what they share. */
HD void switch_row_body(const SwitchArgs *a, int64_t i, double sum[]) {
  const SwitchRow *r = a->row + i;
  (void)sum;
  a->gap[r->row] = a->value[i];
  a->off[r->row] = a->on[i] ? ROW_ON : ROW_OFF;
  a->weight[r->own] = a->on[i] ? 0 : 1;
  for (int32_t k = 0; k < r->n_same; ++k) {
    const int bit = 1 << r[k].component;
    uint8_t *diagonal = a->diagonal + r->diagonal;
    *diagonal = (uint8_t)(a->on[i + k] ? *diagonal | bit : *diagonal & ~bit);
  }
}
