/* Formats in which 32 threads of a GPU's warp read 32 entries next to each other, turn by turn, `team` threads to a row
 * or segment: thread q of the warp takes entry turn x team + q mod team of row q / team. On the CPU for values stored
 * as REAL the 32 are four vectors of 8 doubles (the vector extension of gcc and clang) that stay in registers. Included
 * by the formats with REAL and NAMED set, TeamLanes and TEAM_WARP come from algebra/formats/teams.h. */
typedef REAL NAMED(TeamStored) __attribute__((vector_size(8 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

HD void NAMED(team_gather)(const REAL *v, const int32_t *column, TeamLanes *x) {
  *x = __builtin_convertvector(((NAMED(TeamStored)){v[column[0]], v[column[1]], v[column[2]], v[column[3]],
                                                    v[column[4]], v[column[5]], v[column[6]], v[column[7]]}),
                               TeamLanes);
}

/* s[q] = what thread q of a warp finds in its `turns` entries, from `at` on and one every `step`; then the sum over
 * each team in its first thread, in the order in which shuffles add. */
HD void NAMED(team_sums)(const MatView *m, const REAL *v, int64_t at, int64_t turns, int64_t step, double *s) {
  const TeamLanes zero = {0};
  TeamLanes part[4] = {zero, zero, zero, zero};
  const REAL *value = (const REAL *)m->value + at;
  const int32_t *column = m->column + at;
  for (int64_t k = 0; k < turns; ++k, value += step, column += step)
#pragma GCC unroll 4
    for (int g = 0; g < 4; ++g) {
      TeamLanes x;
      NAMED(team_gather)(v, column + 8 * g, &x);
      part[g] += __builtin_convertvector(*(const NAMED(TeamStored) *)(value + 8 * g), TeamLanes) * x;
    }
  for (int g = 0; g < 4; ++g)
    for (int l = 0; l < 8; ++l) s[8 * g + l] = part[g][l];
  for (int32_t offset = m->threads / 2; offset > 0; offset /= 2)
    for (int32_t q = 0; q + offset < TEAM_WARP; ++q) s[q] += s[q + offset];
}
