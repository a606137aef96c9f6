/* Several vectors at once: K = 2, 4 or 8 of them, interleaved, so that entry i of vector c lies at i K + c and a row of
 * a matrix, read once, meets K numbers side by side. Each column has Krylov scalars of its own and stops on its own: a
 * column whose `stop` is set is written no more. Compiled by gcc and nvcc.
 *
 * Kernels here have a sum for each column, more than generic launchers know, hence names of their own: NAME_K. Their
 * bodies see one entry (NAME_item) and one column (NAME_column); many.c makes the CPU kernels of them,
 * gpu/formats/many.cu the launchers. */
#pragma once
#include "algebra/product.h"

enum { MANY_MOST = 8 };

typedef struct KrylovMany {
  Krylov column[MANY_MOST];
  double bb[MANY_MOST];  /* |b|^2 */
  int32_t columns, stop; /* K; not 0: nothing runs any more, or a column asks for a look at its true residual */
  KrylovMirror *mirror;  /* largest iteration, and largest |r|^2 / |b|^2 of the columns that run; NULL: not watched */
} KrylovMany;

/* A complete sum of column c. Threads may do this for all columns at once. */
HD void many_column(KrylovMany *m, int32_t c, KrylovStep step, double sum) {
  Krylov *k = &m->column[c];
  const double both[2] = {sum, 0};
  if (step == KRYLOV_STORE || !(k->stop || m->stop)) krylov_step(k, step, both);
}

/* After all columns; one thread. */
HD void many_close(KrylovMany *m) {
  int32_t runs = 0, check = 0;
  KrylovMirror all = {0, 0};
  for (int32_t c = 0; c < m->columns; ++c) {
    const Krylov *k = &m->column[c];
    check |= k->stop == KRYLOV_CHECK;
    if (k->iteration > all.iteration) all.iteration = k->iteration;
    if (k->stop) continue;
    runs = 1;
    if (k->rr > all.rr * m->bb[c]) all.rr = k->rr / m->bb[c];
  }
  m->stop = check ? KRYLOV_CHECK : runs ? KRYLOV_RUNS : KRYLOV_CONVERGED;
  if (m->mirror) *m->mirror = all;
}

/* A product with K vectors: all vectors of `product` are interleaved, b too; product.krylov is not looked at. */
typedef struct ManyProduct {
  ProductArgs product;
  KrylovMany *many;
} ManyProduct;

/* What is done with K vectors besides products; algebra/many/many_rows.h. */
typedef struct ManyVectors {
  int64_t n;            /* rows */
  int32_t shift, block; /* K = 2^shift; scalars per block side */
  double *x, *p, *r;
  const double *q, *b;
  const double *scale; /* S [n] */
  const double *g;     /* [n / block][block][block] of block_rows.h; NULL: none */
  double *scaled;      /* S r, then G S r */
  float *low;          /* the same in float; NULL: B works in double */
  void *z;             /* B S r, float where `low` */
  int8_t *extra;       /* more bits of z in float; NULL: none */
  KrylovStep step;     /* of many_behind */
  KrylovMany *many;
} ManyVectors;

/* The operations of product.h that work on K vectors; MAT_RESIDUAL has the sum w.w only. */
#define MANY_OPS_DOUBLE(X)                                                                                             \
  X(MAT_DOT, dot, 1)                                                                                                   \
  X(MAT_RESIDUAL, residual, 1)
#define MANY_OPS_BOTH(X)                                                                                               \
  X(MAT_COMBINE, combine, 0)                                                                                           \
  X(MAT_COMBINE_DOT, combine_dot, 1)

/* The epilogue of entry `at` = i K + c with row sum s; adds to the sum of that column. */
HD void many_end_d(const ProductArgs *a, MatOp op, int64_t at, double s, double *sum) {
  if (op != MAT_RESIDUAL) {
    product_row_d(a, op, at, s, sum);
    return;
  }
  const double t = a->b[at] - s;
  ((double *)a->w)[at] = t;
  *sum += t * t;
}
HD void many_end_f(const ProductArgs *a, MatOp op, int64_t at, double s, double *sum) {
  product_row_f(a, op, at, s, sum);
}
