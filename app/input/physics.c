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

static int unknown_keys(const Schema *schema, const Tree *tree, int32_t root) {
  int n = 0;
  for (int32_t i = tree->node[root].first; i >= 0; i = tree->node[i].next) n += !schema_key(schema, tree->node[i].key);
  return n;
}

static const Physics *physics_analysed(const Physics *kind, const Tree *tree, int32_t root) {
  return kind->with_analysis && tree_member(tree, root, "analysis") >= 0 ? kind->with_analysis : kind;
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
