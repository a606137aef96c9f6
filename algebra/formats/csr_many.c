/* Products of CSR with K = 2, 4 or 8 interleaved vectors (many.h): the matrix is read once for all of them. */
#include "algebra/many/many_format.h"
#include "algebra/many_product.h"

#include <string.h>

#define REAL double
#define NAMED(name) name##_d
#include "algebra/many/many_end.tmpl.h"
#include "algebra/formats/csr_many_range.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/many/many_end.tmpl.h"
#include "algebra/formats/csr_many_range.tmpl.h"

#define FORMAT csr
#define BLOCK 1
#define K 2
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 1
#define K 4
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 1
#define K 8
#include "algebra/many/many_kernels.tmpl.h"

const RowKernel *csr_many(const Mat *mat, MatOp op, int32_t k) {
  static const RowKernel(*const kernels[3])[MAT_N_OP] = {csr_many_kernels_1_2, csr_many_kernels_1_4,
                                                         csr_many_kernels_1_8};
  return &kernels[many_index(k)][mat->precision == PRECISION_FLOAT][op];
}
