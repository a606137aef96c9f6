/* Row kernels over the elements that meet at nodes: the pattern of a matrix, and which element blocks add to each of
 * its blocks. Rows are nodes. What a row finds does not depend on who works it out: the same integers for any number of
 * threads, on the CPU and the GPU.
 *
 * The nodes of each element stand in ascending order beside the mesh's, so that a row merges those of its elements:
 * the smallest number that any of them has next is the next column, and each element that has it steps on. */
#pragma once
#include "assembly/space/gather_rows.h"
#include "algebra/halo_order.h"
#include "core/hd.h"
#include "mesh/elements/element.h"

enum {
  ELEMENT_SET_BLOCKS = 2 * N_ELEMENT_KINDS,
  MEET_AT_ONCE = 48, /* elements of a node whose next nodes are remembered; those of more are searched for */
  MEET_END = INT32_MAX
};

/* Where an element touches a node. */
typedef struct ElementRef {
  int32_t element;       /* in its block */
  uint16_t block, local; /* local: which node of the element */
} ElementRef;

/* Elements at the nodes of one set, and the nodes that they have in that or another set; on an Exec. */
typedef struct Meetings {
  int64_t n_all;        /* length of node and local */
  const int64_t *start; /* Incidence */
  const ElementRef *touch;
  const int32_t *node;                /* nodes of the elements, ascending in each, with MEET_END behind the last */
  const uint8_t *local;               /* and which node of its element each is */
  int64_t first[ELEMENT_SET_BLOCKS];  /* block k begins here in both, */
  int32_t stride[ELEMENT_SET_BLOCKS]; /* with so many an element, the end included; 0: it takes no part, and first
                                         names an end */
  /* Only elements from `from` on and before `until`, counted over the blocks, of which `before` come before block k;
   * until 0: all. */
  int64_t from, until, before[ELEMENT_SET_BLOCKS];
  HaloOrder order; /* in which nodes ascend: `node` holds their places */
} Meetings;

/* Rows are the nodes of the elements of a block. */
typedef struct TouchKeyArgs {
  const int32_t *nodes; /* [n][n_node] */
  int64_t first;        /* number of the first among those of all blocks */
  uint32_t *key, *order;
} TouchKeyArgs;
HD void touch_key_body(const TouchKeyArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->key[a->first + i] = (uint32_t)a->nodes[i];
  a->order[a->first + i] = (uint32_t)(a->first + i);
}
/* From nodes sorted with their numbers. */
typedef struct TouchArgs {
  int64_t n, n_node;
  const uint32_t *key, *order; /* [n] */
  int64_t *start;
  ElementRef *touch;
  int64_t first[ELEMENT_SET_BLOCKS];
  int32_t n_block_node[ELEMENT_SET_BLOCKS], n_block;
} TouchArgs;
/* Rows are the sorted nodes and the end: where nodes begin that are larger than the one before. */
HD void touch_start_body(const TouchArgs *a, int64_t p, double sum[]) {
  const int64_t end = p < a->n ? a->key[p] : a->n_node;
  (void)sum;
  for (int64_t i = p ? (int64_t)a->key[p - 1] + 1 : 0; i <= end; ++i) a->start[i] = p;
}
HD void touch_fill_body(const TouchArgs *a, int64_t p, double sum[]) {
  const int64_t number = a->order[p];
  int32_t k = 0;
  (void)sum;
  while (k + 1 < a->n_block && a->first[k + 1] <= number) ++k;
  ElementRef *touch = a->touch + p;
  const uint32_t own = (uint32_t)(number - a->first[k]), n = (uint32_t)a->n_block_node[k]; /* divides faster */
  touch->element = (int32_t)(own / n);
  touch->block = (uint16_t)k;
  touch->local = (uint16_t)(own % n);
}

/* The nodes of an element in ascending order; equal ones keep theirs. Rows are the elements of a block. */
typedef struct MeetSortArgs {
  const int32_t *from; /* [n][n_node] */
  int32_t *node;       /* [n][n_node + 1] */
  uint8_t *local;
  int32_t n_node;
  HaloOrder order;
} MeetSortArgs;
HD void meet_sort_body(const MeetSortArgs *a, int64_t e, double sum[]) {
  const int32_t *from = a->from + e * a->n_node;
  int32_t *node = a->node + e * (a->n_node + 1);
  uint8_t *local = a->local + e * (a->n_node + 1);
  (void)sum;
  for (int32_t k = 0; k < a->n_node; ++k) {
    const int32_t place = halo_place(a->order, from[k]);
    int32_t at = k;
    for (; at > 0 && node[at - 1] > place; --at) {
      node[at] = node[at - 1];
      local[at] = local[at - 1];
    }
    node[at] = place;
    local[at] = (uint8_t)k;
  }
  node[a->n_node] = MEET_END;
  local[a->n_node] = 0;
}

