/* Scalar rows of a half sweep of ssor, and of the way back, for vectors and matrix stored as REAL and blocks of B;
 * included by ssor_rows.h with REAL and NAMED set, hence no guard. */

/* Row r of G^-1 (S r) at a place: G is the Cholesky factor of the scaled diagonal block, 1 for scalars. */
HD double NAMED(ssor_right)(const SsorArgs *a, int64_t place, int r, const int B) {
  const double *residual = a->residual + (int64_t)a->row[place] * B;
  if (B == 1) return residual[0];
  const REAL *g = (const REAL *)a->factor + place * (B * (B + 1) / 2) + r * (r + 1) / 2;
  double t = 0;
  for (int c = 0; c <= r; ++c) t += (double)g[c] * residual[c];
  return t;
}

/* What the sum s over the triangle makes of x; i counts the block rows of the colour. */
HD void NAMED(ssor_update)(const SsorArgs *a, int64_t i, int r, double s, const int B) {
  const int64_t place = a->first + i, at = place * B + r;
  REAL *x = (REAL *)a->x;
  double y = a->kind == SSOR_START ? 0 : (double)x[at];
  if (a->kind == SSOR_TURN) {
    y = (2 - a->omega) * y - a->omega * s;
  } else {
    const double other = a->kind == SSOR_NEXT ? (double)((const REAL *)a->carry)[at] : 0;
    const double right = a->omega * (NAMED(ssor_right)(a, place, r, B) - other - s);
    y = (1 - a->omega) * y + right;
    if (a->twice) y = (1 - a->omega) * y + right;
  }
  x[at] = (REAL)y;
  if (a->keep) ((REAL *)a->carry)[at] = (REAL)s;
}

/* One scalar row, t of the colour: a thread of a GPU. */
HD void NAMED(ssor_sweep)(const SsorArgs *a, int64_t t, const int B) {
  if (*a->stop) return;
  const int64_t i = t / B, slice = i / SSOR_SLICE, lane = i - slice * SSOR_SLICE, begin = a->start[slice];
  const int r = (int)(t - i * B), height = ssor_height(a, slice);
  const int64_t width = (a->start[slice + 1] - begin) / height, step = (int64_t)height * B;
  const int32_t *column = a->column + begin + lane;
  const REAL *value = (const REAL *)a->value + begin * B * B + lane * B + r, *x = (const REAL *)a->x;
  double s = 0;
  for (int64_t k = 0; k < width; ++k) {
    const REAL *v = x + (int64_t)column[k * height] * B;
    for (int c = 0; c < B; ++c) s += (double)value[(k * B + c) * step] * (double)v[c];
  }
  NAMED(ssor_update)(a, i, r, s, B);
}

/* The same for a whole slice: reads storage in storage order and adds in the same order. */
HD void NAMED(ssor_slice)(const SsorArgs *a, int64_t slice, const int B) {
  const int height = ssor_height(a, slice);
  const int64_t begin = a->start[slice], width = (a->start[slice + 1] - begin) / height;
  const int32_t *column = a->column + begin;
  const REAL *value = (const REAL *)a->value + begin * B * B, *x = (const REAL *)a->x;
  double s[3 * SSOR_SLICE] = {0};
  for (int64_t k = 0; k < width; ++k, column += height)
    for (int c = 0; c < B; ++c, value += height * B)
      for (int lane = 0; lane < height; ++lane) {
        const double v = (double)x[(int64_t)column[lane] * B + c];
        for (int r = 0; r < B; ++r) s[lane * B + r] += (double)value[lane * B + r] * v;
      }
  for (int lane = 0; lane < height; ++lane)
    for (int r = 0; r < B; ++r) NAMED(ssor_update)(a, slice * SSOR_SLICE + lane, r, s[lane * B + r], B);
}

/* z = G^-T x back in the order of the matrix; sum S r.z */
HD void NAMED(ssor_back)(const SsorArgs *a, int64_t t, double sum[], const int B) {
  if (*a->stop) return;
  const int64_t place = t / B;
  const int r = (int)(t - place * B);
  const REAL *x = (const REAL *)a->x + place * B;
  const int64_t at = (int64_t)a->row[place] * B + r;
  double z = (double)x[0];
  if (B > 1) {
    const REAL *g = (const REAL *)a->factor + place * (B * (B + 1) / 2);
    z = 0;
    for (int k = r; k < B; ++k) z += (double)g[k * (k + 1) / 2 + r] * (double)x[k];
  }
  const REAL stored = (REAL)z;
  ((REAL *)a->result)[at] = stored;
  sum[0] += a->residual[at] * (double)stored;
}
