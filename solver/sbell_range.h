/* SBELL on the CPU in one precision, 32 lanes at a time; included by sbell.c with REAL and NAMED set.
 * Lanes behind the last row have columns 0 and values 0, so that all 32 can be summed. */
HD void NAMED(sbell_sum)(const MatView *m, const REAL *v, int64_t lane, REAL s[3][SBELL_LANES], const int B,
                         const MatOp op) {
  const int64_t slice = lane / m->slice, begin = m->start[slice], width = m->start[slice + 1] - begin;
  const int64_t in_slice = lane - slice * m->slice;
  const int32_t *column = m->column + begin + in_slice;
  const REAL *value = (const REAL *)m->value + begin * B * B + in_slice;
  const int64_t step = m->slice;
  for (int r = 0; r < B; ++r)
    for (int l = 0; l < SBELL_LANES; ++l) s[r][l] = 0;
  for (int64_t k = 0; k < width; k += step, column += step, value += B * B * step)
    for (int c = 0; c < B; ++c) {
      REAL x[SBELL_LANES];
      if (op != MAT_ABS) {
#pragma omp simd
        for (int l = 0; l < SBELL_LANES; ++l) x[l] = v[column[l] * B + c];
      }
      for (int r = 0; r < B; ++r) {
        const REAL *a = value + (r * B + c) * step;
#pragma omp simd
        for (int l = 0; l < SBELL_LANES; ++l) s[r][l] += op == MAT_ABS ? (a[l] < 0 ? -a[l] : a[l]) : a[l] * x[l];
      }
    }
}

/* Diagonal or scaled copy of one block row. */
HD void NAMED(sbell_visit)(const ProductArgs *a, int64_t lane, int64_t i, const int B, const MatOp op) {
  const MatView *m = &a->a;
  const int64_t slice = lane / m->slice, first = m->start[slice] * B * B + lane - slice * m->slice;
  const int64_t step = m->slice;
  const double *s = (const double *)a->b;
  const REAL *value = (const REAL *)m->value;
  REAL diagonal[3] = {0, 0, 0};
  for (int64_t k = m->start[slice] + lane - slice * step, at = first; k < m->start[slice + 1];
       k += step, at += B * B * step)
    for (int e = 0; e < B * B; ++e) {
      const int64_t j = m->column[k];
      const int r = e / B, c = e % B;
      const REAL t = value[at + e * step];
      if (op == MAT_DIAGONAL) diagonal[r] += r == c && j == i ? t : 0;
      else if (op == MAT_SCALE_D) ((double *)a->w)[at + e * step] = s[i * B + r] * (double)t * s[j * B + c];
      else ((float *)a->w)[at + e * step] = (float)(s[i * B + r] * (double)t * s[j * B + c]);
    }
  if (op == MAT_DIAGONAL)
    for (int r = 0; r < B; ++r) ((REAL *)a->w)[i * B + r] = diagonal[r];
}

HD void NAMED(sbell_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B,
                           const MatOp op) {
  const int32_t *row = a->a.row;
  if (op == MAT_DIAGONAL || op == MAT_SCALE_D || op == MAT_SCALE_F) {
    for (int64_t lane = begin; lane < end; ++lane) NAMED(sbell_visit)(a, lane, row ? row[lane] : lane, B, op);
    return;
  }
  for (int64_t lane = begin; lane < end; lane += SBELL_LANES) {
    REAL s[3][SBELL_LANES];
    NAMED(sbell_sum)(&a->a, (const REAL *)a->v, lane, s, B, op);
    for (int64_t l = 0; l < SBELL_LANES && lane + l < end; ++l) {
      const int64_t i = row ? row[lane + l] : lane + l;
      for (int r = 0; r < B; ++r) NAMED(product_row)(a, op, i * B + r, s[r][l], sum);
    }
  }
}
