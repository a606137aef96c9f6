/* Which physics a case file is about, and so which keys it may have. */
#include "app/input/case_tables.h"

#include <string.h>

static const Physics *const kinds[] = {
#define PHYSICS(name) &name##_physics,
#include "app/input/physics.def"
#undef PHYSICS
};

const Word physics_words[] = {
#define PHYSICS(name) {#name, false},
#include "app/input/physics.def"
#undef PHYSICS
    {NULL, false}};

int physics_count(void) { return COUNT(kinds); }

const Physics *physics_at(int i) { return i >= 0 && i < COUNT(kinds) ? kinds[i] : NULL; }

const Physics *physics_kind(int i, int k) {
  const Physics *kind = physics_at(i);
  return k == 0 || !kind ? kind : kind->analyses ? kind->analyses[k - 1] : NULL;
}

static int unknown_keys(const Schema *schema, const Tree *tree, int32_t root) {
  int n = 0;
  for (int32_t i = tree->node[root].first; i >= 0; i = tree->node[i].next) n += !schema_key(schema, tree->node[i].key);
  return n;
}

/* The kind that its strain is of; NULL: there is none. */
static const Physics *physics_strained(const Physics *kind, const Tree *tree, int32_t root) {
  const int32_t node = kind->analyses ? tree_member(tree, root, "strain") : -1;
  const char *word = node >= 0 ? tree->node[node].text : NULL;
  for (int i = 0; word && kind->analyses[i]; ++i)
    if (kind->analyses[i]->strain && strcmp(kind->analyses[i]->strain, word) == 0) return kind->analyses[i];
  return NULL;
}

/* By the type of its analysis; the first of them where that says nothing, so that the message lists the words. */
static const Physics *physics_analysed(const Physics *kind, const Tree *tree, int32_t root) {
  const int32_t map = kind->analyses ? tree_member(tree, root, "analysis") : -1;
  const Physics *strained = physics_strained(kind, tree, root);
  if (strained) return strained;
  if (map < 0) return kind;
  const int32_t node = tree->node[map].kind == TREE_MAP ? tree_member(tree, map, "type") : -1;
  const char *type = node >= 0 ? tree->node[node].text : NULL;
  for (int i = 0; type && kind->analyses[i]; ++i)
    if (kind->analyses[i]->analysis && strcmp(kind->analyses[i]->analysis, type) == 0) return kind->analyses[i];
  return type && strcmp(type, "static") == 0 ? kind : kind->analyses[0];
}

/* By its name, else the physics that knows most of the keys, so that the other errors of the file make sense. */
const Physics *physics_of(const Tree *tree, int32_t root) {
  const int32_t node = tree_member(tree, root, "physics");
  const char *name = node >= 0 ? tree->node[node].text : NULL;
  const Physics *best = kinds[0];
  for (int i = 0; i < COUNT(kinds); ++i) {
    if (name && strcmp(kinds[i]->name, name) == 0) return physics_analysed(kinds[i], tree, root);
    if (unknown_keys(kinds[i]->schema, tree, root) < unknown_keys(best->schema, tree, root)) best = kinds[i];
  }
  return physics_analysed(best, tree, root);
}
