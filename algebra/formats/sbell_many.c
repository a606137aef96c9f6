/* Products of SBELL with K = 2, 4 or 8 interleaved vectors (many.h): the matrix is read once for all of them. */
#include "algebra/many/many_format.h"
#include "algebra/many_product.h"
#include "algebra/formats/sliced.h"

#include <string.h>

#define REAL double
#define NAMED(name) name##_d
#include "algebra/many/many_end.tmpl.h"
#include "algebra/formats/sbell_many_range.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/many/many_end.tmpl.h"
#include "algebra/formats/sbell_many_range.tmpl.h"

#define FORMAT sbell
#define BLOCK 1
#define K 2
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 1
#define K 4
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 1
#define K 8
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 2
#define K 2
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 2
#define K 4
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 2
#define K 8
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 3
#define K 2
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 3
#define K 4
#include "algebra/many/many_kernels.tmpl.h"
#define BLOCK 3
#define K 8
#include "algebra/many/many_kernels.tmpl.h"

/* Slices of 32 lanes only: those are what the GPU's kernels are made for. */
const RowKernel *sbell_many(const Mat *mat, MatOp op, int32_t k) {
  static const RowKernel(*const kernels[3][3])[MAT_N_OP] = {
      {sbell_many_kernels_1_2, sbell_many_kernels_1_4, sbell_many_kernels_1_8},
      {sbell_many_kernels_2_2, sbell_many_kernels_2_4, sbell_many_kernels_2_8},
      {sbell_many_kernels_3_2, sbell_many_kernels_3_4, sbell_many_kernels_3_8}};
  if (mat->view.slice != SLICED_LANES) return NULL;
  return &kernels[mat->block - 1][many_index(k)][mat->precision == PRECISION_FLOAT][op];
}
