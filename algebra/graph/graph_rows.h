/* Row kernels that find the graphs of products on an Exec: rows as ascending columns without values (exec_graph.h).
 * What a row holds does not depend on who works it out: the same graph for any number of threads, on the CPU and the
 * GPU. */
#pragma once
#include "core/hd.h"

enum {
  GRAPH_LOCAL = 192, /* columns of a row that are counted beside each other; longer rows are bounded first */
  GRAPH_LONG = 256,  /* columns of a row that are passed one by one on the way to the place of a new one */
  GRAPH_WIDE = 4096  /* a row of so many columns, counted with repetitions, is worth all threads, where few are */
};

/* Where the entries of the rows are: ExecGraph. */
typedef struct GraphRows {
  const int64_t *start;
  const int32_t *lane; /* NULL: row i is lane i */
  int32_t shift;
} GraphRows;
/* The entries at, at + step ... before end. */
typedef struct GraphSpan {
  int64_t at, end, step;
} GraphSpan;
HD GraphSpan graph_span(const GraphRows *g, int64_t i) {
  const int64_t l = g->lane ? g->lane[i] : i, step = (int64_t)1 << g->shift, slice = l >> g->shift;
  GraphSpan span;
  span.at = g->start[slice] + (l & (step - 1));
  span.end = g->start[slice + 1];
  span.step = step;
  return span;
}
HD int64_t graph_width(const GraphRows *g, int64_t i) {
  const GraphSpan s = graph_span(g, i);
  return (s.end - s.at + s.step - 1) >> g->shift;
}

/* Row i of the result: the columns c of the rows of b that row i of a names, or, where `of` is there, of[column] for
 * its columns, where that is not negative. Only rows i with row_in[i] and columns c with column_in[c], NULL: all. */
typedef struct GraphUnionArgs {
  GraphRows a, b;          /* b: nothing with `of` */
  const int32_t *a_column; /* NULL: entry k is column k */
  const int32_t *b_column;
  const int32_t *of;
  const uint8_t *row_in, *column_in;
  const int64_t *start; /* fill: where row i begins, NULL in count */
  int32_t *column;      /* fill: room for what count said */
  int32_t *count; /* [row]; count: columns, or -bound where they did not fit beside each other; fill: columns, before
                            it more than GRAPH_LOCAL of rows that come from marks */
  int32_t n_column;
} GraphUnionArgs;

/* c into row[0 .. n), ascending, from place *at on, where all before are smaller; n afterwards. room: columns that
 * fit. */
HD int32_t graph_insert(int32_t *row, int32_t n, int32_t room, int32_t c, int32_t *at) {
  int32_t k = *at;
  for (int32_t most = n; k < most && row[k] < c;) { /* a step, and half of a long way that is left */
    const int32_t half = most - k > GRAPH_LONG ? k + (most - k) / 2 : k;
    if (row[half] < c) k = half + 1;
    else most = half;
  }
  *at = k;
  if (k < n && row[k] == c) return n;
  if (n == room) return n + 1;
  for (int32_t e = n; e > k; --e) row[e] = row[e - 1];
  row[k] = c;
  return n + 1;
}

/* Columns of row i in row[]; more than `room` when they do not fit. */
HD int32_t graph_unite(const GraphUnionArgs *a, int64_t i, int32_t *row, int32_t room) {
  int32_t n = 0;
  for (GraphSpan k = graph_span(&a->a, i); k.at < k.end; k.at += k.step) {
    const int32_t j = a->a_column ? a->a_column[k.at] : (int32_t)k.at;
    int32_t at = 0;
    if (a->of) {
      if (a->of[j] >= 0) n = graph_insert(row, n, room, a->of[j], &at);
      if (n > room) return n;
      continue;
    }
    for (GraphSpan e = graph_span(&a->b, j); e.at < e.end; e.at += e.step) {
      const int32_t c = a->b_column[e.at];
      if (a->column_in && !a->column_in[c]) continue;
      if (at > 0 && row[at] > c) at = 0; /* padding */
      n = graph_insert(row, n, room, c, &at);
      if (n > room) return n;
    }
  }
  return n;
}

/* Columns of row i, counted with repetitions, at most all there are. */
HD int32_t graph_bound(const GraphUnionArgs *a, int64_t i) {
  int64_t n = 0;
  for (GraphSpan k = graph_span(&a->a, i); k.at < k.end; k.at += k.step) {
    const int32_t j = a->a_column ? a->a_column[k.at] : (int32_t)k.at;
    n += a->of ? 1 : graph_width(&a->b, j);
  }
  return (int32_t)(n < a->n_column ? n : a->n_column);
}

