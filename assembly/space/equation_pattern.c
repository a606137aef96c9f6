/* The pattern of T^T K T, and of which blocks of K each of its blocks is made. */
#include "assembly/space/equations.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Row i of T by nodes: on which others node i depends, and how; nodes without dependent unknowns are not listed. All in
 * the solver's order. */
typedef struct Weights {
  int32_t n_node, b;
  int32_t *slot;   /* owned, [n_node]: 1 + index of a listed node; 0: it is itself alone */
  int64_t *start;  /* owned, [listed + 1] */
  int32_t *node;   /* owned */
  double *value;   /* owned, [..][b][b]; the first is the unit matrix, of no node */
  int64_t n;       /* of node and value */
  int64_t *from;   /* owned, [n_node + 1]: listed nodes that depend on each node, */
  int32_t *source; /* owned, */
  int32_t *weight; /* owned, and the index of the weight */
} Weights;

static void weights_release(Weights *w) {
  FREE(w->slot);
  FREE(w->start);
  FREE(w->node);
  FREE(w->value);
  FREE(w->from);
  FREE(w->source);
  FREE(w->weight);
}

static bool is_free(const Supports *s, int32_t unknown) {
  return !(s->fixed[unknown / s->n_component] >> (unknown % s->n_component) & 1);
}

/* The weight of node i (listed) with node j, made where it is not there yet. */
static double *weight_at(Weights *w, int64_t first, int32_t j) {
  const int32_t square = w->b * w->b;
  for (int64_t k = first; k < w->n; ++k)
    if (w->node[k] == j) return w->value + k * square;
  w->node[w->n++] = j;
  return w->value + (w->n - 1) * square;
}

/* Equations of one node, [k, end): unknowns that stay have 1 on the diagonal. */
static void weights_of_node(const Space *s, const Supports *supports, const Equations *e, int32_t k, int32_t end,
                            Weights *w) {
  const int32_t b = w->b, node = e->row[k] / b;
  const int64_t first = w->n;
  double *own = weight_at(w, first, numbering_rank(&s->numbering, node));
  for (int32_t c = 0; c < b; ++c) own[c * b + c] = 1;
  for (; k < end; ++k) {
    const int32_t c = e->row[k] % b;
    own[c * b + c] = 0;
  }
  for (k = end; k-- > 0 && e->row[k] / b == node;) {
    for (int64_t t = e->start[k]; t < e->start[k + 1]; ++t) {
      if (!is_free(supports, e->column[t])) continue;
      double *to = weight_at(w, first, numbering_rank(&s->numbering, e->column[t] / b));
      to[(e->row[k] % b) * b + e->column[t] % b] += e->factor[t];
    }
  }
}

static Status weights_transpose(Weights *w, int32_t n_listed, const int32_t *listed) {
  ALLOC(w->from, (int64_t)w->n_node + 1, "constraints");
  ALLOC(w->source, w->n, "constraints");
  ALLOC(w->weight, w->n, "constraints");
  for (int64_t k = 1; k < w->n; ++k) ++w->from[w->node[k] + 1];
  for (int32_t i = 0; i < w->n_node; ++i) w->from[i + 1] += w->from[i];
  for (int32_t l = n_listed - 1; l >= 0; --l)
    for (int64_t k = w->start[l + 1] - 1; k >= w->start[l]; --k) {
      const int64_t at = --w->from[w->node[k] + 1];
      w->source[at] = listed[l];
      w->weight[at] = (int32_t)k;
    }
  memmove(w->from, w->from + 1, (size_t)w->n_node * sizeof *w->from);
  w->from[w->n_node] = w->n - 1;
  return OK;
}

static Status weights_create(const Space *s, const Supports *supports, const Equations *e, Weights *w) {
  Status status = OK;
  int32_t n_listed = 0, *listed = NULL;
  const int64_t most = 1 + e->n + e->start[e->n];
  *w = (Weights){.n_node = s->n_node, .b = s->n_component, .n = 1};
  ALLOC_DONE(w->slot, s->n_node, "constraints");
  ALLOC_DONE(w->start, (int64_t)e->n + 1, "constraints");
  ALLOC_DONE(w->node, most, "constraints");
  ALLOC_DONE(w->value, most * w->b * w->b, "constraints");
  ALLOC_DONE(listed, e->n, "constraints");
  for (int32_t c = 0; c < w->b; ++c) w->value[c * w->b + c] = 1;
  w->start[0] = 1;
  for (int32_t k = 0, end; k < e->n; k = end) {
    for (end = k + 1; end < e->n && e->row[end] / w->b == e->row[k] / w->b;) ++end;
    weights_of_node(s, supports, e, k, end, w);
    listed[n_listed] = numbering_rank(&s->numbering, e->row[k] / w->b);
    ++n_listed;
    w->slot[listed[n_listed - 1]] = n_listed;
    w->start[n_listed] = w->n;
  }
  TRY_DONE(weights_transpose(w, n_listed, listed));
done:
  FREE(listed);
  return status;
}

/* A piece with the column that it goes to. */
typedef struct Entry {
  int32_t column;
  EquationPiece piece;
} Entry;
typedef struct Entries {
  int64_t n, room;
  Entry *item; /* owned */
} Entries;

