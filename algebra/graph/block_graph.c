#include "algebra/graph/block_graph.h"
#include "core/memory.h"

void block_graph_release(BlockGraph *graph) {
  FREE(graph->start);
  FREE(graph->column);
}

Status exec_graph_upload(Exec *exec, const BlockGraph *graph, const char *what, ExecGraph *out) {
  *out = (ExecGraph){.n_row = graph->n_row, .n_entry = graph->start[graph->n_row]};
  TRY(exec_alloc_upload(exec, (int64_t)out->n_row + 1, sizeof *out->start, graph->start, what, (void **)&out->start));
  return exec_alloc_upload(exec, out->n_entry, sizeof *out->column, graph->column, what, (void **)&out->column);
}

void exec_graph_release(Exec *exec, ExecGraph *graph) {
  if (graph->borrowed) graph->start = NULL, graph->column = NULL;
  EXEC_RELEASE(exec, graph->start, (int64_t)graph->n_row + 1);
  EXEC_RELEASE(exec, graph->column, graph->n_entry);
  EXEC_RELEASE(exec, graph->row, graph->n_entry);
  EXEC_RELEASE(exec, graph->lane, graph->n_row);
}
