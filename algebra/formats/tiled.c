/* A copy in half precision in tiles (algebra/formats/tiled.h): records of a half and 16 bits of column, where a column
 * below the rows of a tile is one of them and another one a row of its halo. Slices are of 32 lanes as SBELL's, but of
 * rows sorted by length in their tile. Bytes of a product, n rows with w entries and halos of h rows in all: 4 w n of
 * records, 4 n + 8 h of x and the halos' rows, 4 n of the order of rows, and the vectors of the epilogue.
 *
 * MatView: slice the rows of a tile, a multiple of 32; value the records, start of each 32 lanes; row the row of each
 * lane, all in the lane's tile; order the start of each tile's halo [tiles + 1], length the halos' rows, ascending in a
 * tile, threads the most of a tile. column: not there.
 *
 * Rejected: products of several iterations in a tile without looking at the neighbours in between (matrix powers): k of
 * them need halos of k layers, twice the rows for k = 2. */
#include "algebra/formats/tiled.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/parts.h"
#include "algebra/formats/low_bit.h"
#include "algebra/formats/rows.h"
#include "algebra/formats/tiled_rows.h"

#include <stdlib.h>
#include <string.h>

#define RANGE tiled_range_h
#define VECTOR float
#define VALUE(m, k) ((double)half_to_float((uint16_t)((const uint32_t *)(m)->value)[k]))
#define PLACE(m, k) ((int32_t)(((const uint32_t *)(m)->value)[k] >> 16))
#define LESS(v, i) 0
#define MORE(m, lane, v, i) 0
#define ROW product_row_f
#include "algebra/formats/tiled_range.tmpl.h"
#define FORMAT tiled
#define P h
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#undef P
/* For differences: value and, in `end`, place of each entry; in `work` the sum of each lane's row. */
#define RANGE tiled_range_d
#define VECTOR double
#define VALUE(m, k) ((double)((const float *)(m)->value)[k])
#define PLACE(m, k) ((int32_t)(m)->end[k])
#define LESS(v, i) (v)[i]
#define MORE(m, lane, v, i) ((m)->work[lane] * (v)[i])
#define ROW product_row_d
#include "algebra/formats/tiled_range.tmpl.h"
#define P d
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"

static Status tiled_scale(const Mat *from, const double *s, const double *blocks, Mat *to) {
  (void)blocks; /* scalar matrices have none */
  CHECK(from->precision == PRECISION_DOUBLE, ERR_BUG, "a copy in low precision is made of a matrix in double");
  const TiledArgs args = {from->view, to->view, s, to->values};
  return exec_rows(from->exec, &tiled_scale_kernel, &args, from->view.n);
}

static const RowKernel *tiled_kernel(const Mat *mat, MatOp op) {
  (void)mat;
  return &tiled_kernels_1h[op];
}

static const MatLow tiled = {.scale = tiled_scale, .kernel = tiled_kernel};

int32_t tiled_rows(int64_t n) {
  const int64_t resident = (n + TILED_PROCESSORS - 1) / TILED_PROCESSORS;
  if (resident <= TILED_ROWS) return (int32_t)(resident + LOW_LANES - 1) / LOW_LANES * LOW_LANES;
  const int64_t all = (int64_t)TILED_PLACES * TILED_ROWS, places = (n + all - 1) / all * TILED_PLACES;
  return (int32_t)((n + places - 1) / places + LOW_LANES - 1) / LOW_LANES * LOW_LANES;
}

bool tiled_allows(const Mat *a) {
  return a->block == 1 && a->precision == PRECISION_DOUBLE && a->low && a->view.slice == LOW_LANES && !a->view.row;
}

bool tiled_pays(const Mat *a) {
  return tiled_allows(a) && !exec_is_host(a->exec) && !a->share.n_halo &&
         exec_whole(a->exec, (double)a->view.n) > TILED_PROCESSORS * TILED_ROWS;
}

/* The structure on the host; all owned. */
typedef struct Tiles {
  int32_t rows, n_tile, n, most; /* of a tile; tiles; rows; most rows of a halo */
  int64_t n_column;              /* rows, and those of other ranks that they read */
  int32_t *halo_start, *halo;    /* [n_tile + 1], [halo_start[n_tile]] */
  int32_t *row, *length;         /* [n]: the row of each lane; entries of each row */
  int64_t *start;                /* [slices + 1] */
  int32_t *column;               /* those of the double matrix, */
  int64_t *slice;                /* and its starts */
} Tiles;

static void tiles_release(Tiles *t) {
  FREE(t->halo_start);
  FREE(t->halo);
  FREE(t->row);
  FREE(t->length);
  FREE(t->start);
  FREE(t->column);
  FREE(t->slice);
}

static int32_t tile_end(const Tiles *t, int32_t tile) {
  const int64_t end = ((int64_t)tile + 1) * t->rows;
  return end < t->n ? (int32_t)end : t->n;
}

