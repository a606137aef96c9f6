/* Reading one value: the strict rules for numbers, words, vectors, expressions and names. */
#include "app/input/schema_value.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const TreeNode *schema_value_at(const Reader *r, int32_t node) { return &r->tree->node[node]; }

static void wrong_type(Reader *r, const char *name, int32_t node, const char *wanted) {
  char seen[64];
  report_error(r->diagnostics, schema_value_at(r, node)->place, "%s must be %s; this is %s", name, wanted,
               tree_seen(r->tree, node, seen));
}

static bool is_scalar(const TreeNode *t) { return t->kind == TREE_PLAIN || t->kind == TREE_QUOTED; }

static bool read_number(Reader *r, const char *name, int32_t node, double *out) {
  const TreeNode *t = schema_value_at(r, node);
  const char *why = NULL;
  char seen[SEEN_BYTES];
  if (t->kind == TREE_QUOTED) wrong_type(r, name, node, "a number, without quotes");
  else if (t->kind != TREE_PLAIN) wrong_type(r, name, node, "a number");
  else if (!number_parse(t->text, out, &why))
    report_error(r->diagnostics, t->place, "%s: '%s' %s", name, seen_text(t->text, seen), why);
  else return true;
  return false;
}

static bool in_range(Reader *r, const Key *key, int32_t node, double value) {
  const bool any = key->min == 0 && key->max == 0;
  const Param param = {.name = key->name,
                       .min = any ? -(double)INFINITY : key->min,
                       .max = any ? (double)INFINITY : key->max,
                       .open_min = key->open_min,
                       .open_max = key->open_max};
  if (param_check(&param, value) == OK) return true;
  if (key->min == key->max && !any) FAIL(ERR_INPUT, "%s is %g, must be %g", key->name, value, key->min);
  report_error(r->diagnostics, schema_value_at(r, node)->place, "%s", status_message());
  return false;
}

static void read_integer(Reader *r, const Key *key, int32_t node, IntegerValue *out) {
  const TreeNode *t = schema_value_at(r, node);
  const char *why = NULL;
  char seen[SEEN_BYTES];
  int64_t value;
  if (is_scalar(t) && key->words && schema_word(key->words, t->text) >= 0) return; /* as if it were not given */
  if (t->kind != TREE_PLAIN) wrong_type(r, key->name, node, "a whole number");
  else if (!integer_parse(t->text, &value, &why))
    report_error(r->diagnostics, t->place, "%s: '%s' %s", key->name, seen_text(t->text, seen), why);
  else if (in_range(r, key, node, (double)value)) *out = (IntegerValue){value, t->place};
}

static void read_flag(Reader *r, const Key *key, int32_t node, FlagValue *out) {
  const TreeNode *t = schema_value_at(r, node);
  if (t->kind == TREE_PLAIN && strcmp(t->text, "true") == 0) *out = (FlagValue){true, t->place};
  else if (t->kind == TREE_PLAIN && strcmp(t->text, "false") == 0) *out = (FlagValue){false, t->place};
  else wrong_type(r, key->name, node, "true or false");
}

/* Index of the word, -1 after an error. */
static int32_t read_word(Reader *r, const Key *key, int32_t node) {
  const TreeNode *t = schema_value_at(r, node);
  if (!is_scalar(t)) {
    wrong_type(r, key->name, node, "a word");
    return -1;
  }
  enum { MOST = 256 }; /* of a probe's fields there are more than a hundred */
  const char *allowed[MOST];
  char list[12 * MOST] = "", seen[SEEN_BYTES], why[KINDS_BYTES] = "";
  int n = 0;
  for (int32_t i = 0; key->words[i].name; ++i) {
    const bool same = strcmp(key->words[i].name, t->text) == 0, has = kind_has(r->kind, key->words[i].only);
    if (same && has) return i;
    if (same) kinds_refusal(r->kind, key->words[i].only, why);
    if (!has) continue;
    if (n == MOST || schema_word(key->words, key->words[i].name) != i) continue;
    if (key->hides && key->hides(r->tree, key->words[i].name)) continue;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n ? ", " : "", key->words[i].name);
    allowed[n++] = key->words[i].name;
  }
  seen_text(t->text, seen);
  const char *near = nearest_name(t->text, n, allowed);
  const char *meant = key->meant ? key->meant(t->text) : NULL;
  if (*why)
    report_error(r->diagnostics, t->place, "%s: '%s' %.*s\n  allowed: %s", key->name, seen, (int)strcspn(why, "\n"),
                 why, list);
  else if (meant)
    report_error(r->diagnostics, t->place, "unknown %s '%s'\n  allowed: %s\n  %s", key->name, seen, list, meant);
  else if (near)
    report_error(r->diagnostics, t->place, "unknown %s '%s'\n  allowed: %s\n  did you mean '%s'?", key->name, seen,
                 list, near);
  else report_error(r->diagnostics, t->place, "unknown %s '%s'\n  allowed: %s", key->name, seen, list);
  return -1;
}

