/* ELLPACK and its kin on the CPU for values stored as REAL: a tile of lanes goes column by column through the matrix,
 * so that values and columns are read in long runs as they lie, and its sums stay in the first cache. Where row lengths
 * are given, a tile ends with its longest row: what lies behind is padding. Measured on one Zen 4 core, 40^3 nodes of 3
 * x 3 blocks in double, CSR 20 GB/s: ELLPACK 14, BELLPACK 13 GB/s; 32 lanes at a time through the whole row, as SBELL
 * does: half. Included by ell.c, ellr.c and bell.c with REAL and NAMED set. */
HD void NAMED(ell_tile)(const MatView *m, const REAL *v, int64_t first, int n, double s[3][ELL_TILE], const int B) {
  const int64_t step = m->slice;
  int32_t width = m->width;
  if (m->length) {
    width = 0;
    for (int l = 0; l < n; ++l) width = m->length[first + l] > width ? m->length[first + l] : width;
  }
  for (int r = 0; r < B; ++r)
    for (int l = 0; l < n; ++l) s[r][l] = 0;
  for (int64_t k = 0; k < width; ++k) {
    const int32_t *column = m->column + k * step + first;
    const REAL *value = (const REAL *)m->value + k * B * B * step + first;
#pragma GCC unroll 3
    for (int c = 0; c < B; ++c)
#pragma omp simd
      for (int l = 0; l < n; ++l) {
        const double x = (double)v[column[l] * B + c];
#pragma GCC unroll 3
        for (int r = 0; r < B; ++r) s[r][l] += (double)value[(r * B + c) * step + l] * x;
      }
  }
}

HD void NAMED(ell_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  if (mat_op_visits(op)) {
    for (int64_t lane = begin; lane < end; ++lane) NAMED(sbell_visit)(a, lane, lane, B, op);
    return;
  }
  for (int64_t first = begin; first < end; first += ELL_TILE) {
    const int n = end - first < ELL_TILE ? (int)(end - first) : ELL_TILE;
    double s[3][ELL_TILE];
    NAMED(ell_tile)(&a->a, (const REAL *)a->v, first, n, s, B);
    for (int l = 0; l < n; ++l)
      for (int r = 0; r < B; ++r) NAMED(product_row)(a, op, (first + l) * B + r, s[r][l], sum);
  }
}
