/* Is a matrix from a file one for conjugate gradients? */
#include "assembly/market_file.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double TOLERANCE = 1e-12, ROUND_OFF = 16 * DBL_EPSILON;

/* Place of (row, column), -1 when there is none. */
static int64_t place_of(const Pattern *p, int32_t row, int32_t column) {
  int64_t low = p->start[row], high = p->start[row + 1];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (p->column[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < p->start[row + 1] && p->column[low] == column ? low : -1;
}

static bool equal_enough(const MarketMatrix *m, int32_t i, int32_t j, double a, double b) {
  const double off = fabs(a - b);
  if (off <= TOLERANCE * fmax(fabs(a), fabs(b))) return true;
  const double aii = m->value[place_of(m->pattern, i, i)], ajj = m->value[place_of(m->pattern, j, j)];
  return off <= ROUND_OFF * sqrt(fabs(aii)) * sqrt(fabs(ajj));
}

/* Differing pairs, and the first of them: row < column. */
typedef struct Unequal {
  int64_t n;
  int32_t row, column;
} Unequal;

static void compare(const MarketMatrix *m, int32_t i, int32_t j, double a, double b, Unequal *out) {
  if (equal_enough(m, i, j, a, b)) return;
  if (out->n++ == 0) *out = (Unequal){1, i, j};
}

/* Goes through the upper triangle by rows; next[j] walks along the lower part of row j, whose columns are met in the same
 * ascending order. */
static Status find_unequal(const MarketMatrix *m, Unequal *out) {
  const Pattern *p = m->pattern;
  int64_t *next = NULL;
  ALLOC(next, p->n, "the symmetry check");
  for (int32_t i = 0; i < p->n; ++i) next[i] = p->start[i];
  for (int32_t i = 0; i < p->n; ++i) {
    int64_t k = next[i]; /* the rest of the lower part has no partner above */
    for (; p->column[k] < i; ++k) compare(m, p->column[k], i, 0, m->value[k], out);
    for (++k; k < p->start[i + 1]; ++k) {
      const int32_t j = p->column[k];
      for (; p->column[next[j]] < i; ++next[j]) compare(m, p->column[next[j]], j, 0, m->value[next[j]], out);
      const bool there = p->column[next[j]] == i;
      compare(m, i, j, m->value[k], there ? m->value[next[j]] : 0, out);
      next[j] += there;
    }
  }
  FREE(next);
  return OK;
}

static void describe(const MarketMatrix *m, int32_t i, int32_t j, char *text, size_t size) {
  const int64_t k = place_of(m->pattern, i, j);
  if (k < 0) snprintf(text, size, "(%d, %d) is not there", i + 1, j + 1);
  else snprintf(text, size, "(%d, %d) = %.15g", i + 1, j + 1, m->value[k]);
}

Status market_check_symmetric(MarketFile *f, const MarketMatrix *m) {
  Unequal found = {0};
  char one[80], other[80];
  if (m->symmetric) return OK;
  TRY(find_unequal(m, &found));
  if (found.n == 0) return OK;
  int32_t i = found.row, j = found.column;
  if (place_of(m->pattern, i, j) < 0) i = found.column, j = found.row;
  describe(m, i, j, one, sizeof one);
  describe(m, j, i, other, sizeof other);
  return msh_fail(&f->source, market_find(f, i, j, 1), "the matrix is not symmetric: entry %s but %s; %lld pair%s\n"
                  "  conjugate gradients need a symmetric positive definite matrix", one, other, (long long)found.n,
                  found.n == 1 ? " differs" : "s differ");
}

Status market_check_diagonal(MarketFile *f, const MarketMatrix *m) {
  int64_t n = 0;
  int32_t first = -1;
  for (int32_t i = 0; i < m->pattern->n; ++i) {
    if (m->value[place_of(m->pattern, i, i)] > 0) continue;
    if (n++ == 0) first = i;
  }
  if (n == 0) return OK;
  char place[32] = "", what[64];
  const int64_t at = market_find(f, first, first, 1);
  const double value = m->value[place_of(m->pattern, first, first)];
  if (at >= 0) snprintf(place, sizeof place, ":%lld", (long long)market_line(f, at));
  if (at >= 0) snprintf(what, sizeof what, "(%d, %d) = %.15g", first + 1, first + 1, value);
  else snprintf(what, sizeof what, "(%d, %d) is not there and so", first + 1, first + 1);
  return FAIL(ERR_NUMERIC, "%s%s: the matrix is not positive definite: diagonal entry %s is not positive; %lld such "
              "entr%s\n  conjugate gradients need a symmetric positive definite matrix; where all are negative, change "
              "the sign of matrix and right-hand side", f->source.label, place, what, (long long)n, n == 1 ? "y" : "ies");
}
