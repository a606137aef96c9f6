/* The pattern of T^T K T, which is made as T^T (K T), and of which blocks each block of the two products is made. */
#include "assembly/space/equation_weights.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* A product of two matrices by blocks, row by row: columns ascend, and each block is a sum of pieces. */
typedef struct Product {
  int64_t *row;         /* owned, [n + 1]: the first block of each row */
  int32_t *column;      /* owned, [n_block] */
  int64_t *start;       /* owned, [n_block + 1]: its first piece */
  EquationPiece *piece; /* owned, [n_piece] */
  int64_t n_block, n_piece, room_block, room_piece;
  int64_t
      *next; /* owned, [columns], of the row that is made: how many pieces of a column there are, then where the next
                      one goes; 0 between rows */
  int32_t *listed;  /* owned, [columns]: those of the row, */
  int32_t n_listed; /* so many */
  bool fill;        /* pieces are written, else counted */
} Product;

static void product_release(Product *p) {
  FREE(p->row);
  FREE(p->column);
  FREE(p->start);
  FREE(p->piece);
  FREE(p->next);
  FREE(p->listed);
}

static Status product_create(int32_t n, Product *p) {
  *p = (Product){0};
  ALLOC(p->row, (int64_t)n + 1, "constraints");
  ALLOC(p->next, n, "constraints");
  ALLOC(p->listed, n, "constraints");
  return OK;
}

static void piece_take(Product *p, int32_t column, int64_t block, int32_t weight) {
  if (p->fill) p->piece[p->next[column]++] = (EquationPiece){block, weight};
  else if (p->next[column]++ == 0) p->listed[p->n_listed++] = column;
}

static Status product_reserve(Product *p, int64_t n_block, int64_t n_piece) {
  if (p->n_block + n_block + 1 > p->room_block) {
    p->room_block = (p->n_block + n_block + 1) * 3 / 2;
    RESIZE(p->column, p->room_block, "constraints");
    RESIZE(p->start, p->room_block, "constraints");
  }
  if (p->n_piece + n_piece > p->room_piece) {
    p->room_piece = (p->n_piece + n_piece) * 3 / 2;
    RESIZE(p->piece, p->room_piece, "constraints");
  }
  return OK;
}

static void columns_sort(HaloOrder order, int32_t n, int32_t *column) {
  for (int32_t c = 0; c < n; ++c) column[c] = halo_place(order, column[c]);
  if (n) qsort(column, (size_t)n, sizeof *column, ascending_int32);
  for (int32_t c = 0; c < n; ++c) column[c] = halo_number(order, column[c]);
}

/* From the counts of a row: its blocks, and where their pieces go. */
static Status product_open(HaloOrder order, Product *p) {
  int64_t n_piece = 0;
  for (int32_t c = 0; c < p->n_listed; ++c) n_piece += p->next[p->listed[c]];
  TRY(product_reserve(p, p->n_listed, n_piece));
  columns_sort(order, p->n_listed, p->listed);
  for (int32_t c = 0; c < p->n_listed; ++c) {
    const int64_t n = p->next[p->listed[c]];
    p->column[p->n_block] = p->listed[c], p->start[p->n_block++] = p->next[p->listed[c]] = p->n_piece;
    p->n_piece += n;
  }
  p->fill = true;
  return OK;
}

static void product_close(Product *p, int32_t row) {
  for (int32_t c = 0; c < p->n_listed; ++c) p->next[p->listed[c]] = 0;
  p->n_listed = 0;
  p->fill = false;
  p->row[row + 1] = p->n_block;
}

/* Row i of K T: columns that depend are replaced by what they depend on. */
static void half_pieces(const Pattern *K, const Weights *w, int32_t i, Product *half) {
  for (int64_t k = K->start[i]; k < K->start[i + 1]; ++k) {
    const int32_t j = K->column[k], l = w->slot[j] - 1;
    if (l < 0) piece_take(half, j, k, 0);
    for (int64_t t = l < 0 ? 0 : w->start[l]; l >= 0 && t < w->start[l + 1]; ++t)
      piece_take(half, w->node[t], k, (int32_t)t);
  }
}

/* K T: rows of K without columns that depend stay as they are, and have none here. */
static Status half_make(const Pattern *K, const Weights *w, Product *half) {
  TRY(product_create(K->n, half));
  for (int32_t i = 0; i < K->n; ++i) {
    bool same = true;
    for (int64_t k = K->start[i]; same && k < K->start[i + 1]; ++k) same = !w->slot[K->column[k]];
    half->row[i + 1] = half->n_block;
    if (same) continue;
    half_pieces(K, w, i, half);
    TRY(product_open(w->order, half));
    half_pieces(K, w, i, half);
    product_close(half, i);
  }
  TRY(product_reserve(half, 0, 0));
  half->start[half->n_block] = half->n_piece;
  return OK;
}

