/* What is done once per matrix with the row i that lies in a lane of Sliced ELLR-T: diagonal, row sum of absolute
 * values, scaled copy. One precision; included by sliced_ellr_t.c and gpu/formats/sliced_ellr_t.cu with REAL and NAMED
 * set. */
HD void NAMED(sliced_ellr_t_visit)(const ProductArgs *a, int64_t lane, int64_t i, const MatOp op) {
  const MatView *m = &a->a;
  const REAL *value = (const REAL *)m->value;
  const double *b = a->b;
  const int64_t slice = lane / m->slice, team = m->threads, n = m->length[lane] * team;
  const int64_t first = m->start[slice] + (lane - slice * m->slice) * team;
  REAL s = 0;
  for (int64_t e = 0; e < n; ++e) {
    const int64_t at = first + e / team * team * m->slice + e % team, j = m->column[at];
    const REAL t = value[at];
    if (op == MAT_DIAGONAL) s += j == i ? t : 0;
    else if (op == MAT_ABS) s += t < 0 ? -t : t;
    else if (op == MAT_SCALE_D) ((double *)a->w)[at] = b[i] * (double)t * b[j];
    else ((float *)a->w)[at] = (float)(b[i] * (double)t * b[j]);
  }
  if (op == MAT_DIAGONAL || op == MAT_ABS) ((REAL *)a->w)[i] = s;
}
