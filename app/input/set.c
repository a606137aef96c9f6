/* A dotted path through the tree of a case, with the tables of keys beside it: they know what a short form stands
 * for. */
#include "app/input/set.h"
#include "app/input/library.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the path has come to. */
typedef struct Walk {
  Tree *tree;
  int32_t at;           /* -1: it came to nothing, and the error is reported */
  const Schema *schema; /* of the map that the node is, should be, or that its items are; NULL: of no map, or unknown */
  uint32_t kind;        /* of the case */
  const Key *key;       /* whose value the node is; NULL: an item of a list, or unknown */
  const char *argument;
  Diagnostics *diagnostics;
} Walk;

static Place place_of(const Walk *w) { return (Place){.option = w->argument}; }

static bool is_empty(const TreeNode *node) { return node->kind == TREE_PLAIN && !*node->text; }

/* Does a plain value (of names: a list too) in place of this map mean one of its keys? */
static const char *short_for(const Walk *w) {
  if (!w->schema || !w->schema->plain || (w->key && w->key->type != VALUE_MAP)) return NULL;
  const bool list = w->tree->node[w->at].kind == TREE_LIST;
  return !list || schema_key(w->schema, w->kind, w->schema->plain)->type == VALUE_NAMES ? w->schema->plain : NULL;
}

/* "all" in place of the map: every key is 0. The places stay that of the word, by which a case knows it again. */
static Status write_out_whole(Walk *w) {
  const Place place = w->tree->node[w->at].place;
  TreeNode *node = &w->tree->node[w->at];
  FREE(node->text);
  node->kind = TREE_MAP;
  for (int k = 0; k < w->schema->n; ++k) {
    int32_t child;
    TRY(tree_add(w->tree, w->at, TREE_PLAIN, w->schema->key[k].name, place, &child));
    FREE(w->tree->node[child].text);
    TRY(mem_alloc(2, 1, "text of the case file", (void **)&w->tree->node[child].text));
    w->tree->node[child].text[0] = '0';
  }
  return OK;
}

/* The path goes on below the node: a short form becomes the map that it stands for, and nothing an empty one. */
static Status write_out(Walk *w, const char *part) {
  TreeNode *node = &w->tree->node[w->at];
  if (node->kind == TREE_MAP) return OK;
  if (is_empty(node)) {
    FREE(node->text);
    node->kind = w->key && w->key->type == VALUE_MAPS ? TREE_LIST : TREE_MAP;
    return OK;
  }
  if (node->text && w->schema && w->schema->whole && !strcmp(node->text, w->schema->whole)) return write_out_whole(w);
  const char *name = short_for(w);
  if (!name || (node->kind == TREE_LIST && !schema_key(w->schema, w->kind, part))) return OK;
  return tree_wrap(w->tree, w->at, TREE_MAP, name);
}

/* Is `text` the node itself or one of its items? */
static bool set_names(const Tree *tree, int32_t node, const char *text) {
  if (node < 0) return false;
  if (tree->node[node].text) return strcmp(tree->node[node].text, text) == 0;
  for (int32_t i = tree->node[node].first; i >= 0; i = tree->node[i].next)
    if (tree->node[i].text && strcmp(tree->node[i].text, text) == 0) return true;
  return false;
}

/* By its name, which a material shares with others of the library and so may be told by its group too. */
static bool item_is(const Tree *tree, int32_t item, const char *part) {
  const int32_t name = tree_member(tree, item, "name"), on = tree_member(tree, item, "on");
  const bool library = name >= 0 && tree->node[name].text && schema_word(library_words, tree->node[name].text) >= 0 &&
                       tree_member(tree, item, "field") < 0;
  return set_names(tree, name < 0 ? on : name, part) || (library && set_names(tree, on, part));
}

/* What the items are called, for a message. */
static void list_items(const Tree *tree, int32_t list, char *text, size_t size) {
  *text = 0;
  for (int32_t i = tree->node[list].first; i >= 0; i = tree->node[i].next) {
    const int32_t name = tree_member(tree, i, "name"), on = tree_member(tree, i, "on");
    const int32_t at = name >= 0 ? name : on;
    char seen[SEEN_BYTES];
    if (at >= 0 && tree->node[at].text && strlen(text) + SEEN_BYTES + 2 < size)
      snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "",
               seen_text(tree->node[at].text, seen));
  }
}

static void no_such_item(Walk *w, const char *part, int matches) {
  char seen[SEEN_BYTES], items[400];
  list_items(w->tree, w->at, items, sizeof items);
  if (matches > 1)
    report_error(w->diagnostics, place_of(w),
                 "%d items of this list are called or on '%s'; give its number, counted from 0", matches,
                 seen_text(part, seen));
  else
    report_error(w->diagnostics, place_of(w), "'%s' is not an item of this list; it has %d, counted from 0%s%s",
                 seen_text(part, seen), w->tree->node[w->at].n, *items ? ": " : "; '+=' adds one", items);
}

