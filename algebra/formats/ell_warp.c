/* ELL-WARP (Wong, Kuhl and Darve 2015, papers/ell-warp-heart-fem, section 5): scalar rows sorted longest first, packed
 * into warps of 32 lanes, each warp padded to its own longest row and stored column by column.
 *
 *   k1   one lane per row, the result mapped back to the natural order (section 5.1)
 *   k2   a row longer than `threshold` is halved until its parts are not, over at most 32 lanes, and a reduction in the
 *        warp adds the parts (section 5.4)
 *   ..r  columns and vectors are numbered as the rows lie, so that nothing is mapped back (5.2); mat_numbering says how
 *   ..rs and the columns of each row ascend in that numbering (5.3)
 *
 * MatView: warp w holds the rows at positions order[w] to order[w + 1] and is laid out for `rows` of them, the least
 *   power of two that is not below their number, with 32 / rows lanes each. Entry e of its r-th row lies at
 *   start[w] + e rows + r. Lane l owns the entries at start[w] + l, + 32, ...; row r is the sum of lanes r, r + rows...
 *   row[position] is the scalar row, NULL when rows are not mapped back; column in the numbering of the vectors;
 *   slice the threads of a GPU block (0: chosen there); n is 32 times the number of warps.
 *
 * Rows may be sorted inside windows only (MatParams.window, as in SELL-C-sigma), so that neighbours stay nearer: warps
 * end where windows do.
 *
 * A row is dealt out to its lanes entry by entry, so that they read x next to each other; the paper gives each lane a
 * piece. A row longer than 32 thresholds still has one warp. The last warp, when not full, shares its rows among all
 * its lanes, in k1 too. Padding has its own row as column (0 behind the last row) and value 0. */
#include "core/ascending.h"
#include "core/memory.h"
#include "algebra/mat_format.h"

#include <stdlib.h>
#include <string.h>

typedef double WarpLanes __attribute__((vector_size(64), aligned(8), may_alias));

/* Rows that a warp is laid out for when it holds `count` of them. */
HD int32_t ell_warp_rows(int32_t count) {
  int32_t rows = 32;
  while (rows / 2 >= count && rows > 1) rows /= 2;
  return rows;
}

#define FORMAT ell_warp
#define VISIT "algebra/formats/ell_warp_visit.tmpl.h"
#define RANGE "algebra/formats/ell_warp_range.tmpl.h"
#include "algebra/format_kernels.tmpl.h"

typedef struct Variant {
  bool split, renumber, sort;
  const char *natural; /* the same without a numbering of its own */
} Variant;

static Status find_variant(const char *name, Variant *out) {
  static const char *const names[] = {"k1", "k1r", "k1rs", "k2", "k2r", "k2rs"};
  enum { N_VARIANT = sizeof names / sizeof *names };
  int at = 0;
  while (at < N_VARIANT && strcmp(name ? name : "k2", names[at])) ++at;
  CHECK(at < N_VARIANT, ERR_INPUT, "unknown variant '%s' of ell-warp\n  variants: k1, k1r, k1rs, k2, k2r, k2rs", name);
  *out = (Variant){at >= 3, at % 3 > 0, at % 3 > 1, at >= 3 ? "k2" : "k1"};
  return OK;
}

/* Host arrays of a matrix under construction. */
typedef struct Packing {
  const Pattern *pattern;
  int32_t n, n_warp;
  int32_t window;  /* scalar rows that are sorted among themselves */
  int32_t longest; /* row */
  int64_t n_entry; /* padding included */
  int32_t *row;    /* [n] scalar row at each position */
  int32_t *first;  /* [n_warp + 1] position of a warp's first row */
  int64_t *start;  /* [n_warp + 1] */
  int32_t *column; /* [n_entry] */
} Packing;

/* In scalars; i is a scalar row. */
static int32_t row_length(const Pattern *pattern, int32_t i) {
  const int32_t block = pattern->block;
  return (int32_t)(pattern->start[i / block + 1] - pattern->start[i / block]) * block;
}

static int32_t window_end(const Packing *p, int32_t begin) {
  return p->n - begin > p->window ? begin + p->window : p->n;
}

/* Of the rows from `begin` on. */
static int32_t longest_of(const Packing *p, int32_t begin, int32_t end) {
  int32_t longest = 0;
  for (int32_t i = begin; i < end; ++i)
    if (row_length(p->pattern, i) > longest) longest = row_length(p->pattern, i);
  return longest;
}

/* Longest first, equal ones in natural order, inside each window: a counting sort. */
static Status sort_rows(Packing *p) {
  int64_t *count = NULL;
  p->longest = longest_of(p, 0, p->n);
  ALLOC(count, (int64_t)p->longest + 2, "row lengths");
  for (int32_t begin = 0, end; begin < p->n; begin = end) {
    end = window_end(p, begin);
    const int32_t longest = longest_of(p, begin, end);
    memset(count, 0, ((size_t)longest + 2) * sizeof *count);
    for (int32_t i = begin; i < end; ++i) count[longest - row_length(p->pattern, i) + 1] += 1;
    for (int32_t k = 0; k < longest; ++k) count[k + 1] += count[k];
    for (int32_t i = begin; i < end; ++i) p->row[begin + count[longest - row_length(p->pattern, i)]++] = i;
  }
  FREE(count);
  return OK;
}

