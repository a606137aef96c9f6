#include "algebra/formats/sbell_exec.h"
#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/formats/low_bit.h"
#include "algebra/formats/sliced.h"

/* Padding beyond this part of the entries. */
static const double MOST_PADDING = 0.1;

static Status sbell_exec_build(Mat *mat, const RowOrder *order, int64_t entries, bool *fits) {
  SlicedArgs args = {.from_start = order->loan.start,
                     .from_column = order->loan.column,
                     .n_lane = row_order_lanes(order),
                     .split = order->split,
                     .slice = SLICED_LANES,
                     .team = 1};
  int64_t n_slice = 0, n_slot = 0;
  TRY(sliced_starts(mat, order, &args, &n_slice, &n_slot));
  *fits = n_slice * SLICED_LANES <= INT32_MAX && (double)n_slot <= (1 + MOST_PADDING) * (double)entries;
  if (!*fits) return OK;
  TRY(sliced_columns(mat, &args, n_slice, n_slot));
  mat->view.width = n_slice ? (int32_t)(n_slot / (n_slice * SLICED_LANES)) : 0;
  mat->slots.n_value = n_slot * mat->block * mat->block;
  return mat_alloc_values(mat);
}

Status sbell_create_on_exec(Exec *exec, const ExecGraph *graph, int32_t parts, int32_t block, Precision precision,
                            Mat **out) {
  *out = NULL;
  Mat *mat = NULL;
  bool fits = false;
  const MatFormat *format;
  TRY(mat_format_find(mat_format_with(MAT_SLICED_BLOCKS), &format));
  ALLOC(mat, 1, "a matrix");
  *mat = (Mat){.exec = exec,
               .format = format,
               .knows_blocks = true,
               .low = &low_bit,
               .precision = precision,
               .n_block = graph->n_row * parts,
               .block = block,
               .entries = graph->n_entry * parts * parts * block * block,
               .view = {.block = block}};
  const RowOrder order = {
      .exec = exec, .n = graph->n_row, .split = parts, .loan = {.start = graph->start, .column = graph->column}};
  const Status status = sbell_exec_build(mat, &order, graph->n_entry * parts * parts, &fits);
  if (status != OK || !fits) mat_destroy(&mat);
  *out = mat;
  return status;
}
