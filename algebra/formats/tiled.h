/* A copy in half precision whose columns are near: for products of scalar matrices inside an iteration on a GPU. Rows
 * are cut into tiles; a block of threads brings what its tile needs of x, its own rows and those of its neighbours (the
 * halo), into its own memory once, and every column is a place in there. Within a tile rows are sorted by length, so
 * that next to nothing is padded. Vectors stay in natural order. Layout: algebra/formats/tiled.c.
 * Rabbit refined (486,940 nodes along a Hilbert curve, 14.5 entries a row): a tile of 1024 rows has a halo of 786 in
 * the mean. */
#pragma once
#include "algebra/mat.h"

/* Most rows of a tile and of a halo. */
enum { TILED_ROWS = 512, TILED_HALO = 8192 };
/* Blocks of 512 threads that a GPU of 132 processors has under way at once, and its processors: a matrix of up to
 * TILED_ROWS rows for each of these gets a tile for each, so that it can stay in them
 * (gpu/persistent/persist_heart.cu). */
enum { TILED_PLACES = 528, TILED_PROCESSORS = 132 };

/* Rows of a tile of a matrix of n rows: a multiple of 32. */
int32_t tiled_rows(int64_t n);
/* Whether tiled_create can take `a`, but for its halos: scalar, in double, format 'sbell' with slices of 32 rows in
 * natural order. */
bool tiled_allows(const Mat *a);
/* And whether many products are faster so: on a GPU, beyond what stays in one kernel, of one process. */
bool tiled_pays(const Mat *a);
/* Like mat_create_like(a, PRECISION_HALF, out), for mat_scale, mat_product and mat_apply, with float vectors. Where a
 * tile's halo has more than TILED_HALO rows it is that very copy. ERR_BUG where tiled_allows says no. */
Status tiled_create(const Mat *a, Mat **out);
/* `a` itself in those tiles, for mat_product with double vectors, summed in double:
 *   w_i = r_i v_i + sum over j of a_ij (v_j - v_i),  r_i the sum of row i in double,
 * in which a_ij are in float, 6 bytes an entry. Where rows sum to nothing, as those of a diffusion do, this is the product with a
 * matrix whose conductivities between two nodes each are off by 3e-8 of them: what it leaves of a constant is what double leaves.
 * `tiled` is a's copy by tiled_create with values in it, and outlives what is made. *out NULL: tiled has no tiles, or one of their
 * halos is too large. */
enum { TILED_DOUBLE_HALO = 4096 };
Status tiled_differences(const Mat *a, const Mat *tiled, Mat **out);
/* The same with tiles of its own; *out NULL: a halo is too large, or tiled_allows says no. */
Status tiled_near(const Mat *a, Mat **out);
