/* Compressed sparse rows: scalar rows one after another, columns ascending, expanded from the block pattern.
 * Variants, which differ on a GPU only: "scalar", a thread per row; "vector", a warp per row or as many threads as
 * asked for; without a variant the number of threads follows from the mean row length.
 * MatView: value [n_value], column [n_value] scalar columns, start [rows + 1], n scalar rows, threads per row.
 * Block k of block row i begins at B^2 start_i + (k - start_i) B, its next row a whole scalar row further on. */
#include "core/memory.h"
#include "algebra/many_product.h"
#include "algebra/mat_format.h"
#include "algebra/formats/csr.h"
#include "algebra/formats/rows.h"
#include "algebra/formats/teams.h"

#include <string.h>

#define FORMAT csr
#define VISIT "algebra/formats/csr_visit.tmpl.h"
#define RANGE "algebra/formats/csr_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

/* The power of two nearest to the square root of the mean row length, so that threads and turns grow together: fewer
 * threads read apart from each other, more of them idle at the end of a row. 8 for 32 to 127 entries. */
static int32_t choose_threads(const Pattern *pattern) {
  int32_t threads = 1;
  while (threads < TEAM_WARP && 2.0 * threads * threads <= pattern_mean(pattern)) threads *= 2;
  return threads;
}

static Status find_threads(const MatParams *params, const Pattern *pattern, int32_t *out) {
  const char *name = params->variant;
  const bool scalar = name && !strcmp(name, "scalar"), vector = name && !strcmp(name, "vector");
  CHECK(!name || scalar || vector, ERR_INPUT, "unknown variant '%s' of csr\n  variants: scalar, vector", name);
  TRY(team_check(params->threads, TEAM_WARP));
  CHECK(!scalar || params->threads <= 1, ERR_INPUT,
        "variant 'scalar' of csr has one thread per row, %d were asked for; use 'vector', or leave threads out",
        params->threads);
  *out = params->threads ? params->threads : scalar ? 1 : vector ? TEAM_WARP : choose_threads(pattern);
  return OK;
}

static Status csr_fill(Mat *mat, const Pattern *pattern, CsrArgs *args) {
  SlotMap *slots = &mat->slots;
  slots->n_value = mat->entries;
  slots->column_step = 1;
  TRY(mat_part(mat, slots->n_value, sizeof *args->column, NULL, "columns of the matrix", (void **)&args->column));
  TRY(slot_map_begin(mat->exec, pattern_entries(pattern), pattern->n, slots));
  args->slot = slots->exec_slot;
  args->row_step = slots->exec_row_step;
  mat->view.column = args->column;
  TRY(exec_rows(mat->exec, &csr_slot_kernel, args, pattern->n));
  return exec_rows(mat->exec, &csr_row_kernel, args, (int64_t)pattern->n * pattern->block + 1);
}

Status csr_list(Mat *mat, const Pattern *pattern, int64_t *start) {
  MatrixLoan loan;
  Status status = pattern_lend(mat->exec, pattern, &loan);
  CsrArgs args = {
      .from_start = loan.start, .from_column = loan.column, .n = pattern->n, .block = pattern->block, .start = start};
  if (status == OK) status = csr_fill(mat, pattern, &args);
  matrix_loan_end(mat->exec, &loan);
  return status;
}

static Status csr_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  int64_t *start = NULL;
  TRY(find_threads(params, pattern, &mat->view.threads));
  mat->view.n = (int64_t)pattern->n * pattern->block;
  TRY(mat_part(mat, mat->view.n + 1, sizeof *start, NULL, "row starts of the matrix", (void **)&start));
  mat->view.start = start;
  return csr_list(mat, pattern, start);
}

static const RowKernel *csr_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &csr_kernels_1f[op] : &csr_kernels_1d[op];
}

const MatFormat csr_format = {.build = csr_build,
                              .kernel = csr_kernel,
                              .many = csr_many,
                              .variant = "scalar (a thread to a row), vector (several); neither: by the row length",
                              .threads =
                                  "of a GPU to a row: a power of two to 32; 1 of scalar, 32 of vector unless given",
                              .traits = MAT_ANY_ROWS};
