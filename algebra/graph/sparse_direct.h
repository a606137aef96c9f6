/* Sparse Cholesky factorisation on the host by CHOLMOD (Chen, Davis, Hager and Rajamanickam 2008), where this Sinew was
 * built with it; memory that it takes is its own and not counted. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether it was; and why not, in words for messages, "" where it was. */
bool sparse_direct_there(void);
const char *sparse_direct_why_not(void);

typedef struct SparseDirect SparseDirect;
/* A symmetric matrix of n rows: of column j the entries of its upper triangle, rows row[start[j]] .. row[start[j + 1] -
 * 1], ascending, the diagonal last. Copied; an ordering is found. ERR_INPUT where CHOLMOD is not there. ERR_MEMORY. */
Status sparse_direct_create(int64_t n, const int64_t *start, const int64_t *row, SparseDirect **out);
void sparse_direct_destroy(SparseDirect **direct);
/* New numbers, in the same order. ERR_NUMERIC where they are not positive definite. */
Status sparse_direct_factor(SparseDirect *direct, const double *value);
/* x = A^-1 b, both [n], may be the same. */
Status sparse_direct_solve(SparseDirect *direct, const double *b, double *x);
/* Entries of the factor. */
double sparse_direct_entries(const SparseDirect *direct);
