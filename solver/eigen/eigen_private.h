/* Inside of EigenSolver: blocks of vectors, the preconditioner, the small problem on the host. */
#pragma once
#include "solver/eigen/eigen.h"
#include "solver/eigen/rows.h"
#include "solver/precond/precond_many.h"

/* Vectors, A times them, B times them. */
typedef enum EigenImage { EIGEN_X, EIGEN_AX, EIGEN_BX, EIGEN_IMAGES } EigenImage;

/* Columns in tiles, [tiles][n][8]; columns from `columns` on are 0. */
typedef struct EigenBlock {
  int32_t columns, tiles, room; /* room: tiles that there is memory for */
  double *v[EIGEN_IMAGES];      /* owned */
} EigenBlock;

typedef struct EigenDeflated {
  int32_t n, room;
  double **z, **bz; /* owned with their items, [n][8]: B-orthonormal, or 0 */
} EigenDeflated;

struct EigenSolver {
  Exec *exec; /* borrowed, as are the matrices */
  const Mat *a, *b, *mass;
  Mat *positive;
  bool shifted, indefinite;
  Precond *m;     /* owned */
  Krylov *krylov; /* owned, on the Exec: the preconditioner's */
  /* Of a preconditioner of 8 vectors at once, owned, the vectors on the Exec, [n][8]; NULL: one after another */
  PrecondMany *multi;
  KrylovMany *many;
  double *packed;
  void *answer;
  size_t answer_size;
  int64_t n, n_read, n_free, max_iterations; /* n_read: with rows of other ranks; n_free: of all */
  int32_t values, block;                     /* asked for, and columns of x */
  double rtol, shift, mean_scale, largest;   /* largest: an estimate of the largest values */
  int64_t n_bad;
  bool together;     /* products take 8 vectors at once */
  double *weight;    /* owned, [n]: 1 / diagonal of B, 0 where unknowns are held */
  double *one, *two; /* owned, [mat_columns]: vectors of products with one at a time */
  double *read;      /* owned, [mat_columns][8]: what a product reads where other ranks have some of it; NULL: a tile */
  double *number;    /* owned, on the Exec: a scalar */
  EigenBlock x, w, p, next_x, next_p;
  EigenDeflated deflated;
  double *partial[2]; /* owned, sums on their way */
  int64_t partial_room;
  double *factor; /* owned, on the Exec: of updates, and theta */
  int64_t factor_room;
  double *theta, *residual, *rounding; /* owned, host, [columns of x] */
  bool *active;                        /* owned, host, likewise: not converged */
  LinearPoll poll;
  void *poll_context;
};

/* ---- eigen_block.c ---- */
Status eigen_block_create(EigenSolver *s, int32_t columns, bool images, EigenBlock *out);
void eigen_block_release(EigenSolver *s, EigenBlock *block);
/* The first `columns` columns are there. */
void eigen_block_use(EigenBlock *block, int32_t columns);
/* Tiles of some blocks, one behind the other. */
typedef struct EigenList {
  int32_t n, columns[3], tiles[3];
  EigenTiles tile[EIGEN_IMAGES];
} EigenList;
EigenList eigen_list(const EigenSolver *s, int32_t n, const EigenBlock *const *block);
/* Columns of a list that are there, in [8 n]; returns how many. */
int32_t eigen_list_columns(const EigenList *list, int32_t *at);
void eigen_swap(double **a, double **b);
/* host [8 n_right][8 n_left] or, symmetric, [8 n][8 n]: entry (t, s) is column t of right times column s of left. */
Status eigen_gram(EigenSolver *s, const EigenTiles *left, int32_t n_left, const EigenTiles *right, int32_t n_right,
                  double *out);
Status eigen_gram_symmetric(EigenSolver *s, const EigenTiles *left, const EigenTiles *right, int32_t n, double *out);
/* host [8 tiles]: sums of weight r^2. */
Status eigen_norms(EigenSolver *s, const double *r, int32_t tiles, double *out);
/* Numbers to s->factor. */
Status eigen_send(EigenSolver *s, const double *factor, int64_t n);
/* to [n_to tiles] = (or, `adds`, +=) from times factor, host [8 n_from][8 n_to]. */
Status eigen_update(EigenSolver *s, const EigenTiles *from, int32_t n_from, const double *factor, bool adds, double *to,
                    int32_t n_to);
/* x [n_x tiles] and p [n_p tiles] = from times factor, host [8 n_from][8 (n_x + n_p)]. */
Status eigen_update_both(EigenSolver *s, const EigenTiles *from, int32_t n_from, const double *factor, double *x,
                         int32_t n_x, double *p, int32_t n_p);
/* y = mat x, of tiles. */
Status eigen_product(EigenSolver *s, const Mat *mat, const double *x, double *y, int32_t tiles);
/* A and B times the columns of a block. */
Status eigen_images(EigenSolver *s, EigenBlock *block);
/* v -= sum of basis (image . v), of tiles: once, B-orthogonal where image is B basis. */
Status eigen_project_out(EigenSolver *s, const EigenTiles *basis, const EigenTiles *image, int32_t n, double *v,
                         int32_t tiles);
/* A column as a vector, and back. */
Status eigen_take(EigenSolver *s, const double *tiles, int32_t column, double *v);

/* ---- eigen_precond.c ---- */
Status eigen_precond_create(EigenSolver *s, const LinearParams *linear);
void eigen_precond_release(EigenSolver *s);
Status eigen_precond_setup(EigenSolver *s);
/* Residuals of active columns, in w, become preconditioned directions, in w one behind the other. */
Status eigen_precond_apply(EigenSolver *s);

/* ---- eigen_basis.c ---- */
/* W becomes B-orthonormal to what is deflated, to X, to P and to itself, without columns that depend on others, with its
 * images. */
Status eigen_basis(EigenSolver *s, EigenReport *report);
/* r -= B X (X . r) - B Z (Z . r), of tiles of X. */
Status eigen_clean(EigenSolver *s, double *r);
/* s->rounding = eps |(|A| + |theta| |B|) |x|| / |theta|, the residual that rounding of products alone may make. r: room for
 * X, lost. */
Status eigen_rounding(EigenSolver *s, double *r);
/* v -= its part along what is deflated, of tiles. */
Status eigen_project_deflated(EigenSolver *s, double *v, int32_t tiles);

/* ---- eigen_ritz.c ---- */
/* A problem of q columns in blocks with gaps: which columns of [size] are there. */
typedef struct EigenRitz {
  int32_t size, q;
  const int32_t *at;     /* [q] */
  const double *ga, *gb; /* [size][size] */
} EigenRitz;
/* The lowest `want` pairs: value [want], vectors [size][stride], 0 in rows that are no columns; *found <= want of them,
 * as dependent columns are left out. Vectors are gb-orthonormal. */
Status eigen_ritz(const EigenRitz *p, int32_t want, double *value, double *vector, int32_t stride, int32_t *found);
/* Combinations of the columns that are gb-orthonormal, in columns of vector [size][stride]; *found of them. *least: how
 * short the shortest one was, squared, made of unit columns: gb's rounding is in it over that. */
Status eigen_independent(const EigenRitz *p, double *vector, int32_t stride, int32_t *found, double *least);
/* What makes directions p of the chosen vectors: those without their part in the first `first` rows, gb-orthonormal to
 * all vectors and to each other. chosen [n_vector]; out [size][stride]; *found of them. */
Status eigen_directions(const EigenRitz *p, const double *vector, int32_t n_vector, int32_t vector_stride,
                        const bool *chosen, int32_t first, double *out, int32_t stride, int32_t *found);
