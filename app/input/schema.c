/* Maps and lists of maps by their tables; the values themselves are read in schema_value.c. */
#include "app/input/schema.h"
#include "app/input/schema_value.h"
#include "app/input/number.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Known {
  const char *name[KEYS_MAX];
  int n;
  const Param *param; /* the last n_param names */
  int n_param;
} Known;

/* Keys of other kinds of case have an empty name, which no key of a file has. */
static Known known_keys(const Schema *schema, uint32_t kind, const Param *param, int n_param) {
  Known known = {.param = param, .n_param = n_param};
  for (int k = 0; k < schema->n && known.n < KEYS_MAX; ++k)
    known.name[known.n++] =
        kind_has(kind, schema->key[k].only) && schema->key[k].type != VALUE_NAMED_MAPS ? schema->key[k].name : "";
  for (int k = 0; k < n_param && known.n < KEYS_MAX; ++k) known.name[known.n++] = param[k].name;
  return known;
}

static int schema_find(const Known *known, const char *name) {
  for (int k = 0; k < known->n; ++k)
    if (*name && strcmp(known->name[k], name) == 0) return k;
  return -1;
}

const Key *schema_key(const Schema *schema, uint32_t kind, const char *name) {
  for (int k = 0; k < schema->n; ++k)
    if (strcmp(schema->key[k].name, name) == 0 && kind_has(kind, schema->key[k].only)) return &schema->key[k];
  return NULL;
}

const Key *schema_any_name(const Schema *schema) {
  for (int k = 0; k < schema->n; ++k)
    if (schema->key[k].type == VALUE_NAMED_MAPS) return &schema->key[k];
  return NULL;
}

int32_t schema_word(const Word *words, const char *name) {
  for (int32_t i = 0; words[i].name; ++i)
    if (strcmp(words[i].name, name) == 0) return i;
  return -1;
}

const Param *schema_params(const Schema *schema, const Tree *tree, int32_t map, int *n) {
  if (!schema->params) return NULL;
  const Key *key = schema_key(schema, KIND_ANY, schema->chooser);
  const int32_t child = tree->node[map].kind == TREE_MAP ? tree_member(tree, map, schema->chooser) : map;
  const char *name = child >= 0 ? tree->node[child].text : NULL;
  int32_t word = name ? schema_word(key->words, name) : -1;
  if (word < 0 && key->initial) word = schema_word(key->words, key->initial);
  return schema->params(word, n);
}

/* The bits of the kinds of case that have a key which this one has not. */
static uint32_t kinds_with(const Schema *schema, const char *name) {
  uint32_t only = 0;
  for (int k = 0; k < schema->n; ++k)
    if (strcmp(schema->key[k].name, name) == 0) only |= schema->key[k].only;
  return only;
}

/* A key of other kinds of case: refused, and read as they have it, so that the map does not count as empty. False: no
 * kind has it. */
static bool refused_key(Reader *r, const Schema *schema, int32_t child, char *target) {
  const TreeNode *node = &r->tree->node[child];
  const Key *key = schema_key(schema, KIND_ANY, node->key);
  const uint32_t kind = r->kind;
  char why[KINDS_BYTES];
  if (!key || !kinds_refusal(kind, kinds_with(schema, node->key), why)) return false;
  r->diagnostics->usage |= node->key_place.option != NULL;
  if (key->instead)
    report_error(r->diagnostics, node->key_place, "'%s' %.*s\n  remedy: %s", key->name, (int)strcspn(why, "\n"), why,
                 key->instead);
  else report_error(r->diagnostics, node->key_place, "'%s' %s", key->name, why);
  r->kind = KIND_ANY;
  value_read(r, key, child, target + key->offset);
  r->kind = kind;
  return true;
}

/* Of a parameter of the map: where its number goes, and what varies instead; varying NULL: it may not. */
typedef struct ParamTarget {
  NumberValue *number;
  VaryingValue *varying;
  ParamCurves *curves;
  bool relative; /* may be so many times a preset's */
} ParamTarget;

