/* What is done once per matrix with a block row of SBELL: diagonal, row sums of absolute values, scaled copy. `lane` is
 * where block row i lies. One precision; included by sbell.c and gpu/formats/sbell.cu with REAL and NAMED set. */
/* Scaled copy with blocks G in u: G_i S_i A_ij S_j G_j^T. */
HD void NAMED(sbell_scale_blocks)(const ProductArgs *a, int64_t lane, int64_t i, const int B, const MatOp op) {
  const MatView *m = &a->a;
  const int64_t slice = lane / m->slice, step = m->slice;
  const double *s = a->b, *g = (const double *)a->u;
  const REAL *value = (const REAL *)m->value;
  for (int64_t k = m->start[slice] + lane - slice * step, at = m->start[slice] * B * B + lane - slice * step;
       k < m->start[slice + 1]; k += step, at += B * B * step) {
    const int64_t j = m->column[k];
    double t[9];
    for (int e = 0; e < B * B; ++e) t[e] = s[i * B + e / B] * (double)value[at + e * step] * s[j * B + e % B];
    block_both_sides(g + i * B * B, g + j * B * B, t, B);
    for (int e = 0; e < B * B; ++e) {
      if (op == MAT_SCALE_D) ((double *)a->w)[at + e * step] = t[e];
      else ((float *)a->w)[at + e * step] = (float)t[e];
    }
  }
}

HD void NAMED(sbell_visit)(const ProductArgs *a, int64_t lane, int64_t i, const int B, const MatOp op) {
  const MatView *m = &a->a;
  const int64_t slice = lane / m->slice, first = m->start[slice] * B * B + lane - slice * m->slice;
  const int64_t step = m->slice;
  const double *s = a->b;
  const REAL *value = (const REAL *)m->value;
  REAL sum[3] = {0, 0, 0};
  double diagonal[9] = {0};
  if (a->u && (op == MAT_SCALE_D || op == MAT_SCALE_F)) {
    NAMED(sbell_scale_blocks)(a, lane, i, B, op);
    return;
  }
  for (int64_t k = m->start[slice] + lane - slice * step, at = first; k < m->start[slice + 1];
       k += step, at += B * B * step)
    for (int e = 0; e < B * B; ++e) {
      const int64_t j = m->column[k];
      const int r = e / B, c = e % B;
      const REAL t = value[at + e * step];
      if (op == MAT_DIAGONAL && j == i) diagonal[e] += (double)t; /* padding lies in column i too */
      if (op == MAT_DIAGONAL) sum[r] += r == c && j == i ? t : 0;
      else if (op == MAT_ABS) sum[r] += t < 0 ? -t : t;
      else if (op == MAT_SCALE_D) ((double *)a->w)[at + e * step] = s[i * B + r] * (double)t * s[j * B + c];
      else ((float *)a->w)[at + e * step] = (float)(s[i * B + r] * (double)t * s[j * B + c]);
    }
  if (op == MAT_DIAGONAL && a->z)
    for (int e = 0; e < B * B; ++e) ((double *)a->z)[i * B * B + e] = diagonal[e];
  if (op == MAT_DIAGONAL || op == MAT_ABS)
    for (int r = 0; r < B; ++r) ((REAL *)a->w)[i * B + r] = sum[r];
}
