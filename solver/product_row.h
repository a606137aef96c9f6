/* The epilogue of one scalar row for vectors stored as REAL; included by product.h with REAL and NAMED set, hence no
 * guard. */
HD void NAMED(product_row)(const ProductArgs *a, MatOp op, int64_t i, double s, double sum[]) {
  REAL *w = (REAL *)a->w;
  const REAL *v = (const REAL *)a->v, *u = (const REAL *)a->u, *b = (const REAL *)a->b;
  if (op == MAT_COMBINE || op == MAT_COMBINE_DOT) {
    double t = a->c0 * s + a->c1 * (double)v[i];
    if (u) t += a->c2 * (double)u[i];
    if (b) t += a->c3 * (double)b[i];
    w[i] = (REAL)t;
    if (op == MAT_COMBINE_DOT) sum[0] += (double)b[i] * (double)w[i];
  } else if (op == MAT_RESIDUAL) {
    const double t = (double)b[i] - s;
    w[i] = (REAL)t;
    sum[0] += t * t;
    sum[1] += (double)b[i] * (double)b[i];
  } else {
    w[i] = (REAL)s;
    if (op == MAT_DOT) sum[0] += (double)v[i] * s;
  }
}
