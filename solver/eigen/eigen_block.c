/* What is done with blocks of vectors. */
#include "algebra/many_product.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "core/vec.h"
#include "solver/eigen/eigen_private.h"

#include <string.h>

enum { WIDTH = EIGEN_WIDTH, SQUARE = EIGEN_WIDTH * EIGEN_WIDTH, SPAN = 256, SPANS_MOST = 2048 };

static int64_t tile_size(const EigenSolver *s) { return s->n * WIDTH; }

Status eigen_block_create(EigenSolver *s, int32_t columns, bool images, EigenBlock *out) {
  *out = (EigenBlock){.room = (columns + WIDTH - 1) / WIDTH};
  for (int k = 0; k < (images ? EIGEN_IMAGES : 1); ++k) {
    EXEC_ALLOC(s->exec, out->v[k], out->room * tile_size(s), "a block of vectors");
    TRY(exec_zero(s->exec, out->v[k], (size_t)(out->room * tile_size(s)) * sizeof(double)));
  }
  return OK;
}

void eigen_block_release(EigenSolver *s, EigenBlock *block) {
  for (int k = 0; k < EIGEN_IMAGES; ++k) EXEC_RELEASE(s->exec, block->v[k], block->room * tile_size(s));
}

void eigen_block_use(EigenBlock *block, int32_t columns) {
  block->columns = columns;
  block->tiles = (columns + WIDTH - 1) / WIDTH;
}

EigenList eigen_list(const EigenSolver *s, int32_t n, const EigenBlock *const *block) {
  EigenList list = {.n = 0};
  for (int32_t b = 0; b < n; ++b) {
    list.columns[b] = block[b]->columns;
    list.tiles[b] = block[b]->tiles;
    for (int32_t t = 0; t < block[b]->tiles; ++t, ++list.n)
      for (int k = 0; k < EIGEN_IMAGES; ++k)
        list.tile[k].at[list.n] = block[b]->v[k] ? block[b]->v[k] + t * tile_size(s) : NULL;
  }
  return list;
}

int32_t eigen_list_columns(const EigenList *list, int32_t *at) {
  int32_t q = 0, first = 0;
  for (int b = 0; b < 3; first += list->tiles[b++] * EIGEN_WIDTH)
    for (int32_t c = 0; c < list->columns[b]; ++c) at[q++] = first + c;
  return q;
}

void eigen_swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

/* Rows of one part of sums, in spans; without parts all rows are one. */
typedef struct EigenSpans {
  int64_t begin, end, span, n;
} EigenSpans;

static int32_t parts_of_sums(const EigenSolver *s) { return s->exec->parts ? s->exec->parts->n_own : 1; }

static EigenSpans spans_of(const EigenSolver *s, int32_t p) {
  const SumParts *parts = s->exec->parts;
  const int64_t factor = parts && parts->n_row ? s->n / parts->n_row : 0;
  EigenSpans t = {.begin = parts ? parts->start[p] * factor : 0, .end = parts ? parts->start[p + 1] * factor : s->n};
  const int64_t least = (t.end - t.begin + SPANS_MOST - 1) / SPANS_MOST;
  t.span = least > SPAN ? least : SPAN;
  t.n = (t.end - t.begin + t.span - 1) / t.span;
  return t;
}

static Status partial_room(EigenSolver *s, int64_t numbers) {
  if (numbers <= s->partial_room) return OK;
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(s->exec, s->partial[k], s->partial_room);
  s->partial_room = 0;
  for (int k = 0; k < 2; ++k) EXEC_ALLOC(s->exec, s->partial[k], numbers, "sums on their way");
  s->partial_room = numbers;
  return OK;
}

/* partial[0], [rows][width], to one row on the host. */
static Status partial_fold(EigenSolver *s, int64_t rows, int64_t width, double *out) {
  int from = 0;
  while (rows > 1) {
    const EigenFoldArgs args = {s->partial[from], s->partial[1 - from], rows, width};
    rows = (rows + EIGEN_FOLD - 1) / EIGEN_FOLD;
    TRY(exec_rows(s->exec, &eigen_fold_kernel, &args, rows * width));
    from = 1 - from;
  }
  return exec_download(s->exec, out, s->partial[from], (size_t)width * sizeof *out);
}

