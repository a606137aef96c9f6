/* The sums of a product, added up behind it: where they go over several ranks they are those of rows in natural order,
 * however a format sorts them. Compiled by gcc and nvcc. */
#pragma once
#include "algebra/product.h"

typedef struct ProductSumArgs {
  const void *left, *right; /* as the matrix stores vectors */
  const double *left_d;     /* instead of left; NULL: left */
  const int8_t *right_extra;
  int32_t squares; /* sum 0: right.right, sum 1: left.left; else sum 0: left.right */
  KrylovStep step;
  const int32_t *stop;
  Krylov *krylov;
} ProductSumArgs;

HD void product_sum_add(const ProductSumArgs *a, double left, double right, double sum[]) {
  sum[0] += a->squares ? right * right : left * right;
  if (a->squares) sum[1] += left * left;
}
HD void product_sum_d_body(const ProductSumArgs *a, int64_t i, double sum[]) {
  const double left = a->left_d ? a->left_d[i] : ((const double *)a->left)[i];
  product_sum_add(a, left, ((const double *)a->right)[i], sum);
}
HD void product_sum_f_body(const ProductSumArgs *a, int64_t i, double sum[]) {
  const double left = a->left_d ? a->left_d[i] : (double)((const float *)a->left)[i];
  product_sum_add(a, left, extra_read_f((const float *)a->right, a->right_extra, i), sum);
}
HD void product_sum_finish(const ProductSumArgs *a, const double sum[]) {
  if (!(a->stop && *a->stop)) krylov_step(a->krylov, a->step, sum);
}
HD void product_sum_d_finish(const ProductSumArgs *a, const double sum[]) { product_sum_finish(a, sum); }
HD void product_sum_f_finish(const ProductSumArgs *a, const double sum[]) { product_sum_finish(a, sum); }