/* Row i of K T, taken with that weight: blocks of K T are counted behind those of K. */
static void whole_pieces_of(const Pattern *K, const Product *half, int32_t i, int32_t weight, Product *whole) {
  if (half->row[i] == half->row[i + 1])
    for (int64_t k = K->start[i]; k < K->start[i + 1]; ++k) piece_take(whole, K->column[k], k, weight);
  for (int64_t h = half->row[i]; h < half->row[i + 1]; ++h)
    piece_take(whole, half->column[h], K->start[K->n] + h, weight);
}

/* Row p of T^T (K T), by ascending rows of K T. */
static void whole_pieces(const Pattern *K, const Weights *w, const Product *half, int32_t p, Product *whole) {
  bool own = !w->slot[p];
  for (int64_t t = w->from[p]; t < w->from[p + 1]; ++t) {
    if (own && halo_place(w->order, w->source[t]) > halo_place(w->order, p))
      whole_pieces_of(K, half, p, 0, whole), own = false;
    whole_pieces_of(K, half, w->source[t], w->weight[t], whole);
  }
  if (own) whole_pieces_of(K, half, p, 0, whole);
}

/* Row p of K goes on as it is: it takes nothing, and no unknown of it depends. */
static bool row_stays(const Pattern *K, const Weights *w, const Product *half, int32_t p) {
  bool stays = !w->slot[p] && w->from[p] == w->from[p + 1] && half->row[p] == half->row[p + 1];
  for (int64_t k = K->start[p] + 1; stays && k < K->start[p + 1]; ++k)
    stays = halo_place(w->order, K->column[k - 1]) < halo_place(w->order, K->column[k]);
  return stays;
}

static Status row_copy(const Pattern *K, int32_t p, Product *whole) {
  TRY(product_reserve(whole, K->start[p + 1] - K->start[p], K->start[p + 1] - K->start[p]));
  for (int64_t k = K->start[p]; k < K->start[p + 1]; ++k) {
    whole->column[whole->n_block] = K->column[k], whole->start[whole->n_block++] = whole->n_piece;
    whole->piece[whole->n_piece++] = (EquationPiece){k, 0};
  }
  whole->row[p + 1] = whole->n_block;
  return OK;
}

/* Rows [0, n). */
static Status whole_make(const Pattern *K, const Weights *w, const Product *half, int32_t n, Product *whole) {
  const int64_t n_entry = K->start[K->n];
  TRY(product_create(K->n, whole));
  TRY(product_reserve(whole, n_entry + half->n_block, n_entry + half->n_piece)); /* most rows stay */
  for (int32_t p = 0; p < n; ++p) {
    if (row_stays(K, w, half, p)) {
      TRY(row_copy(K, p, whole));
      continue;
    }
    whole_pieces(K, w, half, p, whole);
    TRY(product_open(w->order, whole));
    whole_pieces(K, w, half, p, whole);
    product_close(whole, p);
  }
  TRY(product_reserve(whole, 0, 0));
  whole->start[whole->n_block] = whole->n_piece;
  return OK;
}

/* Unknowns that depend have a row of the unit matrix. */
static void diagonal_mark(const Space *s, const Equations *e, const Pattern *p, uint8_t *mark) {
  for (int32_t k = 0; k < e->n; ++k) {
    const int32_t i = numbering_rank(&s->numbering, e->row[k] / e->n_component);
    if (i >= p->n) continue;
    int64_t at = p->start[i];
    while (p->column[at] != i) ++at;
    mark[at] = (uint8_t)(mark[at] | 1u << (e->row[k] % e->n_component));
  }
}

/* K by blocks, each row by row. */
static Status slots_by_hand(const Pattern *K, SlotMap *out) {
  const int64_t square = (int64_t)K->block * K->block;
  *out = (SlotMap){.n_value = K->start[K->n] * square, .same_step = 1, .column_step = 1};
  ALLOC(out->slot, K->start[K->n], "slots of the stiffness matrix");
  ALLOC(out->row_step, 1, "slots of the stiffness matrix");
  out->row_step[0] = K->block;
  for (int64_t k = 0; k < K->start[K->n]; ++k) out->slot[k] = k * square;
  return OK;
}

/* The rows of the product, [0, n), become the pattern. */
static Status pattern_take(const Pattern *K, const RowShare *share, int32_t n, Product *whole, Equations *e) {
  ALLOC(e->pattern, 1, "matrix pattern");
  *e->pattern = (Pattern){.n = n,
                          .block = K->block,
                          .share = *share,
                          .n_entry = whole->n_block,
                          .start = whole->row,
                          .column = whole->column};
  whole->row = NULL, whole->column = NULL;
  return OK;
}

