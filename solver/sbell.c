/* Sliced block ELLPACK (Zhang, Yang et al., papers/polynomial-pcg-sbell-elasticity, section 3): block rows in slices of
 * S lanes, each slice as wide as its longest row, entries column-major within the slice.
 * Layout and MatView: sliced.h, with block rows as lanes, sorted by length only where that pays (row_order.h). */
#include "solver/sliced.h"

enum { SBELL_LANES = SLICED_LANES };
typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));

#define FORMAT sbell
#define REAL double
#define NAMED(name) name##_d
#define P d
#include "solver/sbell_visit.h"
#include "solver/sbell_range.h"
#define BLOCK 1
#include "solver/mat_kernels.h"
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"
#undef REAL
#undef NAMED
#undef P
#define REAL float
#define NAMED(name) name##_f
#define P f
#include "solver/sbell_visit.h"
#include "solver/sbell_range.h"
#define BLOCK 1
#include "solver/mat_kernels.h"
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"

static Status sbell_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  int32_t slice;
  RowOrder order;
  TRY(sliced_check(params, 32, &slice));
  TRY(row_order_create(pattern, 1, slice, &order));
  const Status status = sliced_build(mat, &order, slice, "csr");
  row_order_release(&order);
  return status;
}

static const RowKernel *sbell_kernel(const Mat *mat, MatOp op) {
  static const RowKernel *const kernels[2][3] = {{sbell_kernels_1d, sbell_kernels_2d, sbell_kernels_3d},
                                                 {sbell_kernels_1f, sbell_kernels_2f, sbell_kernels_3f}};
  return &kernels[mat->precision == PRECISION_FLOAT][mat->block - 1][op];
}

const MatFormat sbell_format = {sbell_build, sbell_kernel};
