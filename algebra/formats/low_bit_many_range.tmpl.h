/* Products of copies in low precision with K interleaved vectors on the CPU, a slice of 32 lanes at a time: an entry of
 * all lanes is unpacked once, then each lane of it meets the K numbers of its column, in vectors of the processor. Sums
 * are those of low_bit_range.h in the same order, so that each column has the bits of one vector alone. Included by
 * low_bit_many.c. */
#include "algebra/low_bit_rows.h"
#include "algebra/many/many_format.h"

/* One entry of all lanes. */
typedef struct LowEntry {
  float value[9][LOW_LANES], scale[LOW_LANES]; /* values without their scale */
  int64_t column[LOW_LANES];                   /* in scalars */
} LowEntry;

HD void low_bit_unpack(const MatView *m, int64_t k, int32_t base, LowEntry *out, const int B, const int bits) {
  const char *entry = (const char *)m->value + k * low_bit_bytes(bits, B);
  for (int l = 0; l < LOW_LANES; ++l)
    out->column[l] = (base < 0 ? m->column[k + l] : base + (int64_t)low_bit_column(entry, l, bits, B)) * B;
  for (int e = 0; e < B * B; ++e)
    for (int l = 0; l < LOW_LANES; ++l) out->value[e][l] = low_bit_value(entry, l, bits, B, e);
  for (int l = 0; l < LOW_LANES; ++l) out->scale[l] = low_bit_scale(entry, l, bits, B);
}

/* Sums in SUM, W columns of them a vector. */
#define LOW_BIT_MANY_SUM(K, W, SUM, VECTOR, NAME)                                                                      \
  HD void low_bit_many_##NAME##_##K(const ProductArgs *a, int64_t slice, SUM s[LOW_LANES][3][K], const int B,          \
                                    const int bits) {                                                                  \
    const MatView *m = &a->a;                                                                                          \
    LowEntry entry;                                                                                                    \
    for (int l = 0; l < LOW_LANES; ++l) memset(s[l], 0, sizeof s[l][0] * (size_t)B);                                   \
    for (int64_t k = m->start[slice]; k < m->start[slice + 1]; k += LOW_LANES) {                                       \
      low_bit_unpack(m, k, m->order[slice], &entry, B, bits);                                                          \
      for (int l = 0; l < LOW_LANES; ++l)                                                                              \
        for (int h = 0; h < K; h += W) {                                                                               \
          const float *at = (const float *)a->v + entry.column[l] * K + h;                                             \
          ManyStored##W##_f x[3];                                                                                      \
          for (int c = 0; c < B; ++c) x[c] = *(const ManyStored##W##_f *)(at + c * K);                                 \
          for (int r = 0; r < B; ++r) {                                                                                \
            ManyStored##W##_f u = {0};                                                                                 \
            for (int c = 0; c < B; ++c) u += entry.value[r * B + c][l] * x[c];                                         \
            if (bits == LOW_INT8) u *= entry.scale[l];                                                                 \
            *(VECTOR *)&s[l][r][h] += __builtin_convertvector(u, VECTOR);                                              \
          }                                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
  }
#define LOW_BIT_MANY_RANGE(K, W)                                                                                       \
  LOW_BIT_MANY_SUM(K, W, double, Many##W, double)                                                                      \
  LOW_BIT_MANY_SUM(K, K, float, ManyStored##K##_f, float)                                                              \
  HD void low_bit_many_##K(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op, \
                           const int bits) {                                                                           \
    const int32_t *row = a->a.row;                                                                                     \
    for (int64_t lane = begin; lane < end; lane += LOW_LANES) {                                                        \
      double s[LOW_LANES][3][K];                                                                                       \
      if (a->a.threshold) {                                                                                            \
        low_bit_many_double_##K(a, lane / LOW_LANES, s, B, bits);                                                      \
      } else {                                                                                                         \
        float f[LOW_LANES][3][K];                                                                                      \
        low_bit_many_float_##K(a, lane / LOW_LANES, f, B, bits);                                                       \
        for (int e = 0; e < LOW_LANES * B * K; ++e)                                                                    \
          s[e / (B * K)][e / K % B][e % K] = (double)f[e / (B * K)][e / K % B][e % K];                                 \
      }                                                                                                                \
      for (int64_t l = 0; l < LOW_LANES && lane + l < end; ++l) {                                                      \
        const int64_t i = row ? row[lane + l] : lane + l;                                                              \
        for (int r = 0; r < B; ++r) many_ends_f(a, op, (i * B + r) * K, s[l][r], sum, K);                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
MANY_EACH(LOW_BIT_MANY_RANGE)
#undef LOW_BIT_MANY_SUM
#undef LOW_BIT_MANY_RANGE