HD void graph_count_body(const GraphUnionArgs *a, int64_t i, double sum[]) {
  int32_t row[GRAPH_LOCAL];
  (void)sum;
  if (a->row_in && !a->row_in[i]) {
    a->count[i] = 0;
    return;
  }
  const int32_t n = graph_unite(a, i, row, GRAPH_LOCAL);
  a->count[i] = n <= GRAPH_LOCAL ? n : -graph_bound(a, i);
}
HD void graph_fill_body(const GraphUnionArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if ((a->row_in && !a->row_in[i]) || a->count[i] > GRAPH_LOCAL) return; /* empty, or from marks */
  a->count[i] = graph_unite(a, i, a->column + a->start[i], (int32_t)(a->start[i + 1] - a->start[i]));
}

/* After count: columns of all rows, rows that were only bounded, and those of them that are as long as GRAPH_WIDE. */
typedef struct GraphTotalArgs {
  const int32_t *count;
  int64_t *total; /* [3] */
} GraphTotalArgs;
HD void graph_total_body(const GraphTotalArgs *a, int64_t i, double sum[]) {
  sum[0] += a->count[i] < 0 ? -a->count[i] : a->count[i];
  sum[1] += a->count[i] < 0;
  sum[2] += a->count[i] <= -GRAPH_WIDE;
}
HD void graph_total_finish(const GraphTotalArgs *a, const double sum[]) {
  for (int32_t t = 0; t < 3; ++t) a->total[t] = (int64_t)sum[t];
}

/* One row by all threads: its columns are marked. */
typedef struct GraphMarkArgs {
  GraphUnionArgs unite;
  GraphSpan span; /* of the row, in a */
  uint8_t *mark;  /* [n_column], 0 before */
} GraphMarkArgs;
/* k-th entry of the row */
HD void graph_mark_body(const GraphMarkArgs *a, int64_t k, double sum[]) {
  const GraphUnionArgs *u = &a->unite;
  const int64_t at = a->span.at + k * a->span.step;
  const int32_t j = u->a_column ? u->a_column[at] : (int32_t)at;
  (void)sum;
  if (u->of) {
    if (u->of[j] >= 0) hd_mark(&a->mark[u->of[j]]);
    return;
  }
  for (GraphSpan e = graph_span(&u->b, j); e.at < e.end; e.at += e.step)
    if (!u->column_in || u->column_in[u->b_column[e.at]]) hd_mark(&a->mark[u->b_column[e.at]]);
}
typedef struct GraphTakeArgs {
  const int64_t *marked;
  int32_t *column;
} GraphTakeArgs;
HD void graph_take_body(const GraphTakeArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->column[k] = (int32_t)a->marked[k];
}

/* Rows without the room that they do not need. */
typedef struct GraphPackArgs {
  const int64_t *from_start, *start;
  const int32_t *from;
  int32_t *column;
} GraphPackArgs;
HD void graph_pack_body(const GraphPackArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) a->column[k] = a->from[a->from_start[i] + k - a->start[i]];
}

/* The row of each entry. */
typedef struct GraphRowArgs {
  const int64_t *start;
  int32_t *row;
} GraphRowArgs;
HD void graph_row_body(const GraphRowArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) a->row[k] = (int32_t)i;
}

/* Entry (i, wanted) of a graph, -1 where there is none. */
HD int64_t graph_find(const int64_t *start, const int32_t *column, int64_t i, int32_t wanted) {
  int64_t low = start[i], high = start[i + 1];
  const int64_t end = high;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (column[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < end && column[low] == wanted ? low : -1;
}

/* Things listed by the group that each is in. */
typedef struct GraphListArgs {
  const int32_t *of; /* group of thing k; -1: in none */
  uint32_t *key, *thing;
  int64_t *start;
  int64_t n;
  int32_t n_group;
} GraphListArgs;
/* To be sorted; those in no group come last. */
HD void graph_key_body(const GraphListArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->key[k] = (uint32_t)(a->of[k] < 0 ? a->n_group : a->of[k]);
  a->thing[k] = (uint32_t)k;
}
/* Rows are the sorted things and the end: where groups begin that are larger than the one before. */
HD void graph_begin_body(const GraphListArgs *a, int64_t k, double sum[]) {
  const int64_t end = k < a->n ? (int64_t)a->key[k] : a->n_group;
  (void)sum;
  for (int64_t g = k ? (int64_t)a->key[k - 1] + 1 : 0; g <= end; ++g) a->start[g] = k;
}

/* Entries of a transpose, from the entries of the graph in their order. */
typedef struct GraphTurnArgs {
  const uint32_t *entry;
  const int32_t *row;
  int32_t *column;
  int64_t *source;
} GraphTurnArgs;
HD void graph_turn_body(const GraphTurnArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->source[k] = a->entry[k];
  a->column[k] = a->row[a->entry[k]];
}
