/* What a format's file needs for its products with K vectors: includes algebra/many/many_kernels.tmpl.h after it, for each
 * block size and K. */
#pragma once
#include "algebra/many.h"
#include "algebra/mat_format.h"

/* MACRO(K, W) for each K: W columns at a time are a vector that the processor has registers for; those of two go through
 * memory. */
#ifdef __AVX512F__
#define MANY_EACH(MACRO) MACRO(2, 2) MACRO(4, 4) MACRO(8, 8)
#else
#define MANY_EACH(MACRO) MACRO(2, 2) MACRO(4, 4) MACRO(8, 4)
#endif
typedef double Many2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double Many4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Many8 __attribute__((vector_size(64), aligned(8), may_alias));
/* K numbers from v as doubles; a macro, as a function that returns 64 bytes has another calling convention with AVX-512
 * than without. */
#define MANY_VECTOR(K, v) __builtin_convertvector(*(const NAMED(ManyStored##K) *)(v), Many##K)

#define MANY_RANGE_NAME(FORMAT, P, K) NAMED_##P(FORMAT##_many_range_##K)
#define NAMED_d(name) name##_d
#define NAMED_f(name) name##_f
#define MANY_KERNEL_RANGE(FORMAT, B, P, K, OP, NAME, SUMS)                                                             \
  static void FORMAT##_many_##NAME##_##B##P##_##K(const void *args, int64_t begin, int64_t end, double *sum) {         \
    const ProductArgs a = ((const ManyProduct *)args)->product;                                                        \
    double s[K] = {0};                                                                                                 \
    if (product_skips(&a)) return;                                                                                     \
    MANY_RANGE_NAME(FORMAT, P, K)(&a, begin, end, s, B, OP);                                                           \
    for (int q = 0; q < (SUMS ? K : 0); ++q) sum[q] += s[q];                                                           \
  }
#define MANY_KERNEL_ROW(FORMAT, B, P, K, OP, NAME, SUMS)                                                               \
  [OP] = {#FORMAT "_many_" #NAME "_" #B #P "_" #K, SUMS ? K : 0, sizeof(ManyProduct),                                  \
          FORMAT##_many_##NAME##_##B##P##_##K, SUMS ? many_product_finish : 0},

static inline void many_product_finish(const void *args, const double *sum) {
  const ManyProduct *a = (const ManyProduct *)args;
  if (product_skips(&a->product)) return;
  for (int32_t c = 0; c < a->many->columns; ++c) many_column(a->many, c, a->product.step, sum[c]);
  many_close(a->many);
}
/* 2, 4, 8 to 0, 1, 2 */
static inline int32_t many_index(int32_t k) { return k / 4; }
