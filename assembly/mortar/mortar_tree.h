/* Boxes in a tree: which of them may touch another box. */
#pragma once
#include "core/status.h"

#include <stdint.h>

typedef struct Box {
  double low[3], high[3];
} Box;

/* Node i of the tree has the children 2 i + 1 and 2 i + 2; places [first, last) of `order` lie below it. */
typedef struct BoxTree {
  int32_t n, n_node;
  const Box *box; /* borrowed, [n] */
  int32_t *order; /* owned, [n] */
  Box *around;    /* owned, [n_node] */
} BoxTree;

Status box_tree_create(int32_t n, const Box *box, BoxTree *out);
void box_tree_release(BoxTree *tree);
/* How many boxes touch this one; their numbers, ascending, to `found` where that is not NULL. */
int32_t box_tree_find(const BoxTree *tree, const Box *box, int32_t *found);
