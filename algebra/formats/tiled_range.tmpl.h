/* Lanes [begin, end) of a tiled copy on the host: included by tiled.c with RANGE, the type of vectors VECTOR, what an entry holds,
 * VALUE and PLACE, what a product takes away of v_j, LESS, and adds, MORE, and the epilogue ROW; forgets them. No guard on
 * purpose. */
static void RANGE(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B, const MatOp op) {
  const MatView *m = &a->a;
  const VECTOR *v = (const VECTOR *)a->v;
  (void)B;
  for (int64_t lane = begin; lane < end; ++lane) {
    const int64_t i = m->row[lane], tile = lane / m->slice, slice = lane / LOW_LANES;
    double all = 0, diagonal = 0;
    VECTOR s = 0;
    for (int64_t k = m->start[slice] + lane % LOW_LANES; k < m->start[slice + 1]; k += LOW_LANES) {
      const double t = VALUE(m, k);
      const int64_t j = tiled_column(m, tile, PLACE(m, k));
      if (op == MAT_ABS) all += fabs(t);
      else if (op == MAT_DIAGONAL) diagonal += j == i ? t : 0;
      else s += (VECTOR)t * (v[j] - LESS(v, i));
    }
    if (mat_op_visits(op)) ((VECTOR *)a->w)[i] = (VECTOR)(op == MAT_ABS ? all : diagonal);
    else ROW(a, op, i, (double)s + MORE(m, lane, v, i), sum);
  }
}
#undef RANGE
#undef VECTOR
#undef VALUE
#undef PLACE
#undef LESS
#undef MORE
#undef ROW