/* Packs the sorted rows into warps, none of which reaches beyond its window: counts warps and entries, and notes where
 * warps begin once first and start are there. */
static void pack_rows(Packing *p, int32_t threshold) {
  int32_t at = 0, warp = 0, end = window_end(p, 0);
  int64_t entry = 0;
  for (; at < p->n; ++warp) {
    const int64_t length = row_length(p->pattern, p->row[at]);
    int32_t rows = ell_warp_rows(end - at);
    while (rows > 1 && length > (int64_t)threshold * (32 / rows)) rows /= 2;
    if (p->first) p->first[warp] = at;
    if (p->start) p->start[warp] = entry;
    entry += (length * rows + 31) / 32 * 32;
    at += rows < end - at ? rows : end - at;
    if (at == end) end = window_end(p, at);
  }
  if (p->first) p->first[warp] = at;
  if (p->start) p->start[warp] = entry;
  p->n_warp = warp;
  p->n_entry = entry;
}

/* The smallest of 8, 12, 16, 24, 32, 48, ... whose padding is within 4 % of the least that any of them gives, but at
 * least 24 where one lane per row makes 4096 warps, which keep a GPU busy. Short parts mean many loads under way at
 * once; with many warps splitting the 18 entries of a quad4 row gained nothing (gpu/formats/sbell.cu), the 81 of hex8
 * did. */
static int32_t choose_threshold(Packing *p) {
  enum { MANY_WARPS = 4096, N_CANDIDATE = 64 };
  int64_t size[N_CANDIDATE], candidate[N_CANDIDATE], least = INT64_MAX;
  int n = 0;
  for (int64_t t = p->n >= 32 * MANY_WARPS ? 24 : 8; n == 0 || candidate[n - 1] < p->longest; ++n) {
    candidate[n] = t;
    pack_rows(p, t < INT32_MAX ? (int32_t)t : INT32_MAX);
    size[n] = p->n_entry;
    if (size[n] < least) least = size[n];
    t = t & (t - 1) ? t / 3 * 4 : t / 2 * 3;
  }
  int k = 0;
  while ((double)size[k] > 1.04 * (double)least) ++k;
  return candidate[k] < INT32_MAX ? (int32_t)candidate[k] : INT32_MAX;
}

/* key[e] = column << 32 | k for the e-th entry of scalar row i, k its place in the pattern's row. */
static void list_row(const Pattern *pattern, int32_t i, const int32_t *numbering, bool sort, int64_t *key) {
  const int32_t block = pattern->block, length = row_length(pattern, i);
  const int32_t *column = pattern->column + pattern->start[i / block];
  for (int32_t k = 0; k < length; ++k) {
    const int32_t j = column[k / block] * block + k % block;
    key[k] = (int64_t)(numbering ? numbering[j] : j) << 32 | k;
  }
  if (sort) qsort(key, (size_t)length, sizeof *key, ascending_int64);
}

/* Columns (zeroed by the caller) and slots. key [longest row] */
static void fill_entries(Packing *p, const int32_t *numbering, bool sort, int64_t *key, int64_t *slot) {
  const int32_t block = p->pattern->block;
  int32_t listed = -1; /* the scalar rows of a block row have the same columns and lie next to each other */
  for (int32_t w = 0; w < p->n_warp; ++w) {
    const int32_t count = p->first[w + 1] - p->first[w], rows = ell_warp_rows(count);
    const int64_t width = (p->start[w + 1] - p->start[w]) / rows;
    for (int32_t r = 0; r < count; ++r) {
      const int32_t at = p->first[w] + r, i = p->row[at], length = row_length(p->pattern, i);
      if (i / block != listed) list_row(p->pattern, i, numbering, sort, key);
      listed = i / block;
      int64_t *row_slot = slot + p->pattern->start[listed] * block * block + i % block * block;
      for (int64_t e = 0; e < width; ++e) {
        const int64_t place = p->start[w] + e * rows + r;
        p->column[place] = e < length ? (int32_t)(key[e] >> 32) : numbering ? at : i;
        const int64_t k = e < length ? key[e] & INT32_MAX : 0;
        if (e < length) row_slot[k / block * block * block + k % block] = place;
      }
    }
  }
}

static bool is_moved(const Packing *p) {
  bool moved = false;
  for (int32_t at = 0; at < p->n && !moved; ++at) moved = p->row[at] != at;
  return moved;
}