static ParamTarget param_target(const Schema *schema, char *target, int row) {
  VaryingValue *varying = (VaryingValue *)(void *)(target + schema->varying_offset);
  return (ParamTarget){(NumberValue *)(void *)(target + schema->params_offset) + row,
                       schema->varying_offset ? varying + row : NULL,
                       (ParamCurves *)(void *)(target + schema->curves_offset), schema->relative};
}

/* A number, or all of it in parentheses: "*1 + x" may be read in two ways. */
static bool is_factor(const char *text) {
  double value;
  const char *why, *p = text;
  int depth = 0;
  if (!*p) return false;
  if (*p != '(') return number_parse(text, &value, &why) || !strpbrk(text, "+-*/^");
  do depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
  while (*++p && depth > 0);
  return !p[strspn(p, " ")];
}

/* "*0.5" or "*(1 + x/20)". */
static bool read_relative(Reader *r, const Param *param, int32_t child, VaryingValue *out) {
  TreeNode *node = &r->tree->node[child];
  const Key key = {.name = param->name, .type = VALUE_EXPR};
  char *const whole = node->text;
  if (node->kind != TREE_QUOTED || node->text[strspn(whole, " ")] != '*') return false;
  node->text = whole + strspn(whole, " ") + 1;
  node->text += strspn(node->text, " ");
  if (is_factor(node->text)) value_read(r, &key, child, &out->expr);
  else
    report_error(r->diagnostics, node->place,
                 "%s: * must be followed by a number, \"*0.5\", or an expression in parentheses, \"*(1 + x/20)\"",
                 param->name);
  r->tree->node[child].text = whole;
  out->place = node->place;
  out->relative = true;
  return true;
}

/* Its range is looked at with the others of the map, where it is known what they mean together. */
static void read_number(Reader *r, const Param *param, int32_t child, ParamTarget out) {
  const TreeNode *node = &r->tree->node[child];
  const Place place = node->place;
  const double origin[3] = {0};
  double value;
  if (param_is_curve(param) || (param_is_warm(param) && node->kind == TREE_LIST)) {
    curve_read(r, param, child, out.number, out.curves);
    return;
  }
  if (node->kind == TREE_PLAIN && param_number(param, node->text, &value)) {
    *out.number = (NumberValue){value, place};
    return;
  }
  if (out.relative && value_refuse_sign(r, param->name, node)) {
    *out.number = (NumberValue){param->value, {0}};
    return;
  }
  if ((out.relative && read_relative(r, param, child, out.varying)) ||
      (out.varying && varying_read(r, param->name, child, out.varying))) {
    const ExprValue *expr = &out.varying->expr;
    const bool one = place_given(expr->place) && expr_is_constant(&expr->expr);
    *out.number = (NumberValue){one ? expr_value(&expr->expr, origin, 0) : param->value, place};
    if (one) *out.varying = (VaryingValue){.relative = out.varying->relative};
    return;
  }
  if (node->kind == TREE_PLAIN && param->unit && strchr(param->unit, '|') && *node->text &&
      !strchr("0123456789+-.", *node->text)) {
    char words[80], seen[SEEN_BYTES];
    seen_text(node->text, seen);
    report_error(r->diagnostics, place, "%s: '%s' is not one of: %s", param->name, seen,
                 param_range(param, words, sizeof words));
    *out.number = (NumberValue){param->value, {0}};
    return;
  }
  const Key key = {.name = param->name, .type = VALUE_NUMBER};
  value_read(r, &key, child, out.number);
}

/* A number this low would be taken for the place of a curve (core/param.h). */
static void read_param(Reader *r, const Param *param, int32_t child, ParamTarget out) {
  char range[80];
  read_number(r, param, child, out);
  if (!param_is_warm(param) || r->tree->node[child].kind == TREE_LIST || !(out.number->value <= -PARAM_MOST)) return;
  if (isinf(param->min)) snprintf(range, sizeof range, "above %d", -PARAM_MOST);
  else param_range(param, range, sizeof range);
  report_error(r->diagnostics, r->tree->node[child].place, "%s is %g, must be %s", param->name, out.number->value,
               range);
  *out.number = (NumberValue){param->value, {0}};
}

static ParamTarget target_of(ParamTarget out, int k) {
  return (ParamTarget){out.number + k, out.varying ? out.varying + k : NULL, out.curves, out.relative};
}

