/* New values for a matrix of any format: entries in the order of the pattern go to their slots, one row per scalar.
 * What the ELL-WARP paper calls reordering (section 6.1); assembly needs none of it, since its gather map writes into
 * slots. */
#pragma once
#include "core/hd.h"

typedef struct RefreshArgs {
  const double *from;      /* [n_block block^2], row-major blocks in the pattern's order */
  void *to;                /* double or float [n_value] */
  const int64_t *slot;     /* as in SlotMap (algebra/pattern.h) */
  const int64_t *row_step; /* [1] with row NULL, else [n]; not read when per_scalar */
  const int32_t *row;      /* block row of each block */
  int64_t column_step;
  int32_t block, per_scalar, to_float;
} RefreshArgs;

HD void refresh_body(const RefreshArgs *a, int64_t i, double sum[]) {
  (void)sum;
  int64_t at = 0;
  if (a->per_scalar) {
    at = a->slot[i];
  } else {
    const int64_t square = (int64_t)a->block * a->block, k = i / square, e = i - k * square;
    at = a->slot[k] + e / a->block * a->row_step[a->row ? a->row[k] : 0] + e % a->block * a->column_step;
  }
  if (a->to_float) ((float *)a->to)[at] = (float)a->from[i];
  else ((double *)a->to)[at] = a->from[i];
}
