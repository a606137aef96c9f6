/* SBELL, and SELL as SBELL with blocks of 1, on the CPU for values stored as REAL, 32 lanes at a time as four vectors
 * of 8 doubles (the vector extension of gcc and clang) that stay in registers over the whole row. The values must be
 * read in the order in which they lie: read column by column of the blocks, they came at 11 GB/s a core instead of 22
 * of 28 (Zen 4), the hardware does not prefetch jumps. Included by sbell.c and sell.c with REAL and NAMED set. Lanes
 * behind the last row have columns 0 and values 0, so that all can be summed. */
typedef REAL NAMED(Stored) __attribute__((vector_size(8 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

HD void NAMED(sbell_gather)(const REAL *v, const int32_t *column, const int B, Lanes *x) {
  *x =
      __builtin_convertvector(((NAMED(Stored)){v[column[0] * B], v[column[1] * B], v[column[2] * B], v[column[3] * B],
                                               v[column[4] * B], v[column[5] * B], v[column[6] * B], v[column[7] * B]}),
                              Lanes);
}

HD void NAMED(sbell_sum)(const MatView *m, const REAL *v, int64_t lane, Lanes s[3][4], const int B) {
  const int64_t step = m->slice, slice = lane / step, begin = m->start[slice], width = m->start[slice + 1] - begin;
  const int32_t *column = m->column + begin + lane % step;
  const REAL *value = (const REAL *)m->value + begin * B * B + lane % step;
  const Lanes zero = {0};
#pragma GCC unroll 12
  for (int e = 0; e < B * 4; ++e) s[e / 4][e % 4] = zero;
  for (int64_t k = 0; k < width; k += step, column += step, value += B * B * step) {
    Lanes x[3][4];
#pragma GCC unroll 12
    for (int e = 0; e < B * 4; ++e) NAMED(sbell_gather)(v + e / 4, column + 8 * (e % 4), B, &x[e / 4][e % 4]);
#pragma GCC unroll 9
    for (int e = 0; e < B * B; ++e)
#pragma GCC unroll 4
      for (int g = 0; g < 4; ++g)
        s[e / B][g] += __builtin_convertvector(*(const NAMED(Stored) *)(value + e * step + 8 * g), Lanes) * x[e % B][g];
  }
}

HD void NAMED(sbell_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  const int32_t *row = a->a.row;
  if (mat_op_visits(op)) {
    for (int64_t lane = begin; lane < end; ++lane) NAMED(sbell_visit)(a, lane, row ? row[lane] : lane, B, op);
    return;
  }
  for (int64_t lane = begin; lane < end; lane += SLICED_LANES) {
    Lanes s[3][4];
    NAMED(sbell_sum)(&a->a, (const REAL *)a->v, lane, s, B);
    for (int64_t l = 0; l < SLICED_LANES && lane + l < end; ++l) {
      const int64_t i = row ? row[lane + l] : lane + l;
      for (int r = 0; r < B; ++r) NAMED(product_row)(a, op, i * B + r, s[r][l / 8][l % 8], sum);
    }
  }
}
