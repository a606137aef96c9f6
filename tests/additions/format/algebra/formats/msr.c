/* Modified sparse rows (Saad, SPARSKIT): the diagonal first, then what stands beside it, row by row.
 * MatView: value [n_value], column [n_value - n] of what is beside the diagonal, start [rows + 1] counts it too. */
#include "algebra/mat_format.h"
#include "core/memory.h"

#define FORMAT msr
#define RANGE "algebra/formats/msr_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

/* Slots of the scalar entries, and the rows. */
static void msr_fill(const Pattern *pattern, int64_t *slot, int64_t *start, int32_t *column) {
  const int32_t block = pattern->block;
  const int64_t n = (int64_t)pattern->n * block;
  int64_t at = n;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t node = i / block;
    start[i] = at;
    for (int64_t k = pattern->start[node]; k < pattern->start[node + 1]; ++k)
      for (int32_t c = 0; c < block; ++c) {
        const int64_t j = (int64_t)pattern->column[k] * block + c;
        if (j != i) column[at - n] = (int32_t)j;
        slot[(k * block + i % block) * block + c] = j == i ? i : at++;
      }
  }
  start[n] = at;
}

static Status msr_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  const int64_t n = (int64_t)pattern->n * pattern->block, b2 = (int64_t)pattern->block * pattern->block;
  int64_t *start = NULL;
  int32_t *column = NULL;
  Status status;
  (void)params;
  TRY(pattern_fetch(pattern));
  mat->slots.n_value = pattern->start[pattern->n] * b2;
  mat->slots.per_scalar = true;
  ALLOC_DONE(mat->slots.slot, mat->slots.n_value, "slots of the matrix entries");
  ALLOC_DONE(start, n + 1, "row starts");
  ALLOC_DONE(column, mat->slots.n_value, "columns");
  msr_fill(pattern, mat->slots.slot, start, column);
  TRY_DONE(mat_part(mat, n + 1, sizeof *start, start, "row starts of the matrix", (void **)&mat->view.start));
  TRY_DONE(mat_part(mat, mat->slots.n_value - n, sizeof *column, column, "columns of the matrix",
                    (void **)&mat->view.column));
  mat->view.n = n;
done:
  FREE(start);
  FREE(column);
  return status;
}

static const RowKernel *msr_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &msr_kernels_1f[op] : &msr_kernels_1d[op];
}

const MatFormat msr_format = {.build = msr_build, .kernel = msr_kernel};
