/* What to say of a key that a map does not have. */
#include "app/input/schema.h"
#include "app/input/schema_value.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

/* "0, 3" in a flow map is the value 0 and a key 3: say what was meant. */
static bool is_split_decimal(const Tree *tree, int32_t child) {
  const TreeNode *node = &tree->node[child];
  return node->kind == TREE_PLAIN && !*node->text && strspn(node->key, "0123456789") == strlen(node->key) && *node->key;
}

enum { OTHERS_BYTES = 256 };
/* The words of the map's chooser whose parameters have that name: "type: plastic, creep", into text; empty: none has it. */
static void words_with(const Reader *r, const Schema *schema, const char *name, char text[OTHERS_BYTES]) {
  *text = 0;
  const Key *key = schema->params ? schema_key(schema, KIND_ANY, schema->chooser) : NULL;
  for (int32_t w = 0; key && key->words && key->words[w].name; ++w) {
    int n = 0;
    const Param *param = kind_has(r->kind, key->words[w].only) ? schema->params(w, &n) : NULL;
    for (int i = 0; param && i < n; ++i) {
      if (strcmp(param[i].name, name) != 0) continue;
      const size_t at = strlen(text);
      snprintf(text + at, OTHERS_BYTES - at, "%s%s", at ? ", " : "", key->words[w].name);
      break;
    }
  }
}

/* The nearest of all that the map may have in cases of some kind, and of the keys of the whole case. */
static const char *near_of_others(const Reader *r, const Schema *schema, const char *name, bool *outside) {
  const Schema *const of[] = {schema, r->root};
  const char *all[KEYS_MAX], *near = NULL;
  for (int i = 0; i < 2 && !near; ++i) {
    int n = 0;
    for (int k = 0; of[i] && k < of[i]->n && n < KEYS_MAX; ++k)
      if (of[i]->key[k].type != VALUE_NAMED_MAPS) all[n++] = of[i]->key[k].name;
    near = nearest_name(name, n, all);
    *outside = i > 0;
  }
  return near;
}

/* Keys that this case has not have an empty name; of equal ones the first counts. */
static bool is_first(const char *const *name, int k) {
  for (int i = 0; i < k; ++i)
    if (strcmp(name[i], name[k]) == 0) return false;
  return *name[k];
}

void schema_unknown_key(Reader *r, const Schema *schema, int n_name, const char *const *name, int32_t child) {
  const TreeNode *node = &r->tree->node[child];
  char list[1024] = "", seen[SEEN_BYTES];
  const char *told[KEYS_MAX];
  int n = 0;
  for (int k = 0; k < n_name; ++k) {
    const Key *key = k < schema->n ? &schema->key[k] : NULL;
    if (!is_first(name, k) || (key && key->hides && key->hides(r->tree, key->name))) continue;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n ? ", " : "", name[k]);
    told[n++] = name[k];
  }
  const char *near = nearest_name(node->key, n, told);
  const char *elsewhere = schema->elsewhere ? schema->elsewhere(node->key) : NULL;
  char others[OTHERS_BYTES];
  words_with(r, schema, node->key, others);
  bool outside = false;
  const char *other = near ? NULL : near_of_others(r, schema, node->key, &outside);
  seen_text(node->key, seen);
  r->diagnostics->usage |= node->key_place.option != NULL;
  if (elsewhere) report_error(r->diagnostics, node->key_place, "%s %s", seen, elsewhere);
  else if (is_split_decimal(r->tree, child))
    report_error(r->diagnostics, node->key_place,
                 "unknown key '%s' in %s\n  decimals are written with a point, such as 0.%s", seen, schema->what, seen);
  else if (*others)
    report_error(r->diagnostics, node->key_place, "unknown key '%s' in %s\n  allowed: %s\n  it goes with %s: %s", seen,
                 schema->what, list, schema->chooser, others);
  else if (near)
    report_error(r->diagnostics, node->key_place, "unknown key '%s' in %s\n  allowed: %s\n  did you mean '%s'?", seen,
                 schema->what, list, near);
  else if (other)
    report_error(r->diagnostics, node->key_place,
                 "unknown key '%s' in %s\n  allowed: %s\n  did you mean '%s', a key of %s?", seen, schema->what, list,
                 other, outside ? "the case itself" : "other cases");
  else report_error(r->diagnostics, node->key_place, "unknown key '%s' in %s\n  allowed: %s", seen, schema->what, list);
}