/* {to: 260, rate: 8}: all words of the rows, in any order. */
static void read_param_map(Reader *r, const Param *param, int n, int32_t child, ParamTarget out) {
  const TreeNode *node = &r->tree->node[child];
  char words[128] = "", seen[64];
  bool all = node->kind == TREE_MAP && node->n == n;
  for (int k = 0; k < n; ++k) {
    const size_t used = strlen(words), size = (size_t)param_label(&param[k]);
    int32_t item = all ? node->first : -1;
    snprintf(words + used, sizeof words - used, "%s%.*s: ...", k ? ", " : "", (int)size, param[k].meaning);
    out.number[k] = (NumberValue){param[k].value, {0}};
    while (item >= 0 &&
           (strlen(r->tree->node[item].key) != size || memcmp(r->tree->node[item].key, param[k].meaning, size)))
      item = r->tree->node[item].next;
    all = item >= 0;
    if (all) read_param(r, &param[k], item, target_of(out, k));
  }
  if (!all)
    report_error(r->diagnostics, node->place, "%s must be {%s}; this is %s", param->name, words,
                 tree_seen(r->tree, child, seen));
}

/* The numbers of a list of parameters, one per row of the table. A list that has a default may be one value for all. */
static void read_param_list(Reader *r, const Param *param, int n, int32_t child, ParamTarget out) {
  const TreeNode *node = &r->tree->node[child];
  int32_t item = node->first;
  if (param_is_map(param, n)) {
    read_param_map(r, param, n, child, out);
    return;
  }
  if (node->kind == TREE_LIST && node->n == n) {
    for (int k = 0; k < n; ++k, item = r->tree->node[item].next) read_param(r, &param[k], item, target_of(out, k));
    return;
  }
  if (node->kind != TREE_LIST && !param->required) {
    read_param(r, param, child, out);
    for (int k = 1; k < n; ++k) out.number[k] = out.number[0];
    for (int k = 1; k < n && out.varying; ++k) out.varying[k] = out.varying[0];
    return;
  }
  char seen[64];
  report_error(r->diagnostics, node->place, "%s must be a list of %d numbers (%s ...); this is %s", param->name, n,
               param->meaning, tree_seen(r->tree, child, seen));
  for (int k = 0; k < n; ++k) out.number[k] = (NumberValue){param[k].value, {0}};
}

/* A map under a name of its own. False: the map takes none, or this is no map, and so a wrong key. */
static bool read_named(Reader *r, const Schema *schema, int32_t node, int32_t child, char *target) {
  const Key *key = schema_any_name(schema);
  const TextValue name = {r->tree->node[child].key, r->tree->node[child].key_place};
  if (!key || r->tree->node[child].kind != TREE_MAP) return false;
  MapsValue *maps = (MapsValue *)(void *)(target + key->offset);
  if (!maps->item && mem_alloc(r->tree->node[node].n, key->schema->size, "the case file", &maps->item) != OK) {
    r->diagnostics->broken = ERR_MEMORY;
    return true;
  }
  if (!maps->n) maps->place = name.place, maps->size = key->schema->size;
  for (int32_t i = 0; i < maps->n; ++i) {
    const NamedItem *item = (NamedItem *)(void *)((char *)maps->item + (size_t)i * maps->size);
    if (strcmp(item->name.text, name.text) != 0) continue;
    report_error(r->diagnostics, name.place, "repeated key '%s', first given at %d:%d", name.text,
                 item->name.place.line, item->name.place.column);
    return true;
  }
  NamedItem *item = (NamedItem *)(void *)((char *)maps->item + (size_t)maps->n++ * maps->size);
  item->name = name;
  read_map(r, key->schema, child, item);
  return true;
}

