/* ELLPACK: scalar rows in natural order, all padded to the longest, entries column-major over all rows (Algorithm 2 of
 * papers/polynomial-pcg-sbell-elasticity). Layout and MatView: sliced.h with one slice of all rows. */
#include "algebra/formats/sliced.h"

#define FORMAT ell
#define RANGE "algebra/formats/ell_range.tmpl.h"
#include "algebra/formats/sliced_kernels.tmpl.h"

static Status ell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  (void)params;
  return sliced_build_whole(mat, pattern, pattern->block, false, "sell");
}

static const RowKernel *ell_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &ell_kernels_1f[op] : &ell_kernels_1d[op];
}

const MatFormat ell_format = {.build = ell_build, .kernel = ell_kernel};
