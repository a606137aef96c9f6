/* What is done once per matrix with a scalar row of segSpMV: diagonal, row sum of absolute values, scaled copy. One
 * precision; included by segspmv.c and gpu/formats/segspmv.cu with REAL and NAMED set. */
HD void NAMED(segspmv_visit)(const ProductArgs *a, int64_t i, const MatOp op) {
  const MatView *m = &a->a;
  const REAL *value = (const REAL *)m->value;
  const double *b = a->b;
  REAL s = 0;
  for (int64_t q = m->start[i]; q < m->start[i + 1]; ++q)
    for (int32_t e = 0; e < m->threshold; ++e) {
      const int64_t at = segspmv_place(q, e, m->threshold, m->threads), j = m->column[at];
      const REAL t = value[at];
      if (op == MAT_DIAGONAL) s += j == i ? t : 0;
      else if (op == MAT_ABS) s += t < 0 ? -t : t;
      else if (op == MAT_SCALE_D) ((double *)a->w)[at] = b[i] * (double)t * b[j];
      else ((float *)a->w)[at] = (float)(b[i] * (double)t * b[j]);
    }
  if (op == MAT_DIAGONAL || op == MAT_ABS) ((REAL *)a->w)[i] = s;
}
