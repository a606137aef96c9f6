/* The CPU kernels of many.def, and products with several vectors through the format of the matrix. */
#include "algebra/mat_format.h"
#include "algebra/many_product.h"
#include "algebra/many/many_format.h"
#include "algebra/many/many_rows.h"
#include "algebra/many/rows.h"
#include "core/halo.h"

#define MANY_RANGE(NAME, K)                                                                                            \
  static void NAME##_range_##K(const void *args, int64_t begin, int64_t end, double *sum) {                            \
    const ManyVectors a = *(const ManyVectors *)args;                                                                  \
    double s[K] = {0};                                                                                                 \
    for (int64_t i = begin; i < end; ++i)                                                                              \
      for (int32_t c = 0; c < K; ++c) NAME##_item(&a, i *K + c, i, c, s + c);                                          \
    for (int32_t c = 0; c < K; ++c) sum[c] += s[c];                                                                    \
  }
#define MANY(NAME)                                                                                                     \
  MANY_RANGE(NAME, 2)                                                                                                  \
  MANY_RANGE(NAME, 4)                                                                                                  \
  MANY_RANGE(NAME, 8)                                                                                                  \
  static void NAME##_finish(const void *args, const double *sum) {                                                     \
    const ManyVectors *a = (const ManyVectors *)args;                                                                  \
    for (int32_t c = 0; c < a->many->columns; ++c) NAME##_column(a, c, sum[c]);                                        \
    many_close(a->many);                                                                                               \
  }                                                                                                                    \
  const RowKernel NAME##_kernels[MANY_SIZES] = {{#NAME "_2", 2, sizeof(ManyVectors), NAME##_range_2, NAME##_finish},   \
                                                {#NAME "_4", 4, sizeof(ManyVectors), NAME##_range_4, NAME##_finish},   \
                                                {#NAME "_8", 8, sizeof(ManyVectors), NAME##_range_8, NAME##_finish}};
#include "algebra/many.def"
#undef MANY

/* NULL: there is none. */
static const RowKernel *kernel_of(const Mat *mat, MatOp op, int32_t k) {
  if (precision_is_low(mat->precision)) return mat->low->many ? mat->low->many(mat, op, k) : NULL;
  return mat->format->many ? mat->format->many(mat, op, k) : NULL;
}

bool mat_allows_many(const Mat *mat) {
  const size_t most = (size_t)mat->block * MANY_MOST * sizeof(double);
  if (mat->share.halo && (mat->share.halo->most < most || !exec_is_host(mat->exec))) return false;
  return kernel_of(mat, MAT_COMBINE, MANY_MOST);
}

/* One kernel of the format; what it reads of other ranks is brought before. */
static Status many_record(const Mat *mat, MatOp op, int32_t k, const ManyProduct *args) {
  const size_t size = mat->precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
  const RowKernel *kernel = kernel_of(mat, op, k);
  CHECK(kernel->name, ERR_BUG, "format '%s' lacks operation %d with several vectors", mat_format(mat), op);
  if (mat->share.halo)
    TRY(exec_exchange(mat->exec, mat->share.halo, (void *)args->product.v, (size_t)mat->block * (size_t)k * size));
  ManyProduct a = *args;
  a.product.a = mat->view;
  return exec_rows(mat->exec, kernel, &a, mat->view.n);
}

/* As product_then_sums of algebra/mat.c. */
static Status many_then_sums(const Mat *mat, MatOp op, int32_t k, const ManyProduct *args) {
  const ProductArgs *a = &args->product;
  ManyProduct only = *args;
  ManyVectors sums = {.b = (const double *)a->v, .z = a->w, .step = a->step, .many = args->many};
  if (op == MAT_DOT) {
    only.product.c0 = 1, only.product.c1 = only.product.c2 = only.product.c3 = 0;
  } else if (op == MAT_RESIDUAL) {
    only.product.c0 = -1, only.product.c1 = only.product.c2 = 0, only.product.c3 = 1;
    sums.b = (const double *)a->w;
  } else {
    sums.b = a->b, sums.z = a->z, sums.extra = a->z_extra;
    sums.low = mat->precision == PRECISION_DOUBLE ? NULL : (float *)a->z;
  }
  TRY(many_record(mat, MAT_COMBINE, k, &only));
  return exec_rows(mat->exec, &many_behind_kernels[many_index(k)], &sums, mat_rows(mat));
}

Status mat_product_many(const Mat *mat, MatOp op, int32_t k, const ManyProduct *args) {
  CHECK(mat_allows_many(mat), ERR_BUG, "format '%s' in %s has no product with several vectors", mat_format(mat),
        precision_name(mat->precision));
  const bool sums = op == MAT_DOT || op == MAT_COMBINE_DOT || op == MAT_RESIDUAL;
  return sums && mat->exec->parts ? many_then_sums(mat, op, k, args) : many_record(mat, op, k, args);
}