/* Child of a list by its number, its name or its group. */
static void step_into_list(Walk *w, const char *part) {
  const Tree *tree = w->tree;
  int32_t found = -1, index = 0;
  int matches = 0;
  char *end = NULL;
  const long number = strtol(part, &end, 10);
  const bool counts = part[0] >= '0' && part[0] <= '9' && !*end && number < tree->node[w->at].n;
  for (int32_t i = tree->node[w->at].first; i >= 0; i = tree->node[i].next, ++index) {
    const bool match = counts ? index == number : item_is(tree, i, part);
    if (match) found = i;
    matches += match;
  }
  if (matches != 1) {
    no_such_item(w, part, matches);
    found = -1;
  }
  w->at = found;
  w->schema = w->key && w->key->type == VALUE_MAPS ? w->key->schema : NULL;
  w->key = NULL;
}

static Status step_into_map(Walk *w, const char *part) {
  const Key *key = w->schema ? schema_key(w->schema, w->kind, part) : NULL, *named = NULL;
  if (w->schema && !key) named = schema_any_name(w->schema);
  int32_t child = tree_member(w->tree, w->at, part);
  if (child < 0) TRY(tree_add(w->tree, w->at, TREE_PLAIN, part, place_of(w), &child));
  w->at = child;
  w->key = key;
  w->schema = key ? key->schema : named ? named->schema : NULL;
  return OK;
}

static Status set_step(Walk *w, const char *part) {
  TRY(write_out(w, part));
  switch (w->tree->node[w->at].kind) {
  case TREE_LIST: step_into_list(w, part); return OK;
  case TREE_MAP: return step_into_map(w, part);
  default:
    report_error(w->diagnostics, place_of(w), "there is no key '%s': its parent is a plain value", part);
    w->at = -1;
    return OK;
  }
}

static Status set_walk(Walk *w, const char *path) {
  char part[128];
  while (*path && w->at >= 0) {
    const size_t n = strcspn(path, ".");
    if (n == 0 || n >= sizeof part || (path[n] && !path[n + 1])) {
      report_error(w->diagnostics, place_of(w),
                   "'%.40s' is not a key; write --set solver.rtol=1e-10 or materials.0.young=1", path);
      w->at = -1;
      return OK;
    }
    memcpy(part, path, n);
    part[n] = 0;
    path += n + (path[n] == '.');
    TRY(set_step(w, part));
  }
  return OK;
}

static bool takes_list(const Walk *w) {
  if (!w->key) return true; /* unknown: whoever reads it reports the error */
  switch (w->key->type) {
  case VALUE_WORDS:
  case VALUE_EXPRS:
  case VALUE_EXPR_OR_EXPRS:
  case VALUE_VECTOR:
  case VALUE_TENSOR:
  case VALUE_NAMES:
  case VALUE_MAPS: return true;
  case VALUE_MAP: return w->schema->plain && schema_key(w->schema, w->kind, w->schema->plain)->type == VALUE_NAMES;
  default: return false;
  }
}

/* The node becomes a list: of its default where the file says nothing, of the one value that is there. */
static Status make_list(Walk *w) {
  TreeNode *node = &w->tree->node[w->at];
  if (node->kind == TREE_LIST || node->kind == TREE_MAP) return OK;
  if (!is_empty(node)) return tree_wrap(w->tree, w->at, TREE_LIST, NULL);
  const char *initial = w->key && w->key->initial ? w->key->initial : "[]";
  int32_t list;
  TRY(tree_parse(w->tree, initial, strlen(initial), w->argument, w->diagnostics, &list));
  if (list >= 0) tree_replace(w->tree, w->at, list);
  return OK;
}

static Status set_append(Walk *w, int32_t value) {
  if (takes_list(w)) TRY(make_list(w));
  if (w->tree->node[w->at].kind != TREE_LIST) {
    report_error(w->diagnostics, place_of(w), "this key has no list; '+=' adds to lists, '=' replaces");
    return OK;
  }
  if (w->tree->node[value].kind == TREE_LIST) {
    tree_join(w->tree, w->at, value);
    return OK;
  }
  int32_t item;
  TRY(tree_add(w->tree, w->at, TREE_PLAIN, NULL, place_of(w), &item));
  tree_replace(w->tree, item, value);
  return OK;
}

Status set_apply(Tree *tree, int32_t root, const Schema *schema, uint32_t kind, const char *argument,
                 Diagnostics *diagnostics) {
  const char *equals = strchr(argument, '=');
  Walk w = {.tree = tree, .at = root, .schema = schema, .kind = kind, .argument = argument, .diagnostics = diagnostics};
  if (!equals || equals == argument) {
    report_error(diagnostics, place_of(&w), "not key=value, such as solver.rtol=1e-10");
    return OK;
  }
  int32_t value = -1;
  const int32_t before = diagnostics->n;
  TRY(tree_parse(tree, equals + 1, strlen(equals + 1), argument, diagnostics, &value));
  if (value < 0) {
    if (diagnostics->n == before) report_error(diagnostics, place_of(&w), "no value after '='");
    return OK;
  }
  const bool adds = equals[-1] == '+';
  size_t n = (size_t)(equals - argument) - adds;
  if (adds && n && argument[n - 1] == '.') --n; /* output.probes.+= is meant so too */
  char *path = NULL;
  TRY(mem_text_part(argument, n, "a --set argument", &path));
  Status status = set_walk(&w, path);
  FREE(path);
  if (status != OK || w.at < 0) return status;
  if (w.at == root) report_error(diagnostics, place_of(&w), "no key before '+='");
  else if (adds) status = set_append(&w, value);
  else tree_replace(tree, w.at, value);
  return status;
}
