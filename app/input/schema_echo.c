/* The resolved case: every value, given or default, written back as YAML from the same tables that read it. */
#include "app/input/schema.h"
#include "app/input/schema_value.h"
#include "output/wording.h"

#include <ctype.h>
#include <string.h>

static bool is_plain(const char *text) {
  if (!isalpha((unsigned char)*text)) return false;
  for (; *text; ++text)
    if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-' && *text != '.') return false;
  return true;
}

void echo_text(const char *text, Text *out) {
  if (is_plain(text)) {
    text_add(out, "%s", text);
    return;
  }
  text_add(out, "\"");
  for (; *text; ++text) {
    const unsigned char letter = (unsigned char)*text;
    if (letter == '"' || letter == '\\') text_add(out, "\\%c", letter);
    else if (letter < 0x20 || letter == 0x7f) text_add(out, "\\x%02x", letter);
    else text_add(out, "%c", letter);
  }
  text_add(out, "\"");
}

static void echo_number(double value, Text *out) {
  char digits[32];
  text_add(out, "%s", double_text(value, digits));
}

void echo_expr(const ExprValue *value, Text *out) {
  const double origin[3] = {0};
  if (expr_is_constant(&value->expr)) echo_number(expr_value(&value->expr, origin, 0), out);
  else text_add(out, "\""), text_add(out, "%s", value->text), text_add(out, "\"");
}

static void echo_exprs(const ExprsValue *value, Text *out) {
  if (value->single) {
    if (value->normal) text_add(out, "{normal: ");
    echo_expr(&value->item[0], out);
    if (value->normal) text_add(out, "}");
    return;
  }
  for (int32_t i = 0; i < value->n; ++i) {
    text_add(out, i ? ", " : "[");
    echo_expr(&value->item[i], out);
  }
  text_add(out, "]");
}

/* A number of a key, or what varies in its place: beside `value`, the k-th of a vector. */
static void echo_or_vary(const Key *key, const void *value, int k, double number, Text *out) {
  const VaryingValue *varying =
      (const VaryingValue *)(const void *)((const char *)value - key->offset + key->varying) + k;
  if (key->varying && place_given(varying->place)) varying_echo(varying, out);
  else echo_number(number, out);
}

static void echo_vector(const Key *key, const VectorValue *value, Text *out) {
  for (int32_t i = 0; i < value->n; ++i) {
    text_add(out, i ? ", " : "[");
    echo_or_vary(key, value, i, value->value[i], out);
  }
  text_add(out, "]");
}

static void echo_tensor(const Key *key, const TensorValue *value, Text *out) {
  if (value->n == 1) {
    echo_or_vary(key, value, 0, value->value[0][0], out);
    return;
  }
  for (int32_t i = 0; i < value->n; ++i) {
    text_add(out, i ? ", " : "[");
    if (value->diagonal) {
      echo_number(value->value[i][i], out);
      continue;
    }
    for (int32_t j = 0; j < value->n; ++j) {
      text_add(out, j ? ", " : "[");
      echo_number(value->value[i][j], out);
    }
    text_add(out, "]");
  }
  text_add(out, "]");
}

static void echo_names(const NamesValue *value, Text *out) {
  for (int32_t i = 0; i < value->n; ++i) {
    text_add(out, i ? ", " : value->n > 1 ? "[" : "");
    echo_text(value->item[i].text, out);
  }
  if (value->n > 1) text_add(out, "]");
}

static void echo_factors(const FactorsValue *value, Text *out) {
  for (int32_t i = 0; i < value->n; ++i) {
    text_add(out, i ? ", " : "{");
    echo_text(value->item[i].name.text, out);
    text_add(out, ": ");
    if (value->item[i].times) text_add(out, "\"*");
    echo_number(value->item[i].value, out);
    if (value->item[i].times) text_add(out, "\"");
  }
  text_add(out, "}");
}

static void echo_words(const Key *key, const WordsValue *value, Text *out) {
  bool first = true;
  text_add(out, "[");
  for (int32_t i = 0; key->words[i].name; ++i) {
    if (!words_have(value, i)) continue;
    text_add(out, "%s%s", first ? "" : ", ", key->words[i].name);
    first = false;
  }
  text_add(out, "]");
}