/* A row on its way through its columns. */
typedef struct MeetWalk {
  const ElementRef *touch;
  int64_t n;
  int32_t head[MEET_AT_ONCE];  /* next node of each element */
  int64_t place[MEET_AT_ONCE]; /* and where it stands */
} MeetWalk;

HD int64_t meet_first(const Meetings *m, ElementRef touch) {
  return m->first[touch.block] + (int64_t)touch.element * m->stride[touch.block];
}

/* Of an element among all. */
HD int64_t meet_number(const Meetings *m, ElementRef touch) { return m->before[touch.block] + touch.element; }

HD void meet_begin(const Meetings *m, int64_t i, MeetWalk *w) {
  int64_t begin = m->start[i], end = m->start[i + 1];
  while (m->until && begin < end && meet_number(m, m->touch[begin]) < m->from) ++begin;
  while (m->until && begin < end && meet_number(m, m->touch[end - 1]) >= m->until) --end;
  w->touch = m->touch + begin;
  w->n = end - begin;
  for (int64_t t = 0; t < w->n && w->n <= MEET_AT_ONCE; ++t) {
    w->place[t] = meet_first(m, w->touch[t]);
    w->head[t] = m->node[w->place[t]];
  }
}
/* The smallest column beyond `last`, the one before, or -1; MEET_END: there is none. An element that names a node twice
 * may give `last` again. */
HD int32_t meet_next(const Meetings *m, MeetWalk *w, int32_t last) {
  int32_t least = MEET_END;
  if (w->n > MEET_AT_ONCE) {
    for (int64_t t = 0; t < w->n; ++t) {
      const int32_t *node = m->node + meet_first(m, w->touch[t]);
      while (*node <= last) ++node;
      least = *node < least ? *node : least;
    }
    return least;
  }
  for (int64_t t = 0; t < w->n; ++t) { /* without branches, which could not be foreseen */
    w->place[t] += w->head[t] == last;
    w->head[t] = m->node[w->place[t]];
    least = w->head[t] < least ? w->head[t] : least;
  }
  return least;
}

/* The pattern: row i has the nodes of its elements, and itself also without elements. */
typedef struct MeetPatternArgs {
  Meetings meetings;
  int32_t *count;       /* [row] columns, found by count */
  const int64_t *start; /* [row + 1] where they go, for fill */
  int32_t *column;
} MeetPatternArgs;
/* The columns of row i, to `column` where it is there; how many. */
HD int32_t meet_columns(const MeetPatternArgs *a, int64_t i, int32_t *column) {
  MeetWalk w;
  int32_t n = 0, last = -1;
  meet_begin(&a->meetings, i, &w);
  for (;;) {
    const int32_t c = meet_next(&a->meetings, &w, last);
    if (c == MEET_END) break;
    if (c == last) continue;
    if (column) column[n] = halo_number(a->meetings.order, c);
    last = c;
    ++n;
  }
  if (n) return n;
  if (column) column[0] = (int32_t)i;
  return 1;
}
HD void meet_count_body(const MeetPatternArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->count[i] = meet_columns(a, i, 0);
}
HD void meet_fill_body(const MeetPatternArgs *a, int64_t i, double sum[]) {
  (void)sum;
  meet_columns(a, i, a->column + a->start[i]);
}

/* The rows that a range of elements touches, and how many columns they have. */
typedef struct MeetRangeArgs {
  Meetings meetings;
  uint8_t *touched;     /* [row] */
  const int64_t *row;   /* those that are */
  const int64_t *start; /* of the pattern */
  int32_t *length;      /* of each of `row` */
  const int64_t *first; /* [n + 1] sums of length */
  uint32_t *block;      /* [first[n]] of the pattern */
} MeetRangeArgs;
HD void meet_touched_body(const MeetRangeArgs *a, int64_t i, double sum[]) {
  const Meetings *m = &a->meetings;
  int touched = 0;
  (void)sum;
  for (int64_t t = m->start[i]; t < m->start[i + 1] && !touched; ++t) {
    const int64_t number = meet_number(m, m->touch[t]);
    touched = number >= m->from && number < m->until;
  }
  a->touched[i] = (uint8_t)touched;
}
HD void meet_length_body(const MeetRangeArgs *a, int64_t r, double sum[]) {
  (void)sum;
  a->length[r] = (int32_t)(a->start[a->row[r] + 1] - a->start[a->row[r]]);
}
HD void meet_blocks_body(const MeetRangeArgs *a, int64_t r, double sum[]) {
  const int64_t k = a->start[a->row[r]];
  (void)sum;
  for (int64_t j = a->first[r]; j < a->first[r + 1]; ++j) a->block[j] = (uint32_t)(k + j - a->first[r]);
}

