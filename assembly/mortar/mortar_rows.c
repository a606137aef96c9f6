/* Rows of numbers: sorted by row by counting, then each row by insertion, which keeps the order of equals. */
#include "assembly/mortar/mortar_rows.h"
#include "core/memory.h"

static const char *const WHAT = "weights of a tie";

/* A row in ascending order of columns; what it is long after equals are added. */
static int64_t row_merge(int64_t n, int32_t *column, double *value) {
  int64_t m = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t c = column[i];
    const double v = value[i];
    int64_t low = 0, high = m;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (column[middle] < c) low = middle + 1;
      else high = middle;
    }
    if (low < m && column[low] == c) {
      value[low] += v;
      continue;
    }
    for (int64_t k = m; k > low; --k) column[k] = column[k - 1], value[k] = value[k - 1];
    column[low] = c, value[low] = v;
    ++m;
  }
  return m;
}

Status mortar_rows(int32_t n_row, int64_t n, const MortarEntry *entry, int64_t **start, int32_t **column,
                   double **value) {
  int64_t *at = NULL, out = 0;
  double *number = NULL;
  Status status = OK;
  ALLOC_DONE(at, (int64_t)n_row + 2, WHAT);
  ALLOC_DONE(*start, (int64_t)n_row + 1, WHAT);
  ALLOC_DONE(*column, n, WHAT);
  ALLOC_DONE(number, n, WHAT);
  for (int64_t k = 0; k < n; ++k) ++at[entry[k].row + 2];
  for (int32_t i = 0; i < n_row; ++i) at[i + 2] += at[i + 1];
  for (int64_t k = 0; k < n; ++k) {
    const int64_t to = at[entry[k].row + 1]++;
    (*column)[to] = entry[k].column, number[to] = entry[k].value;
  }
  for (int32_t i = 0; i < n_row; ++i) {
    const int64_t m = row_merge(at[i + 1] - at[i], *column + at[i], number + at[i]);
    for (int64_t k = 0; k < m; ++k) (*column)[out + k] = (*column)[at[i] + k], number[out + k] = number[at[i] + k];
    (*start)[i + 1] = out += m;
  }
  if (value) *value = number, number = NULL;
done:
  FREE(at);
  FREE(number);
  return status;
}
