/* CSR on the CPU in one precision; included by csr.c with REAL and NAMED set. */
HD void NAMED(csr_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                         const MatOp op) {
  (void)block;
  const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;
  const int32_t *column = a->a.column;
  for (int64_t i = begin; i < end; ++i) {
    if (mat_op_visits(op)) {
      NAMED(csr_visit)(a, i, op);
      continue;
    }
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t k = a->a.start[i]; k < a->a.start[i + 1]; ++k) s += (double)value[k] * (double)v[column[k]];
    NAMED(product_row)(a, op, i, s, sum);
  }
}
