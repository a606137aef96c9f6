/* BELLPACK: block rows in natural order, all padded to the longest, column-major over all rows, one column index per
 * block (papers/polynomial-pcg-sbell-elasticity, section 3: SBELL with one slice). Layout and MatView: sliced.h with
 * one slice of all block rows. */
#include "algebra/formats/sliced.h"

#define FORMAT bell
#define OF_BLOCKS
#define RANGE "algebra/formats/ell_range.tmpl.h"
#define bell_range_d ell_range_d
#define bell_range_f ell_range_f
#include "algebra/formats/sliced_kernels.tmpl.h"

static Status bell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  (void)params;
  mat->knows_blocks = true;
  return sliced_build_whole(mat, pattern, 1, false, "sbell");
}

static const RowKernel *bell_kernel(const Mat *mat, MatOp op) {
  static const RowKernel *const kernels[2][3] = {{bell_kernels_1d, bell_kernels_2d, bell_kernels_3d},
                                                 {bell_kernels_1f, bell_kernels_2f, bell_kernels_3f}};
  return &kernels[mat->precision == PRECISION_FLOAT][mat->block - 1][op];
}

const MatFormat bell_format = {.build = bell_build, .kernel = bell_kernel};
