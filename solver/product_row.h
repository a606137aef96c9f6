/* The epilogue of one scalar row in one precision; included by product.h with REAL and NAMED set, hence no guard. */
HD void NAMED(product_row)(const ProductArgs *a, MatOp op, int64_t i, REAL s, double sum[]) {
  REAL *w = (REAL *)a->w;
  const REAL *v = (const REAL *)a->v, *u = (const REAL *)a->u, *b = (const REAL *)a->b;
  if (op == MAT_COMBINE || op == MAT_COMBINE_DOT) {
    REAL t = (REAL)a->c0 * s + (REAL)a->c1 * v[i];
    if (u) t += (REAL)a->c2 * u[i];
    if (b) t += (REAL)a->c3 * b[i];
    w[i] = t;
    if (op == MAT_COMBINE_DOT) sum[0] += (double)b[i] * (double)t;
  } else if (op == MAT_RESIDUAL) {
    const REAL t = b[i] - s;
    w[i] = t;
    sum[0] += (double)t * (double)t;
    sum[1] += (double)b[i] * (double)b[i];
  } else {
    w[i] = s;
    if (op == MAT_DOT) sum[0] += (double)v[i] * (double)s;
  }
}
