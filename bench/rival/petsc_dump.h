/* Writes a matrix and a right-hand side in PETSc's binary form, for bench/rival/petsc_cg.c. */
#pragma once
#include "algebra/pattern.h"
#include "algebra/mat.h"

/* csr: a double matrix of format "csr" with this pattern; b: double[rows] on the Exec; near_null: host
 * [n_near_null][rows]. In the file: a vector of block size and n_near_null, the matrix, b, the near-null vectors.
 * ERR_IO with the path. */
Status petsc_dump(Exec *exec, const Pattern *pattern, const Mat *csr, const double *b, const double *near_null,
                  int32_t n_near_null, const char *path);
/* Scalar row starts [rows + 1] and columns of the csr format, on the host; owned by the caller (core/memory.h).
 * ERR_INPUT when there are more than 2^31 entries. */
Status pattern_scalar_csr(const Pattern *pattern, int32_t **start, int32_t **column);