static void read_words(Reader *r, const Key *key, int32_t node, WordsValue *out) {
  if (schema_value_at(r, node)->kind != TREE_LIST) {
    wrong_type(r, key->name, node, "a list of words in brackets");
    return;
  }
  out->place = schema_value_at(r, node)->place;
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = schema_value_at(r, i)->next) {
    const int32_t word = read_word(r, key, i);
    if (word < 0) continue;
    if (words_have(out, word))
      report_error(r->diagnostics, schema_value_at(r, i)->place, "'%s' is listed twice", key->words[word].name);
    out->bits[word / 64] |= UINT64_C(1) << (word % 64);
  }
}

static bool read_expr(Reader *r, const char *name, int32_t node, ExprValue *out) {
  const TreeNode *t = schema_value_at(r, node);
  const char *why = NULL;
  double value;
  char seen[SEEN_BYTES];
  if (!is_scalar(t)) {
    wrong_type(r, name, node, "a number or an expression");
    return false;
  }
  seen_text(t->text, seen);
  if (number_parse(t->text, &value, &why)) {
    *out = (ExprValue){expr_constant(value), t->text, t->place};
    return true;
  }
  if (!strpbrk(t->text, r->tables && r->tables->frequency
                            ? "+-*/^()xyztpVf"
                            : "+-*/^()xyztpV")) { /* meant as a number: the plainer message */
    report_error(r->diagnostics, t->place, "%s: '%s' %s", name, seen, why);
    return false;
  }
  if (expr_parse_with(t->text, r->tables, &out->expr) != OK) {
    report_error(r->diagnostics, t->place, "%s: '%s' is neither a number nor an expression\n  %s", name, seen,
                 status_message());
    return false;
  }
  if (expr_has_v0(&out->expr) && strcmp(name, "volume")) {
    report_error(r->diagnostics, t->place, "%s: V0 is the initial volume of a cavity, which only 'volume' has", name);
    return false;
  }
  out->text = t->text, out->place = t->place;
  const double origin[3] = {0};
  if (!expr_is_constant(&out->expr) || isfinite(expr_value(&out->expr, origin, 0))) return true;
  report_error(r->diagnostics, t->place, "%s: '%s' is not a finite number", name, seen);
  return false;
}

/* The one value of a map {normal: one}; -1: it is no such map. */
static int32_t normal_at(const Reader *r, int32_t node) {
  const TreeNode *map = schema_value_at(r, node);
  if (map->kind != TREE_MAP || map->n != 1 || strcmp(schema_value_at(r, map->first)->key, "normal")) return -1;
  return is_scalar(schema_value_at(r, map->first)) ? map->first : -1;
}

/* {noral: one}; false: it is nothing like that. */
static bool misspelt_normal(Reader *r, const char *name, int32_t node) {
  static const char *const NORMAL = "normal";
  const TreeNode *map = schema_value_at(r, node);
  const TreeNode *child = map->kind == TREE_MAP && map->n == 1 ? schema_value_at(r, map->first) : NULL;
  char seen[SEEN_BYTES];
  if (!child || !strcmp(child->key, NORMAL) || !nearest_name(child->key, 1, &NORMAL)) return false;
  seen_text(child->key, seen);
  report_error(r->diagnostics, child->key_place, "unknown key '%s' in %s\n  allowed: %s\n  did you mean '%s'?", seen,
               name, NORMAL, NORMAL);
  return true;
}

