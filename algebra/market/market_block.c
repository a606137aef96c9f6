/* Scalar rows of a matrix joined to blocks. */
#include "algebra/market/matrix_market.h"
#include "core/memory.h"

/* One block row: merges the sorted columns of its scalar rows. Writes block columns and values where `column` is not
 * NULL; gives the number of blocks. */
static int64_t join_row(const MarketMatrix *m, int32_t row, int32_t b, int32_t *column, double *value) {
  const Pattern *p = m->pattern;
  int64_t at[3] = {0}, n = 0;
  for (int32_t r = 0; r < b; ++r) at[r] = p->start[row * b + r];
  for (;;) {
    int32_t lowest = INT32_MAX;
    for (int32_t r = 0; r < b; ++r)
      if (at[r] < p->start[row * b + r + 1] && p->column[at[r]] / b < lowest) lowest = p->column[at[r]] / b;
    if (lowest == INT32_MAX) return n;
    for (int32_t r = 0; r < b; ++r)
      for (; at[r] < p->start[row * b + r + 1] && p->column[at[r]] / b == lowest; ++at[r])
        if (column) value[(n * b + r) * b + p->column[at[r]] % b] = m->value[at[r]];
    if (column) column[n] = lowest;
    ++n;
  }
}

static Status join_rows(const MarketMatrix *from, int32_t b, Pattern *p, double **value) {
  ALLOC(p->start, p->n + 1, "block rows of a matrix");
  for (int32_t i = 0; i < p->n; ++i) p->start[i + 1] = p->start[i] + join_row(from, i, b, NULL, NULL);
  ALLOC(p->column, p->start[p->n], "block columns of a matrix");
  ALLOC(*value, p->start[p->n] * b * b, "values of a matrix");
  for (int32_t i = 0; i < p->n; ++i) join_row(from, i, b, p->column + p->start[i], *value + p->start[i] * b * b);
  return OK;
}

Status market_matrix_block(MarketMatrix *matrix, int32_t block) {
  CHECK(matrix->pattern->block == 1 && block >= 1 && block <= 3, ERR_BUG, "blocks of %d from blocks of %d", block,
        matrix->pattern->block);
  if (block == 1) return OK;
  const int32_t n = matrix->pattern->n;
  CHECK(n % block == 0, ERR_INPUT, "%d rows cannot be cut into blocks of %d", n, block);
  Pattern *pattern = NULL;
  double *value = NULL;
  ALLOC(pattern, 1, "the pattern of a matrix");
  pattern->n = n / block;
  pattern->block = block;
  const Status status = join_rows(matrix, block, pattern, &value);
  if (status != OK) {
    pattern_destroy(&pattern);
    FREE(value);
    return status;
  }
  pattern_destroy(&matrix->pattern);
  FREE(matrix->value);
  matrix->pattern = pattern;
  matrix->value = value;
  return OK;
}
