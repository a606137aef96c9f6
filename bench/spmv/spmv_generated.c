/* Matrices with the row lengths of the ELL-WARP paper's Table II (papers/ell-warp-heart-fem), where the paper used
 * collections that are not shipped here: number of rows, mean, shortest and longest row as in the table. Lengths are
 * drawn from p(l) ~ l^-a with the exponent that gives the mean; half the columns of a row lie near its diagonal, half
 * anywhere (`spread`), or all near it. */
#include "bench/spmv/spmv.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static const struct {
  const char *name;
  int32_t rows, shortest, longest;
  double mean;
  bool spread;
} KINDS[] = {
    {"webbase", 1000005, 1, 4700, 3.1, true}, {"circuit", 170998, 1, 353, 5.6, true},
    {"economics", 206500, 1, 44, 6.2, true},  {"epidemiology", 525825, 2, 4, 3.99, false},
    {"qcd", 49152, 39, 39, 39, true},         {"protein", 36417, 18, 204, 119.3, false},
};
enum { N_KIND = sizeof KINDS / sizeof *KINDS };

const char *spmv_generated_name(int i) { return i >= 0 && i < N_KIND ? KINDS[i].name : NULL; }

/* Steele, Lea, Flood 2014, splitmix64. */
static uint64_t random_of(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double unit_random(uint64_t *state) { return (double)(random_of(state) >> 11) * 0x1p-53; }

/* Cumulative probabilities [longest - shortest + 1] of p ~ l^-a; the mean. */
static double distribute(int32_t shortest, int32_t longest, double a, double *cumulative) {
  double sum = 0, mean = 0;
  for (int32_t l = shortest; l <= longest; ++l) {
    const double p = pow((double)l / longest, -a);
    sum += p;
    mean += p * l;
    cumulative[l - shortest] = sum;
  }
  for (int32_t l = shortest; l <= longest; ++l) cumulative[l - shortest] /= sum;
  return mean / sum;
}

static int32_t draw(const double *cumulative, int32_t shortest, int32_t longest, double u) {
  int32_t low = shortest, high = longest;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (cumulative[middle - shortest] < u) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int ascending(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

/* `length` different columns of row i, the diagonal among them, ascending. */
static void fill_row(int32_t *column, int32_t length, int32_t i, int32_t n, bool spread, uint64_t *state) {
  const int32_t band = 2 * length + 32 < n ? 2 * length + 32 : n;
  const int32_t first = i < band / 2 ? 0 : i - band / 2 > n - band ? n - band : i - band / 2;
  int32_t have = 0;
  column[have++] = i;
  while (have < length) {
    const bool anywhere = spread && have % 2;
    const int32_t range = anywhere ? n : band;
    column[have++] = (anywhere ? 0 : first) + (int32_t)(random_of(state) % (uint64_t)range);
    if (have < length) continue;
    qsort(column, (size_t)have, sizeof *column, ascending);
    int32_t kept = 1;
    for (int32_t k = 1; k < have; ++k)
      if (column[k] != column[kept - 1]) column[kept++] = column[k];
    have = kept;
  }
}

static Status fill(Pattern *p, int i, const double *cumulative) {
  uint64_t state = 1000003u * (uint64_t)(i + 1);
  const int32_t longest = KINDS[i].longest < p->n ? KINDS[i].longest : p->n;
  for (int32_t r = 0; r < p->n; ++r) {
    int32_t length = draw(cumulative, KINDS[i].shortest, KINDS[i].longest, unit_random(&state));
    if (r == p->n / 2 || length > longest) length = longest;
    p->start[r + 1] = p->start[r] + length;
  }
  ALLOC(p->column, p->start[p->n], "columns");
  for (int32_t r = 0; r < p->n; ++r)
    fill_row(p->column + p->start[r], (int32_t)(p->start[r + 1] - p->start[r]), r, p->n, KINDS[i].spread, &state);
  return OK;
}

Status spmv_generated(int i, int32_t percent, Pattern **out) {
  Pattern *p = NULL;
  double *cumulative = NULL;
  Status status;
  *out = NULL;
  ALLOC_DONE(p, 1, "pattern");
  p->block = 1;
  p->n = (int32_t)((int64_t)KINDS[i].rows * percent / 100);
  if (p->n < 64) p->n = 64;
  ALLOC_DONE(p->start, (int64_t)p->n + 1, "row starts");
  ALLOC_DONE(cumulative, KINDS[i].longest - KINDS[i].shortest + 1, "row lengths");
  double low = -50, high = 50; /* the mean falls with the exponent */
  for (int turn = 0; turn < 60; ++turn) {
    const double middle = 0.5 * (low + high);
    if (distribute(KINDS[i].shortest, KINDS[i].longest, middle, cumulative) > KINDS[i].mean) low = middle;
    else high = middle;
  }
  TRY_DONE(fill(p, i, cumulative));
done:
  FREE(cumulative);
  if (status != OK) pattern_destroy(&p);
  *out = p;
  return status;
}
