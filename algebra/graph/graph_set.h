/* graph_count and graph_fill on the CPU: the columns of a row in a table instead of in order, which asks one place for a
 * column, not all before it. The same graph as by graph_rows.h, which is what longer rows and the GPU take. */
#pragma once
#include "algebra/graph/graph_rows.h"

#include <stdbool.h>

enum { GRAPH_TABLE_BITS = 10, GRAPH_TABLE = 1 << GRAPH_TABLE_BITS };
_Static_assert(GRAPH_LOCAL <= UINT8_MAX && GRAPH_TABLE > 4 * GRAPH_LOCAL, "places in a row fit a byte, and are free");

/* Slot h of the table is taken by row[place[h]] when that says so too: what earlier rows left there does not count, and
 * nothing is cleared between rows. */
typedef struct GraphSet {
  int32_t n, row[GRAPH_LOCAL];
  uint16_t slot[GRAPH_LOCAL];
  uint8_t place[GRAPH_TABLE];
} GraphSet;

static inline bool graph_set_add(GraphSet *s, int32_t c) {
  uint32_t h = (uint32_t)c * 2654435769u >> (32 - GRAPH_TABLE_BITS);
  for (;; h = (h + 1) % GRAPH_TABLE) {
    const int32_t k = s->place[h];
    if (k >= s->n || s->slot[k] != h) break;
    if (s->row[k] == c) return true;
  }
  if (s->n == GRAPH_LOCAL) return false;
  s->row[s->n] = c;
  s->slot[s->n] = (uint16_t)h;
  s->place[h] = (uint8_t)s->n++;
  return true;
}

/* Columns of row i in no order; false where they do not fit. */
static inline bool graph_set_unite(const GraphUnionArgs *a, int64_t i, GraphSet *s) {
  s->n = 0;
  for (GraphSpan k = graph_span(&a->a, i); k.at < k.end; k.at += k.step) {
    const int32_t j = a->a_column ? a->a_column[k.at] : (int32_t)k.at;
    if (a->of) {
      if (a->of[j] >= 0 && !graph_set_add(s, a->of[j])) return false;
      continue;
    }
    for (GraphSpan e = graph_span(&a->b, j); e.at < e.end; e.at += e.step) {
      const int32_t c = a->b_column[e.at];
      if ((!a->column_in || a->column_in[c]) && !graph_set_add(s, c)) return false;
    }
  }
  return true;
}

static inline void graph_set_sort(const GraphSet *s, int32_t *to) {
  for (int32_t n = 0; n < s->n; ++n) {
    int32_t k = n;
    for (; k > 0 && to[k - 1] > s->row[n]; --k) to[k] = to[k - 1];
    to[k] = s->row[n];
  }
}

static inline void graph_count_span(const GraphUnionArgs *a, int64_t begin, int64_t end) {
  GraphSet s = {0};
  for (int64_t i = begin; i < end; ++i) {
    const bool in = !a->row_in || a->row_in[i];
    a->count[i] = !in ? 0 : graph_set_unite(a, i, &s) ? s.n : -graph_bound(a, i);
  }
}

static inline void graph_fill_span(const GraphUnionArgs *a, int64_t begin, int64_t end) {
  GraphSet s = {0};
  double none;
  for (int64_t i = begin; i < end; ++i) {
    if (a->row_in && !a->row_in[i]) continue;
    if (a->start[i + 1] - a->start[i] <= GRAPH_LOCAL && graph_set_unite(a, i, &s)) {
      graph_set_sort(&s, a->column + a->start[i]);
      a->count[i] = s.n;
    } else {
      graph_fill_body(a, i, &none);
    }
  }
}