/* Moves the packing to where the matrix works. */
static Status ell_warp_upload(Mat *mat, const Packing *p, bool renumber) {
  MatView *view = &mat->view;
  TRY(mat_part(mat, (int64_t)p->n_warp + 1, sizeof *p->start, p->start, "warp starts of the matrix",
               (void **)&view->start));
  TRY(mat_part(mat, (int64_t)p->n_warp + 1, sizeof *p->first, p->first, "first rows of the warps",
               (void **)&view->order));
  TRY(mat_part(mat, p->n_entry, sizeof *p->column, p->column, "columns of the matrix", (void **)&view->column));
  if (!renumber && is_moved(p))
    TRY(mat_part(mat, p->n, sizeof *p->row, p->row, "row order of the matrix", (void **)&view->row));
  view->n = (int64_t)p->n_warp * 32;
  view->width = p->n ? (int32_t)(p->n_entry / p->n) : 0;
  return OK;
}

/* Sorts the rows and counts warps and entries. */
static Status ell_warp_arrange(Packing *p, const Variant *variant, int32_t *threshold) {
  ALLOC(p->row, p->n, "row order");
  TRY(sort_rows(p));
  if (!variant->split) *threshold = INT32_MAX;
  else if (!*threshold) *threshold = choose_threshold(p);
  pack_rows(p, *threshold);
  return OK;
}

static Status ell_warp_pack(Mat *mat, const Variant *variant, int32_t threshold, Packing *p) {
  int64_t *key = NULL;
  Status status;
  TRY_DONE(ell_warp_arrange(p, variant, &threshold));
  mat->view.threshold = threshold;
  ALLOC_DONE(p->first, (int64_t)p->n_warp + 1, "first rows of the warps");
  ALLOC_DONE(p->start, (int64_t)p->n_warp + 1, "warp starts");
  pack_rows(p, mat->view.threshold);
  ALLOC_DONE(p->column, p->n_entry, "columns");
  ALLOC_DONE(key, p->longest, "entries of a row");
  if (variant->renumber) {
    ALLOC_DONE(mat->numbering, p->n, "numbering of the matrix");
    for (int32_t at = 0; at < p->n; ++at) mat->numbering[p->row[at]] = at;
    mat->natural_variant = variant->natural;
  }
  ALLOC_DONE(mat->slots.slot, mat->entries, "slots of the matrix entries");
  mat->slots.per_scalar = 1;
  mat->slots.n_value = p->n_entry;
  fill_entries(p, mat->numbering, variant->sort, key, mat->slots.slot);
done:
  FREE(key);
  return status;
}

static Status check_params(const MatParams *params, Variant *variant) {
  TRY(find_variant(params->variant, variant));
  CHECK(variant->split || !params->threshold, ERR_INPUT,
        "variant '%s' of ell-warp splits no rows, a threshold of %d was asked for; use variant 'k2', or leave it out",
        params->variant, params->threshold);
  CHECK(params->threshold >= 0, ERR_INPUT, "threshold is %d, must be 1 or more (0: chosen)", params->threshold);
  CHECK(params->gpu_block >= 0 && params->gpu_block <= 256 && params->gpu_block % 32 == 0, ERR_INPUT,
        "gpu_block is %d, must be a multiple of 32 up to 256 (0: chosen)", params->gpu_block);
  return OK;
}

/* In scalar rows, whole warps. By default all rows, as in the paper: on hearts SELL in windows was no faster than K1
 * without (docs/formats.md), and each window ends in a warp that is not full. */
static int32_t window_of(const MatParams *params, const Pattern *pattern) {
  const int64_t rows = ((int64_t)params->window * pattern->block + 31) / 32 * 32;
  return params->window && rows < INT32_MAX ? (int32_t)rows : INT32_MAX;
}

static Status ell_warp_build(Mat *mat, const MatParams *params, const Pattern *pattern) {
  Variant variant = {0};
  TRY(check_params(params, &variant));
  TRY(pattern_fetch(pattern));
  Packing p = {.pattern = pattern, .n = pattern->n * pattern->block, .window = window_of(params, pattern)};
  Status status = ell_warp_pack(mat, &variant, params->threshold, &p);
  if (status == OK) status = ell_warp_upload(mat, &p, variant.renumber);
  mat->view.slice = params->gpu_block;
  FREE(p.row);
  FREE(p.first);
  FREE(p.start);
  FREE(p.column);
  return status;
}

static const RowKernel *ell_warp_kernel(const Mat *mat, MatOp op) {
  return mat->precision == PRECISION_FLOAT ? &ell_warp_kernels_1f[op] : &ell_warp_kernels_1d[op];
}

const MatFormat ell_warp_format = {
    .build = ell_warp_build,
    .kernel = ell_warp_kernel,
    .variant = "k1, k1r, k1rs, k2 (unless given), k2r, k2rs",
    .threshold = "of k2: entries beyond which a row is split; chosen by the row length unless given",
    .window = "rows that are sorted by length, rounded up to whole warps; all unless given"};