/* False: there is no value, neither given nor default. */
static bool has_value(const Key *key, const void *value) {
  if (key->initial || key->required) return true;
  switch (key->type) {
  case VALUE_TEXT: return ((const TextValue *)value)->text != NULL;
  case VALUE_NUMBER: return place_given(((const NumberValue *)value)->place);
  case VALUE_INTEGER: return place_given(((const IntegerValue *)value)->place);
  case VALUE_FLAG: return place_given(((const FlagValue *)value)->place);
  case VALUE_WORD: return ((const WordValue *)value)->text != NULL;
  case VALUE_WORDS: return place_given(((const WordsValue *)value)->place);
  case VALUE_EXPR: return place_given(((const ExprValue *)value)->place);
  case VALUE_EXPRS:
  case VALUE_EXPR_OR_EXPRS: return ((const ExprsValue *)value)->n > 0;
  case VALUE_VECTOR:
  case VALUE_NUMBER_OR_VECTOR: return ((const VectorValue *)value)->n > 0;
  case VALUE_TENSOR: return ((const TensorValue *)value)->n > 0;
  case VALUE_NAMES: return ((const NamesValue *)value)->n > 0;
  case VALUE_FACTORS: return ((const FactorsValue *)value)->n > 0;
  case VALUE_MAP: return !key->schema->optional || place_given(*(const Place *)value);
  case VALUE_MAPS:
  case VALUE_NAMED_MAPS: return true;
  }
  return false;
}

static void echo_value(const Key *key, const void *value, Text *out) {
  switch (key->type) {
  case VALUE_TEXT: echo_text(((const TextValue *)value)->text, out); break;
  case VALUE_NUMBER: echo_or_vary(key, value, 0, ((const NumberValue *)value)->value, out); break;
  case VALUE_INTEGER: text_add(out, "%lld", (long long)((const IntegerValue *)value)->value); break;
  case VALUE_FLAG: text_add(out, ((const FlagValue *)value)->value ? "true" : "false"); break;
  case VALUE_WORD: echo_text(((const WordValue *)value)->text, out); break;
  case VALUE_WORDS: echo_words(key, value, out); break;
  case VALUE_EXPR: echo_expr(value, out); break;
  case VALUE_EXPRS:
  case VALUE_EXPR_OR_EXPRS: echo_exprs(value, out); break;
  case VALUE_VECTOR: echo_vector(key, value, out); break;
  case VALUE_NUMBER_OR_VECTOR:
    if (((const VectorValue *)value)->n == 1) echo_or_vary(key, value, 0, ((const VectorValue *)value)->value[0], out);
    else echo_vector(key, value, out);
    break;
  case VALUE_TENSOR: echo_tensor(key, value, out); break;
  case VALUE_NAMES: echo_names(value, out); break;
  case VALUE_FACTORS: echo_factors(value, out); break;
  case VALUE_MAP:
  case VALUE_MAPS:
  case VALUE_NAMED_MAPS: break;
  }
}

/* What all maps of a case are echoed with. */
typedef struct Echo {
  uint32_t kind;
  const void *root; /* the case */
  bool brief;       /* without parameters of presets */
} Echo;
static bool is_idle(const Schema *schema, const Echo *e, const void *map, const char *name) {
  return schema->idle && schema->idle(e->root, map, name);
}

static void echo_map(const Schema *schema, const Echo *e, const void *target, int indent, Text *out);
static void echo_key(const Key *key, const Echo *e, const char *value, int indent, Text *out);

/* Items of a list of maps: "- key: value" with the keys below aligned. */
static void echo_maps(const Key *key, const Echo *e, const MapsValue *maps, int indent, Text *out) {
  for (int32_t i = 0; i < maps->n; ++i) {
    const int64_t start = out->n;
    echo_map(key->schema, e, (const char *)maps->item + (size_t)i * key->schema->size, indent + 2, out);
    if (out->status == OK && out->n > start) out->data[start + indent] = '-';
  }
}

static void echo_named(const Key *key, const Echo *e, const MapsValue *maps, int indent, Text *out) {
  for (int32_t i = 0; i < maps->n; ++i) {
    const NamedItem *item = (const NamedItem *)(const void *)((const char *)maps->item + (size_t)i * maps->size);
    text_add(out, "%*s", indent, "");
    echo_text(item->name.text, out);
    text_add(out, ":\n");
    const int64_t body = out->n;
    echo_map(key->schema, e, item, indent + 2, out);
    if (out->n == body) text_cut(out, body - 1), text_add(out, " {}\n");
  }
}

static bool is_made(const Key *key, const char *value) {
  if (key->type != VALUE_MAP || !key->schema->made || place_given(*(const Place *)(const void *)value)) return false;
  return place_given(((const NumberValue *)(const void *)(value + key->schema->key[0].offset))->place);
}

/* A reader passes over it, so that the case reads back as it was given. */
static void echo_made(const Key *key, const Echo *e, const char *value, int indent, Text *out) {
  Text inside = {0};
  echo_map(key->schema, e, value, 2, &inside);
  text_add(out, "%*s# %s:\n", indent, "", key->name);
  for (const char *line = inside.data; inside.status == OK && line && *line; line = strchr(line, '\n') + 1)
    text_add(out, "%*s# %.*s\n", indent, "", (int)strcspn(line, "\n"), line);
  if (inside.status != OK) out->status = inside.status;
  text_release(&inside);
}

