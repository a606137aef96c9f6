/* Singular graph Laplacians of `sinew solve --project-constant`: in a connected part whose rows all add up to 0 a
 * constant has no stiffness. A right-hand side without its mean there is in the range of the matrix, on which conjugate
 * gradients work as on a regular one (Kaasschieter 1988, J. Comput. Appl. Math. 24), and the solution is the one whose
 * mean is 0. */
#pragma once
#include "algebra/market/matrix_market.h"

typedef struct FreeConstant {
  int64_t n;
  int32_t n_part, n_free; /* connected parts, and how many of them are free */
  int32_t *part;          /* owned, [n], -1 where the part is not free */
  int64_t *size;          /* owned, [n_part], rows */
  double *sum;            /* owned, [n_part] */
} FreeConstant;

/* Of a matrix with one scalar per block; rows that add up to 1e-12 of their absolute sum at most count as 0. A free
 * part of one row, which is all zero, gets the diagonal 1. */
Status free_constant_find(MarketMatrix *matrix, FreeConstant *out);
/* Only how many connected parts there are and in how many of them all rows add up to 0, so that the matrix is
 * singular. */
Status free_constant_count(const MarketMatrix *matrix, int32_t *n_free, int32_t *n_part);
void free_constant_release(FreeConstant *f);
/* Takes the mean over each free part from v[n] and returns the size of what went over that of v, 0 of 0. */
double free_constant_project(const FreeConstant *f, double *v);
