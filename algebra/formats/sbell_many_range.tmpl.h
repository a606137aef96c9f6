/* SBELL times K interleaved vectors on the CPU, 32 lanes at a time: each entry is read once, where it lies, and meets
 * the K numbers of its column, one vector of the processor. One precision; included by sbell_many.c with REAL and NAMED
 * set. Lanes behind the last row have columns 0 and values 0. */
#define SBELL_MANY_SUM(K)                                                                                              \
  HD void NAMED(sbell_many_sum_##K)(const MatView *m, const REAL *v, int64_t lane, Many##K s[SLICED_LANES][3],         \
                                    const int B) {                                                                     \
    const int64_t step = m->slice, slice = lane / step, begin = m->start[slice], width = m->start[slice + 1] - begin;  \
    const int32_t *column = m->column + begin + lane % step;                                                           \
    const REAL *value = (const REAL *)m->value + begin * B * B + lane % step;                                          \
    for (int e = 0; e < SLICED_LANES * B; ++e) s[e / B][e % B] = (Many##K){0};                                         \
    for (int64_t k = 0; k < width; k += step, column += step, value += B * B * step)                                   \
      for (int l = 0; l < SLICED_LANES; ++l) {                                                                         \
        const REAL *at = v + (int64_t)column[l] * B * K;                                                               \
        Many##K x[3];                                                                                                  \
        for (int c = 0; c < B; ++c) x[c] = MANY_VECTOR(K, at + c * K);                                                 \
        for (int r = 0; r < B; ++r)                                                                                    \
          for (int c = 0; c < B; ++c) s[l][r] += (double)value[(r * B + c) * step + l] * x[c];                         \
      }                                                                                                                \
  }                                                                                                                    \
  HD void NAMED(sbell_many_range_##K)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B,      \
                                      const MatOp op) {                                                                \
    const int32_t *row = a->a.row;                                                                                     \
    for (int64_t lane = begin; lane < end; lane += SLICED_LANES) {                                                     \
      Many##K s[SLICED_LANES][3];                                                                                      \
      NAMED(sbell_many_sum_##K)(&a->a, (const REAL *)a->v, lane, s, B);                                                \
      for (int64_t l = 0; l < SLICED_LANES && lane + l < end; ++l) {                                                   \
        const int64_t i = row ? row[lane + l] : lane + l;                                                              \
        for (int r = 0; r < B; ++r) NAMED(many_ends)(a, op, (i * B + r) * K, (const double *)&s[l][r], sum, K);        \
      }                                                                                                                \
    }                                                                                                                  \
  }
SBELL_MANY_SUM(2)
SBELL_MANY_SUM(4)
SBELL_MANY_SUM(8)
#undef SBELL_MANY_SUM
