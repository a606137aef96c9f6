/* Which physics a case file is about, and so which keys it may have. */
#include "app/input/case_tables.h"

#include <string.h>

static const Physics *const listed[] = {
#define PHYSICS(name) &name##_physics,
#include "app/input/physics.def"
#undef PHYSICS
};

const Word physics_words[] = {
#define PHYSICS(name) {#name, false},
#include "app/input/physics.def"
#undef PHYSICS
    {NULL, false}};

int physics_count(void) { return COUNT(listed); }

const Physics *physics_at(int i) { return i >= 0 && i < COUNT(listed) ? listed[i] : NULL; }

const Physics *physics_kind(int i, int k) {
  const Physics *physics = physics_at(i);
  if (physics && physics->kinds) return physics->kinds[k];
  return k == 0 ? physics : NULL;
}

static int unknown_keys(const Schema *schema, const Tree *tree, int32_t root) {
  int n = 0;
  for (int32_t i = tree->node[root].first; i >= 0; i = tree->node[i].next) n += !schema_key(schema, tree->node[i].key);
  return n;
}

/* By the strain, or else by the type of the analysis; the first with a word where that says nothing, so that the message
 * lists the words. */
static const Physics *kind_of(int i, const Tree *tree, int32_t root) {
  const Physics *kind = physics_kind(i, 0);
  const int32_t strain = tree_member(tree, root, "strain"), map = tree_member(tree, root, "analysis");
  const int32_t node = map >= 0 && tree->node[map].kind == TREE_MAP ? tree_member(tree, map, "type") : -1;
  const char *large = strain >= 0 ? tree->node[strain].text : NULL, *type = node >= 0 ? tree->node[node].text : NULL;
  if (!physics_at(i)->kinds) return kind;
  for (int k = 1; large && (kind = physics_kind(i, k)); ++k)
    if (kind->strain && strcmp(kind->strain, large) == 0) return kind;
  if (map < 0 || (type && strcmp(type, "static") == 0)) return physics_kind(i, 0);
  for (int k = 1; type && (kind = physics_kind(i, k)); ++k)
    if (kind->analysis && strcmp(kind->analysis, type) == 0) return kind;
  return physics_kind(i, 1);
}

/* By its name, else the physics that knows most of the keys, so that the other errors of the file make sense. */
const Physics *physics_of(const Tree *tree, int32_t root) {
  const int32_t node = tree_member(tree, root, "physics");
  const char *name = node >= 0 ? tree->node[node].text : NULL;
  int best = 0, least = unknown_keys(physics_kind(0, 0)->schema, tree, root);
  for (int i = 0; i < COUNT(listed); ++i) {
    const int unknown = unknown_keys(physics_kind(i, 0)->schema, tree, root);
    if (name && strcmp(listed[i]->name, name) == 0) return kind_of(i, tree, root);
    if (unknown < least) best = i, least = unknown;
  }
  return kind_of(best, tree, root);
}