static int entry_order(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  if (x->piece.block != y->piece.block) return x->piece.block < y->piece.block ? -1 : 1;
  if (x->piece.left != y->piece.left) return x->piece.left < y->piece.left ? -1 : 1;
  return (x->piece.right > y->piece.right) - (x->piece.right < y->piece.right);
}

static Status entry_add(Entries *to, int32_t column, int64_t block, int32_t left, int32_t right) {
  if (to->n == to->room) {
    Entries more = {.n = to->n, .room = to->room ? 2 * to->room : 256};
    ALLOC(more.item, more.room, "constraints");
    if (to->n) memcpy(more.item, to->item, (size_t)to->n * sizeof *to->item);
    FREE(to->item);
    *to = more;
  }
  to->item[to->n++] = (Entry){column, {block, left, right}};
  return OK;
}

/* Row i of K, taken with that weight. */
static Status entries_of_row(const Pattern *K, const Weights *w, int32_t i, int32_t left, Entries *out) {
  for (int64_t k = K->start[i]; k < K->start[i + 1]; ++k) {
    const int32_t j = K->column[k], l = w->slot[j] - 1;
    if (l < 0) TRY(entry_add(out, j, k, left, 0));
    for (int64_t t = l < 0 ? 0 : w->start[l]; l >= 0 && t < w->start[l + 1]; ++t)
      TRY(entry_add(out, w->node[t], k, left, (int32_t)t));
  }
  return OK;
}

/* All pieces of row p, by column. */
static Status entries_collect(const Pattern *K, const Weights *w, int32_t p, Entries *out) {
  out->n = 0;
  if (!w->slot[p]) TRY(entries_of_row(K, w, p, 0, out));
  for (int64_t t = w->from[p]; t < w->from[p + 1]; ++t) TRY(entries_of_row(K, w, w->source[t], w->weight[t], out));
  qsort(out->item, (size_t)out->n, sizeof *out->item, entry_order);
  return OK;
}

/* Counts (fill false), then writes. */
static Status rows_make(const Pattern *K, const Weights *w, bool fill, Pattern *to, int64_t *start,
                        EquationPiece *piece, int64_t *n_piece) {
  Entries e = {0};
  Status status = OK;
  int64_t at = 0, block = 0;
  for (int32_t p = 0; p < K->n; ++p) {
    TRY_DONE(entries_collect(K, w, p, &e));
    for (int64_t k = 0; k < e.n; ++k, ++at) {
      if (k == 0 || e.item[k].column != e.item[k - 1].column) {
        if (fill) to->column[block] = e.item[k].column, start[block] = at;
        ++block;
      }
      if (fill) piece[at] = e.item[k].piece;
    }
    to->start[p + 1] = block;
  }
  to->n_entry = block;
  if (fill) start[block] = at;
  *n_piece = at;
done:
  FREE(e.item);
  return status;
}

/* Unknowns that depend have a row of the unit matrix. */
static void diagonal_mark(const Space *s, const Equations *e, const Pattern *p, uint8_t *mark) {
  for (int32_t k = 0; k < e->n; ++k) {
    const int32_t i = numbering_rank(&s->numbering, e->row[k] / e->n_component);
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

static Status blocks_make(const Space *s, const Weights *w, Equations *e) {
  Status status = OK;
  const Pattern *K = s->pattern;
  const int64_t square = (int64_t)w->b * w->b;
  int64_t *start = NULL;
  EquationPiece *piece = NULL;
  uint8_t *mark = NULL;
  Pattern *p = NULL;
  ALLOC(p, 1, "matrix pattern");
  e->pattern = p;
  *p = (Pattern){.n = K->n, .block = K->block};
  ALLOC(p->start, (int64_t)p->n + 1, "matrix pattern");
  TRY(rows_make(K, w, false, p, NULL, NULL, &e->n_piece));
  ALLOC(p->column, p->n_entry, "matrix pattern");
  ALLOC_DONE(start, p->n_entry + 1, "constraints");
  ALLOC_DONE(piece, e->n_piece, "constraints");
  ALLOC_DONE(mark, p->n_entry, "constraints");
  TRY_DONE(rows_make(K, w, true, p, start, piece, &e->n_piece));
  diagonal_mark(s, e, p, mark);
  e->n_weight = w->n * square;
  e->blocks.size = w->b;
  TRY_DONE(exec_alloc_upload(s->exec, p->n_entry + 1, sizeof *start, start, "constraints", (void **)&e->blocks.start));
  TRY_DONE(exec_alloc_upload(s->exec, e->n_piece, sizeof *piece, piece, "constraints", (void **)&e->blocks.piece));
  TRY_DONE(exec_alloc_upload(s->exec, p->n_entry, sizeof *mark, mark, "constraints", (void **)&e->blocks.diagonal));
  TRY_DONE(
      exec_alloc_upload(s->exec, e->n_weight, sizeof *w->value, w->value, "constraints", (void **)&e->blocks.weight));
done:
  FREE(start);
  FREE(piece);
  FREE(mark);
  return status;
}

Status equations_pattern(Space *s, const Supports *supports, Equations *e) {
  Weights w;
  TRY(pattern_fetch(s->pattern));
  TRY(slots_by_hand(s->pattern, &e->slots));
  Status status = weights_create(s, supports, e, &w);
  if (status == OK) status = blocks_make(s, &w, e);
  weights_release(&w);
  return status;
}
