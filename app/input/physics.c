/* The physics of a case file, which decides the keys that it may have. */
#include "app/input/case_tables.h"
#include "core/list_text.h"

#include <stdio.h>
#include <string.h>

static const Physics *const listed[] = {
#define PHYSICS(name) &name##_physics,
#include "app/input/physics.def"
#undef PHYSICS
};

const Word physics_words[] = {
#define PHYSICS(name) {#name, 0},
#include "app/input/physics.def"
#undef PHYSICS
    {NULL, 0}};

int physics_count(void) { return COUNT(listed); }

const Physics *physics_at(int i) { return i >= 0 && i < COUNT(listed) ? listed[i] : NULL; }

const Physics *physics_kind(int i, int k) {
  const Physics *physics = physics_at(i);
  if (physics && physics->kinds) return physics->kinds[k];
  return k == 0 ? physics : NULL;
}

const char *kind_name(const Physics *kind, char text[KIND_BYTES]) {
  const char *word = kind->analysis ? kind->analysis : kind->kind ? "static" : kind->name;
  if (kind->keys) word = kind->analysis ? "nonlinear transient" : "load-step";
  if (kind->called) word = kind->called;
  if (kind->strain)
    snprintf(text, KIND_BYTES, "%s-strain%s%s", kind->strain, kind->analysis ? " " : "", kind->analysis ? word : "");
  else snprintf(text, KIND_BYTES, "%s", word);
  return text;
}

enum { CHANGE_BYTES = 96 };

static bool same_analysis(const Physics *a, const Physics *b) {
  return a->analysis == b->analysis || (a->analysis && b->analysis && strcmp(a->analysis, b->analysis) == 0);
}

/* "write 'analysis: {type: modal}'": makes a case of kind `from` one of kind `to`, of the same physics. */
static const char *kind_change(const Physics *from, const Physics *to, char text[CHANGE_BYTES]) {
  const char *small = from->strain ? " with 'strain: small'" : "";
  const char *without = from->analysis && !from->strain ? " without 'analysis'" : "";
  if (to->strain && to->analysis && from->strain)
    snprintf(text, CHANGE_BYTES, "write 'analysis: {type: %s}'", to->analysis);
  else if (to->strain && to->analysis && !same_analysis(from, to))
    snprintf(text, CHANGE_BYTES, "write 'strain: %s' and 'analysis: {type: %s}'", to->strain, to->analysis);
  else if (to->strain && from->strain) snprintf(text, CHANGE_BYTES, "leave 'analysis' out");
  else if (to->strain) snprintf(text, CHANGE_BYTES, "write 'strain: %s'%s", to->strain, to->analysis ? "" : without);
  else if (to->keys && to->analysis)
    snprintf(text, CHANGE_BYTES, "have '%s:' with 'analysis: {type: %s}'%s", to->keys[0], to->analysis, small);
  else if (from->keys && from->analysis && same_analysis(from, to))
    snprintf(text, CHANGE_BYTES, "have linear materials and no '%s:'", from->keys[0]);
  else if (to->analysis) snprintf(text, CHANGE_BYTES, "write 'analysis: {type: %s}'%s", to->analysis, small);
  else if (to->keys && from->strain) /* which has them */
    snprintf(text, CHANGE_BYTES, "write 'strain: small'%s", from->analysis ? " without 'analysis'" : "");
  else if (to->keys && from->analysis) snprintf(text, CHANGE_BYTES, "leave 'analysis' out and have '%s:'", to->keys[0]);
  else if (to->keys) snprintf(text, CHANGE_BYTES, "add '%s:'", to->keys[0]);
  else if (from->keys && !from->analysis) snprintf(text, CHANGE_BYTES, "leave '%s' out", from->keys[0]);
  else if (from->strain)
    snprintf(text, CHANGE_BYTES, "write 'strain: small'%s", from->analysis ? " without 'analysis'" : "");
  else snprintf(text, CHANGE_BYTES, "leave 'analysis' out");
  return text;
}

/* Of a kind by its keys, the one of cases without them. */
static const Physics *without_keys(int i, const Physics *of) {
  const Physics *kind;
  for (int k = 0; (kind = physics_kind(i, k)); ++k)
    if (!kind->keys && !kind->strain && same_analysis(kind, of)) return kind;
  return of;
}