static void read_children(Reader *r, const Schema *schema, int32_t node, const Known *known, char *target,
                          Place seen[]) {
  int32_t next;
  for (int32_t child = r->tree->node[node].first; child >= 0; child = next) {
    next = r->tree->node[child].next;
    const Place place = r->tree->node[child].key_place;
    const int k = schema_find(known, r->tree->node[child].key);
    if (k < 0) {
      if (!read_named(r, schema, node, child, target) && !refused_key(r, schema, child, target))
        schema_unknown_key(r, schema, known->n, known->name, child);
    } else if (place_given(seen[k])) {
      report_error(r->diagnostics, place, "repeated key '%s', first given at %d:%d", known->name[k], seen[k].line,
                   seen[k].column);
    } else {
      const int row = k - schema->n, rows = row < 0 ? 1 : param_list(known->param, known->n_param, row);
      for (int i = 0; i < rows; ++i) seen[k + i] = place;
      if (row < 0) value_read(r, &schema->key[k], child, target + schema->key[k].offset);
      else if (rows == 1) read_param(r, &known->param[row], child, param_target(schema, target, row));
      else read_param_list(r, &known->param[row], rows, child, param_target(schema, target, row));
    }
  }
}

static void default_of_key(Reader *r, const Schema *schema, const Key *key, Place map, char *target) {
  char *value = target + key->offset;
  if (key->required) {
    report_error(r->diagnostics, map, "%s needs the key '%s': %s", schema->what, key->name, key->meaning);
  } else if (key->initial) {
    const int32_t first = r->tree->n;
    int32_t root = -1;
    if (tree_parse(r->tree, key->initial, strlen(key->initial), NULL, r->diagnostics, &root) != OK)
      r->diagnostics->broken = ERR_MEMORY;
    if (root < 0) return;
    for (int32_t i = first; i < r->tree->n; ++i) r->tree->node[i].place = (Place){0};
    value_read(r, key, root, value);
  } else if (key->type == VALUE_MAP && !key->schema->optional) {
    read_defaults(r, key->schema, map, value);
  }
}

static void fill_in(Reader *r, const Schema *schema, const Known *known, Place map, char *target, const Place seen[]) {
  for (int k = 0; k < schema->n; ++k)
    if (!place_given(seen[k]) && kind_has(r->kind, schema->key[k].only) &&
        !(r->kind == KIND_ANY && schema->key[k].only))
      default_of_key(r, schema, &schema->key[k], map, target);
  for (int k = 0; k < known->n_param; ++k) {
    const Param *param = &known->param[k];
    if (place_given(seen[schema->n + k])) continue;
    NumberValue *value = (NumberValue *)(void *)(target + schema->params_offset) + k;
    *value = (NumberValue){param->value, {0}};
    if (param->required && param_list(known->param, known->n_param, k)) {
      char range[80];
      const int rows = param_list(known->param, known->n_param, k);
      param_range(param, range, sizeof range);
      if (rows == 1)
        report_error(r->diagnostics, map, "%s needs the key '%s': %s, %s", schema->what, param->name, param->meaning,
                     range);
      else
        report_error(r->diagnostics, map, "%s needs the key '%s': a list of %d numbers (%s ...), %s", schema->what,
                     param->name, rows, param->meaning, range);
    }
  }
}

void read_defaults(Reader *r, const Schema *schema, Place map, void *target) {
  const Place seen[KEYS_MAX] = {{0}};
  const Known known = known_keys(schema, r->kind, NULL, 0);
  fill_in(r, schema, &known, map, target, seen);
}

