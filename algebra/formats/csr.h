/* Scalar rows one after another, listed on the Exec, for formats that keep them so. */
#pragma once
#include "algebra/mat_format.h"

/* Columns, a part of the matrix, slots, and start [rows + 1], memory of the Exec. */
Status csr_list(Mat *mat, const Pattern *pattern, int64_t *start);
