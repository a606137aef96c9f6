/* SBELL times K interleaved vectors on the CPU, 32 lanes at a time: each entry is read once, where it lies, and meets the K
 * numbers of its column, which make vectors of the processor. One precision; included by sbell_many.c with REAL and NAMED
 * set. Lanes behind the last row have columns 0 and values 0. */
HD void NAMED(sbell_many_sum)(const MatView *m, const REAL *v, int64_t lane, double s[SLICED_LANES][3][MANY_MOST], const int B,
                              const int K) {
  const int64_t step = m->slice, slice = lane / step, begin = m->start[slice], width = m->start[slice + 1] - begin;
  const int32_t *column = m->column + begin + lane % step;
  const REAL *value = (const REAL *)m->value + begin * B * B + lane % step;
  for (int l = 0; l < SLICED_LANES; ++l)
    for (int r = 0; r < B; ++r)
      for (int q = 0; q < K; ++q) s[l][r][q] = 0;
  for (int64_t k = 0; k < width; k += step, column += step, value += B * B * step)
    for (int l = 0; l < SLICED_LANES; ++l) {
      const REAL *x = v + (int64_t)column[l] * B * K;
      for (int r = 0; r < B; ++r)
        for (int q = 0; q < K; ++q) {
          double t = s[l][r][q];
          for (int c = 0; c < B; ++c) t += (double)value[(r * B + c) * step + l] * (double)x[c * K + q];
          s[l][r][q] = t;
        }
    }
}

HD void NAMED(sbell_many_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op,
                                const int K) {
  const int32_t *row = a->a.row;
  for (int64_t lane = begin; lane < end; lane += SLICED_LANES) {
    double s[SLICED_LANES][3][MANY_MOST];
    NAMED(sbell_many_sum)(&a->a, (const REAL *)a->v, lane, s, B, K);
    for (int64_t l = 0; l < SLICED_LANES && lane + l < end; ++l) {
      const int64_t i = row ? row[lane + l] : lane + l;
      for (int r = 0; r < B; ++r)
        for (int q = 0; q < K; ++q) NAMED(many_end)(a, op, (i * B + r) * K + q, s[l][r][q], sum + q);
    }
  }
}
