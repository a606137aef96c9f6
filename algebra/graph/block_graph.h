/* Rows of columns without values, of rectangular block matrices: what is known before numbers are. Host memory. */
#pragma once
#include "core/exec.h"

typedef struct BlockGraph {
  int32_t n_row, n_column;
  int64_t *start;  /* owned, [n_row + 1] */
  int32_t *column; /* owned, [start[n_row]], ascending in a row */
} BlockGraph;

void block_graph_release(BlockGraph *graph);

/* The same on an Exec, read-only. shift 0: rows one after the other. Else that of a matrix in SBELL: 2^shift rows lie
 * side by side in a slice as wide as its longest row, start[slice], row i in lane[i] (NULL: i), and padding repeats a
 * row's own number. */
typedef struct ExecGraph {
  int32_t n_row;
  int64_t n_entry;
  int64_t *start;
  int32_t *column;
  int32_t *row; /* of each entry; NULL: not requested (exec_graph.h) */
  int32_t shift;
  int32_t *lane;
  bool borrowed; /* start and column belong to another graph, lane is not */
} ExecGraph;
Status exec_graph_upload(Exec *exec, const BlockGraph *graph, const char *what, ExecGraph *out);
void exec_graph_release(Exec *exec, ExecGraph *graph);
