/* Greedy colouring of a matrix graph; see coloring.h. */
#include "algebra/graph/coloring.h"
#include "core/memory.h"

#include <stdbool.h>
#include <string.h>

enum { CLASS_ROUNDS = 6 };

/* Arrays of [n] for one attempt after the other. */
typedef struct Attempt {
  const Pattern *pattern;         /* borrowed */
  int32_t *order, *color, *taken; /* owned; taken[c] = i when a neighbour of row i has colour c */
  int32_t *first;                 /* owned, [n + 1], for counting sorts */
} Attempt;

static Status attempt_create(const Pattern *pattern, Attempt *a) {
  a->pattern = pattern;
  ALLOC(a->order, pattern->n, "order of the rows to colour");
  ALLOC(a->color, pattern->n, "colours of the rows");
  ALLOC(a->taken, pattern->n, "colours that are taken");
  ALLOC(a->first, (int64_t)pattern->n + 1, "rows by colour");
  return OK;
}

static void attempt_release(Attempt *a) {
  FREE(a->order);
  FREE(a->color);
  FREE(a->taken);
  FREE(a->first);
}

static int64_t coloring_length(const Pattern *p, int32_t i) { return p->start[i + 1] - p->start[i]; }

/* Colours the rows in a->order; returns the number of colours. */
static int32_t first_fit(Attempt *a) {
  const Pattern *p = a->pattern;
  int32_t n_color = 0;
  memset(a->color, -1, (size_t)p->n * sizeof *a->color);
  memset(a->taken, -1, (size_t)p->n * sizeof *a->taken);
  for (int32_t k = 0; k < p->n; ++k) {
    const int32_t i = a->order[k];
    for (int64_t e = p->start[i]; e < p->start[i + 1]; ++e) {
      const int32_t c = a->color[p->column[e]];
      if (c >= 0) a->taken[c] = i;
    }
    int32_t c = 0;
    while (a->taken[c] == i) ++c;
    a->color[i] = c;
    if (c >= n_color) n_color = c + 1;
  }
  return n_color;
}

/* a->order <- rows by key, ascending and stable; key(i) lies in [0, n). */
static void sort_rows(Attempt *a, int32_t (*key)(const Attempt *, int32_t)) {
  const int32_t n = a->pattern->n;
  memset(a->first, 0, ((size_t)n + 1) * sizeof *a->first);
  for (int32_t i = 0; i < n; ++i) ++a->first[key(a, i) + 1];
  for (int32_t c = 0; c < n; ++c) a->first[c + 1] += a->first[c];
  for (int32_t i = 0; i < n; ++i) a->order[a->first[key(a, i)]++] = i;
}

static int32_t by_nothing(const Attempt *a, int32_t i) {
  (void)a, (void)i;
  return 0;
}
static int32_t by_degree(const Attempt *a, int32_t i) {
  const int64_t more = a->pattern->n - coloring_length(a->pattern, i); /* 0 when all rows are neighbours */
  return more < a->pattern->n ? (int32_t)more : a->pattern->n - 1;
}
/* Colours are fewer than rows, so the last class gets the smallest key. */
static int32_t by_last_class(const Attempt *a, int32_t i) { return a->pattern->n - 1 - a->color[i]; }

static int32_t coloring_choose(Attempt *a) {
  sort_rows(a, by_degree);
  const int32_t largest_first = first_fit(a);
  sort_rows(a, by_nothing);
  int32_t n_color = first_fit(a);
  if (largest_first < n_color) {
    sort_rows(a, by_degree);
    n_color = first_fit(a);
  }
  for (int round = 0; round < CLASS_ROUNDS; ++round) {
    sort_rows(a, by_last_class);
    n_color = first_fit(a);
  }
  return n_color;
}

static bool is_valid(const Attempt *a) {
  const Pattern *p = a->pattern;
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t e = p->start[i]; e < p->start[i + 1]; ++e)
      if (p->column[e] != i && a->color[p->column[e]] == a->color[i]) return false;
  return true;
}

static Status gather_classes(const Attempt *a, int32_t n_color, Coloring *c) {
  const int32_t n = a->pattern->n;
  c->n = n;
  c->n_color = n_color;
  ALLOC(c->first, (int64_t)n_color + 1, "first rows of the colours");
  ALLOC(c->row, n, "rows by colour");
  ALLOC(c->color, n, "colours of the rows");
  memcpy(c->color, a->color, (size_t)n * sizeof *c->color);
  for (int32_t i = 0; i < n; ++i) ++c->first[a->color[i] + 1];
  for (int32_t k = 0; k < n_color; ++k) c->first[k + 1] += c->first[k];
  for (int32_t i = 0; i < n; ++i) c->row[c->first[a->color[i]]++] = i;
  for (int32_t k = n_color; k > 0; --k) c->first[k] = c->first[k - 1]; /* the cursors ran one class on */
  c->first[0] = 0;
  return OK;
}

Status coloring_create(const Pattern *pattern, Coloring **out) {
  *out = NULL;
  Attempt attempt = {0};
  Coloring *c = NULL;
  Status status;
  TRY_DONE(attempt_create(pattern, &attempt));
  const int32_t n_color = coloring_choose(&attempt);
  if (!is_valid(&attempt)) {
    status = FAIL(ERR_BUG, "the pattern of the matrix is not symmetric, its rows cannot be coloured");
    goto done;
  }
  ALLOC_DONE(c, 1, "a colouring");
  TRY_DONE(gather_classes(&attempt, n_color, c));
  *out = c;
  c = NULL;
done:
  attempt_release(&attempt);
  coloring_destroy(&c);
  return status;
}

void coloring_destroy(Coloring **coloring) {
  if (!*coloring) return;
  FREE((*coloring)->first);
  FREE((*coloring)->row);
  FREE((*coloring)->color);
  FREE(*coloring);
}
