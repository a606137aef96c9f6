/* Sliced ELLR-T on the CPU for values stored as REAL: the 32 / T rows of a GPU's warp at a time, as far as the longest
 * of them reaches. Included by sliced_ellr_t.c with REAL and NAMED set. */
HD void NAMED(sliced_ellr_t_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                                   const MatOp op) {
  (void)block;
  const MatView *m = &a->a;
  if (mat_op_visits(op)) {
    for (int64_t lane = begin; lane < end; ++lane)
      NAMED(sliced_ellr_t_visit)(a, lane, m->row ? m->row[lane] : lane, op);
    return;
  }
  const int64_t team = m->threads, rows = TEAM_WARP / team;
  for (int64_t first = begin; first < end; first += rows) {
    const int64_t slice = first / m->slice, count = end - first < rows ? end - first : rows;
    int32_t turns = 0;
    for (int64_t l = 0; l < count; ++l) turns = m->length[first + l] > turns ? m->length[first + l] : turns;
    double s[TEAM_WARP];
    NAMED(team_sums)
    (m, (const REAL *)a->v, m->start[slice] + (first - slice * m->slice) * team, turns, team * m->slice, s);
    for (int64_t l = 0; l < count; ++l)
      NAMED(product_row)(a, op, m->row ? m->row[first + l] : first + l, s[l * team], sum);
  }
}
