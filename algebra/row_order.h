/* The rows of a matrix as formats of the ELLPACK kind store them: lanes side by side, each a block row or a scalar row
 * of the block pattern, in natural order or sorted by length. */
#pragma once
#include "algebra/pattern.h"

typedef struct RowOrder {
  const Pattern *pattern; /* borrowed */
  int32_t split;          /* lanes per block row: 1 for formats of blocks, pattern->block for formats of scalars, where
                             each block also gives a row `split` entries */
  int32_t *block_row;     /* owned, [n] in the order of storage; NULL: natural */
} RowOrder;

/* Sorted by length, longest first and stable, inside windows of so many block rows (SELL-C-sigma: Kreutzer et al., SIAM
 * J. Sci. Comput. 36, 2014); 1: the natural order. 0: the natural order unless it pads more than 4 % beyond the best,
 * since rows out of place cost more than that on a GPU; then the smallest windows within 1 % of the best. */
Status row_order_create(const Pattern *pattern, int32_t split, int32_t slice, int32_t window, RowOrder *out);
void row_order_release(RowOrder *order);

static inline int64_t row_order_lanes(const RowOrder *o) { return (int64_t)o->pattern->n * o->split; }
static inline int32_t row_order_block_row(const RowOrder *o, int64_t place) {
  return o->block_row ? o->block_row[place] : (int32_t)place;
}
/* The row (block row or scalar row) that lies in a lane. */
static inline int32_t row_order_row(const RowOrder *o, int64_t lane) {
  return row_order_block_row(o, lane / o->split) * o->split + (int32_t)(lane % o->split);
}
/* Entries of the longest row in a slice of lanes; the slice may reach beyond the last lane. */
int64_t row_order_width(const RowOrder *order, int64_t first, int64_t slice);