/* The element blocks that add to each block of the pattern, in the order of the incidence. */
typedef struct MeetPairArgs {
  Meetings meetings;
  const int64_t *start; /* of the pattern */
  const int32_t *column;
  /* NULL: all rows, and targets are the blocks of the pattern; else row r is row[r], with targets from row_first[r] on */
  const int64_t *row, *row_first;
  int32_t *count; /* [target] element blocks, found by count */
  /* For entry: row row_of[k] of the gather map belongs to target k. */
  const uint32_t *row_of;
  const int64_t *warp_start;
  uint32_t *entry;
  /* Number of an element block: of pair p, first[k] + p step_p[k] + element step_e[k]. a <= b. */
  int64_t first[ELEMENT_SET_BLOCKS], step_p[ELEMENT_SET_BLOCKS], step_e[ELEMENT_SET_BLOCKS];
  int32_t n_node[ELEMENT_SET_BLOCKS]; /* of an element */
} MeetPairArgs;

/* The gather entry of local node a of the row and b of the column in an element. */
HD uint32_t meet_pair(const MeetPairArgs *p, ElementRef touch, int64_t b) {
  const int64_t n = p->n_node[touch.block], a = touch.local, low = a < b ? a : b, high = a < b ? b : a;
  const int64_t pair = low * n - low * (low - 1) / 2 + high - low;
  const uint32_t turned = a <= b ? 0 : GATHER_TRANSPOSED;
  return (uint32_t)(p->first[touch.block] + pair * p->step_p[touch.block] + touch.element * p->step_e[touch.block]) |
         turned;
}

/* The blocks that elements add to column c of a row: how many. */
HD int32_t meet_pairs(const Meetings *m, MeetWalk *w, int32_t c) {
  int32_t n = 0;
  for (int64_t t = 0; t < w->n; ++t) {
    if (w->n > MEET_AT_ONCE) {
      for (const int32_t *node = m->node + meet_first(m, w->touch[t]); *node <= c; ++node) n += *node == c;
      continue;
    }
    do {
      const int32_t found = w->head[t] == c;
      n += found;
      w->place[t] += found;
      w->head[t] = m->node[w->place[t]];
    } while (w->head[t] == c);
  }
  return n;
}
/* Which: to[32 j] is the j-th. The elements are picked first, without branches. */
HD int32_t meet_list(const MeetPairArgs *a, MeetWalk *w, int32_t c, uint32_t *to) {
  const Meetings *m = &a->meetings;
  const int near = w->n <= MEET_AT_ONCE;
  uint8_t picked[MEET_AT_ONCE];
  int64_t n_picked = near ? 0 : w->n;
  int32_t n = 0;
  for (int64_t t = 0; near && t < w->n; ++t) {
    picked[n_picked] = (uint8_t)t;
    n_picked += w->head[t] == c;
  }
  for (int64_t l = 0; l < n_picked; ++l) {
    const int64_t t = near ? picked[l] : l;
    int64_t at = near ? w->place[t] : meet_first(m, w->touch[t]);
    for (; m->node[at] <= c; ++at)
      if (m->node[at] == c) to[32 * (int64_t)n++] = meet_pair(a, w->touch[t], m->local[at]);
    if (!near) continue;
    w->place[t] = at;
    w->head[t] = m->node[at];
  }
  return n;
}
HD void meet_pair_count_body(const MeetPairArgs *a, int64_t r, double sum[]) {
  const int64_t i = a->row ? a->row[r] : r, shift = a->row ? a->row_first[r] - a->start[i] : 0;
  MeetWalk w;
  (void)sum;
  meet_begin(&a->meetings, i, &w);
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k)
    a->count[k + shift] = meet_pairs(&a->meetings, &w, halo_place(a->meetings.order, a->column[k]));
}
HD void meet_pair_entry_body(const MeetPairArgs *a, int64_t r, double sum[]) {
  const int64_t i = a->row ? a->row[r] : r, shift = a->row ? a->row_first[r] - a->start[i] : 0;
  MeetWalk w;
  (void)sum;
  meet_begin(&a->meetings, i, &w);
  for (int64_t k = a->start[i]; k < a->start[i + 1]; ++k) {
    const int64_t row = a->row_of[k + shift], warp = row >> 5;
    uint32_t *to = a->entry + a->warp_start[warp] + (row & 31);
    const int64_t width = (a->warp_start[warp + 1] - a->warp_start[warp]) >> 5;
    const int32_t place = halo_place(a->meetings.order, a->column[k]);
    for (int64_t j = meet_list(a, &w, place, to); j < width; ++j) to[32 * j] = GATHER_NONE;
  }
}
