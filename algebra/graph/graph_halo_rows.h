/* Row kernels of graph_halo.c: how long rows are, and which entries go to other ranks. */
#pragma once
#include "algebra/graph/graph_rows.h"

typedef struct GraphHaloArgs {
  GraphRows rows;
  const int32_t *sent; /* rows that others read; NULL: row i */
  int32_t *width;      /* of width: entries of a row */
  const int64_t *at;   /* of list: where those of sent row k begin */
  int32_t *entry;
} GraphHaloArgs;
HD void graph_halo_width_body(const GraphHaloArgs *a, int64_t k, double sum[]) {
  (void)sum;
  a->width[k] = (int32_t)graph_width(&a->rows, a->sent ? a->sent[k] : k);
}
HD void graph_halo_list_body(const GraphHaloArgs *a, int64_t k, double sum[]) {
  int64_t at = a->at[k];
  (void)sum;
  for (GraphSpan e = graph_span(&a->rows, a->sent[k]); e.at < e.end; e.at += e.step) a->entry[at++] = (int32_t)e.at;
}

/* Starts of rows behind those that are there. */
typedef struct GraphBehindArgs {
  const int64_t *from;
  int64_t *to;
  int64_t first; /* entries before */
} GraphBehindArgs;
HD void graph_behind_body(const GraphBehindArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->to[i] = a->first + a->from[i];
}
