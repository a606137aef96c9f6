/* Sliced ELLPACK: scalar rows in slices, each padded to its longest row, column-major within the slice, sorted by
 * length only where that pays (Algorithm 3 of papers/polynomial-pcg-sbell-elasticity, which sorts always). Layout and
 * MatView: sliced.h. A slice of 32 or 64 rows cuts through the rows of a 3 x 3 block: the slots are then listed scalar
 * by scalar, which takes 9 times the memory in assembly; slices of 96 keep them regular, but the CPU reads those at
 * less than half the speed (sbell_range.tmpl.h goes through a slice 32 lanes at a time). */
#include "algebra/formats/sliced.h"

#define FORMAT sell
#define RANGE "algebra/formats/sbell_range.tmpl.h"
#define sell_range_d sbell_range_d
#define sell_range_f sbell_range_f
#include "algebra/formats/sliced_kernels.tmpl.h"

static Status sell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  return sliced_build(mat, params, pattern, pattern->block, 32, "csr");
}

static const RowKernel *sell_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &sell_kernels_1f[op] : &sell_kernels_1d[op];
}

const MatFormat sell_format = {
    .build = sell_build, .kernel = sell_kernel, .slice = SLICED_SLICE, .window = SLICED_WINDOW};
