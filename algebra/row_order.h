/* The rows of a matrix as formats of the ELLPACK kind store them: lanes side by side, each a block row or a scalar row
 * of the block pattern, in natural order or sorted by length. Found on the Exec. */
#pragma once
#include "algebra/pattern.h"

typedef struct RowOrder {
  Exec *exec;         /* borrowed */
  int32_t n;          /* block rows */
  int32_t split;      /* lanes per block row: 1 for formats of blocks, pattern->block for formats of scalars, where
                         each block also gives a row `split` entries */
  int32_t longest;    /* of the block rows, in blocks; */
  int32_t shortest;   /* and the shortest of them */
  int64_t n_entry;    /* blocks of all rows */
  MatrixLoan loan;    /* owned: the pattern */
  int32_t *block_row; /* owned, on the Exec, [n] in the order of storage; NULL: natural */
} RowOrder;

/* Natural order. ERR_MEMORY, ERR_GPU; whatever comes, row_order_release follows, as of the next one. */
Status row_order_natural(Exec *exec, const Pattern *pattern, int32_t split, RowOrder *out);
/* Sorted by length, longest first and stable, inside windows of so many block rows (SELL-C-sigma: Kreutzer et al., SIAM
 * J. Sci. Comput. 36, 2014); 1: the natural order. 0: the natural order unless it pads more than 4 % beyond the best,
 * since rows out of place cost more than that on a GPU; then the smallest windows within 1 % of the best. */
Status row_order_create(Exec *exec, const Pattern *pattern, int32_t split, int32_t slice, int32_t window,
                        RowOrder *out);
void row_order_release(RowOrder *order);

static inline int64_t row_order_lanes(const RowOrder *o) { return (int64_t)o->n * o->split; }
/* start [slices + 1], new on the Exec: entries, padding included, of the slices before each, which are as wide as their
 * longest row, rounded up to `team`; *size those of all. start NULL: not wanted. */
Status row_order_cut(const RowOrder *order, int32_t slice, int32_t team, int64_t *start, int64_t *size);
