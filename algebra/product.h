/* Products with a sparse matrix and what is done with each row of them (the epilogue), shared by all formats on all
 * executors: a format sums a row, then calls product_row. Compiled by gcc and nvcc.
 * float is a way to store, not to compute: sums and epilogues are in double. It costs nothing where memory is the limit
 * (not measurable on an H200), and a polynomial that rounds more needs more outer iterations (polynomial.c). */
#pragma once
#include "core/hd.h"
#include "algebra/block_rows.h"
#include "algebra/extra_bits.h"

/* X(constant, name, sums) and what it does with the row sum s = (A v)_i */
#define MAT_OPS(X)                                                                                                     \
  X(MAT_APPLY, apply, 0)             /* w = A v */                                                                     \
  X(MAT_DOT, dot, 1)                 /* w = A v; sum 0: v.w, then a step of the Krylov method (krylov.h) */            \
  X(MAT_COMBINE, combine, 0)         /* w = c0 A v + c1 v + c2 u + c3 b, z = e0 z + e1 u + e2 v + e3 w + e4 b */       \
  X(MAT_COMBINE_DOT, combine_dot, 1) /* same, and sum 0: b.z, then a step; b and z must be there */                    \
  X(MAT_RESIDUAL, residual, 2)       /* w = b - A v; sum 0: w.w, sum 1: b.b, then a step */                            \
  X(MAT_SEMI, semi, 0) /* a step of a semi-iteration on (Z + f2 A) v = u with Z = diag(z) and the diagonal D   \
                                        of A: w = v + f0 (v - w) + f1 (u - Z v - f2 A v) / (Z + f2 D) */       \
  X(MAT_ABS, abs, 0)   /* w = row sums of |A|; v is not read */                                                        \
  X(MAT_DIAGONAL, diagonal, 0) /* w = diagonal of A, z its blocks (NULL: not wanted) */                                \
  X(MAT_SCALE_D, scale_d, 0)   /* values w of a double copy: w_ij = b_i A_ij b_j (b double), padding kept zero; \
                                        where u holds blocks G, G_i w_ij G_j^T (block formats only, block_rows.h) */      \
  X(MAT_SCALE_F, scale_f, 0)   /* values w of a float copy */
typedef enum MatOp {
#define MAT_OP_ENUM(constant, name, sums) constant,
  MAT_OPS(MAT_OP_ENUM)
#undef MAT_OP_ENUM
      MAT_N_OP
} MatOp;
/* Operations that go through the entries once per matrix and need no vector v. */
HD int mat_op_visits(MatOp op) { return op == MAT_ABS || op == MAT_DIAGONAL || op == MAT_SCALE_D || op == MAT_SCALE_F; }

/* The matrix as kernels see it. Each format says in its file what the integers mean. */
typedef struct MatView {
  const void *value; /* double or float */
  const int32_t *column;
  const int64_t *start;
  const int32_t *row; /* NULL: rows in natural order */
  int64_t n;          /* rows that the kernel runs over */
  int32_t slice, block;
  int32_t width;                 /* entries of a row on average, padding included, rounded down (0: not told) */
  int32_t threads;               /* that share a row, where the format lets several */
  int32_t threshold;             /* length beyond which a row is split, or of a segment */
  const int32_t *length, *order; /* row lengths and another integer array, as the format says */
  const uint16_t *end;           /* of rows, counted from where the format says */
  double *work;                  /* what the format's own kernels leave for each other; NULL: nothing */
} MatView;

/* One argument list for all operations. v, w, u, z are stored in the matrix' precision, b is double.
 * MAT_COMBINE: u may be NULL, w may be u or NULL (not stored), z may be NULL; z and b are read only where their factors
 * are not 0. */
typedef struct ProductArgs {
  MatView a;
  const void *v;
  void *w;
  const void *u;
  const double *b;
  void *z;
  /* of MAT_COMBINE on float vectors: 8 more bits of the own values of v, u, w and z; NULL: none (extra_bits.h). What A
   * is multiplied with has none */
  const int8_t *v_extra, *u_extra;
  int8_t *w_extra, *z_extra;
  double c0, c1, c2, c3, e0, e1, e2, e3, e4;
  const void *diagonal; /* of MAT_SEMI: D, stored as the vectors are, */
  const double *f;      /* and three numbers, read when it runs */
  const int32_t *stop;  /* nothing happens when it is not NULL and not 0 */
  KrylovStep step;      /* what becomes of the sums */
  Krylov *krylov;
} ProductArgs;

HD int product_skips(const ProductArgs *a) { return a->stop && *a->stop; }

HD void product_finish(const ProductArgs *a, const double sum[]) {
  if (!product_skips(a)) krylov_step(a->krylov, a->step, sum);
}

/* The two numbers of MAT_COMBINE from the row sum s and what lies at the row; z without its e0. */
HD double product_w(const ProductArgs *a, double s, double v, double u, double b) {
  return a->c0 * s + a->c1 * v + a->c2 * u + a->c3 * b;
}
HD double product_z(const ProductArgs *a, double w, double v, double u, double b) {
  return a->e1 * u + a->e2 * v + a->e3 * w + a->e4 * b;
}
/* Whether b is read. */
HD int product_has_b(const ProductArgs *a, MatOp op) { return op == MAT_COMBINE_DOT || a->c3 != 0 || a->e4 != 0; }

#define REAL double
#define NAMED(name) name##_d
#include "algebra/product_row.tmpl.h"
#undef REAL
#undef NAMED
#define REAL float
#define NAMED(name) name##_f
#include "algebra/product_row.tmpl.h"
#undef REAL
#undef NAMED
