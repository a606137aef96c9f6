/* What is done once per matrix with entries begin, begin + step, ... of scalar row i in CSR: their part of the diagonal or
 * of the row sum of absolute values is returned, their scaled copies are stored. One precision; included by the formats
 * in CSR and their .cu with REAL and NAMED set. */
HD REAL NAMED(csr_visit_entries)(const ProductArgs *a, int64_t i, int64_t begin, int64_t end, int64_t step,
                                 const MatOp op) {
  const REAL *value = (const REAL *)a->a.value;
  const double *b = a->b;
  REAL s = 0;
  for (int64_t k = begin; k < end; k += step) {
    const int32_t j = a->a.column[k];
    const REAL t = value[k];
    if (op == MAT_DIAGONAL) s += j == i ? t : 0;
    else if (op == MAT_ABS) s += t < 0 ? -t : t;
    else if (op == MAT_SCALE_D) ((double *)a->w)[k] = b[i] * (double)t * b[j];
    else ((float *)a->w)[k] = (float)(b[i] * (double)t * b[j]);
  }
  return s;
}

/* All of row i. */
HD void NAMED(csr_visit)(const ProductArgs *a, int64_t i, int64_t begin, int64_t end, const MatOp op) {
  const REAL s = NAMED(csr_visit_entries)(a, i, begin, end, 1, op);
  if (op == MAT_DIAGONAL || op == MAT_ABS) ((REAL *)a->w)[i] = s;
}
