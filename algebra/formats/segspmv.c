/* segSpMV: rows cut into segments of a fixed length, a power of two just above the mean row length, so that all threads
 * do the same work and no row ends are looked at (papers/cmg-segspmv, section 6.2 and Algorithm 6.3). A thread sums a
 * segment; in the variant "r" (segSpMV-r) threads of a warp share one and reduce. The paper expands x to the length of
 * the matrix first; here x is gathered through columns, which are as many bytes less to move.
 * The paper adds the sums of the segments on the CPU; here the device does, in the same launch and a fixed order: rows
 * lie in tiles, each the work of one GPU block, so that all segments of a row meet in its shared memory and epilogues
 * need no second pass. A tile has several rows of at most 128 segments together, or one longer row. (A pass over rows
 * by the block that ends last would leave the GPU to one block; atomics would add in any order.)
 * MatView: threads T per segment; threshold L, its length; start[i] the first segment of row i, [rows + 1]; order[t]
 * the
 *   first row of tile t, [tiles + 1]; value and column of a segment's entries at segspmv_place; n is 32 times the
 *   number of tiles. Tiles begin at whole warps of 32 / T segments: the last row of a tile owns empty segments up to
 *   there. Padding has its own row as column and value 0. */
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "algebra/formats/segspmv_place.h"
#include "algebra/formats/sliced.h"
#include "algebra/formats/teams.h"

#include <math.h>
#include <string.h>

#define FORMAT segspmv
#define LANES "algebra/formats/team_lanes.tmpl.h"
#define VISIT "algebra/formats/segspmv_visit.tmpl.h"
#define RANGE "algebra/formats/segspmv_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

/* A matrix under construction. */
typedef struct Segments {
  const Pattern *pattern;
  int32_t length, team;
  int32_t n, n_tile; /* rows, tiles */
  int64_t *start;    /* [n + 1] */
  int32_t *first;    /* [n_tile + 1] */
  int32_t *column;   /* [start[n] * length] */
} Segments;

enum { LONGEST_SEGMENT = 1 << 20 };

static Status find_length(const MatParams *params, const Pattern *pattern, int32_t *length) {
  const int32_t asked = params->threshold;
  CHECK(asked >= 0 && asked <= LONGEST_SEGMENT && (asked & (asked - 1)) == 0, ERR_INPUT,
        "threshold is %d, the length of a segment must be a power of two from 1 to %d (0: chosen)", asked,
        LONGEST_SEGMENT);
  *length = asked ? asked : 1;
  const double least = params->threads <= SEGSPMV_WARP ? params->threads : SEGSPMV_WARP; /* a thread has an entry */
  while (!asked && *length < LONGEST_SEGMENT && *length < fmax(pattern_mean(pattern), least)) *length *= 2;
  return OK;
}

/* In "r", unless asked otherwise, a thread takes 4 entries, as many reads as it can have under way. */
static Status find_team(const MatParams *params, int32_t length, int32_t *team) {
  const bool reduce = params->variant && !strcmp(params->variant, "r");
  const int32_t most = length < SEGSPMV_WARP ? length : SEGSPMV_WARP;
  CHECK(
      !params->variant || reduce, ERR_INPUT,
      "unknown variant '%s' of segspmv\n  variants: r (threads share a segment); without one, a thread sums a segment",
      params->variant);
  CHECK(reduce || params->threads <= 1, ERR_INPUT,
        "segspmv has one thread per segment, %d were asked for; use variant 'r', or leave threads out",
        params->threads);
  TRY_CONTEXT(team_check(params->threads, most), "for segments of %d entries, in a warp of %d", length, SEGSPMV_WARP);
  *team = params->threads ? params->threads : !reduce ? 1 : length < 8 ? (most < 2 ? most : 2) : length / 4;
  if (*team > most) *team = most;
  return OK;
}

/* In scalars; i is a scalar row. */
static int64_t row_length(const Pattern *pattern, int32_t i) {
  const int32_t block = pattern->block;
  return (pattern->start[i / block + 1] - pattern->start[i / block]) * block;
}

