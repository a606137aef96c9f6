/* Row kernels of starts from solutions before (warm.h). */
#pragma once
#include "core/hd.h"

#include <math.h>

/* Solutions that are kept, and how many of them a launch sums over (ROW_SUMS). */
enum { WARM_KEPT = 8, WARM_GROUP = 4 };

/* The numbers beside the vectors, all doubles. Solution number k, from 0 on, is in place k % WARM_KEPT. */
typedef struct WarmNumbers {
  double n;                          /* solutions so far */
  double gram[WARM_KEPT][WARM_KEPT]; /* x_i.A x_j, by places */
  double b[WARM_KEPT];               /* x_i.b of the present right-hand side */
  double factor[WARM_KEPT];          /* the start is sum factor_i x_i */
} WarmNumbers;

typedef struct WarmArgs {
  double *kept; /* [WARM_KEPT][n] */
  int64_t n;
  const double *b, *r; /* r: b - A x of the solution that is to be kept */
  double *x;
  const double *near; /* x is kept less factor near; NULL: as it is */
  double factor;
  WarmNumbers *number;
  const int32_t *skip; /* not 0: this solution is none; NULL: it is one */
  int32_t first;       /* place of the group of this launch */
} WarmArgs;

/* x_i.b of a group. */
HD void warm_match_body(const WarmArgs *a, int64_t i, double sum[]) {
  const double b = a->b[i];
  for (int32_t k = 0; k < WARM_GROUP; ++k) sum[k] += a->kept[(a->first + k) * a->n + i] * b;
}
HD void warm_match_finish(const WarmArgs *a, const double sum[]) {
  for (int32_t k = 0; k < WARM_GROUP; ++k) a->number->b[a->first + k] = sum[k];
}

/* One row: the factors, by Cholesky's factorisation from the last solution to the first. One that is, to rounding, a combination of
 * later ones is left out. */
HD void warm_solve_body(const WarmArgs *a, int64_t row, double sum[]) {
  WarmNumbers *w = a->number;
  const int64_t n = (int64_t)w->n;
  const int32_t m = n < WARM_KEPT ? (int32_t)n : WARM_KEPT;
  double L[WARM_KEPT][WARM_KEPT], y[WARM_KEPT];
  (void)row;
  (void)sum;
  for (int32_t i = 0; i < WARM_KEPT; ++i) w->factor[i] = 0;
  for (int32_t i = 0; i < m; ++i) {
    const int32_t at = (int32_t)((n - 1 - i) % WARM_KEPT);
    double rest = w->gram[at][at], right = w->b[at];
    for (int32_t j = 0; j < i; ++j) {
      double s = w->gram[at][(n - 1 - j) % WARM_KEPT];
      for (int32_t k = 0; k < j; ++k) s -= L[i][k] * L[j][k];
      L[i][j] = s * L[j][j]; /* the diagonal is that of the inverse, 0 of what is left out */
      rest -= L[i][j] * L[i][j];
      right -= L[i][j] * y[j];
    }
    L[i][i] = rest > 1e-13 * w->gram[at][at] ? 1 / sqrt(rest) : 0;
    y[i] = right * L[i][i];
  }
  for (int32_t i = m - 1; i >= 0; --i) {
    double s = y[i];
    for (int32_t j = i + 1; j < m; ++j) s -= L[j][i] * w->factor[(n - 1 - j) % WARM_KEPT];
    w->factor[(n - 1 - i) % WARM_KEPT] = s * L[i][i];
  }
}

HD double warm_near(const WarmArgs *a, int64_t i) { return a->near ? a->factor * a->near[i] : 0; }

HD void warm_begin_body(const WarmArgs *a, int64_t i, double sum[]) {
  (void)sum;
  double x = warm_near(a, i);
  for (int32_t k = 0; k < WARM_KEPT; ++k) x += a->number->factor[k] * a->kept[k * a->n + i];
  a->x[i] = x;
}

/* x takes its place, if that is in this group; sums x_k.A x. */
HD void warm_keep_body(const WarmArgs *a, int64_t i, double sum[]) {
  if (a->skip && *a->skip) return;
  const int32_t place = (int32_t)((int64_t)a->number->n % WARM_KEPT) - a->first;
  const double x = a->x[i] - warm_near(a, i), image = a->b[i] - a->r[i];
  for (int32_t k = 0; k < WARM_GROUP; ++k) {
    double *at = a->kept + (a->first + k) * a->n + i;
    if (k == place) *at = x;
    sum[k] += (k == place ? x : *at) * image;
  }
}
/* Behind the last group the solution counts. */
HD void warm_keep_finish(const WarmArgs *a, const double sum[]) {
  if (a->skip && *a->skip) return;
  WarmNumbers *w = a->number;
  const int32_t place = (int32_t)((int64_t)w->n % WARM_KEPT);
  for (int32_t k = 0; k < WARM_GROUP; ++k) w->gram[place][a->first + k] = w->gram[a->first + k][place] = sum[k];
  if (a->first + WARM_GROUP == WARM_KEPT) w->n += 1;
}
