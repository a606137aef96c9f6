/* Load-balanced CSR: entries as in csr.c, and rows dealt out to tiles of about as many entries each, so that teams have
 * equal work whatever the lengths of rows are. A tile, the work of one GPU block, has several rows of at most
 * `threshold` entries together, or one longer row; a row of more than a 512th of all entries is split over tiles, whose
 * sums are added in order by the block that is done last with it (on the CPU: after all tiles). So a product is one
 * launch, sums have a fixed order, and there are at most 512 such rows.
 * (Merge-path, Merrill and Garland 2016, cuts rows at every tile's end instead, and each tile looks for its rows.)
 * MatView: value, column as in CSR; start[t] the first entry of tile t, [tiles + 1]; order[t] its first row, [tiles + 1];
 *   length[t][2] the first tile and the number of tiles of the row of which it has a part, 0 and 0 where it has whole
 *   rows, and behind them [slice][2] the same for each row that is split; end[i] where row i ends, from its tile's first
 *   entry (unused where a tile has one row); work the sums of parts [tiles], then [tiles] counters of parts that are
 *   done, both used by rows that are split, NULL where there are none; n is 32 times the number of tiles. */
#include "core/memory.h"
#include "algebra/formats/csr.h"
#include "algebra/formats/csr_balanced.h"

#define FORMAT csr_balanced
#define VISIT "algebra/formats/csr_visit.tmpl.h"
#define RANGE "algebra/formats/csr_balanced_range.tmpl.h"
#define ENDS
#include "algebra/format_kernels.tmpl.h"

/* A matrix under construction; counted first, then filled in. */
typedef struct Tiles {
  int32_t n, n_tile, n_split; /* rows, tiles, rows that are split */
  int64_t most, part;         /* entries of a tile of several rows, of a row that is not split */
  const int64_t *row_start;   /* [n + 1] */
  int64_t *start;             /* [n_tile + 1], NULL: count */
  int32_t *first;             /* [n_tile + 1] */
  int32_t *parts, *split;     /* [n_tile][2], [n_split][2] behind it */
  uint16_t *end;              /* [n] */
} Tiles;

static void tiles_add(Tiles *s, int32_t first, int64_t begin, int32_t head, int32_t parts) {
  if (s->start) {
    s->start[s->n_tile] = begin;
    s->first[s->n_tile] = first;
    s->parts[2 * s->n_tile] = head;
    s->parts[2 * s->n_tile + 1] = parts;
  }
  s->n_tile += 1;
}

static void tiles_add_rows(Tiles *s, int32_t first, int32_t last) {
  if (first == last) return;
  const int64_t begin = s->row_start[first];
  for (int32_t i = first; s->start && last - first > 1 && i < last; ++i)
    s->end[i] = (uint16_t)(s->row_start[i + 1] - begin);
  tiles_add(s, first, begin, 0, 0);
}

/* A row of more than `most` entries: alone, or in parts of one length (the last may have less). */
static void tiles_add_long(Tiles *s, int32_t i) {
  const int64_t begin = s->row_start[i], length = s->row_start[i + 1] - begin, least = (length - 1) / s->part + 1;
  const int64_t step = ((length - 1) / least / BALANCED_WARP + 1) * BALANCED_WARP;
  const int32_t parts = (int32_t)((length - 1) / step + 1), head = s->n_tile;
  if (parts == 1) {
    tiles_add(s, i, begin, 0, 0);
    return;
  }
  if (s->start) {
    s->split[2 * s->n_split] = head;
    s->split[2 * s->n_split + 1] = parts;
  }
  s->n_split += 1;
  for (int32_t p = 0; p < parts; ++p) tiles_add(s, i, begin + p * step, head, parts);
}

static void csr_balanced_cut(Tiles *s) {
  int32_t first = 0;
  s->n_tile = s->n_split = 0;
  for (int32_t i = 0; i < s->n; ++i) {
    const bool is_long = s->row_start[i + 1] - s->row_start[i] > s->most;
    if (is_long || s->row_start[i + 1] - s->row_start[first] > s->most || i - first == s->most / 2) {
      tiles_add_rows(s, first, i);
      first = i;
    }
    if (!is_long) continue;
    tiles_add_long(s, i);
    first = i + 1;
  }
  tiles_add_rows(s, first, s->n);
  if (!s->start) return;
  s->start[s->n_tile] = s->row_start[s->n];
  s->first[s->n_tile] = s->n;
}

