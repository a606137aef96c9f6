/* What row kernels of recovery find at a node: its elements, and those of nodes that are the same one of a larger body. */
#pragma once
#include "assembly/space/gather_rows.h"
#include "physics/strength.h"

/* Where the results of a block of elements lie, and how its entries of the gather map are numbered (SetBlock). */
typedef struct RecoverBlock {
  uint32_t entry_first, entry_a, entry_e;
  int32_t n_q;
  const double *extrapolate; /* [nodes per element][n_q] */
  const int32_t *element, *material;
  const double *point, *strain, *piola, *fiber, *volume; /* as in RecoverArgs */
  int64_t state_first, state_q;                          /* PointArgs.point_first and point_q */
  /* Axes of element `number` of the results: row frame_row[number] of `frame`, or -1 - row where each point has its own; NULL: not
   * asked for */
  const double *frame; /* [..][9], as MaterialAxes has them */
  const int32_t *frame_row;
} RecoverBlock;

/* Nodes that are one of a larger body (SupportImage): what elements at the others find counts at a node too, turned. */
typedef struct RecoverImage {
  uint32_t entry; /* as those of the gather map */
  int32_t turn;
} RecoverImage;
typedef struct RecoverImages {
  const int64_t *start; /* [rows of the solver's order + 1] */
  const RecoverImage *item;
  const double *turn; /* [..][9], from there to here */
} RecoverImages;

/* Rows are those of the gather map of the space's nodes. */
typedef struct RecoverNodeArgs {
  const int64_t *start; /* as in VectorGatherArgs */
  const uint32_t *entry;
  const int32_t *node;
  const int32_t *to; /* [n_node] the mesh's number of node i; NULL: i */
  int32_t n_block;   /* solved ones */
  uint32_t n_entry;  /* of solved blocks: those of facets follow */
  const RecoverBlock *block;
  /* clang-format off: double *stress; and so on, [n_node][width], of the fields that are averages; NULL: not asked for */
#define RECOVER_NODES(m)
#define RECOVER_AVERAGES(m) double *m;
#define RECOVER_ELEMENTS(m)
#define RECOVER_POINTS(m)
#define ELASTIC_FIELD(NAME, m, word, where, ...) RECOVER_##where(m)
#define ELASTIC_ALIAS(NAME, ...)
#include "assembly/elasticity/fields.def"
#undef RECOVER_NODES
#undef RECOVER_AVERAGES
#undef RECOVER_ELEMENTS
#undef RECOVER_POINTS
  /* clang-format on */
  RecoverImages images;     /* start NULL: there are none */
  const Strength *strength; /* [n_material]; NULL: not asked for */
  int32_t *others; /* [n_row] materials beside the one with the lowest number; NULL: all elements have the same */
} RecoverNodeArgs;

/* Element e of a block and which of its nodes, on the way through all at a node: all 0 before the first. */
typedef struct RecoverTouch {
  const RecoverBlock *block;
  int64_t e, a;
  int64_t own, image; /* how many there were */
  const double *turn; /* of the last one; NULL: it is at the node itself */
} RecoverTouch;

/* The next solved element at the node of a row, then at its images; 0 where there are no more. */
HD int recover_touch(const RecoverNodeArgs *s, const int64_t row, RecoverTouch *t) {
  const int64_t at = s->start[row >> 5] + (row & 31) + 32 * t->own;
  uint32_t entry = at < s->start[(row >> 5) + 1] ? s->entry[at] : s->n_entry;
  if (entry < s->n_entry) ++t->own;
  else {
    if (!s->images.start) return 0;
    const int64_t k = s->images.start[s->node[row]] + t->image;
    if (k == s->images.start[s->node[row] + 1]) return 0;
    entry = s->images.item[k].entry;
    t->turn = s->images.turn + 9 * (int64_t)s->images.item[k].turn;
    ++t->image;
  }
  const RecoverBlock *b = s->block;
  while (b + 1 < s->block + s->n_block && entry >= b[1].entry_first) ++b;
  const uint32_t number = entry - b->entry_first, width = b->entry_e == 1 ? b->entry_a : b->entry_e;
  const uint32_t high = number / width, low = number - high * width;
  t->block = b;
  t->e = b->entry_e == 1 ? low : high;
  t->a = b->entry_e == 1 ? high : low;
  return 1;
}

/* The lowest material above `after` of the elements at a node, -1: none. */
HD int32_t recover_next_material(const RecoverNodeArgs *s, const int64_t row, const int32_t after) {
  RecoverTouch t = {NULL, 0, 0, 0, 0, NULL};
  int32_t lowest = -1;
  while (recover_touch(s, row, &t)) {
    const int32_t material = t.block->material[t.e];
    if (material > after && (lowest < 0 || material < lowest)) lowest = material;
  }
  return lowest;
}
