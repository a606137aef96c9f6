/* The order of rows and the storage of ssor; see ssor_layout.h. */
#include "solver/precond/ssor_layout.h"
#include "core/memory.h"
#include "algebra/graph/coloring.h"
#include "solver/precond/ssor_rows.h"

#include <stdlib.h>

/* Rows change places only inside windows of so many of one colour, so that neighbours stay near each other. */
enum { WINDOW = 16 * SSOR_SLICE };

/* Couplings of a row to earlier and to later colours. */
typedef struct Lengths {
  int32_t part[2], row;
} Lengths;

static int32_t part_of(const Coloring *colors, int32_t i, int32_t j) { return colors->color[j] > colors->color[i]; }

static Lengths lengths_of(const Pattern *p, const Coloring *colors, int32_t i) {
  Lengths l = {{0, 0}, i};
  for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
    if (p->column[k] != i) ++l.part[part_of(colors, i, p->column[k])];
  return l;
}

static int longest_first(const void *left, const void *right) {
  const Lengths *a = left, *b = right;
  for (int part = 0; part < 2; ++part)
    if (a->part[part] != b->part[part]) return a->part[part] > b->part[part] ? -1 : 1;
  return a->row < b->row ? -1 : a->row > b->row;
}

/* Rows of about the same length come together. */
static Status sort_places(const Pattern *p, const Coloring *colors, SsorLayout *l) {
  Lengths *key = NULL;
  ALLOC(key, WINDOW, "lengths of the rows of a colour");
  for (int32_t c = 0; c < colors->n_color; ++c)
    for (int32_t begin = colors->first[c]; begin < colors->first[c + 1]; begin += WINDOW) {
      const int32_t left = colors->first[c + 1] - begin, count = left < WINDOW ? left : WINDOW;
      for (int32_t i = 0; i < count; ++i) key[i] = lengths_of(p, colors, colors->row[begin + i]);
      qsort(key, (size_t)count, sizeof *key, longest_first);
      for (int32_t i = 0; i < count; ++i) {
        l->row[begin + i] = key[i].row;
        l->place[key[i].row] = begin + i;
      }
    }
  FREE(key);
  return OK;
}

static Status make_slices(const Coloring *colors, SsorLayout *l) {
  for (int32_t c = 0; c <= l->n_color; ++c) l->first[c] = colors->first[c];
  for (int32_t c = 0; c < l->n_color; ++c)
    l->first_slice[c + 1] = l->first_slice[c] + (l->first[c + 1] - l->first[c] + SSOR_SLICE - 1) / SSOR_SLICE;
  l->n_slice = l->first_slice[l->n_color];
  ALLOC(l->top, (int64_t)l->n_slice + 1, "slices of the colours");
  for (int32_t c = 0; c < l->n_color; ++c)
    for (int32_t i = l->first[c]; i < l->first[c + 1]; ++i) {
      l->home[i] = l->first_slice[c] + (i - l->first[c]) / SSOR_SLICE;
      if ((i - l->first[c]) % SSOR_SLICE == 0) l->top[l->home[i]] = i;
    }
  l->top[l->n_slice] = l->n;
  return OK;
}

static Status find_starts(const Pattern *p, const Coloring *colors, SsorLayout *l) {
  ALLOC(l->start, 2 * (int64_t)l->n_slice + 1, "starts of the slices");
  for (int32_t s = 0; s < l->n_slice; ++s) {
    int64_t width[2] = {0, 0};
    for (int32_t i = l->top[s]; i < l->top[s + 1]; ++i) {
      const Lengths row = lengths_of(p, colors, l->row[i]);
      for (int part = 0; part < 2; ++part)
        if (row.part[part] > width[part]) width[part] = row.part[part];
    }
    for (int part = 0; part < 2; ++part)
      l->start[part * l->n_slice + s + 1] = width[part] * (l->top[s + 1] - l->top[s]);
  }
  for (int32_t s = 0; s < 2 * l->n_slice; ++s) l->start[s + 1] += l->start[s];
  return OK;
}

/* Padding of one slice. Every column that stands here belongs to the triangle, so the half sweep has set x there. */
static void ssor_layout_pad(const SsorLayout *l, int64_t begin, int64_t end) {
  int32_t any = 0;
  for (int64_t e = begin; e < end; ++e)
    if (l->entry[e] >= 0) any = l->column[e];
  for (int64_t e = begin; e < end; ++e)
    if (l->entry[e] < 0) l->column[e] = any;
}

static Status place_couplings(const Pattern *p, const Coloring *colors, SsorLayout *l) {
  const int64_t n_stored = l->start[2 * l->n_slice];
  ALLOC(l->column, n_stored, "columns by colour");
  ALLOC(l->entry, n_stored, "matrix entries by colour");
  for (int64_t e = 0; e < n_stored; ++e) l->entry[e] = -1;
  for (int32_t at = 0; at < l->n; ++at) {
    const int32_t i = l->row[at], s = l->home[at], height = l->top[s + 1] - l->top[s];
    int64_t next[2] = {l->start[s] + at - l->top[s], l->start[l->n_slice + s] + at - l->top[s]};
    l->diagonal[at] = -1;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int32_t j = p->column[k];
      if (j == i) {
        l->diagonal[at] = k;
        continue;
      }
      int64_t *to = &next[part_of(colors, i, j)];
      l->column[*to] = l->place[j];
      l->entry[*to] = k;
      *to += height;
    }
    CHECK(l->diagonal[at] >= 0, ERR_BUG, "row %d of the pattern has no diagonal", i);
  }
  for (int32_t s = 0; s < 2 * l->n_slice; ++s) ssor_layout_pad(l, l->start[s], l->start[s + 1]);
  return OK;
}

static Status ssor_layout_build(const Pattern *p, const Coloring *colors, SsorLayout *l) {
  l->n = p->n;
  l->n_color = colors->n_color;
  ALLOC(l->row, l->n, "rows by colour");
  ALLOC(l->place, l->n, "places of the rows");
  ALLOC(l->first, (int64_t)l->n_color + 1, "first places of the colours");
  ALLOC(l->first_slice, (int64_t)l->n_color + 1, "first slices of the colours");
  ALLOC(l->home, l->n, "slices of the places");
  ALLOC(l->diagonal, l->n, "diagonal entries by colour");
  TRY(sort_places(p, colors, l));
  TRY(make_slices(colors, l));
  TRY(find_starts(p, colors, l));
  return place_couplings(p, colors, l);
}

Status ssor_layout_create(const Pattern *pattern, SsorLayout **out) {
  *out = NULL;
  Coloring *colors = NULL;
  SsorLayout *l = NULL;
  Status status;
  TRY_DONE(coloring_create(pattern, &colors));
  ALLOC_DONE(l, 1, "the layout of a matrix by colours");
  TRY_DONE(ssor_layout_build(pattern, colors, l));
  *out = l;
  l = NULL;
done:
  coloring_destroy(&colors);
  ssor_layout_destroy(&l);
  return status;
}

void ssor_layout_destroy(SsorLayout **layout) {
  SsorLayout *l = *layout;
  if (!l) return;
  FREE(l->row);
  FREE(l->place);
  FREE(l->first);
  FREE(l->first_slice);
  FREE(l->home);
  FREE(l->top);
  FREE(l->start);
  FREE(l->column);
  FREE(l->entry);
  FREE(l->diagonal);
  FREE(*layout);
}
