/* A binary tree of boxes, halved by number along the longest extent of their middles. */
#include "assembly/mortar/mortar_tree.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 40 };

typedef struct Middle {
  double at;
  int32_t box;
} Middle;

static int middle_order(const void *a, const void *b) {
  const Middle *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->box > y->box) - (x->box < y->box);
}

static void box_add(Box *to, const Box *more) {
  for (int k = 0; k < 3; ++k) {
    to->low[k] = fmin(to->low[k], more->low[k]);
    to->high[k] = fmax(to->high[k], more->high[k]);
  }
}

static bool boxes_touch(const Box *a, const Box *b) {
  for (int k = 0; k < 3; ++k)
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
  return true;
}

static double middle_of(const Box *b, int k) { return 0.5 * (b->low[k] + b->high[k]); }

/* Places [first, last) of the order below node i. */
static void halve(BoxTree *t, Middle *middle, int32_t i, int32_t first, int32_t last) {
  double low[3], high[3];
  int longest = 0;
  t->around[i] = t->box[t->order[first]];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = middle_of(&t->around[i], k);
  for (int32_t p = first; p < last; ++p) {
    const Box *b = &t->box[t->order[p]];
    box_add(&t->around[i], b);
    for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], middle_of(b, k)), high[k] = fmax(high[k], middle_of(b, k));
  }
  if (last - first <= LEAF) return;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
  for (int32_t p = first; p < last; ++p) middle[p] = (Middle){middle_of(&t->box[t->order[p]], longest), t->order[p]};
  qsort(middle + first, (size_t)(last - first), sizeof *middle, middle_order);
  for (int32_t p = first; p < last; ++p) t->order[p] = middle[p].box;
  const int32_t half = first + (last - first) / 2;
  halve(t, middle, 2 * i + 1, first, half);
  halve(t, middle, 2 * i + 2, half, last);
}

Status box_tree_create(int32_t n, const Box *box, BoxTree *out) {
  Middle *middle = NULL;
  Status status = OK;
  *out = (BoxTree){.n = n, .n_node = 1, .box = box};
  for (int32_t most = n; most > LEAF; most = (most + 1) / 2) out->n_node = 2 * out->n_node + 1;
  ALLOC_DONE(out->order, n, "boxes of facets");
  ALLOC_DONE(out->around, out->n_node, "boxes of facets");
  ALLOC_DONE(middle, n, "boxes of facets");
  for (int32_t i = 0; i < n; ++i) out->order[i] = i;
  if (n) halve(out, middle, 0, 0, n);
done:
  FREE(middle);
  if (status != OK) box_tree_release(out);
  return status;
}

void box_tree_release(BoxTree *t) {
  FREE(t->order);
  FREE(t->around);
  *t = (BoxTree){0};
}

int32_t box_tree_find(const BoxTree *t, const Box *box, int32_t *found) {
  struct {
    int32_t node, first, last;
  } todo[DEPTH] = {{0, 0, t->n}};
  int32_t n = 0;
  for (int top = t->n ? 1 : 0; top > 0;) {
    const int32_t node = todo[--top].node, first = todo[top].first, last = todo[top].last;
    if (!boxes_touch(&t->around[node], box)) continue;
    if (last - first > LEAF) {
      const int32_t half = first + (last - first) / 2;
      todo[top].node = 2 * node + 1, todo[top].first = first, todo[top++].last = half;
      todo[top].node = 2 * node + 2, todo[top].first = half, todo[top++].last = last;
      continue;
    }
    for (int32_t p = first; p < last; ++p) {
      if (!boxes_touch(&t->box[t->order[p]], box)) continue;
      if (found) found[n] = t->order[p];
      ++n;
    }
  }
  if (found && n > 1) qsort(found, (size_t)n, sizeof *found, ascending_int32);
  return n;
}
