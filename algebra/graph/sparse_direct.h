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
 * 1], ascending, the diagonal last. Each `block` rows have the same columns and stay together in the ordering, which is
 * nested dissection by METIS (Karypis and Kumar 1998) of their graph, or minimum degree where the graph is small. The
 * structure is copied. ERR_INPUT where CHOLMOD is not there. ERR_MEMORY. */
Status sparse_direct_create(int64_t n, int32_t block, const int64_t *start, const int64_t *row, SparseDirect **out);
void sparse_direct_destroy(SparseDirect **direct);
/* Where the numbers stand, in the same order, for sparse_direct_factor to read. */
double *sparse_direct_values(SparseDirect *direct);
/* ERR_NUMERIC where they are not positive definite. */
Status sparse_direct_factor(SparseDirect *direct);
/* As L D L^T instead, by columns and without exchange of pivots: the matrix may be indefinite, and who solves looks at the
 * residual. *n_negative: its negative eigenvalues; *n_zero: pivots that are round-off, of either sign. ERR_NUMERIC: a pivot is 0. The memory is
 * 16 bytes an entry. */
Status sparse_direct_factor_indefinite(SparseDirect *direct, int64_t *n_negative, int64_t *n_zero);
/* The row whose pivot was not positive in the last sparse_direct_factor; -1: none. */
int64_t sparse_direct_failed(const SparseDirect *direct);
/* X = A^-1 B of k columns, both [k][n], may be the same. */
Status sparse_direct_solve(SparseDirect *direct, int64_t k, const double *b, double *x);
/* Known from the structure alone: entries of the factor, and bytes that factor and factorisation take beside the matrix. */
double sparse_direct_entries(const SparseDirect *direct);
double sparse_direct_bytes(const SparseDirect *direct);
