/* Is a matrix from a file one for conjugate gradients? */
#include "algebra/market/market_file.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEEDED "conjugate gradients need a symmetric positive definite matrix"

static const double TOLERANCE = 1e-12, ROUND_OFF = 16 * DBL_EPSILON;

/* Place of (row, column), -1 when there is none. */
static int64_t place_of(const Pattern *p, int32_t row, int32_t column) {
  const int64_t start = p->start[row], at = ascending_find(p->start[row + 1] - start, p->column + start, column);
  return at < 0 ? -1 : start + at;
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

static void market_check_compare(const MarketMatrix *m, int32_t i, int32_t j, double a, double b, Unequal *out) {
  if (equal_enough(m, i, j, a, b)) return;
  if (out->n++ == 0) *out = (Unequal){1, i, j};
}

/* Goes through the upper triangle by rows; next[j] walks along the lower part of row j, whose columns are met in the
 * same ascending order. */
static Status find_unequal(const MarketMatrix *m, Unequal *out) {
  const Pattern *p = m->pattern;
  int64_t *next = NULL;
  ALLOC(next, p->n, "the symmetry check");
  for (int32_t i = 0; i < p->n; ++i) next[i] = p->start[i];
  for (int32_t i = 0; i < p->n; ++i) {
    int64_t k = next[i]; /* the rest of the lower part has no partner above */
    for (; p->column[k] < i; ++k) market_check_compare(m, p->column[k], i, 0, m->value[k], out);
    for (++k; k < p->start[i + 1]; ++k) {
      const int32_t j = p->column[k];
      for (; p->column[next[j]] < i; ++next[j])
        market_check_compare(m, p->column[next[j]], j, 0, m->value[next[j]], out);
      const bool there = p->column[next[j]] == i;
      market_check_compare(m, i, j, m->value[k], there ? m->value[next[j]] : 0, out);
      next[j] += there;
    }
  }
  FREE(next);
  return OK;
}

static void market_check_describe(const MarketMatrix *m, int32_t i, int32_t j, char *text, size_t size) {
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
  market_check_describe(m, i, j, one, sizeof one);
  market_check_describe(m, j, i, other, sizeof other);
  return source_fail(&f->source, market_find(f, i, j, 1),
                     "the matrix is not symmetric: entry %s but %s; %lld pair%s\n  " NEEDED, one, other,
                     (long long)found.n, found.n == 1 ? " differs" : "s differ");
}

/* ERR_NUMERIC with the line of entry (i, j), where the file gives it. */
static Status not_positive(MarketFile *f, int32_t i, int32_t j, const char *what, const char *remedy) {
  char place[32] = "";
  const int64_t at = market_find(f, i, j, 1);
  if (at >= 0) snprintf(place, sizeof place, ":%lld", (long long)market_line(f, at));
  return FAIL(ERR_NUMERIC, "%s%s: the matrix is not positive definite: %s\n  " NEEDED "%s", f->source.label, place,
              what, remedy);
}

static double market_check_diagonal(const MarketMatrix *m, int32_t i) { return m->value[place_of(m->pattern, i, i)]; }

/* All rows add up to 0: of a graph, whose lone vertices have empty ones. */
static bool is_laplacian(const MarketMatrix *m) {
  for (int32_t i = 0; i < m->pattern->n; ++i) {
    double sum = 0, size = 0;
    for (int64_t k = m->pattern->start[i]; k < m->pattern->start[i + 1]; ++k) {
      sum += m->value[k];
      size += fabs(m->value[k]);
    }
    if (!(fabs(sum) <= TOLERANCE * size)) return false;
  }
  return true;
}

static Status check_diagonal(MarketFile *f, const MarketMatrix *m) {
  int64_t n = 0;
  int32_t first = -1;
  for (int32_t i = 0; i < m->pattern->n; ++i) {
    if (market_check_diagonal(m, i) > 0) continue;
    if (n++ == 0) first = i;
  }
  if (n == 0) return OK;
  char what[160];
  if (market_find(f, first, first, 1) < 0)
    snprintf(what, sizeof what, "diagonal entry (%d, %d) is not in the file, which makes it zero", first + 1,
             first + 1);
  else
    snprintf(what, sizeof what, "diagonal entry (%d, %d) is %.15g", first + 1, first + 1,
             market_check_diagonal(m, first));
  snprintf(what + strlen(what), sizeof what - strlen(what), "; %lld such entr%s", (long long)n, n == 1 ? "y" : "ies");
  const bool lone = n < m->pattern->n && is_laplacian(m);
  return not_positive(f, first, first, what,
                      lone ? "; a graph Laplacian is solved by --project-constant"
                      : n == m->pattern->n
                          ? "; all entries of the diagonal are like that: change the sign of matrix and "
                            "right-hand side"
                          : "");
}

/* A positive definite matrix has a_ij^2 < a_ii a_jj. */
static Status check_pairs(MarketFile *f, const MarketMatrix *m) {
  const Pattern *p = m->pattern;
  for (int32_t i = 0; i < p->n; ++i) {
    const double root = sqrt(market_check_diagonal(m, i)) * (1 + TOLERANCE);
    for (int64_t k = p->start[i]; p->column[k] < i; ++k) {
      const int32_t j = p->column[k];
      if (fabs(m->value[k]) <= root * sqrt(market_check_diagonal(m, j))) continue;
      char what[256];
      snprintf(what, sizeof what, "entry (%d, %d) is %.15g, too large beside (%d, %d) = %.15g and (%d, %d) = %.15g",
               i + 1, j + 1, m->value[k], i + 1, i + 1, market_check_diagonal(m, i), j + 1, j + 1,
               market_check_diagonal(m, j));
      return not_positive(f, i, j, what, "");
    }
  }
  return OK;
}

enum { SMALL = 256 };

/* Cholesky factor of a small matrix, row by row. A pivot near zero ends it without a verdict: a singular system may
 * have a solution. */
static Status check_pivots(MarketFile *f, const MarketMatrix *m) {
  const Pattern *p = m->pattern;
  const int32_t n = p->n;
  double *l = NULL;
  ALLOC(l, n * n, "the check of a small matrix");
  Status status = OK;
  for (int32_t i = 0; i < n && status == OK; ++i) {
    double *row = l + i * n;
    for (int64_t k = p->start[i]; p->column[k] <= i; ++k) {
      row[p->column[k]] = m->value[k];
      if (k + 1 == p->start[i + 1]) break;
    }
    for (int32_t j = 0; j <= i; ++j) {
      for (int32_t k = 0; k < j; ++k) row[j] -= row[k] * l[j * n + k];
      if (j < i) row[j] /= l[j * n + j];
    }
    if (row[i] > 1e-10 * market_check_diagonal(m, i)) {
      row[i] = sqrt(row[i]);
      continue;
    }
    char what[96];
    snprintf(what, sizeof what, "elimination meets %.6g on the diagonal in row %d", row[i], i + 1);
    if (row[i] < -1e-10 * market_check_diagonal(m, i)) status = not_positive(f, i, i, what, "");
    break;
  }
  FREE(l);
  return status;
}

Status market_check_positive(MarketFile *f, const MarketMatrix *m) {
  TRY(check_diagonal(f, m));
  TRY(check_pairs(f, m));
  return m->pattern->n <= SMALL ? check_pivots(f, m) : OK;
}
