#include "app/commands/free_constant.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Numbers the rows that entries other than 0 tie to `row`, breadth first; queue has room for all rows. Whether all of
 * them add up to 0. */
static bool free_constant_follow(const MarketMatrix *m, int32_t row, int32_t number, FreeConstant *f, int32_t *queue) {
  const Pattern *p = m->pattern;
  int64_t begin = 0, end = 0;
  bool is_free = true;
  queue[end++] = row;
  f->part[row] = number;
  while (begin < end) {
    const int32_t i = queue[begin++];
    double sum = 0, size = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int32_t j = p->column[k];
      sum += m->value[k];
      size += fabs(m->value[k]);
      if (m->value[k] == 0 || f->part[j] >= 0) continue;
      f->part[j] = number;
      queue[end++] = j;
    }
    is_free &= fabs(sum) <= 1e-12 * size;
  }
  f->size[number] = end;
  return is_free;
}

static void set_diagonal(const MarketMatrix *m, int32_t i) {
  const Pattern *p = m->pattern;
  for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
    if (p->column[k] == i) m->value[k] = 1;
}

/* `correct`: rows that are tied to nothing get a diagonal. */
static Status constant_find(const MarketMatrix *m, bool correct, FreeConstant *f) {
  Status status = OK;
  int32_t *queue = NULL;
  bool *is_free = NULL;
  ALLOC_DONE(f->part, f->n, "connected parts");
  ALLOC_DONE(f->size, f->n, "connected parts");
  ALLOC_DONE(f->sum, f->n, "connected parts");
  ALLOC_DONE(queue, f->n, "connected parts");
  ALLOC_DONE(is_free, f->n, "connected parts");
  for (int64_t i = 0; i < f->n; ++i) f->part[i] = -1;
  for (int32_t i = 0; i < f->n; ++i) {
    if (f->part[i] >= 0) continue;
    const int32_t number = f->n_part++;
    is_free[number] = free_constant_follow(m, i, number, f, queue);
    f->n_free += is_free[number];
    if (correct && is_free[number] && f->size[number] == 1) set_diagonal(m, i);
  }
  for (int64_t i = 0; i < f->n; ++i)
    if (!is_free[f->part[i]]) f->part[i] = -1;
done:
  FREE(queue);
  FREE(is_free);
  return status;
}

Status free_constant_find(MarketMatrix *matrix, FreeConstant *out) {
  *out = (FreeConstant){.n = matrix->pattern->n};
  CHECK(matrix->pattern->block == 1, ERR_USAGE, "sinew: --project-constant is for one unknown per node; omit --block");
  const Status status = constant_find(matrix, true, out);
  if (status != OK) free_constant_release(out);
  return status;
}

/* A look at the sums first: where no row adds up to 0 no part does. */
Status free_constant_count(const MarketMatrix *m, int32_t *n_free, int32_t *n_part) {
  const Pattern *p = m->pattern;
  int64_t n_zero = 0;
  *n_free = *n_part = 0;
  for (int32_t i = 0; i < p->n; ++i) {
    double sum = 0, size = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      sum += m->value[k];
      size += fabs(m->value[k]);
    }
    n_zero += fabs(sum) <= 1e-12 * size;
  }
  if (n_zero == 0 || p->block != 1) return OK;
  FreeConstant f = {.n = p->n};
  const Status status = constant_find(m, false, &f);
  *n_free = f.n_free;
  *n_part = f.n_part;
  free_constant_release(&f);
  return status;
}

void free_constant_release(FreeConstant *f) {
  FREE(f->part);
  FREE(f->size);
  FREE(f->sum);
  *f = (FreeConstant){0};
}

double free_constant_project(const FreeConstant *f, double *v) {
  double all = 0, gone = 0;
  memset(f->sum, 0, (size_t)f->n_part * sizeof *f->sum);
  for (int64_t i = 0; i < f->n; ++i)
    if (f->part[i] >= 0) f->sum[f->part[i]] += v[i];
  for (int64_t i = 0; i < f->n; ++i) {
    all += v[i] * v[i];
    if (f->part[i] < 0) continue;
    const double mean = f->sum[f->part[i]] / (double)f->size[f->part[i]];
    gone += mean * mean;
    v[i] -= mean;
  }
  return all > 0 ? sqrt(gone / all) : 0;
}