static Status blocks_upload(const Space *s, const Weights *w, const Product *half, const Product *whole, Equations *e) {
  static const char what[] = "constraints";
  const int64_t square = (int64_t)w->b * w->b;
  EquationHalf *to = &e->half;
  EquationBlocks *blocks = &e->blocks;
  Exec *exec = s->exec;
  e->n_weight = w->n * square, e->n_piece = whole->n_piece;
  e->n_half = half->n_block, e->n_half_piece = half->n_piece;
  to->size = blocks->size = w->b;
  TRY(exec_alloc_upload(exec, e->n_half + 1, sizeof *half->start, half->start, what, (void **)&to->start));
  TRY(exec_alloc_upload(exec, e->n_half_piece, sizeof *half->piece, half->piece, what, (void **)&to->piece));
  TRY(exec_alloc(exec, e->n_half * square, sizeof *to->values, what, (void **)&to->values));
  TRY(exec_alloc_upload(exec, whole->n_block + 1, sizeof *whole->start, whole->start, what, (void **)&blocks->start));
  TRY(exec_alloc_upload(exec, e->n_piece, sizeof *whole->piece, whole->piece, what, (void **)&blocks->piece));
  TRY(exec_alloc_upload(exec, e->n_weight, sizeof *w->value, w->value, what, (void **)&blocks->weight));
  to->weight = blocks->weight, blocks->half = to->values;
  blocks->n_from = s->pattern->start[s->pattern->n];
  return OK;
}

static Status blocks_make(const Space *s, const RowShare *share, const Weights *w, Equations *e) {
  Product half = {0}, whole = {0};
  Status status = OK;
  uint8_t *mark = NULL;
  const int32_t n = (int32_t)(s->n_dof / s->n_component);
  TRY_DONE(half_make(s->pattern, w, &half));
  TRY_DONE(whole_make(s->pattern, w, &half, n, &whole));
  TRY_DONE(pattern_take(s->pattern, share, n, &whole, e));
  TRY_DONE(blocks_upload(s, w, &half, &whole, e));
  ALLOC_DONE(mark, e->pattern->n_entry, "constraints");
  diagonal_mark(s, e, e->pattern, mark);
  status =
      exec_alloc_upload(s->exec, e->pattern->n_entry, sizeof *mark, mark, "constraints", (void **)&e->blocks.diagonal);
done:
  product_release(&half);
  product_release(&whole);
  FREE(mark);
  return status;
}

/* Where the weight of the own unknown of each switched row is, and where its node has the diagonal block. */
static Status switches_place(const Space *s, const Weights *w, Equations *e) {
  const Pattern *p = e->pattern;
  Status status = OK;
  int64_t *own = NULL, *diagonal = NULL;
  if (!e->switches.n) return OK;
  ALLOC_DONE(own, e->switches.n, "constraints");
  ALLOC_DONE(diagonal, e->switches.n, "constraints");
  for (int32_t k = 0; k < e->switches.n; ++k) {
    const int32_t unknown = e->row[e->switches.row[k]], c = unknown % w->b;
    const int32_t i = numbering_rank(&s->numbering, unknown / w->b);
    own[k] = (w->start[w->slot[i] - 1] * w->b + c) * w->b + c;
    diagonal[k] = p->start[i];
    while (p->column[diagonal[k]] != i) ++diagonal[k];
  }
  status = switches_upload(s, own, diagonal, e);
done:
  FREE(own);
  FREE(diagonal);
  return status;
}

Status equations_pattern(Space *s, const Supports *supports, Equations *e) {
  Weights w;
  RowShare share = s->pattern->share; /* made again, K has rows of the halo already */
  share.n_halo = (int32_t)((s->n_read - s->n_dof) / s->n_component);
  share.n_low = share.n_halo ? s->solver_set->order.n_low : 0;
  if (e->shared && s->pattern->n < s->n_read / s->n_component) TRY(space_add_halo_rows(s));
  TRY(pattern_fetch(s->pattern));
  TRY(slots_by_hand(s->pattern, &e->slots));
  if (equations_vary(e)) ALLOC(e->weight_at, e->start[e->n], "constraints");
  Status status = weights_create(s, supports, e, &w);
  if (status == OK) status = blocks_make(s, &share, &w, e);
  if (status == OK) status = switches_place(s, &w, e);
  weights_release(&w);
  return status;
}

/* ---- interpolation between orders ---- */

/* A row of an interpolation while it is made: blocks, one for each column. */
typedef struct MapRow {
  int32_t n, room, b;
  int32_t *column; /* owned */
  double *value;   /* owned, [room][b][b] */
} MapRow;

