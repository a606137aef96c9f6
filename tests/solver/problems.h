/* Small systems for the solver's tests: a pattern on the host with the values of its blocks, and how they get into a
 * matrix of any format through its slots. */
#pragma once
#include "solver/precond/precond.h"

typedef struct Problem {
  Pattern *pattern; /* owned */
  double *value;    /* owned, [n_block][block^2], row-major blocks in the pattern's order */
} Problem;

/* Spring network on a grid of nx x ny x nz nodes: each node is tied to its neighbours (27 with itself) by springs
 * w (d d^T + 0.1 I), d the unit direction; block is also the dimension. Nodes with x = 0 are held (unit rows). With
 * contrast, springs differ by up to that factor (deterministic). Symmetric positive definite. */
void problem_grid(int nx, int ny, int nz, int block, double contrast, Problem *out);
/* n block rows; row lengths are irregular, one row couples to all; random symmetric, diagonally dominant. */
void problem_random(int n, int block, unsigned seed, Problem *out);
/* n block rows, neighbours i - 1 and i + 1, and i tied to n - 1 - i where i is a multiple of 64: of 66000 rows some slices
 * are too wide for columns of 16 bits. */
void problem_far(int32_t n, int32_t block, Problem *p);
void problem_release(Problem *p);
/* Scalar (r, c) of the first block at (i, j), 0 when there is none. */
double *problem_entry(const Problem *p, int i, int j, int r, int c);
/* y = A x by the blocks, in long double. */
void problem_apply(const Problem *p, const double *x, double *y);
/* Writes the values into a matrix that was created with p->pattern. */
void problem_fill(const Problem *p, Mat *mat);
/* A new matrix with these values, in double. */
Mat *problem_mat(Exec *exec, const Problem *p, const char *format);
/* A vector on the Exec with these values, or deterministic numbers in [-1, 1] when NULL. */
double *problem_vector(Exec *exec, int64_t n, const double *from);
/* A number in [-1, 1] that depends on i. */
double problem_number(int64_t i);
/* Host memory, mem_alloc'ed. */
double *problem_host(int64_t n);
/* Dense copy of a matrix on the Exec by its columns, [n][n]; FREE it. */
double *problem_dense(Exec *exec, const Mat *a);
/* precond_setup with a work space of its own; no entry of the diagonal may be bad. */
Status problem_precond_set_up(Precond *m);
/* to = B from; the sum r.z must have become the krylov's rz, relatively to this tolerance. */
void problem_precond(Precond *m, const Krylov *krylov, double tolerance, const double *from, double *to);
/* All of B by its columns: symmetric to this tolerance of its largest entry, and a Cholesky factorisation exists. */
void problem_precond_symmetric(Precond *m, const Krylov *krylov, double tolerance);
/* After a stop an application (before it as problem_precond) changes neither the result nor the krylov. */
void problem_precond_stopped(Precond *m, Krylov *krylov, double tolerance);
/* testing_fail_each for the matrix of these params and, with `like`, for its copy in float too. */
void problem_mat_fails(Exec *exec, const MatParams *params, const Problem *p, bool like);