/* Deals the rows out to tiles: counts the tiles, and notes where they begin once `first` is there. */
static void segspmv_cut(Segments *s) {
  const int32_t side = SEGSPMV_WARP / s->team;
  int32_t tile = 0, first = 0;
  int64_t begin = 0, at = 0; /* segments before the tile, before the row */
  for (int32_t i = 0; i < s->n; ++i) {
    const int64_t count = (row_length(s->pattern, i) + s->length - 1) / s->length;
    if (i > first && (at + count - begin > SEGSPMV_TILE || i - first == SEGSPMV_TILE)) {
      if (s->first) s->first[tile] = first;
      tile += 1;
      begin = at = (at + side - 1) / side * side;
      first = i;
    }
    s->start[i] = at;
    at += count;
  }
  s->start[s->n] = (at + side - 1) / side * side;
  if (s->first && s->n > 0) s->first[tile] = first;
  s->n_tile = s->n > 0 ? tile + 1 : 0;
  if (s->first) s->first[s->n_tile] = s->n;
}

/* Columns and slots. */
static void fill_entries(Segments *s, int64_t *slot) {
  const int64_t block = s->pattern->block;
  for (int32_t i = 0; i < s->n; ++i) {
    const int64_t length = row_length(s->pattern, i), from = s->pattern->start[i / block];
    const int64_t padded = (s->start[i + 1] - s->start[i]) * s->length;
    for (int64_t e = 0; e < padded; ++e) {
      const int64_t at = segspmv_place(s->start[i] + e / s->length, (int32_t)(e % s->length), s->length, s->team);
      const int64_t k = from + e / block;
      s->column[at] = e < length ? (int32_t)(s->pattern->column[k] * block + e % block) : i;
      if (e < length) slot[(k * block + i % block) * block + e % block] = at;
    }
  }
}

static Status check_size(const Segments *s, int64_t entries) {
  const int64_t size = s->start[s->n] * s->length;
  CHECK(size <= SLICED_PADDING_FREE || size / SLICED_PADDING <= entries, ERR_INPUT,
        "rows have %.1f entries on average: cut into segments of %d they take %.0f times the memory of the entries, at "
        "most %d are allowed\n  use a smaller threshold, or leave it out",
        (double)entries / (double)s->n, s->length, (double)size / (double)entries, SLICED_PADDING);
  return OK;
}

static Status segspmv_upload(Mat *mat, const Segments *s) {
  MatView *view = &mat->view;
  TRY(mat_part(mat, (int64_t)s->n + 1, sizeof *s->start, s->start, "first segments of the rows",
               (void **)&view->start));
  TRY(mat_part(mat, (int64_t)s->n_tile + 1, sizeof *s->first, s->first, "first rows of the tiles",
               (void **)&view->order));
  TRY(mat_part(mat, mat->slots.n_value, sizeof *s->column, s->column, "columns of the matrix", (void **)&view->column));
  view->n = (int64_t)s->n_tile * SEGSPMV_WARP;
  view->threads = s->team;
  view->threshold = s->length;
  view->width = s->n ? (int32_t)(mat->slots.n_value / s->n) : 0;
  return OK;
}

static Status build_segspmv(Mat *mat, Segments *s) {
  ALLOC(s->start, (int64_t)s->n + 1, "first segments of the rows");
  segspmv_cut(s);
  TRY(check_size(s, mat->entries));
  ALLOC(s->first, (int64_t)s->n_tile + 1, "first rows of the tiles");
  segspmv_cut(s);
  mat->slots.per_scalar = 1;
  mat->slots.n_value = s->start[s->n] * s->length;
  ALLOC(mat->slots.slot, mat->entries, "slots of the matrix entries");
  ALLOC(s->column, mat->slots.n_value, "columns");
  fill_entries(s, mat->slots.slot);
  return segspmv_upload(mat, s);
}

static Status segspmv_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  TRY(pattern_fetch(pattern));
  Segments s = {.pattern = pattern, .n = pattern->n * pattern->block};
  TRY(find_length(params, pattern, &s.length));
  TRY(find_team(params, s.length, &s.team));
  const Status status = build_segspmv(mat, &s);
  FREE(s.start);
  FREE(s.first);
  FREE(s.column);
  return status;
}

static const RowKernel *segspmv_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &segspmv_kernels_1f[op] : &segspmv_kernels_1d[op];
}

const MatFormat segspmv_format = {.build = segspmv_build,
                                  .kernel = segspmv_kernel,
                                  .variant = "r: threads share a segment; without it a thread sums one",
                                  .threads =
                                      "of r, to a segment: a power of two to 32; a quarter of its length unless given",
                                  .threshold = "entries of a segment: a power of two; the row length unless given"};
