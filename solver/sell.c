/* Sliced ELLPACK: scalar rows in slices, each padded to its longest row, column-major within the slice, sorted by
 * length only where that pays (Algorithm 3 of papers/polynomial-pcg-sbell-elasticity, which sorts always). Layout and
 * MatView: sliced.h. Slices are of 32 rows unless asked otherwise, and of 96 where blocks are 3 x 3: then no slice
 * divides a block row, and the slots of a block stay regular. */
#include "solver/sliced.h"

#define FORMAT sell
#define RANGE "solver/sbell_range.h"
#define sell_range_d sbell_range_d
#define sell_range_f sbell_range_f
#include "solver/sliced_kernels.h"

static Status sell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  return sliced_build(mat, params, pattern, pattern->block, pattern->block == 3 ? 96 : 32, "csr");
}

static const RowKernel *sell_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &sell_kernels_1f[op] : &sell_kernels_1d[op];
}

const MatFormat sell_format = {sell_build, sell_kernel};
