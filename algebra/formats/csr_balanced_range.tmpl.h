/* The load-balanced CSR on the CPU for values stored as REAL, tile by tile; rows that are split leave the sums of their
 * parts, which are added in order when all tiles are done. Included by csr_balanced.c with REAL and NAMED set. */
#include "algebra/formats/csr_sum.tmpl.h"

HD void NAMED(csr_balanced_visit)(const ProductArgs *a, int64_t t, const BalancedTile *tile, const MatOp op) {
  if (tile->parts) { /* whole, by whoever has its first part */
    if (t == tile->head) NAMED(csr_visit)(a, tile->first, tile->begin, a->a.start[t + tile->parts], op);
    return;
  }
  int64_t from = tile->begin;
  for (int32_t i = tile->first; i < tile->last; ++i) {
    const int64_t to = balanced_row_end(&a->a, tile, i);
    NAMED(csr_visit)(a, i, from, to, op);
    from = to;
  }
}

HD void NAMED(csr_balanced_tile)(const ProductArgs *a, int64_t t, const BalancedTile *tile, double *sum,
                                 const MatOp op) {
  if (tile->parts) {
    a->a.work[t] = NAMED(csr_sum)(a, tile->begin, tile->end);
    return;
  }
  int64_t from = tile->begin;
  for (int32_t i = tile->first; i < tile->last; ++i) {
    const int64_t to = balanced_row_end(&a->a, tile, i);
    NAMED(product_row)(a, op, i, NAMED(csr_sum)(a, from, to), sum);
    from = to;
  }
}

HD void NAMED(csr_balanced_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                                  const MatOp op) {
  (void)block;
  for (int64_t t = begin / BALANCED_WARP; t < end / BALANCED_WARP; ++t) {
    const BalancedTile tile = balanced_tile(&a->a, t);
    if (mat_op_visits(op)) NAMED(csr_balanced_visit)(a, t, &tile, op);
    else NAMED(csr_balanced_tile)(a, t, &tile, sum, op);
  }
}

/* `sum` as the tiles left it; NULL where the operation has none. */
HD void NAMED(csr_balanced_end)(const ProductArgs *a, const double *sum, int n_sum, const MatOp op) {
  if (mat_op_visits(op)) return;
  const int32_t *split = balanced_split(&a->a);
  double total[ROW_SUMS_MOST] = {0};
  for (int k = 0; k < n_sum; ++k) total[k] = sum[k];
  for (int32_t r = 0; r < a->a.slice; ++r) {
    double s = 0;
    for (int32_t p = 0; p < split[2 * r + 1]; ++p) s += a->a.work[split[2 * r] + p];
    NAMED(product_row)(a, op, a->a.order[split[2 * r]], s, total);
  }
  if (n_sum) product_finish(a, total);
}