/* out [width] = those of all parts of all ranks, own [own parts][width], in their order. */
static Status parts_join(const EigenSolver *s, const double *own, int64_t width, double *out) {
  const SumParts *parts = s->exec->parts;
  Comm *comm = s->exec->comm;
  const int n_rank = comm_size(comm);
  const int32_t n = parts ? parts->n_part : 1;
  double *all = NULL;
  int64_t *start = NULL;
  Status status = OK;
  ALLOC_DONE(all, n * width, "sums of all parts");
  ALLOC_DONE(start, n_rank + 1, "sums of all parts");
  for (int r = 0; parts && r <= n_rank; ++r) start[r] = parts->gather_start[r] * width; /* of one sum: bytes */
  if (parts) TRY_DONE(comm_gather_parts(comm, own, start, all));
  else memcpy(all, own, (size_t)width * sizeof *all);
  for (int64_t k = 0; k < width; ++k) out[k] = 0;
  for (int32_t p = 0; p < n; ++p)
    for (int64_t k = 0; k < width; ++k) out[k] += all[p * width + k];
done:
  FREE(all);
  FREE(start);
  return status;
}

/* Sums of width numbers over all parts, on the host: `record` leaves those of one, [spans][width], in s->partial[0]. */
static Status sums_find(EigenSolver *s, int64_t width, Status (*record)(EigenSolver *, const EigenSpans *, void *),
                        void *args, double *out) {
  double *own = NULL;
  Status status = OK;
  ALLOC_DONE(own, parts_of_sums(s) * width, "sums of parts");
  for (int32_t p = 0; p < parts_of_sums(s); ++p) {
    const EigenSpans spans = spans_of(s, p);
    if (spans.n == 0) continue;
    TRY_DONE(partial_room(s, spans.n * width));
    TRY_DONE(record(s, &spans, args));
    TRY_DONE(partial_fold(s, spans.n, width, own + p * width));
  }
  TRY_DONE(parts_join(s, own, width, out));
done:
  FREE(own);
  return status;
}

static Status gram_record(EigenSolver *s, const EigenSpans *spans, void *context) {
  EigenGramArgs *args = context;
  args->begin = spans->begin, args->end = spans->end;
  args->span = spans->span, args->n_span = spans->n;
  args->partial = s->partial[0];
  return exec_rows(s->exec, &eigen_gram_kernel, args, args->n_span * args->n_pair * WIDTH);
}

/* Sums of all pairs, host [pairs][8][8], owned by the caller. */
static Status gram_pairs(EigenSolver *s, EigenGramArgs *args, double **out) {
  const int64_t width = (int64_t)args->n_pair * SQUARE;
  ALLOC(*out, width, "products of vectors");
  return sums_find(s, width, gram_record, args, *out);
}

Status eigen_gram(EigenSolver *s, const EigenTiles *left, int32_t n_left, const EigenTiles *right, int32_t n_right,
                  double *out) {
  EigenGramArgs args = {.left = *left, .right = *right, .n_left = n_left, .n_pair = n_left * n_right};
  const int64_t stride = (int64_t)n_left * WIDTH;
  double *sum = NULL;
  const Status status = gram_pairs(s, &args, &sum);
  for (int64_t p = 0; status == OK && p < args.n_pair; ++p)
    for (int64_t k = 0; k < SQUARE; ++k)
      out[(p / n_left * WIDTH + k % WIDTH) * stride + p % n_left * WIDTH + k / WIDTH] = sum[p * SQUARE + k];
  FREE(sum);
  return status;
}

Status eigen_gram_symmetric(EigenSolver *s, const EigenTiles *left, const EigenTiles *right, int32_t n, double *out) {
  EigenGramArgs args = {.left = *left, .right = *right, .n_pair = n * (n + 1) / 2};
  const int64_t stride = (int64_t)n * WIDTH;
  double *sum = NULL;
  const Status status = gram_pairs(s, &args, &sum);
  int64_t p = 0;
  for (int64_t t = 0; status == OK && t < n; ++t)
    for (int64_t u = 0; u <= t; ++u, ++p)
      for (int64_t k = 0; k < SQUARE; ++k) {
        const int64_t i = u * WIDTH + k / WIDTH, j = t * WIDTH + k % WIDTH;
        if (u == t && i > j) continue; /* one of two that differ by rounding */
        out[i * stride + j] = out[j * stride + i] = sum[p * SQUARE + k];
      }
  FREE(sum);
  return status;
}

static Status norms_record(EigenSolver *s, const EigenSpans *spans, void *context) {
  EigenNormArgs *args = context;
  args->begin = spans->begin, args->end = spans->end;
  args->span = spans->span, args->n_span = spans->n;
  args->partial = s->partial[0];
  return exec_rows(s->exec, &eigen_norm_kernel, args, args->n_span * args->n_tile * WIDTH);
}

