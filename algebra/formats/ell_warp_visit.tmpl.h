/* What is done once per matrix with the entries of one lane of ELL-WARP: returns the lane's part of the diagonal or of
 * the row sum of absolute values (to be added over the lanes of row i), or writes the scaled copy. `start` and `end`
 * bound the entries of the warp. One precision; included by ell_warp.c and gpu/formats/ell_warp.cu with REAL and NAMED
 * set. */
HD double NAMED(ell_warp_visit)(const ProductArgs *a, int64_t start, int64_t end, int32_t lane, int64_t i,
                                const MatOp op) {
  const REAL *value = (const REAL *)a->a.value;
  const double *b = (const double *)a->b;
  double s = 0;
  for (int64_t at = start + lane; at < end; at += 32) {
    const int64_t j = a->a.column[at];
    const double t = (double)value[at];
    if (op == MAT_DIAGONAL) s += j == i ? t : 0;
    else if (op == MAT_ABS) s += t < 0 ? -t : t;
    else if (op == MAT_SCALE_D) ((double *)a->w)[at] = b[i] * t * b[j];
    else ((float *)a->w)[at] = (float)(b[i] * t * b[j]);
  }
  return s;
}