static void read_exprs(Reader *r, const Key *key, int32_t node, ExprsValue *out) {
  const bool either = key->type == VALUE_EXPR_OR_EXPRS;
  const int32_t normal = either ? normal_at(r, node) : -1;
  if (normal >= 0 || (either && is_scalar(schema_value_at(r, node)))) {
    if (!read_expr(r, key->name, normal >= 0 ? normal : node, &out->item[0])) return;
    out->item[1] = out->item[2] = out->item[0];
    out->n = 3, out->single = true, out->normal = normal >= 0, out->place = schema_value_at(r, node)->place;
    return;
  }
  const int32_t n = schema_value_at(r, node)->n;
  if (either && misspelt_normal(r, key->name, node)) return;
  if (schema_value_at(r, node)->kind != TREE_LIST || n < 2 || n > 3) {
    wrong_type(r, key->name, node,
               key->type == VALUE_EXPRS ? "a list of 2 or 3 numbers or expressions, one per direction"
                                        : "one number, a list of 2 or 3, one per direction, or {normal: one}");
    return;
  }
  out->place = schema_value_at(r, node)->place;
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = schema_value_at(r, i)->next)
    read_expr(r, key->name, i, &out->item[out->n++]);
}

/* A number, or what varies in its place (beside `value`, the k-th of a vector), which makes the number NaN. */
static bool read_or_vary(Reader *r, const Key *key, int32_t node, void *value, int k, double *out) {
  VaryingValue *varying = (VaryingValue *)(void *)((char *)value - key->offset + key->varying) + k;
  const double origin[3] = {0};
  const TreeNode *t = schema_value_at(r, node);
  const bool factor = t->kind == TREE_QUOTED && t->text[strspn(t->text, " ")] == '*';
  if (key->varying && factor) {
    wrong_type(r, key->name, node, "a number, or an expression in quotes; a factor is for parameters of a preset");
    return false;
  }
  if (!key->varying || !varying_read(r, key->name, node, varying)) return read_number(r, key->name, node, out);
  *out = (double)NAN;
  if (!varying->expr.text || !expr_is_constant(&varying->expr.expr)) return true;
  *out = expr_value(&varying->expr.expr, origin, 0);
  *varying = (VaryingValue){0};
  return true;
}

static void read_vector(Reader *r, const Key *key, int32_t node, VectorValue *out) {
  const bool single = key->type == VALUE_NUMBER_OR_VECTOR;
  if (single && (is_scalar(schema_value_at(r, node)) || (key->varying && varying_is_map(r->tree, node)))) {
    out->place = schema_value_at(r, node)->place;
    out->n = read_or_vary(r, key, node, out, 0, &out->value[0]);
    return;
  }
  const int32_t n = schema_value_at(r, node)->n;
  if (schema_value_at(r, node)->kind != TREE_LIST || n < 2 || n > 3) {
    wrong_type(r, key->name, node, single ? "a number, or a list of 2 or 3" : "a list of 2 or 3 numbers");
    return;
  }
  out->place = schema_value_at(r, node)->place;
  out->n = 0; /* two keys of a muscle may name the same vector */
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = schema_value_at(r, i)->next)
    read_or_vary(r, key, i, out, out->n, &out->value[out->n]), ++out->n;
}

/* The rows of a symmetric tensor, or the numbers of a diagonal one. */
static bool read_rows(Reader *r, const Key *key, int32_t node, TensorValue *out) {
  int32_t row = 0;
  bool fine = true;
  for (int32_t i = schema_value_at(r, node)->first; i >= 0 && fine; i = schema_value_at(r, i)->next, ++row) {
    const bool list = schema_value_at(r, i)->kind == TREE_LIST;
    if (row == 0) out->diagonal = !list;
    if (list == out->diagonal || (list && schema_value_at(r, i)->n != schema_value_at(r, node)->n)) {
      wrong_type(r, key->name, i,
                 out->diagonal ? "a list of numbers" : "a list of rows of equal length, one per direction");
      return false;
    }
    if (!list) {
      fine = read_number(r, key->name, i, &out->value[row][row]);
      continue;
    }
    int32_t column = 0;
    for (int32_t k = schema_value_at(r, i)->first; k >= 0 && fine; k = schema_value_at(r, k)->next)
      fine = read_number(r, key->name, k, &out->value[row][column++]);
  }
  for (int32_t a = 0; a < row && fine; ++a)
    for (int32_t b = 0; b < a && fine; ++b) {
      fine = out->value[a][b] == out->value[b][a];
      if (!fine)
        report_error(r->diagnostics, schema_value_at(r, node)->place, "%s must be symmetric; %c%c is %g and %c%c is %g",
                     key->name, "xyz"[b], "xyz"[a], out -> value[b][a], "xyz"[a], "xyz"[b], out -> value[a][b]);
    }
  return fine;
}

