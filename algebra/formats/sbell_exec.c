#include "algebra/formats/sbell_exec.h"
#include "core/memory.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/formats/low_bit.h"
#include "algebra/formats/rows.h"

/* Padding beyond this part of the entries. */
static const double MOST_PADDING = 0.1;

static Status take_part(Mat *mat, int64_t n, size_t size, const char *what, void **out) {
  TRY(exec_alloc(mat->exec, n, size, what, out));
  mat->part[mat->n_part++] = (MatPart){*out, n, size};
  mat->structure_bytes += (size_t)n * size;
  return OK;
}

/* Slice starts and the number of slots. */
static Status sbell_exec_cut(Mat *mat, const SbellExecArgs *args, int64_t n_slice, int64_t *n_slot) {
  SbellExecArgs a = *args;
  int64_t *start = NULL;
  TRY(take_part(mat, n_slice + 1, sizeof *start, "slice starts of the matrix", (void **)&start));
  mat->view.start = start;
  EXEC_ALLOC(mat->exec, a.size, n_slice, "sizes of slices");
  Status status = exec_rows(mat->exec, &sbell_exec_size_kernel, &a, n_slice);
  if (status == OK) status = exec_scan(mat->exec, a.size, sizeof *a.size, n_slice, start, n_slot);
  EXEC_RELEASE(mat->exec, a.size, n_slice);
  return status;
}

static Status sbell_exec_build(Mat *mat, const ExecGraph *graph, int32_t parts, bool *fits) {
  const int64_t lanes = (int64_t)graph->n_row * parts, n_slice = (lanes + SBELL_EXEC_LANES - 1) / SBELL_EXEC_LANES;
  const int64_t entries = graph->n_entry * parts * parts;
  SbellExecArgs args = {.from_start = graph->start, .from_column = graph->column, .n_lane = lanes, .parts = parts};
  int64_t n_slot = 0;
  TRY(sbell_exec_cut(mat, &args, n_slice, &n_slot));
  *fits = n_slice * SBELL_EXEC_LANES <= INT32_MAX && (double)n_slot <= (1 + MOST_PADDING) * (double)entries;
  if (!*fits) return OK;
  args.start = mat->view.start;
  TRY(take_part(mat, n_slot, sizeof *args.column, "columns of the matrix", (void **)&args.column));
  TRY(exec_rows(mat->exec, &sbell_exec_column_kernel, &args, n_slice * SBELL_EXEC_LANES));
  mat->view.column = args.column;
  mat->view.n = lanes;
  mat->view.slice = SBELL_EXEC_LANES;
  mat->view.width = n_slice ? (int32_t)(n_slot / (n_slice * SBELL_EXEC_LANES)) : 0;
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
  const Status status = sbell_exec_build(mat, graph, parts, &fits);
  if (status != OK || !fits) mat_destroy(&mat);
  *out = mat;
  return status;
}
