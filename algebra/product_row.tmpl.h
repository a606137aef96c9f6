/* The epilogue of one scalar row for vectors stored as REAL; included by product.h with REAL and NAMED set, hence no
 * guard. */
HD void NAMED(product_row)(const ProductArgs *a, MatOp op, int64_t i, double s, double sum[]) {
  REAL *w = (REAL *)a->w;
  const REAL *v = (const REAL *)a->v, *u = (const REAL *)a->u;
  const double *b = a->b;
  if (op == MAT_COMBINE || op == MAT_COMBINE_DOT) {
    REAL *z = (REAL *)a->z;
    const double vi = NAMED(extra_read)(v, a->v_extra, i), ui = u ? NAMED(extra_read)(u, a->u_extra, i) : 0;
    const double bi = product_has_b(a, op) ? b[i] : 0, t = product_w(a, s, vi, ui, bi);
    if (w) NAMED(extra_write)(w, a->w_extra, i, t);
    if (z) {
      const double y = product_z(a, t, vi, ui, bi);
      const double zi = a->e0 != 0 ? y + a->e0 * NAMED(extra_read)(z, a->z_extra, i) : y;
      const double stored = NAMED(extra_write)(z, a->z_extra, i, zi);
      if (op == MAT_COMBINE_DOT) sum[0] += bi * stored;
    }
  } else if (op == MAT_RESIDUAL) {
    const double t = b[i] - s;
    w[i] = (REAL)t;
    sum[0] += t * t;
    sum[1] += b[i] * b[i];
  } else if (op == MAT_SEMI) {
    const double f2 = a->f[2], z = (double)((const REAL *)a->z)[i], vi = (double)v[i];
    const double rest = (double)u[i] - z * vi - f2 * s;
    const REAL slope = (REAL)(z + f2 * (double)((const REAL *)a->diagonal)[i]);
    w[i] = (REAL)(vi + a->f[0] * (vi - (double)w[i]) + a->f[1] * (double)((REAL)rest / slope));
  } else {
    w[i] = (REAL)s;
    if (op == MAT_DOT) sum[0] += (double)v[i] * s;
  }
}
