/* segSpMV on the CPU for values stored as REAL, tile by tile: the sums of the segments first, those that a GPU's warp
 * takes at a time, then the rows. Included by segspmv.c with REAL and NAMED set. */
HD void NAMED(segspmv_tile)(const ProductArgs *a, int32_t first, int32_t last, double *sum, const MatOp op) {
  const MatView *m = &a->a;
  const int64_t begin = m->start[first], end = m->start[last];
  const int32_t side = SEGSPMV_WARP / m->threads, turns = m->threshold / m->threads;
  double part[SEGSPMV_TILE], whole = 0;
  for (int64_t q = begin; q < end; q += side) {
    double s[SEGSPMV_WARP];
    NAMED(team_sums)(m, (const REAL *)a->v, q * m->threshold, turns, SEGSPMV_WARP, s);
    for (int32_t l = 0; l < side; ++l) {
      if (last - first > 1) part[q - begin + l] = s[l * m->threads];
      else whole += s[l * m->threads];
    }
  }
  if (last - first == 1) {
    NAMED(product_row)(a, op, first, whole, sum);
    return;
  }
  for (int32_t i = first; i < last; ++i) {
    double s = 0;
    for (int64_t q = m->start[i]; q < m->start[i + 1]; ++q) s += part[q - begin];
    NAMED(product_row)(a, op, i, s, sum);
  }
}

HD void NAMED(segspmv_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                             const MatOp op) {
  (void)block;
  for (int64_t tile = begin / SEGSPMV_WARP; tile < end / SEGSPMV_WARP; ++tile) {
    const int32_t first = a->a.order[tile], last = a->a.order[tile + 1];
    if (!mat_op_visits(op)) NAMED(segspmv_tile)(a, first, last, sum, op);
    else
      for (int32_t i = first; i < last; ++i) NAMED(segspmv_visit)(a, i, op);
  }
}
