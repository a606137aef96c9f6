/* Products of copies in low precision (low_bit.c) with K = 2, 4 or 8 interleaved vectors of floats (many.h): what a
 * preconditioner asks for. */
#include "algebra/formats/low_bit.h"
#include "algebra/many_product.h"
#include "algebra/many/many_format.h"

#include <string.h>

#define REAL float
#define NAMED(name) name##_f
#include "algebra/many/many_end.tmpl.h"
#undef REAL
#undef NAMED
#include "algebra/formats/low_bit_many_range.tmpl.h"

#define NAMED_h(name) name##_h
#define NAMED_w(name) name##_w
#define NAMED_b(name) name##_b
#define LOW_BIT_MANY_KIND(K, P, BITS)                                                                                  \
  HD void low_bit_many_range_##K##_##P(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int B,     \
                                       const MatOp op) {                                                               \
    low_bit_many_##K(a, begin, end, sum, B, op, BITS);                                                                 \
  }
#define LOW_BIT_MANY_KINDS(P, BITS)                                                                                    \
  LOW_BIT_MANY_KIND(2, P, BITS)                                                                                        \
  LOW_BIT_MANY_KIND(4, P, BITS)                                                                                        \
  LOW_BIT_MANY_KIND(8, P, BITS)
LOW_BIT_MANY_KINDS(h, LOW_HALF)
LOW_BIT_MANY_KINDS(w, LOW_BFLOAT)
LOW_BIT_MANY_KINDS(b, LOW_INT8)

/* low_bit_many_kernels_BP[MANY_SIZES][MAT_N_OP] */
#define LOW_BIT_MANY_RANGES(B, P, K)                                                                                   \
  MANY_KERNEL_RANGE(low_bit, B, P, K, MAT_COMBINE, combine, 0)                                                         \
  MANY_KERNEL_RANGE(low_bit, B, P, K, MAT_COMBINE_DOT, combine_dot, 1)
#define LOW_BIT_MANY_ROWS(B, P, K)                                                                                     \
  {                                                                                                                    \
    MANY_KERNEL_ROW(low_bit, B, P, K, MAT_COMBINE, combine, 0)                                                         \
    MANY_KERNEL_ROW(low_bit, B, P, K, MAT_COMBINE_DOT, combine_dot, 1)                                                 \
  }
#define LOW_BIT_MANY_TABLE(B, P)                                                                                       \
  LOW_BIT_MANY_RANGES(B, P, 2)                                                                                         \
  LOW_BIT_MANY_RANGES(B, P, 4)                                                                                         \
  LOW_BIT_MANY_RANGES(B, P, 8)                                                                                         \
  static const RowKernel low_bit_many_kernels_##B##P[MANY_SIZES][MAT_N_OP] = {                                         \
      LOW_BIT_MANY_ROWS(B, P, 2), LOW_BIT_MANY_ROWS(B, P, 4), LOW_BIT_MANY_ROWS(B, P, 8)};
#define LOW_BIT_MANY_TABLES(P)                                                                                         \
  LOW_BIT_MANY_TABLE(1, P)                                                                                             \
  LOW_BIT_MANY_TABLE(2, P)                                                                                             \
  LOW_BIT_MANY_TABLE(3, P)
LOW_BIT_MANY_TABLES(h)
LOW_BIT_MANY_TABLES(w)
LOW_BIT_MANY_TABLES(b)

const RowKernel *low_bit_many(const Mat *mat, MatOp op, int32_t k) {
  static const RowKernel(*const kernels[3][3])[MAT_N_OP] = {
      {low_bit_many_kernels_1h, low_bit_many_kernels_2h, low_bit_many_kernels_3h},
      {low_bit_many_kernels_1b, low_bit_many_kernels_2b, low_bit_many_kernels_3b},
      {low_bit_many_kernels_1w, low_bit_many_kernels_2w, low_bit_many_kernels_3w}};
  return &kernels[mat->precision - PRECISION_HALF][mat->block - 1][many_index(k)][op];
}
