/* Matrices and vectors in Matrix Market files (Boisvert, Pozo, Remington 1996, "The Matrix Market exchange formats",
 * NISTIR 5935): `coordinate` or dense (`array`); real or integer; general or
 * symmetric. Here because it makes a Pattern, and because numbers are read by the mesh room's exact parser. What is
 * wrong with a file is ERR_MESH (the code of damaged input) with `file:line:`; nothing is allocated by a count that the
 * file cannot hold. */
#pragma once
#include "algebra/pattern.h"

#include <stdbool.h>

enum {
  MARKET_SYMMETRIC = 1, /* an unsymmetric matrix is refused: (i, j) and (j, i) may differ by 1e-12 of the larger one,
                           and by 16 units of round-off of sqrt(|a_ii a_jj|) */
  MARKET_POSITIVE = 2 /* ERR_NUMERIC where the matrix is seen not to be positive definite: by its diagonal, by a pair of
                         rows, by elimination when it has at most 256 rows; needs MARKET_SYMMETRIC */
};

/* A square matrix; both triangles are there whatever the file stores, the pattern always holds the diagonal. */
typedef struct MarketMatrix {
  Pattern *pattern;   /* owned */
  double *value;      /* owned, [start[n]][block][block], row-major blocks in the pattern's order */
  int64_t n_stored;   /* entries in the file */
  int64_t n_repeated; /* of them, for a place that had one: added up, with a warning */
  bool symmetric;     /* the file stores one triangle */
} MarketMatrix;

/* `wanted`: MARKET_ bits. Blocks of one scalar. */
Status market_matrix_read(const char *path, unsigned wanted, MarketMatrix *out);
/* Joins scalar rows to blocks of 2 or 3, filled up with zeros. ERR_INPUT where the size does not divide. */
Status market_matrix_block(MarketMatrix *matrix, int32_t block);
void market_matrix_release(MarketMatrix *matrix);

/* One or several vectors. */
typedef struct MarketArray {
  int64_t rows, columns;
  double *value; /* owned, column-major */
} MarketArray;

/* `rows`: how many are expected, by what ("A.mtx") for the message. */
Status market_array_read(const char *path, int64_t rows, const char *by, MarketArray *out);
void market_array_release(MarketArray *array);
