/* CSR on the CPU in one precision; included by csr.c with REAL and NAMED set. */
HD void NAMED(csr_scale_row)(const ProductArgs *a, int64_t i, const MatOp op) {
  const double *s = (const double *)a->b;
  const REAL *value = (const REAL *)a->a.value;
  for (int64_t k = a->a.start[i]; k < a->a.start[i + 1]; ++k) {
    const double t = s[i] * (double)value[k] * s[a->a.column[k]];
    if (op == MAT_SCALE_D) ((double *)a->w)[k] = t;
    else ((float *)a->w)[k] = (float)t;
  }
}

HD void NAMED(csr_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                         const MatOp op) {
  (void)block;
  const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;
  const int32_t *column = a->a.column;
  for (int64_t i = begin; i < end; ++i) {
    if (op == MAT_SCALE_D || op == MAT_SCALE_F) {
      NAMED(csr_scale_row)(a, i, op);
      continue;
    }
    REAL s = 0;
    const int64_t last = a->a.start[i + 1];
    if (op == MAT_DIAGONAL) {
      for (int64_t k = a->a.start[i]; k < last; ++k) s += column[k] == i ? value[k] : 0;
    } else if (op == MAT_ABS) {
      for (int64_t k = a->a.start[i]; k < last; ++k) s += value[k] < 0 ? -value[k] : value[k];
    } else {
#pragma omp simd reduction(+ : s)
      for (int64_t k = a->a.start[i]; k < last; ++k) s += value[k] * v[column[k]];
    }
    NAMED(product_row)(a, op, i, s, sum);
  }
}
