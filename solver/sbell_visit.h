/* What is done once per matrix with a block row of SBELL: diagonal, row sums of absolute values, scaled copy. `lane` is
 * where block row i lies. One precision; included by sbell.c and gpu/format_sbell.cu with REAL and NAMED set. */
HD void NAMED(sbell_visit)(const ProductArgs *a, int64_t lane, int64_t i, const int B, const MatOp op) {
  const MatView *m = &a->a;
  const int64_t slice = lane / m->slice, first = m->start[slice] * B * B + lane - slice * m->slice;
  const int64_t step = m->slice;
  const double *s = a->b;
  const REAL *value = (const REAL *)m->value;
  REAL sum[3] = {0, 0, 0};
  for (int64_t k = m->start[slice] + lane - slice * step, at = first; k < m->start[slice + 1];
       k += step, at += B * B * step)
    for (int e = 0; e < B * B; ++e) {
      const int64_t j = m->column[k];
      const int r = e / B, c = e % B;
      const REAL t = value[at + e * step];
      if (op == MAT_DIAGONAL) sum[r] += r == c && j == i ? t : 0;
      else if (op == MAT_ABS) sum[r] += t < 0 ? -t : t;
      else if (op == MAT_SCALE_D) ((double *)a->w)[at + e * step] = s[i * B + r] * (double)t * s[j * B + c];
      else ((float *)a->w)[at + e * step] = (float)(s[i * B + r] * (double)t * s[j * B + c]);
    }
  if (op == MAT_DIAGONAL || op == MAT_ABS)
    for (int r = 0; r < B; ++r) ((REAL *)a->w)[i * B + r] = sum[r];
}