/* A plain value in place of the map: `mesh: plate.msh`, `fix: all`. False: it is a map after all. */
static bool read_short(Reader *r, const Schema *schema, int32_t node, char *target, Place *seen) {
  const TreeNode *t = &r->tree->node[node];
  const Key *plain = schema->plain ? schema_key(schema, r->kind, schema->plain) : NULL;
  if (t->kind == TREE_MAP && !(plain && plain->varying && varying_is_map(r->tree, node))) return false;
  if (schema->whole && t->text && strcmp(t->text, schema->whole) == 0) {
    for (int k = 0; k < schema->n; ++k) {
      ExprValue *value = (ExprValue *)(void *)(target + schema->key[k].offset);
      *value = (ExprValue){expr_constant(0), "0", t->place};
      seen[k] = t->place;
    }
    return true;
  }
  bool flag = false;
  if (schema->plain) {
    for (int k = 0; k < schema->n; ++k) {
      if (&schema->key[k] != schema_key(schema, r->kind, schema->plain)) continue;
      if (t->kind == TREE_LIST && schema->key[k].type != VALUE_NAMES) break;
      flag = schema->key[k].type == VALUE_FLAG;
      if (flag && (t->kind != TREE_PLAIN || (strcmp(t->text, "true") != 0 && strcmp(t->text, "false") != 0))) break;
      Key key = schema->key[k];
      if (t->key) key.name = t->key; /* as the file has it */
      seen[k] = t->place;
      value_read(r, &key, node, target + key.offset);
      return true;
    }
  }
  char text[64], list[512] = "", meant[128] = "";
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    if (schema_key(schema, r->kind, key->name) != key) continue;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", key->name);
    if (t->text && key->words && schema_word(key->words, t->text) >= 0)
      snprintf(meant, sizeof meant, "\n  did you mean '{%s: %s}'?", key->name, t->text);
  }
  report_error(r->diagnostics, t->place, "%s must be %s%s%s%sa map with keys from: %s; this is %s%s", schema->what,
               flag ? "true, false or " : "", schema->whole ? "'" : "", schema->whole ? schema->whole : "",
               schema->whole ? "' or " : "", list, tree_seen(r->tree, node, text), meant);
  for (int k = 0; k < schema->n; ++k) seen[k] = t->place; /* one error is enough */
  return true;
}

/* Nothing but a word in place of the map: defaults, and no diagnostics about what is required. */
static void read_no_params(const Schema *schema, const Param *param, int n, Place place, void *target, Place seen[]) {
  for (int k = 0; k < n; ++k) {
    ((NumberValue *)(void *)((char *)target + schema->params_offset))[k] = (NumberValue){param[k].value, {0}};
    seen[schema->n + k] = place;
  }
}

/* `model: {file: cell.mmt}`: what stands inside comes out, and the key goes. */
static void bring_out(Reader *r, const Schema *schema, int32_t node) {
  int32_t next, before = -1;
  for (int32_t child = r->tree->node[node].first; child >= 0; child = next) {
    TreeNode *t = r->tree->node;
    const Key *key = schema_key(schema, r->kind, t[child].key ? t[child].key : "");
    next = t[child].next;
    if (!key || !key->inside || t[child].kind != TREE_MAP || t[child].n == 0) {
      before = child;
      continue;
    }
    *(before >= 0 ? &t[before].next : &t[node].first) = next;
    if (next < 0) t[node].last = before;
    t[node].n -= 1;
    tree_join(r->tree, node, child);
    if (next < 0) next = before >= 0 ? t[before].next : t[node].first;
  }
}

void read_map(Reader *r, const Schema *schema, int32_t node, void *target) {
  Place seen[KEYS_MAX] = {{0}};
  const Place place = r->tree->node[node].place;
  *(Place *)target = place;
  if (r->tree->node[node].kind == TREE_MAP) bring_out(r, schema, node);
  int n_param = 0;
  const Param *param = schema_params(schema, r->tree, node, &n_param);
  const Known known = known_keys(schema, r->kind, param, n_param);
  if (read_short(r, schema, node, target, seen)) read_no_params(schema, param, n_param, place, target, seen);
  else read_children(r, schema, node, &known, target, seen);
  fill_in(r, schema, &known, place, target, seen);
}

void schema_read(const Schema *schema, uint32_t kind, Tree *tree, int32_t node, const ExprTables *tables, void *target,
                 Diagnostics *diagnostics) {
  Reader reader = {tree, diagnostics, tables, kind, schema};
  read_map(&reader, schema, node, target);
}

void schema_release(const Schema *schema, void *target) {
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    char *value = (char *)target + key->offset;
    if (key->type == VALUE_NAMES) FREE(((NamesValue *)(void *)value)->item);
    if (key->type == VALUE_FACTORS) FREE(((FactorsValue *)(void *)value)->item);
    if (key->type == VALUE_MAP) schema_release(key->schema, value);
    if (key->type != VALUE_MAPS && key->type != VALUE_NAMED_MAPS) continue;
    MapsValue *maps = (MapsValue *)(void *)value;
    for (int32_t i = 0; i < maps->n; ++i)
      schema_release(key->schema, (char *)maps->item + (size_t)i * key->schema->size);
    FREE(maps->item);
    maps->n = 0;
  }
}
