/* A sparse matrix on an Exec, in one of the formats of algebra/formats.def. Values are written from outside (assembly's
 * gather, through `slots`), products come with three epilogues. New format: one file here, one in gpu/, one line in
 * formats.def. */
#pragma once
#include "algebra/pattern.h"
#include "core/exec.h"
#include "algebra/product.h"

#include <stdbool.h>

/* How values are stored. Assembly writes double or float; half, bfloat16 and int8 (8 bits with a power of two for each
 * block, the same for ij and ji) are copies made by mat_create_like and mat_scale, exactly symmetric, with float
 * vectors, of values scaled to about 1 at most (half ends at 65504). Layout, bytes and limits:
 * algebra/formats/low_bit.c. */
typedef enum Precision {
  PRECISION_DOUBLE,
  PRECISION_FLOAT,
  PRECISION_HALF,
  PRECISION_INT8,
  PRECISION_BFLOAT16
} Precision;

/* Bytes of a number where matrices are double or float; those of fewer bits have no vectors of their own. */
static inline size_t precision_bytes(Precision p) { return p == PRECISION_FLOAT ? sizeof(float) : sizeof(double); }

typedef struct Mat Mat;

typedef struct MatParams {
  const char *format; /* a name of formats.def (NULL: the first one), or "auto" (algebra/format_choice.h) */
  Precision precision;
  int32_t slice;       /* block rows per slice, a multiple of 32 that divides ROW_CHUNK; 0: 32 */
  const char *variant; /* of the format, in the papers' words ("k1", "k2r", "scalar"); NULL: the format's default */
  int32_t threads;     /* that share a row on a GPU; 0: chosen by the format */
  int32_t threshold;   /* row length beyond which a row is split, or the length of a segment; 0: chosen by the format */
  int32_t gpu_block;   /* threads of a GPU block, where the papers tune it (ell-warp); 0: chosen by the format */
  int32_t window; /* block rows among which rows are sorted by length (SELL-C-sigma's sigma), 1: natural order, more
                          than there are: all of them; 0: chosen by the format. Formats that sort only */
} MatParams;

/* What some formats are good for besides products. */
typedef enum MatTrait {
  MAT_SLICED_BLOCKS = 1, /* block rows in slices, one column a block: multigrid reads the matrix as it is */
  MAT_ANY_ROWS = 2       /* nothing is padded: rows of any length */
} MatTrait;

/* The pattern is not needed afterwards. Unknown format: ERR_INPUT with the list. All values are zero. */
Status mat_create(Exec *exec, const MatParams *params, const Pattern *pattern, Mat **out);
/* A matrix with the same structure, which it borrows from `a`, and values of its own. Half, bfloat16 and int8: of
 * format 'sbell' with slices of 32 only, ERR_INPUT otherwise. */
Status mat_create_like(const Mat *a, Precision precision, Mat **out);
/* Whether mat_create_like can store values so; `a` is in double or float. */
bool mat_allows(const Mat *a, Precision precision);
/* "double", "float", "half", "int8", "bfloat16". */
const char *precision_name(Precision precision);
/* Copies in low precision sum the entries of a row in float unless told to do so in double, as polynomials do; loops
 * recorded before do not change. */
void mat_sum_in_double(Mat *mat, bool on);
void mat_destroy(Mat **mat);
/* On a GPU slots may be there alone: slot_map_fetch brings them. */
const SlotMap *mat_slots(const Mat *mat);
/* The value array on the Exec: double[n_value] or float[n_value]; copies in low precision: records, to which slots do not
 * apply. */
void *mat_values(const Mat *mat);
Exec *mat_exec(const Mat *mat);
int32_t mat_block(const Mat *mat);   /* scalars per block side */
int64_t mat_rows(const Mat *mat);    /* scalar rows */
int64_t mat_columns(const Mat *mat); /* scalars of a vector that a product reads: rows, then those of other ranks */
int64_t mat_whole(const Mat *mat);   /* scalar rows of all ranks */
int64_t mat_first(const Mat *mat);   /* which of those its first row is */
int64_t mat_entries(const Mat *mat); /* scalar entries of the pattern, padding not counted */
size_t mat_bytes(const Mat *mat);    /* what one product must read: values, columns, offsets, padding included */
/* New index of each scalar row, host [mat_rows], when the format numbers the unknowns in its own order ("r" variants);
 * NULL: natural. All vectors of products, of mat_diagonal and of mat_scale are then in the new numbering: the caller
 * must permute, x_new[numbering[i]] = x[i], as linear_solve does for its caller. Slots stay those of the pattern's
 * entries. */
const int32_t *mat_numbering(const Mat *mat);
/* The variant of the format that keeps the natural numbering, for messages; NULL when this one does. */
const char *mat_natural_variant(const Mat *mat);
Precision mat_precision(const Mat *mat);
const char *mat_format(const Mat *mat);
bool mat_has(const Mat *mat, MatTrait trait);
/* y = A x, same precision as the matrix, float for copies in low precision. Recordable. */
Status mat_apply(const Mat *mat, const void *x, void *y);
/* One product with an epilogue; a->a is filled in here, the rest by the caller (algebra/product.h). Recordable. Vectors
 * that a matrix is multiplied with, scalings and blocks G are [mat_columns]; what lies behind the rows is brought here. */
Status mat_product(const Mat *mat, MatOp op, const ProductArgs *args);
/* d = diagonal of a double matrix. */
Status mat_diagonal(const Mat *mat, double *d);
/* to = diag(s) from diag(s); `to` was made by mat_create_like(from), from is double. */
Status mat_scale(const Mat *from, const double *s, Mat *to);
/* Formats that store blocks of 2 or 3 (sbell, bell) also give the diagonal blocks [n_block][B][B], d as above, and
 * scale by blocks: to = G diag(s) from diag(s) G^T with lower triangular G = blocks [n_block][B][B], NULL: none. */
/* to = from, a copy in half, bfloat16 or int8 of a matrix in double or float that mat_create_like(from) made. */
Status mat_store(const Mat *from, Mat *to);
bool mat_knows_blocks(const Mat *mat);
Status mat_diagonal_blocks(const Mat *mat, double *d, double *blocks);
Status mat_scale_blocks(const Mat *from, const double *s, const double *blocks, Mat *to);

/* The registry, for lists and tests. */
int32_t mat_format_count(void);
const char *mat_format_name(int32_t i);
const char *mat_format_meaning(int32_t i);
const char *mat_format_with(MatTrait trait);           /* the first of the registry that has it */
bool mat_format_has(const char *name, MatTrait trait); /* NULL: the first format; false of "auto" and unknown names */
/* Name of the k-th parameter that formats may have, from 0; NULL: there are no more. */
const char *mat_param_name(int32_t k);
/* What it means for format i, with what is allowed; NULL: the format has none so called. */
const char *mat_format_param(int32_t i, int32_t k);
/* ERR_INPUT: a parameter that the format does not have, with those that it has and formats that have it. */
Status mat_params_check(const MatParams *params);