Status eigen_norms(EigenSolver *s, const double *r, int32_t tiles, double *out) {
  EigenNormArgs args = {.r = r, .weight = s->weight, .n = s->n, .n_tile = tiles};
  return sums_find(s, (int64_t)tiles * WIDTH, norms_record, &args, out);
}

Status eigen_send(EigenSolver *s, const double *factor, int64_t n) {
  if (n > s->factor_room) {
    EXEC_RELEASE(s->exec, s->factor, s->factor_room);
    s->factor_room = 0;
    EXEC_ALLOC(s->exec, s->factor, n, "factors of vectors");
    s->factor_room = n;
  }
  return exec_upload(s->exec, s->factor, factor, (size_t)n * sizeof *factor);
}

static Status update_tiles(EigenSolver *s, EigenUpdateArgs *args, const double *factor) {
  if (args->n_to == 0) return OK;
  TRY(eigen_send(s, factor, (int64_t)args->n_from * args->n_to * SQUARE));
  args->factor = s->factor;
  return exec_rows(s->exec, &eigen_update_kernel, args, eigen_update_items(s->n, args->n_to));
}

Status eigen_update(EigenSolver *s, const EigenTiles *from, int32_t n_from, const double *factor, bool adds, double *to,
                    int32_t n_to) {
  EigenUpdateArgs args = {
      .from = *from, .to = to, .n = s->n, .n_from = n_from, .n_to = n_to, .n_first = n_to, .adds = adds};
  return update_tiles(s, &args, factor);
}

Status eigen_update_both(EigenSolver *s, const EigenTiles *from, int32_t n_from, const double *factor, double *x,
                         int32_t n_x, double *p, int32_t n_p) {
  EigenUpdateArgs args = {
      .from = *from, .to = x, .rest = p, .n = s->n, .n_from = n_from, .n_to = n_x + n_p, .n_first = n_x};
  return update_tiles(s, &args, factor);
}

Status eigen_take(EigenSolver *s, const double *tiles, int32_t column, double *v) {
  const EigenColumnArgs args = {
      .tile = (double *)tiles + column / WIDTH * tile_size(s) + column % WIDTH, .v = v, .factor = 1}; /* only read */
  return exec_rows(s->exec, &eigen_take_kernel, &args, s->n);
}

static Status product_one(EigenSolver *s, const Mat *mat, const double *x, double *y, int32_t column) {
  const EigenColumnArgs give = {
      .tile = y + column / WIDTH * tile_size(s) + column % WIDTH, .result = s->two, .factor = 1};
  TRY(eigen_take(s, x, column, s->one));
  TRY(mat_apply(mat, s->one, s->two));
  return exec_rows(s->exec, &eigen_give_kernel, &give, s->n);
}

Status eigen_product(EigenSolver *s, const Mat *mat, const double *x, double *y, int32_t tiles) {
  for (int32_t c = 0; !s->together && c < tiles * WIDTH; ++c) TRY(product_one(s, mat, x, y, c));
  for (int32_t t = 0; s->together && t < tiles; ++t) {
    const double *v = x + t * tile_size(s);
    if (s->read) TRY(exec_copy(s->exec, s->read, v, (size_t)tile_size(s) * sizeof *v));
    const ManyProduct args = {.product = {.v = s->read ? s->read : v, .w = y + t * tile_size(s), .c0 = 1}};
    TRY(mat_product_many(mat, MAT_COMBINE, WIDTH, &args));
  }
  return OK;
}

Status eigen_images(EigenSolver *s, EigenBlock *block) {
  TRY(eigen_product(s, s->a, block->v[EIGEN_X], block->v[EIGEN_AX], block->tiles));
  return eigen_product(s, s->b, block->v[EIGEN_X], block->v[EIGEN_BX], block->tiles);
}

Status eigen_project_out(EigenSolver *s, const EigenTiles *basis, const EigenTiles *image, int32_t n, double *v,
                         int32_t tiles) {
  EigenTiles right = {{NULL}};
  double *gram = NULL, *factor = NULL;
  const int64_t rows = (int64_t)n * WIDTH, columns = (int64_t)tiles * WIDTH;
  Status status = OK;
  if (n == 0 || tiles == 0) return OK;
  for (int32_t t = 0; t < tiles; ++t) right.at[t] = v + t * tile_size(s);
  ALLOC_DONE(gram, rows * columns, "products of vectors");
  ALLOC_DONE(factor, rows * columns, "products of vectors");
  TRY_DONE(eigen_gram(s, image, n, &right, tiles, gram));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) factor[i * columns + j] = -gram[j * rows + i];
  TRY_DONE(eigen_update(s, basis, n, factor, true, v, tiles));
done:
  FREE(gram);
  FREE(factor);
  return status;
}
