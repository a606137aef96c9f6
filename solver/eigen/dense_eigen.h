/* Eigenvalues and vectors of a small symmetric matrix on the host. */
#pragma once
#include "core/status.h"

#include <stdint.h>

/* a [n][n] symmetric, row-major, in; out: row k is the vector of value[k], of length 1; values rise. ERR_NUMERIC: not
 * finite. ERR_MEMORY. */
Status dense_eigen(int32_t n, double *a, double *value);
