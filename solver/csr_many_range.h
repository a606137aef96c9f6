/* CSR times K interleaved vectors on the CPU. One precision; included by csr_many.c with REAL and NAMED set. */
HD void NAMED(csr_many_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block, const MatOp op,
                              const int K) {
  (void)block;
  const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;
  for (int64_t i = begin; i < end; ++i) {
    double s[MANY_MOST] = {0};
    for (int64_t k = a->a.start[i]; k < a->a.start[i + 1]; ++k) {
      const REAL *x = v + (int64_t)a->a.column[k] * K;
      const double t = (double)value[k];
      for (int q = 0; q < K; ++q) s[q] += t * (double)x[q];
    }
    for (int q = 0; q < K; ++q) NAMED(many_end)(a, op, i * K + q, s[q], sum + q);
  }
}
