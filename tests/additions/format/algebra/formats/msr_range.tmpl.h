/* A row of the modified sparse row format on CPU and GPU in one precision; REAL and NAMED are set. The diagonal is
 * value[i], what stands beside it value[start[i]] .. value[start[i + 1] - 1]. */
HD void NAMED(msr_row)(const ProductArgs *a, int64_t i, double *sum, const MatOp op) {
  const REAL *value = (const REAL *)a->a.value, *v = (const REAL *)a->v;
  const int64_t n = a->a.n;
  const double *b = a->b;
  double s = 0;
  for (int64_t k = a->a.start[i] - 1; k < a->a.start[i + 1]; ++k) {
    const int64_t at = k < a->a.start[i] ? i : k, j = k < a->a.start[i] ? i : a->a.column[k - n];
    const double t = (double)value[at];
    if (op == MAT_DIAGONAL) s += j == i ? t : 0;
    else if (op == MAT_ABS) s += t < 0 ? -t : t;
    else if (op == MAT_SCALE_D) ((double *)a->w)[at] = b[i] * t * b[j];
    else if (op == MAT_SCALE_F) ((float *)a->w)[at] = (float)(b[i] * t * b[j]);
    else s += t * (double)v[j];
  }
  if (op == MAT_DIAGONAL || op == MAT_ABS) ((REAL *)a->w)[i] = (REAL)s;
  else if (!mat_op_visits(op)) NAMED(product_row)(a, op, i, s, sum);
}

HD void NAMED(msr_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                         const MatOp op) {
  (void)block;
  for (int64_t i = begin; i < end; ++i) NAMED(msr_row)(a, i, sum, op);
}