/* Entries of a row but for its padding, whose columns are the row itself, at the end of it. */
static int32_t row_length(const Tiles *t, int32_t i) {
  const int64_t first = t->slice[i / LOW_LANES] + i % LOW_LANES;
  int64_t n = (t->slice[i / LOW_LANES + 1] - t->slice[i / LOW_LANES]) / LOW_LANES;
  while (n > 1 && t->column[first + (n - 1) * LOW_LANES] == i && t->column[first + (n - 2) * LOW_LANES] == i) --n;
  return (int32_t)n;
}

/* The columns of a tile that are no rows of it, each once: to `halo` where it is there; their number. seen: a bit a row, 0
 * before and after. */
static int32_t find_halo(const Tiles *t, int32_t tile, uint64_t *seen, int32_t *halo) {
  const int32_t first = tile * t->rows, end = tile_end(t, tile);
  int32_t n = 0;
  for (int turn = 0; turn < 2; ++turn)
    for (int32_t i = first; i < end; ++i) {
      const int32_t *column = t->column + t->slice[i / LOW_LANES] + i % LOW_LANES;
      for (int32_t k = 0; k < t->length[i]; ++k) {
        const int32_t j = column[(int64_t)k * LOW_LANES];
        const uint64_t bit = (uint64_t)1 << j % 64;
        if (turn) seen[j / 64] = 0;
        if (turn || (j >= first && j < end) || seen[j / 64] & bit) continue;
        seen[j / 64] |= bit;
        if (halo) halo[n] = j;
        ++n;
      }
    }
  if (halo && n) qsort(halo, (size_t)n, sizeof *halo, ascending_int32);
  return n;
}

/* Longest rows first, in natural order where they are the same; from the longest length to 1. */
static void sort_tile(Tiles *t, int32_t tile) {
  const int32_t first = tile * t->rows, end = tile_end(t, tile);
  int32_t longest = 0, shorter, lane = first;
  for (int32_t i = first; i < end; ++i) longest = t->length[i] > longest ? t->length[i] : longest;
  for (; lane < end; longest = shorter) {
    shorter = 0;
    for (int32_t i = first; i < end; ++i) {
      if (t->length[i] == longest) t->row[lane++] = i;
      else if (t->length[i] < longest && t->length[i] > shorter) shorter = t->length[i];
    }
  }
  for (lane = first; lane < end; lane += LOW_LANES)
    t->start[lane / LOW_LANES + 1] = (int64_t)t->length[t->row[lane]] * LOW_LANES; /* of it alone as yet */
}

/* Halos and rows of all tiles, a part of them by each thread: how long the halos are, then what they are. */
static Status fill_tiles(Tiles *t) {
  const int parts = parts_of(t->n);
  const int64_t words = t->n_column / 64 + 1;
  uint64_t *seen = NULL;
  ALLOC(seen, parts * words, "halos of a tiled matrix");
  for (int turn = 0; turn < 2; ++turn) {
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int p = 0; p < parts; ++p)
      for (int64_t k = part_begin(t->n_tile, p, parts); k < part_begin(t->n_tile, p + 1, parts); ++k) {
        const int32_t tile = (int32_t)k,
                      n = find_halo(t, tile, seen + p * words, turn ? t->halo + t->halo_start[k] : NULL);
        if (turn) sort_tile(t, tile);
        else t->halo_start[k + 1] = n;
      }
    if (turn) break;
    for (int32_t k = 0; k < t->n_tile; ++k) {
      t->most = t->halo_start[k + 1] > t->most ? t->halo_start[k + 1] : t->most;
      t->halo_start[k + 1] += t->halo_start[k];
    }
    const Status status =
        mem_alloc(t->halo_start[t->n_tile], sizeof *t->halo, "halos of a tiled matrix", (void **)&t->halo);
    if (status != OK) FREE(seen);
    TRY(status);
  }
  FREE(seen);
  return OK;
}

static Status find_tiles(const Mat *a, Tiles *t) {
  t->n = (int32_t)a->view.n;
  t->n_column = mat_columns(a);
  t->rows = tiled_rows(t->n);
  t->n_tile = (t->n + t->rows - 1) / t->rows;
  const int64_t n_slice = ((int64_t)t->n + LOW_LANES - 1) / LOW_LANES;
  ALLOC(t->slice, n_slice + 1, "slices of a tiled matrix");
  TRY(exec_download(a->exec, t->slice, a->view.start, (size_t)(n_slice + 1) * sizeof *t->slice));
  ALLOC(t->column, t->slice[n_slice], "columns of a tiled matrix");
  TRY(exec_download(a->exec, t->column, a->view.column, (size_t)t->slice[n_slice] * sizeof *t->column));
  ALLOC(t->start, n_slice + 1, "slices of a tiled matrix");
  ALLOC(t->halo_start, t->n_tile + 1, "halos of a tiled matrix");
  ALLOC(t->length, t->n, "rows of a tiled matrix");
  ALLOC(t->row, t->n, "rows of a tiled matrix");
#pragma omp parallel for schedule(static) num_threads(parts_of(t->n))
  for (int32_t i = 0; i < t->n; ++i) t->length[i] = row_length(t, i);
  TRY(fill_tiles(t));
  for (int64_t k = 0; k < n_slice; ++k) t->start[k + 1] += t->start[k];
  return OK;
}