static void echo_key(const Key *key, const Echo *e, const char *value, int indent, Text *out) {
  const int64_t start = out->n;
  if (is_made(key, value)) echo_made(key, e, value, indent, out);
  if (key->type == VALUE_NAMED_MAPS) echo_named(key, e, (const MapsValue *)(const void *)value, indent, out);
  if (key->type == VALUE_NAMED_MAPS || !has_value(key, value)) return;
  text_add(out, "%*s%s:", indent, "", key->name);
  if (key->type != VALUE_MAP && key->type != VALUE_MAPS) {
    text_add(out, " ");
    echo_value(key, value, out);
    text_add(out, "\n");
    return;
  }
  text_add(out, "\n");
  const int64_t body = out->n;
  if (key->type == VALUE_MAP) echo_map(key->schema, e, value, indent + 2, out);
  else echo_maps(key, e, (const MapsValue *)(const void *)value, indent + 2, out);
  if (out->n == body) text_cut(out, start); /* nothing inside: no key */
}

static void echo_param(const Param *param, const NumberValue *value, const VaryingValue *varying, Text *out) {
  char word[32];
  if (varying && place_given(varying->place)) varying_echo(varying, out);
  else if (param_word(param, value->value, word, sizeof word)) text_add(out, "%s", word);
  else echo_number(value->value, out);
}

/* Of a value that one line or a map holds. */
static bool is_given(const Key *key, const void *value) {
  switch (key->type) {
  case VALUE_TEXT: return place_given(((const TextValue *)value)->place);
  case VALUE_NUMBER: return place_given(((const NumberValue *)value)->place);
  case VALUE_INTEGER: return place_given(((const IntegerValue *)value)->place);
  case VALUE_FLAG: return place_given(((const FlagValue *)value)->place);
  case VALUE_WORD: return place_given(((const WordValue *)value)->place);
  case VALUE_MAP: return place_given(*(const Place *)value);
  default: return true;
  }
}

/* At the top of a case, behind all else: keys that are not given. */
static void echo_rest(const Schema *schema, const Echo *e, Text *out) {
  text_add(out, ECHO_REST);
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    const char *value = (const char *)e->root + key->offset;
    if (kind_has(e->kind, key->only) && !is_idle(schema, e, e->root, key->name) && !is_made(key, value) &&
        !is_given(key, value))
      echo_key(key, e, value, 0, out);
  }
}

static void echo_map(const Schema *schema, const Echo *e, const void *target, int indent, Text *out) {
  for (int k = 0; k < schema->n; ++k)
    if (kind_has(e->kind, schema->key[k].only) && !is_idle(schema, e, target, schema->key[k].name) &&
        !(e->brief && target == e->root && !is_given(&schema->key[k], (const char *)target + schema->key[k].offset) &&
          !is_made(&schema->key[k], (const char *)target + schema->key[k].offset)))
      echo_key(&schema->key[k], e, (const char *)target + schema->key[k].offset, indent, out);
  if (!schema->params) return;
  int n = 0;
  const WordValue *chosen =
      (const WordValue *)(const void *)((const char *)target + schema_key(schema, KIND_ANY, schema->chooser)->offset);
  const Param *param = schema->params(chosen->text ? chosen->value : -1, &n);
  const NumberValue *value = (const NumberValue *)(const void *)((const char *)target + schema->params_offset);
  const VaryingValue *varying = (const VaryingValue *)(const void *)((const char *)target + schema->varying_offset);
  for (int k = 0, rows; k < n; k += rows) {
    rows = param_list(param, n, k);
    const bool map = param_is_map(&param[k], rows);
    if ((map && !place_given(value[k].place)) || schema_key(schema, e->kind, param[k].name)) continue;
    if (e->brief && schema->relative && !place_given(value[k].place)) continue;
    if (is_idle(schema, e, target, param[k].name) || (param_is_pairs(&param[k]) && !place_given(value[k].place)))
      continue;
    text_add(out, "%*s%s: %s", indent, "", param[k].name, map ? "{" : rows > 1 ? "[" : "");
    for (int i = k; i < k + rows; ++i) {
      if (i > k) text_add(out, ", ");
      if (map) text_add(out, "%.*s: ", param_label(&param[i]), param[i].meaning);
      if (param_is_curve(&param[i]) || param_place(&param[i], value[i].value))
        curve_echo(&param[i], value[i].value,
                   (const ParamCurves *)(const void *)((const char *)target + schema->curves_offset), out);
      else echo_param(&param[i], &value[i], schema->varying_offset ? &varying[i] : NULL, out);
    }
    text_add(out, map ? "}\n" : rows > 1 ? "]\n" : "\n");
  }
}

void schema_echo(const Schema *schema, uint32_t kind, const void *target, bool brief, Text *out) {
  const Echo e = {kind, target, brief};
  echo_map(schema, &e, target, 0, out);
  if (brief) echo_rest(schema, &e, out);
}
