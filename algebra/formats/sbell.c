/* Sliced block ELLPACK (Zhang, Yang et al., papers/polynomial-pcg-sbell-elasticity, section 3): block rows in slices of
 * S lanes, each slice as wide as its longest row, entries column-major within the slice.
 * Layout and MatView: sliced.h, with block rows as lanes, sorted by length only where that pays (row_order.h). */
#include "algebra/formats/low_bit.h"
#include "algebra/many_product.h"
#include "algebra/formats/sliced.h"

#define FORMAT sbell
#define OF_BLOCKS
#define RANGE "algebra/formats/sbell_range.tmpl.h"
#include "algebra/formats/sliced_kernels.tmpl.h"

static Status sbell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  mat->knows_blocks = true;
  mat->low = &low_bit;
  return sliced_build(mat, params, pattern, 1, 32, "csr");
}

static const RowKernel *sbell_kernel(const Mat *mat, MatOp op) {
  static const RowKernel *const kernels[2][3] = {{sbell_kernels_1d, sbell_kernels_2d, sbell_kernels_3d},
                                                 {sbell_kernels_1f, sbell_kernels_2f, sbell_kernels_3f}};
  return &kernels[mat->precision == PRECISION_FLOAT][mat->block - 1][op];
}

const MatFormat sbell_format = {.build = sbell_build,
                                .kernel = sbell_kernel,
                                .many = sbell_many,
                                .slice = SLICED_SLICE,
                                .window = SLICED_WINDOW,
                                .traits = MAT_SLICED_BLOCKS};