static void read_tensor(Reader *r, const Key *key, int32_t node, TensorValue *out) {
  TensorValue value = {.n = 1, .diagonal = true};
  const bool list = schema_value_at(r, node)->kind == TREE_LIST;
  const int32_t n = schema_value_at(r, node)->n;
  if (list ? n < 2 || n > 3
           : !is_scalar(schema_value_at(r, node)) && !(key->varying && varying_is_map(r->tree, node))) {
    wrong_type(r, key->name, node, "a number, a list of 2 or 3 numbers, or a symmetric tensor as a list of rows");
    return;
  }
  if (list ? !read_rows(r, key, node, &value) : !read_or_vary(r, key, node, out, 0, &value.value[0][0])) return;
  if (list) value.n = n;
  if (!list) value.value[1][1] = value.value[2][2] = value.value[0][0];
  value.place = schema_value_at(r, node)->place;
  *out = value;
}

static bool read_name(Reader *r, const Key *key, int32_t node, TextValue *out) {
  const TreeNode *t = schema_value_at(r, node);
  if (!is_scalar(t) || !*t->text) {
    wrong_type(r, key->name, node, key->type == VALUE_NAMES ? "a name or a list of names" : "a text");
    return false;
  }
  *out = (TextValue){t->text, t->place};
  return true;
}

static void read_names(Reader *r, const Key *key, int32_t node, NamesValue *out) {
  const bool list = schema_value_at(r, node)->kind == TREE_LIST;
  const int32_t n = list ? schema_value_at(r, node)->n : 1;
  if (n == 0) {
    wrong_type(r, key->name, node, "a name or a list of names");
    return;
  }
  if (mem_alloc(n, sizeof *out->item, "names of the case file", (void **)&out->item) != OK) {
    r->diagnostics->broken = ERR_MEMORY;
    return;
  }
  out->place = schema_value_at(r, node)->place;
  if (!list) {
    out->n = read_name(r, key, node, &out->item[0]);
    return;
  }
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = schema_value_at(r, i)->next)
    out->n += read_name(r, key, i, &out->item[out->n]);
}

bool value_refuse_sign(Reader *r, const char *name, const TreeNode *node) {
  const char *text = node->text, *why;
  char seen[SEEN_BYTES];
  double value;
  if (node->kind != TREE_QUOTED && node->kind != TREE_PLAIN) return false;
  text += strspn(text, " ");
  if (*text != '/' && (node->kind == TREE_PLAIN || (*text != '+' && *text != '-'))) return false;
  const bool number = number_parse(text + 1 + strspn(text + 1, " "), &value, &why);
  if (*text == '-' && !number) return false; /* an expression */
  if (*text == '/' && number && value != 0)
    report_error(r->diagnostics, node->place,
                 "%s: '%s' would be a part of the preset's value, or of the file's\n  "
                 "remedy: a factor, \"*%.15g\"",
                 name, seen_text(node->text, seen), 1 / value);
  else
    report_error(r->diagnostics, node->place,
                 "%s: '%s' may be a number, or something that is added to the preset's value or to the file's, which "
                 "is not possible\n  remedy: the number without quotes and without '+'; so many times the value is "
                 "\"*0.5\"",
                 name, seen_text(node->text, seen));
  return true;
}

/* A number, or "*0.5" where that may be. */
static bool read_factor(Reader *r, const Key *key, int32_t node, Factor *out) {
  const TreeNode *t = schema_value_at(r, node);
  const char *why = NULL, *text = key->relative && t->kind == TREE_QUOTED ? t->text + strspn(t->text, " ") : "";
  char seen[SEEN_BYTES];
  out->times = *text == '*';
  if (key->relative && value_refuse_sign(r, key->name, t)) return false;
  if (!out->times) return read_number(r, key->name, node, &out->value);
  text += 1 + strspn(text + 1, " ");
  if (number_parse(text, &out->value, &why)) return true;
  if (!*text) report_error(r->diagnostics, t->place, "%s: * must be followed by a number, \"*0.5\"", key->name);
  else
    report_error(r->diagnostics, t->place, "%s: '%s' %s; * must be followed by a number, \"*0.5\"", key->name,
                 seen_text(text, seen), why);
  return false;
}

