/* Which physics a case file is about, and so which keys it may have. */
#include "app/input/case_tables.h"

#include <string.h>

static const CaseKind *const kinds[] = {
#define CASE_KIND(name) &name##_case,
#include "app/input/case_kinds.def"
#undef CASE_KIND
};

const Word case_physics_words[] = {
#define CASE_KIND(name) {#name, false},
#include "app/input/case_kinds.def"
#undef CASE_KIND
    {NULL, false}};

int case_kind_count(void) { return COUNT(kinds); }

const CaseKind *case_kind(int i) { return i >= 0 && i < COUNT(kinds) ? kinds[i] : NULL; }

static int unknown_keys(const Schema *schema, const Tree *tree, int32_t root) {
  int n = 0;
  for (int32_t i = tree->node[root].first; i >= 0; i = tree->node[i].next) n += !schema_key(schema, tree->node[i].key);
  return n;
}

static const CaseKind *analysed(const CaseKind *kind, const Tree *tree, int32_t root) {
  return kind->with_analysis && tree_member(tree, root, "analysis") >= 0 ? kind->with_analysis : kind;
}

/* By its name, else the physics that knows most of the keys, so that the other errors of the file make sense. */
const CaseKind *case_kind_of(const Tree *tree, int32_t root) {
  const int32_t node = tree_member(tree, root, "physics");
  const char *name = node >= 0 ? tree->node[node].text : NULL;
  const CaseKind *best = kinds[0];
  for (int i = 0; i < COUNT(kinds); ++i) {
    if (name && strcmp(kinds[i]->name, name) == 0) return analysed(kinds[i], tree, root);
    if (unknown_keys(kinds[i]->schema, tree, root) < unknown_keys(best->schema, tree, root)) best = kinds[i];
  }
  return analysed(best, tree, root);
}