static Status find_most(const MatParams *params, int64_t entries, int64_t *most) {
  const int32_t asked = params->threshold;
  CHECK(!asked || (asked >= BALANCED_LEAST && asked <= BALANCED_ENTRIES && (asked & (asked - 1)) == 0), ERR_INPUT,
        "threshold is %d, the entries of a tile must be a power of two from %d to %d (0: chosen)", asked,
        BALANCED_LEAST, BALANCED_ENTRIES);
  *most = asked ? asked : BALANCED_LEAST;
  while (!asked && *most < BALANCED_USUAL && *most * BALANCED_ENOUGH < entries) *most *= 2;
  return OK;
}

static Status tiles_alloc(Tiles *s) {
  ALLOC(s->start, (int64_t)s->n_tile + 1, "first entries of the tiles");
  ALLOC(s->first, (int64_t)s->n_tile + 1, "first rows of the tiles");
  ALLOC(s->parts, 2 * ((int64_t)s->n_tile + s->n_split), "parts of long rows");
  ALLOC(s->end, s->n, "ends of the rows");
  s->split = s->parts + 2 * (int64_t)s->n_tile;
  return OK;
}

static Status csr_balanced_upload(Mat *mat, const Tiles *s) {
  MatView *view = &mat->view;
  TRY(mat_part(mat, (int64_t)s->n_tile + 1, sizeof *s->start, s->start, "first entries of the tiles",
               (void **)&view->start));
  TRY(mat_part(mat, (int64_t)s->n_tile + 1, sizeof *s->first, s->first, "first rows of the tiles",
               (void **)&view->order));
  TRY(mat_part(mat, 2 * ((int64_t)s->n_tile + s->n_split), sizeof *s->parts, s->parts, "parts of long rows",
               (void **)&view->length));
  TRY(mat_part(mat, s->n, sizeof *s->end, s->end, "ends of the rows", (void **)&view->end));
  view->n = (int64_t)s->n_tile * BALANCED_WARP;
  view->threshold = (int32_t)s->most;
  view->slice = s->n_split;
  if (!s->n_split) return OK;
  double *zero = NULL;
  ALLOC(zero, 2 * (int64_t)s->n_tile, "sums of parts of long rows");
  const Status status =
      mat_part(mat, 2 * (int64_t)s->n_tile, sizeof *zero, zero, "sums of parts of long rows", (void **)&view->work);
  FREE(zero);
  return status;
}

/* Columns are on the Exec already. */
static Status tiles_build(Mat *mat, Tiles *s) {
  csr_balanced_cut(s);
  TRY(tiles_alloc(s));
  csr_balanced_cut(s);
  return csr_balanced_upload(mat, s);
}

static Status csr_balanced_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  TRY(pattern_fetch(pattern));
  Tiles s = {.n = pattern->n * pattern->block, .part = mat->entries / BALANCED_SPLIT};
  TRY(find_most(params, mat->entries, &s.most));
  if (s.part < s.most) s.part = s.most;
  int64_t *start = NULL, *row_start = NULL;
  Status status;
  ALLOC_DONE(row_start, (int64_t)s.n + 1, "row starts");
  TRY_DONE(exec_alloc(mat->exec, (int64_t)s.n + 1, sizeof *start, "row starts", (void **)&start));
  TRY_DONE(csr_list(mat, pattern, start));
  TRY_DONE(exec_download(mat->exec, row_start, start, ((size_t)s.n + 1) * sizeof *start));
  s.row_start = row_start;
  TRY_DONE(tiles_build(mat, &s));
done:
  EXEC_RELEASE(mat->exec, start, (int64_t)s.n + 1);
  FREE(row_start);
  FREE(s.start);
  FREE(s.first);
  FREE(s.parts);
  FREE(s.end);
  return status;
}

static const RowKernel *csr_balanced_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &csr_balanced_kernels_1f[op] : &csr_balanced_kernels_1d[op];
}

const MatFormat csr_balanced_format = {
    .build = csr_balanced_build,
    .kernel = csr_balanced_kernel,
    .threshold = "entries of a tile: a power of two from 128 to 1024; 512 unless there are few",
    .traits = MAT_ANY_ROWS};
