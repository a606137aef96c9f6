/* ELLPACK-R: ELLPACK (ell.c) with the lengths of the rows, so that each row ends where its own entries do (papers/
 * ellpack-r-cg-heat, section 5.3 and Algorithm 4, where they are rl).
 * Layout and MatView: sliced.h with one slice of all rows; length [slice], 0 behind the last row. */
#include "algebra/formats/sliced.h"

#define FORMAT ellr
#define RANGE "algebra/formats/ell_range.tmpl.h"
#define ellr_range_d ell_range_d
#define ellr_range_f ell_range_f
#include "algebra/formats/sliced_kernels.tmpl.h"

static Status ellr_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  (void)params;
  return sliced_build_whole(mat, pattern, pattern->block, true, "sell");
}

static const RowKernel *ellr_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &ellr_kernels_1f[op] : &ellr_kernels_1d[op];
}

const MatFormat ellr_format = {.build = ellr_build, .kernel = ellr_kernel};
