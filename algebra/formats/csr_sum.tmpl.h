/* The sum of the entries [begin, end) of a row in CSR, on the CPU. Included with REAL and NAMED set. */
HD double NAMED(csr_sum)(const ProductArgs *a, int64_t begin, int64_t end) {
  const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;
  const int32_t *column = a->a.column;
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (int64_t k = begin; k < end; ++k) s += (double)value[k] * (double)v[column[k]];
  return s;
}
