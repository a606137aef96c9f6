/* What the CPU products of all formats with K columns share: K numbers side by side as one vector of the processor (the
 * vector extension of gcc and clang), and the epilogue: product_row on copies, which no store can alias. One precision;
 * included by the formats' files with REAL and NAMED set, hence no guard. */
typedef REAL NAMED(ManyStored2) __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
typedef REAL NAMED(ManyStored4) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
typedef REAL NAMED(ManyStored8) __attribute__((vector_size(8 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

HD void NAMED(many_fetch)(REAL *to, int8_t *to_extra, const void *from, const int8_t *extra, int64_t at, const int K) {
  if (from) memcpy(to, (const REAL *)from + at, sizeof *to * (size_t)K);
  if (from && extra) memcpy(to_extra, extra + at, (size_t)K);
}
HD void NAMED(many_keep)(void *to, int8_t *to_extra, const REAL *from, const int8_t *extra, int64_t at, const int K) {
  if (to) memcpy((REAL *)to + at, from, sizeof *from * (size_t)K);
  if (to && to_extra) memcpy(to_extra + at, extra, (size_t)K);
}

/* s [K] row sums, sum [K] */
HD void NAMED(many_ends)(const ProductArgs *a, MatOp op, int64_t at, const double *s, double *sum, const int K) {
  const bool combines = op == MAT_COMBINE || op == MAT_COMBINE_DOT;
  REAL v[MANY_MOST] = {0}, u[MANY_MOST] = {0}, w[MANY_MOST] = {0}, z[MANY_MOST] = {0};
  int8_t v_extra[MANY_MOST] = {0}, u_extra[MANY_MOST] = {0}, w_extra[MANY_MOST] = {0}, z_extra[MANY_MOST] = {0};
  double b[MANY_MOST] = {0};
  ProductArgs c = *a;
  c.v = v;
  c.u = a->u ? u : NULL;
  c.w = a->w ? w : NULL;
  c.z = a->z ? z : NULL;
  c.b = b;
  c.v_extra = a->v_extra ? v_extra : NULL;
  c.u_extra = a->u_extra ? u_extra : NULL;
  c.w_extra = a->w_extra ? w_extra : NULL;
  c.z_extra = a->z_extra ? z_extra : NULL;
  if (op != MAT_RESIDUAL) NAMED(many_fetch)(v, v_extra, a->v, a->v_extra, at, K);
  if (combines) NAMED(many_fetch)(u, u_extra, a->u, a->u_extra, at, K);
  if (combines && a->e0 != 0) NAMED(many_fetch)(z, z_extra, a->z, a->z_extra, at, K);
  if (a->b) memcpy(b, a->b + at, sizeof *b * (size_t)K);
  for (int q = 0; q < K; ++q) NAMED(many_end)(&c, op, q, s[q], sum + q);
  NAMED(many_keep)(a->w, a->w_extra, w, w_extra, at, K);
  if (combines) NAMED(many_keep)(a->z, a->z_extra, z, z_extra, at, K);
}
