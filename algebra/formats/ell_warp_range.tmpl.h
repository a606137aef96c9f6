/* ELL-WARP on the CPU for values stored as REAL: a warp's 32 lanes are four vectors of 8 doubles (the vector extension
 * of gcc and clang) that stay in registers over all its entries. Included by ell_warp.c with REAL and NAMED set. */
typedef REAL NAMED(WarpStored) __attribute__((vector_size(8 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

HD void NAMED(ell_warp_gather)(const REAL *v, const int32_t *column, WarpLanes *x) {
  *x = __builtin_convertvector(((NAMED(WarpStored)){v[column[0]], v[column[1]], v[column[2]], v[column[3]],
                                                    v[column[4]], v[column[5]], v[column[6]], v[column[7]]}),
                               WarpLanes);
}

/* s[lane] = what the lane's entries give; where lanes share rows, added up down to the first 8 of them. */
HD void NAMED(ell_warp_sum)(const MatView *m, const REAL *v, int64_t start, int64_t end, int32_t count, double *s) {
  const WarpLanes zero = {0};
  WarpLanes part[4] = {zero, zero, zero, zero};
  const REAL *value = (const REAL *)m->value;
  for (int64_t at = start; at < end; at += 32)
#pragma GCC unroll 4
    for (int g = 0; g < 4; ++g) {
      WarpLanes x;
      NAMED(ell_warp_gather)(v, m->column + at + 8 * g, &x);
      part[g] += __builtin_convertvector(*(const NAMED(WarpStored) *)(value + at + 8 * g), WarpLanes) * x;
    }
  if (count <= 16) {
    part[0] += part[2];
    part[1] += part[3];
  }
  if (count <= 8) part[0] += part[1];
  memcpy(s, part, sizeof part);
}

/* Once per matrix. A warp's row is shared by the lanes r, r + rows, r + 2 rows, ... */
HD void NAMED(ell_warp_visits)(const ProductArgs *a, int64_t warp, double *s, const MatOp op) {
  const MatView *m = &a->a;
  const int32_t first = m->order[warp], count = m->order[warp + 1] - first, rows = ell_warp_rows(count);
  for (int32_t lane = 0; lane < 32; ++lane) {
    const int32_t r = lane & (rows - 1);
    const int64_t i = r >= count ? -1 : m->row ? m->row[first + r] : first + r;
    s[lane] = i < 0 ? 0 : NAMED(ell_warp_visit)(a, m->start[warp], m->start[warp + 1], lane, i, op);
  }
}

HD void NAMED(ell_warp_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                              const MatOp op) {
  (void)block;
  const MatView *m = &a->a;
  for (int64_t warp = begin / 32; warp < end / 32; ++warp) {
    const int32_t first = m->order[warp], count = m->order[warp + 1] - first;
    double s[32];
    if (mat_op_visits(op)) NAMED(ell_warp_visits)(a, warp, s, op);
    else NAMED(ell_warp_sum)(m, (const REAL *)a->v, m->start[warp], m->start[warp + 1], count, s);
    if (op == MAT_SCALE_D || op == MAT_SCALE_F) continue;
    for (int32_t offset = mat_op_visits(op) ? 16 : 4; offset >= count; offset /= 2)
      for (int32_t l = 0; l < offset; ++l) s[l] += s[l + offset];
    for (int32_t r = 0; r < count; ++r) NAMED(product_row)(a, op, m->row ? m->row[first + r] : first + r, s[r], sum);
  }
}
