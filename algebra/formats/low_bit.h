/* Values in 16 or 8 bits on the structure of SBELL, for mat.c and sbell.c. */
#pragma once
#include "algebra/mat_format.h"

extern const MatLow low_bit;
/* MatLow.many */
const RowKernel *low_bit_many(const Mat *mat, MatOp op, int32_t k);
