/* SBELL times K interleaved vectors on the CPU, 32 lanes at a time: each entry is read once, where it lies, and meets
 * the K numbers of its column, in vectors of the processor. One precision; included by sbell_many.c with REAL and NAMED
 * set. Lanes behind the last row have columns 0 and values 0. */
#define SBELL_MANY_SUM(K, W)                                                                                           \
  HD void NAMED(sbell_many_sum_##K)(const MatView *m, const REAL *v, int64_t lane, double s[SLICED_LANES][3][K],       \
                                    const int B) {                                                                     \
    const int64_t step = m->slice, slice = lane / step, begin = m->start[slice], width = m->start[slice + 1] - begin;  \
    const int32_t *column = m->column + begin + lane % step;                                                           \
    const REAL *value = (const REAL *)m->value + begin * B * B + lane % step;                                          \
    for (int l = 0; l < SLICED_LANES; ++l) memset(s[l], 0, sizeof s[l][0] * (size_t)B);                                \
    for (int64_t k = 0; k < width; k += step, column += step, value += B * B * step)                                   \
      for (int l = 0; l < SLICED_LANES; ++l) {                                                                         \
        const REAL *at = v + (int64_t)column[l] * B * K;                                                               \
        for (int h = 0; h < K; h += W) {                                                                               \
          Many##W x[3];                                                                                                \
          for (int c = 0; c < B; ++c) x[c] = MANY_VECTOR(W, at + c * K + h);                                           \
          for (int r = 0; r < B; ++r) {                                                                                \
            Many##W *to = (Many##W *)&s[l][r][h], t = *to;                                                             \
            for (int c = 0; c < B; ++c) t += (double)value[(r * B + c) * step + l] * x[c];                             \
            *to = t;                                                                                                   \
          }                                                                                                            \
        }                                                                                                              \
      }                                                                                                                \
  }                                                                                                                    \
  HD void NAMED(sbell_many_range_##K)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B,      \
                                      const MatOp op) {                                                                \
    const int32_t *row = a->a.row;                                                                                     \
    for (int64_t lane = begin; lane < end; lane += SLICED_LANES) {                                                     \
      double s[SLICED_LANES][3][K];                                                                                    \
      NAMED(sbell_many_sum_##K)(&a->a, (const REAL *)a->v, lane, s, B);                                                \
      for (int64_t l = 0; l < SLICED_LANES && lane + l < end; ++l) {                                                   \
        const int64_t i = row ? row[lane + l] : lane + l;                                                              \
        for (int r = 0; r < B; ++r) NAMED(many_ends)(a, op, (i * B + r) * K, s[l][r], sum, K);                         \
      }                                                                                                                \
    }                                                                                                                  \
  }
MANY_EACH(SBELL_MANY_SUM)
#undef SBELL_MANY_SUM
