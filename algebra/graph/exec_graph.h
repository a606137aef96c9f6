/* Graphs of products, found on the Exec where they are needed (graph_rows.h). */
#pragma once
#include "algebra/graph/block_graph.h"
#include "algebra/graph/graph_rows.h"

/* What the rows of a union are made of: those of b that the rows of a name, or of[] at the columns of a. a without
 * columns: entry k names row k. */
typedef struct GraphUnion {
  const ExecGraph *a, *b;
  const int32_t *of;                 /* on the Exec, instead of b; -1: no column */
  const uint8_t *row_in, *column_in; /* on the Exec; only rows and columns that are not 0 here, NULL: all */
  int32_t n_column;
} GraphUnion;
/* *out is owned by the caller, also after a failure; with_rows: out->row too. ERR_MEMORY, ERR_GPU. */
Status exec_graph_union(Exec *exec, const GraphUnion *params, bool with_rows, ExecGraph *out);
/* The row of each entry, where that is not known yet. */
Status exec_graph_rows(Exec *exec, ExecGraph *graph);
/* start [n_group + 1] and thing [n], on the Exec and the caller's, also after a failure: which k have of[k] == g, ascending
 * from start[g] on; behind start[n_group] those with of[k] < 0. n < 2^32. */
Status exec_graph_list(Exec *exec, const int32_t *of, int64_t n, int32_t n_group, int64_t **start, uint32_t **thing);
/* *out, of n_column rows, and source [n_entry], which entry of the graph each one of its transpose is: on the Exec, the
 * caller's, also after a failure. */
Status exec_graph_transpose(Exec *exec, const ExecGraph *graph, int32_t n_column, ExecGraph *out, int64_t **source);
/* As kernels take them. */
static inline GraphRows exec_graph_places(const ExecGraph *graph) {
  return (GraphRows){graph->start, graph->lane, graph->shift};
}
/* To the host; *out is owned by the caller, also after a failure. */
Status exec_graph_download(Exec *exec, const ExecGraph *graph, int32_t n_column, BlockGraph *out);
