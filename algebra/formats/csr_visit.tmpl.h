/* What is done once per matrix with a scalar row of CSR: diagonal, row sum of absolute values, scaled copy. One
 * precision; included by csr.c and gpu/formats/csr.cu with REAL and NAMED set. */
HD void NAMED(csr_visit)(const ProductArgs *a, int64_t i, const MatOp op) {
  const REAL *value = (const REAL *)a->a.value;
  const double *b = a->b;
  REAL s = 0;
  for (int64_t k = a->a.start[i]; k < a->a.start[i + 1]; ++k) {
    const int32_t j = a->a.column[k];
    const REAL t = value[k];
    if (op == MAT_DIAGONAL) s += j == i ? t : 0;
    else if (op == MAT_ABS) s += t < 0 ? -t : t;
    else if (op == MAT_SCALE_D) ((double *)a->w)[k] = b[i] * (double)t * b[j];
    else ((float *)a->w)[k] = (float)(b[i] * (double)t * b[j]);
  }
  if (op == MAT_DIAGONAL || op == MAT_ABS) ((REAL *)a->w)[i] = s;
}
