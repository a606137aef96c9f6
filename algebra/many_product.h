/* Products of a matrix with K = 2, 4 or 8 interleaved vectors (many.h), and the kernels of many.def. */
#pragma once
#include "core/exec.h"
#include "algebra/many.h"
#include "algebra/mat.h"

enum { MANY_SIZES = 3 }; /* of K */

/* Kernels for K = 2, 4, 8; many_index of many_format.h numbers them. */
#define MANY(NAME) extern const RowKernel NAME##_kernels[MANY_SIZES];
#include "algebra/many.def"
#undef MANY

/* Formats 'sbell' with slices of 32, copies in low precision too, and 'csr'. */
bool mat_allows_many(const Mat *mat);
/* MatFormat.many of the two. */
const RowKernel *sbell_many(const Mat *mat, MatOp op, int32_t k);
const RowKernel *csr_many(const Mat *mat, MatOp op, int32_t k);
/* MAT_DOT and MAT_RESIDUAL in double, MAT_COMBINE and MAT_COMBINE_DOT in all precisions. args->product.a is filled in here.
 * Recordable. ERR_BUG where mat_allows_many says no. */
Status mat_product_many(const Mat *mat, MatOp op, int32_t k, const ManyProduct *args);
