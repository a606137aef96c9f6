/* Products of a matrix with vectors in natural order, whatever numbering and precision it has, and what every format must do. */
#pragma once
#include "tests/solver/problems.h"

/* Rows of these lengths (in blocks, 0 allowed): the diagonal first, then columns spread over all. */
void problem_rows(int n, int block, const int *length, Problem *out);
/* y = |A| |x| row by row, what rounding is measured against. */
void problem_apply_abs(const Problem *p, const double *x, double *y);
/* problem_number of shift, shift + 1, ...; FREE it. */
double *numbers(int64_t n, int64_t shift);

/* The place of unknown i in the numbering of the matrix. */
int64_t natural_place(const Mat *a, int64_t i);
/* Into the numbering of the matrix and its precision, on its Exec; and back: the vector there is released. */
void *natural_sent(const Mat *a, const double *x);
void natural_fetch(const Mat *a, void *from, double *x);
/* y = A x */
void natural_apply(const Mat *a, const double *x, double *y);

Krylov krylov_on_host(Exec *exec, const Krylov *k);
/* Dot, residual and combination, with and without a dot: vectors of any numbering give the same sums. */
void check_operations(const Problem *p, const Mat *a);
/* Diagonal, row sums, and the product with a scaled copy in double and float: S A S 1 = S A s. */
void check_visits(const Problem *p, const Mat *a);