bool kinds_refusal(uint32_t kind, uint32_t only, char text[KINDS_BYTES]) {
  const Physics *from = NULL, *to[32];
  char remedy[KINDS_BYTES] = "leave it out", change[CHANGE_BYTES], name[KIND_BYTES];
  int n = 0;
  for (int i = 0; i < COUNT(listed) && !from; ++i, n = from ? n : 0) /* the kinds of this physics */
    for (int k = 0; (to[n] = physics_kind(i, k)); ++k) {
      if (to[n]->kind == kind) from = to[n];
      if (to[n]->kind & only && !(to[n]->keys && without_keys(i, to[n])->kind & only)) ++n;
    }
  if (!from || !n) return false;
  snprintf(text, KINDS_BYTES, "is for ");
  for (int k = 0; k < n; ++k) {
    list_text_add(text, KINDS_BYTES, k == 0, k == n - 1, " and ", kind_name(to[k], name));
    list_text_add(remedy, KINDS_BYTES, false, k == n - 1, n > 1 ? ", or " : " or ", kind_change(from, to[k], change));
  }
  const size_t length = strlen(text);
  snprintf(text + length, KINDS_BYTES - length, " cases; this is a%s %s case\n  remedy: %s",
           strchr("aeiou", *kind_name(from, name)) ? "n" : "", name, remedy);
  return true;
}

static int unknown_keys(const Schema *schema, const Tree *tree, int32_t root) {
  int n = 0;
  for (int32_t i = tree->node[root].first; i >= 0; i = tree->node[i].next)
    n += !schema_key(schema, KIND_ANY, tree->node[i].key);
  return n;
}

static bool has_any(const Tree *tree, int32_t root, const char *const *keys) {
  bool any = false;
  for (; *keys && !any; ++keys) any = tree_member(tree, root, *keys) >= 0;
  return any;
}

/* Has it a region of a type that the kind claims? */
static bool has_type(const Tree *tree, int32_t root, const Physics *kind) {
  const int32_t list = kind->claims ? tree_member(tree, root, kind->regions) : -1;
  bool any = false;
  if (list < 0 || tree->node[list].kind != TREE_LIST) return false;
  for (int32_t i = tree->node[list].first; i >= 0 && !any; i = tree->node[i].next) {
    const int32_t type = tree->node[i].kind == TREE_MAP ? tree_member(tree, i, "type") : -1;
    any = type >= 0 && tree->node[type].text && kind->claims(tree->node[type].text);
  }
  return any;
}

/* By the strain, with the type of the analysis where there is one of both; or else by that type, and by keys and types of
 * regions; NULL: these words are no kind. A physics without such kinds has no such keys, which says nothing of the others. */
static const Physics *find_kind(int i, const Tree *tree, int32_t root) {
  const Physics *kind = physics_kind(i, 0), *found = NULL;
  bool strains = false, types = false;
  for (int k = 0; physics_at(i)->kinds && physics_kind(i, k); ++k)
    strains |= physics_kind(i, k)->strain != NULL, types |= physics_kind(i, k)->analysis != NULL;
  const int32_t strain = strains ? tree_member(tree, root, "strain") : -1;
  const int32_t map = types ? tree_member(tree, root, "analysis") : -1;
  const int32_t node = map >= 0 && tree->node[map].kind == TREE_MAP ? tree_member(tree, map, "type") : -1;
  const char *large = strain >= 0 ? tree->node[strain].text : NULL, *type = node >= 0 ? tree->node[node].text
                                                                            : map < 0 ? "static"
                                                                                      : NULL;
  if (!physics_at(i)->kinds) return kind;
  for (int k = 1; large && (kind = physics_kind(i, k)); ++k) {
    if (!kind->strain || strcmp(kind->strain, large)) continue;
    if (kind->analysis && type && strcmp(kind->analysis, type) == 0) return kind;
    if (!kind->analysis) found = kind;
  }
  if (found) return found;
  if (large && strcmp(large, "small") != 0) return NULL;
  for (int k = 0; type && (kind = physics_kind(i, k)); ++k) {
    if (kind->strain || strcmp(kind->analysis ? kind->analysis : "static", type) != 0) continue;
    if (!kind->keys) found = kind;
    else if (has_any(tree, root, kind->keys) || has_type(tree, root, kind)) return kind;
  }
  return found;
}

static const Physics *kind_of(int i, const Tree *tree, int32_t root, uint32_t *bits) {
  const Physics *kind = find_kind(i, tree, root);
  *bits = kind ? kind->kind : KIND_ANY;
  return kind ? kind : physics_kind(i, 0);
}

/* By its name, else the physics that knows most of the keys, so that the other errors of the file make sense. */
const Physics *physics_of(const Tree *tree, int32_t root, uint32_t *kind) {
  const int32_t node = tree_member(tree, root, "physics");
  const char *name = node >= 0 ? tree->node[node].text : NULL;
  int best = 0, least = unknown_keys(physics_kind(0, 0)->schema, tree, root);
  for (int i = 0; i < COUNT(listed); ++i) {
    const int unknown = unknown_keys(physics_kind(i, 0)->schema, tree, root);
    if (name && strcmp(listed[i]->name, name) == 0) return kind_of(i, tree, root, kind);
    if (unknown < least) best = i, least = unknown;
  }
  return kind_of(best, tree, root, kind);
}