static void read_factors(Reader *r, const Key *key, int32_t node, FactorsValue *out) {
  const int32_t n = schema_value_at(r, node)->n;
  if (schema_value_at(r, node)->kind != TREE_MAP || n == 0) {
    const char *found = strchr(key->meaning, '{'), *example = found ? found : "{name: 1.5}";
    char wanted[128];
    snprintf(wanted, sizeof wanted, "a map of numbers by name, %.*s", (int)strcspn(example, "}") + 1, example);
    wrong_type(r, key->name, node, wanted);
    return;
  }
  if (mem_alloc(n, sizeof *out->item, "the case file", (void **)&out->item) != OK) {
    r->diagnostics->broken = ERR_MEMORY;
    return;
  }
  out->place = schema_value_at(r, node)->place;
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = schema_value_at(r, i)->next) {
    const TreeNode *t = schema_value_at(r, i);
    Factor *factor = &out->item[out->n];
    for (int32_t k = 0; k < out->n; ++k)
      if (strcmp(out->item[k].name.text, t->key) == 0)
        report_error(r->diagnostics, t->key_place, "%s: '%s' is listed twice", key->name, t->key);
    factor->name = (TextValue){t->key, t->key_place};
    out->n += read_factor(r, key, i, factor);
  }
}

static void read_maps(Reader *r, const Key *key, int32_t node, MapsValue *out) {
  if (schema_value_at(r, node)->kind != TREE_LIST) {
    wrong_type(r, key->name, node, "a list of maps, one '- {...}' each");
    return;
  }
  const int32_t n = schema_value_at(r, node)->n;
  if (mem_alloc(n, key->schema->size, "the case file", &out->item) != OK) {
    r->diagnostics->broken = ERR_MEMORY;
    return;
  }
  out->place = schema_value_at(r, node)->place;
  out->size = key->schema->size;
  int32_t next;
  for (int32_t i = schema_value_at(r, node)->first; i >= 0; i = next) {
    next = schema_value_at(r, i)->next;
    read_map(r, key->schema, i, (char *)out->item + (size_t)out->n++ * key->schema->size);
  }
}

/* A value that could not be read counts as given all the same, so that it is not called missing. */
static void note_place(const Key *key, Place place, void *value) {
  switch (key->type) {
  case VALUE_TEXT: ((TextValue *)value)->place = place; break;
  case VALUE_NUMBER: ((NumberValue *)value)->place = place; break;
  case VALUE_FLAG: ((FlagValue *)value)->place = place; break;
  case VALUE_WORD: ((WordValue *)value)->place = place; break;
  case VALUE_EXPR: ((ExprValue *)value)->place = place; break;
  case VALUE_EXPRS:
  case VALUE_EXPR_OR_EXPRS: ((ExprsValue *)value)->place = place; break;
  default: break;
  }
}

void value_read(Reader *r, const Key *key, int32_t node, void *value) {
  note_place(key, schema_value_at(r, node)->place, value);
  switch (key->type) {
  case VALUE_TEXT: read_name(r, key, node, value); break;
  case VALUE_NUMBER: {
    double number;
    if (read_or_vary(r, key, node, value, 0, &number) && (isnan(number) || in_range(r, key, node, number)))
      *(NumberValue *)value = (NumberValue){number, schema_value_at(r, node)->place};
    break;
  }
  case VALUE_INTEGER: read_integer(r, key, node, value); break;
  case VALUE_FLAG: read_flag(r, key, node, value); break;
  case VALUE_WORD: {
    const int32_t word = read_word(r, key, node);
    if (word >= 0) *(WordValue *)value = (WordValue){word, key->words[word].name, schema_value_at(r, node)->place};
    break;
  }
  case VALUE_WORDS: read_words(r, key, node, value); break;
  case VALUE_EXPR: read_expr(r, key->name, node, value); break;
  case VALUE_EXPRS:
  case VALUE_EXPR_OR_EXPRS: read_exprs(r, key, node, value); break;
  case VALUE_VECTOR:
  case VALUE_NUMBER_OR_VECTOR: read_vector(r, key, node, value); break;
  case VALUE_TENSOR: read_tensor(r, key, node, value); break;
  case VALUE_NAMES: read_names(r, key, node, value); break;
  case VALUE_FACTORS: read_factors(r, key, node, value); break;
  case VALUE_MAP: read_map(r, key->schema, node, value); break;
  case VALUE_MAPS: read_maps(r, key, node, value); break;
  case VALUE_NAMED_MAPS: break; /* no key of a file is this row's (schema.c, read_named) */
  }
}
