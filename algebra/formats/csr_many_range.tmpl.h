/* CSR times K interleaved vectors on the CPU. One precision; included by csr_many.c with REAL and NAMED set. */
#define CSR_MANY_RANGE(K)                                                                                              \
  HD void NAMED(csr_many_range_##K)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,    \
                                    const MatOp op) {                                                                  \
    (void)block;                                                                                                       \
    const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;                                             \
    const int32_t *column = a->a.column;                                                                               \
    for (int64_t i = begin; i < end; ++i) {                                                                            \
      Many##K s = {0};                                                                                                 \
      for (int64_t k = a->a.start[i]; k < a->a.start[i + 1]; ++k)                                                      \
        s += (double)value[k] * MANY_VECTOR(K, v + (int64_t)column[k] * K);                                            \
      NAMED(many_ends)(a, op, i * K, (const double *)&s, sum, K);                                                      \
    }                                                                                                                  \
  }
CSR_MANY_RANGE(2)
CSR_MANY_RANGE(4)
CSR_MANY_RANGE(8)
#undef CSR_MANY_RANGE