static Status put_tiles(const Tiles *t, Mat *mat) {
  static const char what[] = "structure of a tiled matrix";
  const size_t index = sizeof(int32_t);
  const int64_t n_slice = ((int64_t)t->n + LOW_LANES - 1) / LOW_LANES;
  void *start = NULL, *row = NULL, *halo_start = NULL, *halo = NULL;
  mat->structure_bytes = 0;
  TRY(mat_part(mat, n_slice + 1, sizeof *t->start, t->start, what, &start));
  TRY(mat_part(mat, t->n, index, t->row, what, &row));
  TRY(mat_part(mat, t->n_tile + 1, index, t->halo_start, what, &halo_start));
  TRY(mat_part(mat, t->halo_start[t->n_tile], index, t->halo, what, &halo));
  mat->value_bytes = (size_t)t->start[n_slice] * sizeof(uint32_t);
  TRY(exec_alloc(mat->exec, (int64_t)mat->value_bytes, 1, "matrix values", &mat->values));
  mat->view = (MatView){.value = mat->values,
                        .start = start,
                        .row = row,
                        .n = t->n,
                        .slice = t->rows,
                        .block = 1,
                        .width = (int32_t)(t->start[n_slice] / t->n),
                        .threads = t->most,
                        .length = halo,
                        .order = halo_start};
  return exec_zero(mat->exec, mat->values, mat->value_bytes);
}

static Status create_tiled(const Mat *a, const Tiles *t, Mat **out) {
  ALLOC(*out, 1, "a matrix");
  Mat *mat = *out;
  *mat = *a;
  mat->lender = a->lender ? a->lender : a;
  mat->precision = PRECISION_HALF;
  mat->low = &tiled;
  mat->values = NULL;
  mat->value_bytes = 0;
  mat->n_part = 0;
  const Status status = put_tiles(t, mat);
  if (status != OK) mat_destroy(out);
  return status;
}

Status tiled_create(const Mat *a, Mat **out) {
  *out = NULL;
  CHECK(tiled_allows(a), ERR_BUG, "a tiled copy of a matrix that tiled_allows refuses");
  Tiles t = {0};
  Status status = find_tiles(a, &t);
  if (status == OK) status = t.most <= TILED_HALO ? create_tiled(a, &t, out) : mat_create_like(a, PRECISION_HALF, out);
  tiles_release(&t);
  return status;
}

static const RowKernel *differences_kernel(const Mat *mat, MatOp op) {
  (void)mat;
  return &tiled_kernels_1d[op];
}

static const MatFormat tiled_differences_format = {.kernel = differences_kernel};

/* mat has the tiles, and room for values. */
static Status fill_differences(const Mat *a, Mat *mat) {
  const int64_t n = (int64_t)(mat->value_bytes / sizeof(float));
  void *place, *row_sum;
  mat->format = &tiled_differences_format;
  mat->precision = PRECISION_DOUBLE;
  mat->low = NULL;
  TRY(mat_part(mat, n, sizeof(uint16_t), NULL, "columns of a tiled matrix", &place));
  const int64_t n_lane = (mat->view.n + LOW_LANES - 1) / LOW_LANES * LOW_LANES;
  TRY(mat_part(mat, n_lane, sizeof(double), NULL, "row sums of a tiled matrix", &row_sum));
  /* lanes behind the last row have no entries, and are read */
  TRY(exec_zero(mat->exec, mat->values, mat->value_bytes));
  TRY(exec_zero(mat->exec, place, (size_t)n * sizeof(uint16_t)));
  TRY(exec_zero(mat->exec, row_sum, (size_t)n_lane * sizeof(double)));
  const TiledDifferencesArgs args = {a->view, mat->view, mat->values, place, row_sum};
  mat->view.value = mat->values;
  mat->view.end = place;
  mat->view.work = row_sum;
  return exec_rows(mat->exec, &tiled_differences_kernel, &args, mat->view.n);
}

static Status fill_or_destroy(const Mat *a, Status status, Mat **mat) {
  if (status == OK) status = fill_differences(a, *mat);
  if (status != OK) mat_destroy(mat);
  return status;
}

Status tiled_differences(const Mat *a, const Mat *from, Mat **out) {
  *out = NULL;
  CHECK(tiled_allows(a) && from->share.n_halo == a->share.n_halo, ERR_BUG, "a tiled copy of another matrix");
  if (from->low != &tiled || from->view.threads > TILED_DOUBLE_HALO) return OK;
  ALLOC(*out, 1, "a matrix");
  Mat *mat = *out;
  *mat = *from;
  mat->n_part = 0;
  mat->values = NULL;
  return fill_or_destroy(a, exec_alloc(mat->exec, (int64_t)mat->value_bytes, 1, "matrix values", &mat->values), out);
}

Status tiled_near(const Mat *a, Mat **out) {
  Tiles t = {0};
  *out = NULL;
  if (!tiled_allows(a)) return OK;
  Status status = find_tiles(a, &t);
  if (status == OK && t.most <= TILED_DOUBLE_HALO) status = fill_or_destroy(a, create_tiled(a, &t, out), out);
  tiles_release(&t);
  return status;
}