/* Block of a column, new ones at their place among ascending columns. */
static Status map_row_block(MapRow *r, int32_t column, double **out) {
  const int32_t square = r->b * r->b;
  int32_t k = r->n;
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    RESIZE(r->column, r->room, "interpolation between orders");
    RESIZE(r->value, (int64_t)r->room * square, "interpolation between orders");
  }
  while (k > 0 && r->column[k - 1] >= column) --k;
  *out = r->value + (int64_t)k * square;
  if (k < r->n && r->column[k] == column) return OK;
  memmove(r->column + k + 1, r->column + k, (size_t)(r->n - k) * sizeof *r->column);
  memmove(*out + square, *out, (size_t)(r->n - k) * (size_t)square * sizeof **out);
  memset(*out, 0, (size_t)square * sizeof **out);
  r->column[k] = column;
  ++r->n;
  return OK;
}

static double map_value(const NodeMap *map, int64_t k, int32_t i, int32_t j) {
  if (map->block == 1) return i == j ? map->value[k] : 0;
  return map->value[(k * map->block + i) * map->block + j];
}

/* Adds entry `first` of the map, times `left` (NULL: 1), times entry `second` (-1: 1). */
static Status map_row_add(MapRow *r, const NodeMap *map, int64_t first, const double *left, int64_t second) {
  const int32_t b = r->b;
  double *to;
  TRY(map_row_block(r, map->column[second < 0 ? first : second], &to));
  for (int32_t i = 0; i < b; ++i)
    for (int32_t j = 0; j < b; ++j)
      for (int32_t k = 0; k < b; ++k) {
        double part = left ? 0 : (double)(k == j);
        for (int32_t m = 0; left && m < b; ++m)
          part += left[k * b + m] * (second < 0 ? (double)(m == j) : map_value(map, second, m, j));
        to[i * b + j] += map_value(map, first, i, k) * part;
      }
  return OK;
}

/* Row i: what it takes from vertices that depend it takes from what they depend on. */
static Status map_row_make(const NodeMap *up, const Weights *w, const int32_t *home, int32_t i, MapRow *r) {
  r->n = 0;
  for (int64_t k = up->start[i]; k < up->start[i + 1]; ++k) {
    const int32_t from = home[up->column[k]], l = w->slot[i] || from < 0 ? -1 : w->slot[from] - 1;
    if (l < 0) TRY(map_row_add(r, up, k, NULL, -1));
    for (int64_t t = l < 0 ? 0 : w->start[l]; l >= 0 && t < w->start[l + 1]; ++t) {
      const int32_t node = w->node[t];
      const double *weight = w->value + t * w->b * w->b;
      if (node == from) TRY(map_row_add(r, up, k, weight, -1));
      for (int64_t q = node == from ? 0 : up->start[node]; node != from && q < up->start[node + 1]; ++q)
        TRY(map_row_add(r, up, k, weight, q));
    }
  }
  return OK;
}

/* Rows one after the other, counted first. */
static Status map_make(const NodeMap *up, const Weights *w, const int32_t *home, NodeMap *out) {
  MapRow r = {.b = w->b};
  Status status = OK;
  const int64_t square = w->b * w->b;
  *out = (NodeMap){.n_row = up->n_row, .n_column = up->n_column, .block = w->b};
  ALLOC_DONE(out->start, (int64_t)up->n_row + 1, "interpolation between orders");
  for (int fill = 0; fill < 2; ++fill) {
    for (int32_t i = 0; i < up->n_row; ++i) {
      TRY_DONE(map_row_make(up, w, home, i, &r));
      if (!fill) out->start[i + 1] = out->start[i] + r.n;
      else {
        memcpy(out->column + out->start[i], r.column, (size_t)r.n * sizeof *r.column);
        memcpy(out->value + out->start[i] * square, r.value, (size_t)(r.n * square) * sizeof *r.value);
      }
    }
    if (fill) break;
    ALLOC_DONE(out->column, out->start[up->n_row], "interpolation between orders");
    ALLOC_DONE(out->value, out->start[up->n_row] * square, "interpolation between orders");
  }
done:
  FREE(r.column);
  FREE(r.value);
  return status;
}

Status equations_transfer(const Space *s, const Supports *supports, const Equations *e, OrderTransfer *transfer) {
  NodeMap *up = &transfer->up, map = {0};
  Weights w = {0};
  int32_t *home = NULL;
  Status status = OK;
  TRY_DONE(weights_create(s, supports, e, &w));
  ALLOC_DONE(home, up->n_column, "interpolation between orders");
  for (int32_t c = 0; c < up->n_column; ++c) home[c] = -1;
  for (int32_t i = up->n_row - 1; i >= 0; --i)
    if (transfer->number[i] >= 0) home[transfer->number[i]] = i;
  status = map_make(up, &w, home, &map);
  NodeMap *gone = status == OK ? up : &map;
  FREE(gone->start);
  FREE(gone->column);
  FREE(gone->value);
  if (status == OK) *up = map;
done:
  FREE(home);
  weights_release(&w);
  return status;
}
