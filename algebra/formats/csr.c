/* Compressed sparse rows: scalar rows one after another, columns ascending, expanded from the block pattern.
 * Variants, which differ on a GPU only: "scalar", a thread per row; "vector", a warp per row or as many threads as
 * asked for; without a variant the number of threads follows from the mean row length.
 * MatView: value [n_value], column [n_value] scalar columns, start [rows + 1], n scalar rows, threads per row.
 * Block k of block row i begins at B^2 start_i + (k - start_i) B, its next row a whole scalar row further on. */
#include "core/memory.h"
#include "algebra/many_product.h"
#include "algebra/mat_format.h"
#include "algebra/formats/teams.h"

#include <string.h>

#define FORMAT csr
#define VISIT "algebra/formats/csr_visit.tmpl.h"
#define RANGE "algebra/formats/csr_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

static Status build_slots(SlotMap *slots, const Pattern *pattern) {
  const int64_t block = pattern->block, n_entry = pattern->start[pattern->n];
  slots->n_value = n_entry * block * block;
  slots->column_step = 1;
  ALLOC(slots->slot, n_entry, "slots of the matrix entries");
  ALLOC(slots->row_step, pattern->n, "row steps of the matrix entries");
  for (int32_t i = 0; i < pattern->n; ++i) {
    const int64_t first = pattern->start[i], last = pattern->start[i + 1];
    slots->row_step[i] = (last - first) * block;
    for (int64_t k = first; k < last; ++k) slots->slot[k] = first * block * block + (k - first) * block;
  }
  return OK;
}

static void csr_fill(const Pattern *pattern, int64_t *start, int32_t *column) {
  const int32_t block = pattern->block;
  int64_t at = 0;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int32_t r = 0; r < block; ++r) {
      start[(int64_t)i * block + r] = at;
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int32_t c = 0; c < block; ++c) column[at++] = pattern->column[k] * block + c;
    }
  start[(int64_t)pattern->n * block] = at;
}

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

static Status csr_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  TRY(find_threads(params, pattern, &mat->view.threads));
  TRY(build_slots(&mat->slots, pattern));
  const int64_t n = (int64_t)pattern->n * pattern->block;
  int64_t *start = NULL;
  int32_t *column = NULL;
  Status status;
  ALLOC_DONE(start, n + 1, "row starts");
  ALLOC_DONE(column, mat->slots.n_value, "columns");
  csr_fill(pattern, start, column);
  TRY_DONE(mat_part(mat, n + 1, sizeof *start, start, "row starts of the matrix", (void **)&mat->view.start));
  TRY_DONE(
      mat_part(mat, mat->slots.n_value, sizeof *column, column, "columns of the matrix", (void **)&mat->view.column));
  mat->view.n = n;
done:
  FREE(start);
  FREE(column);
  return status;
}

static const RowKernel *csr_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &csr_kernels_1f[op] : &csr_kernels_1d[op];
}

const MatFormat csr_format = {.build = csr_build, .kernel = csr_kernel, .many = csr_many, .traits = MAT_ANY_ROWS};
