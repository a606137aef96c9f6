/* What the benchmarks share: the papers' elasticity problems on generated meshes, and the measured copy bandwidth. */
#pragma once
#include "assembly/elasticity/elasticity.h"
#include "bench/bench.h"
#include "solver/krylov/linear.h"
#include "algebra/mat.h"

enum { BENCH_PROBLEMS = 4 };
/* Unit square or cube, E 210, nu 0.3, held on x = 0, loaded by its weight (density 1, acceleration 1 in -y or -z), so
 * that every free node carries load. Sizes of the polynomial-PCG paper's Table 1: quad4 400 x 400 and hex8 54^3
 * exactly, tet4 58^3 cubes and tri3 727^2 squares structured instead of unstructured. */
typedef struct BenchProblem {
  const char *name; /* "hex" */
  Mesh *mesh;
  int32_t *element_material;
  Elasticity *elasticity;
  double create_seconds; /* DOF map, pattern, tables: host */
} BenchProblem;

/* i in [0, BENCH_PROBLEMS), in the order quad, hex, tet, tri. */
const char *problem_name(int i);
Status problem_create(Exec *exec, int i, int32_t percent, BenchProblem *out);
/* Only its mesh, owned by the caller. */
Status problem_mesh(int i, int32_t percent, Mesh **out);
void problem_release(BenchProblem *problem);
/* The same loads on another mesh, which it takes over: `held` and `body` name groups of it; poisson 0: 0.3; contrast:
 * of young in a checkerboard, 0: none. */
typedef struct ProblemParams {
  const char *name, *held, *body;
  double poisson, contrast;
} ProblemParams;
Status problem_on(Exec *exec, Mesh *mesh, const ProblemParams *params, BenchProblem *out);
/* What a case tells the solver about elasticity: the pattern, that there are smooth motions, and, where the
 * preconditioner that is asked for or that "auto" stands for uses them, these, in *motions (owned by the caller,
 * FREE it, even after an error). */
Status problem_hints(Exec *exec, const BenchProblem *problem, const Mat *a, LinearParams *params, double **motions);
/* Assembles into a new double matrix of that format; seconds of building the gather map (host). */
Status problem_matrix(Exec *exec, BenchProblem *problem, const char *format, Mat **out, double *bind_seconds);

/* GB/s of copying a large array, bytes read and written, best of several. */
Status bench_copy(Exec *exec, double *gigabytes_per_second);
double bench_now(void);
/* Seconds of one run of `once`, the mean of `repeat` in the stream of exec after two warm-ups. */
typedef Status (*BenchOnce)(void *context);
Status bench_time(Exec *exec, BenchOnce once, void *context, int32_t repeat, double *seconds);
bool bench_wants(const BenchParams *params, const char *name);

/* y = A x by the vendor's library on the same CSR matrix (double): seconds per product of its faster algorithm.
 * *seconds = 0 with a reason in why[size] when the library is not there (a GPU build, libcusparse at run time). */
Status rival_csr(Exec *exec, const Pattern *pattern, const Mat *csr, const double *x, double *y, int32_t repeat,
                 double *seconds, char *why, int size);

/* Seconds per product of each of the vendor's formats, 0 where it could not be measured: CSR by the faster of its two
 * algorithms, BSR of the pattern's blocks, SELL with slices of 32 rows. */
typedef struct RivalTimes {
  double csr, bsr, sell;
  char why[160]; /* the first reason for a 0, "" when there is none */
} RivalTimes;
/* csr: a matrix of format "csr", double or float; value: double[entries] on the Exec in the pattern's order, row-major
 * blocks; x, y in the precision of csr. */
Status rival_formats(Exec *exec, const Pattern *pattern, const Mat *csr, const double *value, const void *x, void *y,
                     int32_t repeat, RivalTimes *out);
