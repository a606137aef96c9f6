/* Entries of a list that stand in it twice: what they let act adds up, which a line that was copied seldom means. */
#include "app/setup/setup.h"

#include <string.h>

enum { MOST = 2000 }; /* entries that are compared with each other; programs write more, people do not */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Do two nodes of the tree say the same, in the same order? */
static bool tree_same(const Tree *tree, int32_t a, int32_t b) {
  const TreeNode *x = &tree->node[a], *y = &tree->node[b];
  if ((x->first < 0) != (y->first < 0) || x->n != y->n || !same_text(x->text, y->text)) return false;
  int32_t i = x->first, k = y->first;
  for (; i >= 0 && k >= 0; i = tree->node[i].next, k = tree->node[k].next)
    if (!same_text(tree->node[i].key, tree->node[k].key) || !tree_same(tree, i, k)) return false;
  return i < 0 && k < 0;
}

/* Of what is said twice as well as once. */
static bool adds_up(const Tree *tree, int32_t map) {
  static const char *const same[] = {"on",       "fix",    "symmetry", "temperature", "tie",
                                     "periodic", "rotate", "reach",    "closes"};
  bool adds = false;
  for (int32_t i = tree->node[map].first; i >= 0; i = tree->node[i].next) {
    bool known = false;
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) known |= same_text(tree->node[i].key, same[k]);
    adds |= !known;
  }
  return adds;
}

void setup_warn_twice(const Case *c) {
  static const char *const lists[] = {"boundary", "body", "source"};
  const Tree *tree = &c->tree;
  char here[512], there[512];
  for (int32_t at = 0; at < tree->n && !c->made; ++at) {
    bool is = false;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) is |= same_text(tree->node[at].key, lists[k]);
    if (!is || tree->node[at].kind != TREE_LIST || tree->node[at].n > MOST) continue;
    for (int32_t b = tree->node[at].first; b >= 0; b = tree->node[b].next)
      for (int32_t a = tree->node[at].first; a != b; a = tree->node[a].next) {
        if (tree->node[b].kind != TREE_MAP || !tree_same(tree, a, b) || !adds_up(tree, b)) continue;
        status_warn("%s: this entry of %s is that of %s once more: both act, and add up\n  remedy: one of them",
                    place_text(c->path, tree->node[b].place, here, sizeof here), tree->node[at].key,
                    place_text(c->path, tree->node[a].place, there, sizeof there));
        break;
      }
  }
}
